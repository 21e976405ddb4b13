// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
int again(int n) { return n ? again(n - 1) : 0; } // error: recursion is not allowed in OpenCL: 'again' calls itself
struct Bits { int a : 3; }; // error: bit-fields are not supported in OpenCL
int many(int n, ...) { return n; } // error: invalid prototype, variadic arguments are not allowed in OpenCL
kernel void k(global int *out, int n) {
  int (*f)(int) = again; // error: pointers to functions are not allowed
  int a[n]; // error: variable length arrays are not supported in OpenCL
  register int r = 0; // error: OpenCL C version 3.0 does not support the 'register' storage class specifier
  auto int s = 0; // error: OpenCL C version 3.0 does not support the 'auto' storage class specifier
  double d = out; // error: initializing 'double' with an expression of incompatible type '__global int *'
  image2d_t i; // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter
  out[0] = r + s;
}
