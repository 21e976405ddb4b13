// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
void pointers(global int *a, global float *f, global uint *u, const global int *c) {
  a = f; // warning: incompatible pointer types assigning to '__global int *' from type '__global float *'
  a = u; // warning: assigning to '__global int *' from type '__global uint *' converts between pointers to integer types with different sign
  a = c; // warning: assigning to '__global int *' from type '__global const int *' discards qualifiers
  if (a == f) a = 0; // warning: comparison of distinct pointer types ('__global int *' and '__global float *')
}
void formats(float x) {
  printf("%d\n", x); // warning: format specifies type 'int' but the argument has type 'float'
  printf("%f %d\n", x); // warning: more '%' conversions than data arguments
  printf("%v4f\n", (float4)(x)); // warning: format specifies type 'double4' but the argument has type 'float4'
  printf("%s", "text", 1); // warning: data argument not used by format string
}
__attribute__((no_such_attribute)) void attributes(void) {} // warning: unknown attribute 'no_such_attribute' ignored
#pragma OPENCL EXTENSION cl_no_such_extension : enable // warning: unsupported OpenCL extension 'cl_no_such_extension' - ignoring
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
