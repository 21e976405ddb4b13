// SPDX-License-Identifier: MIT
// clang's own functions: what they refuse, on the lines where clang does.
//--- -cl-std=CL1.2
kernel void shuffles(int4 a, float4 f, int n, global int *o) {
  int4 b = __builtin_shufflevector(a, a, 0, 7, -1, 3);
  b = __builtin_shufflevector(a, a, 0, 8, 1, 3); // error: index for '__builtin_shufflevector' must be less than the total number of vector elements
  b = __builtin_shufflevector(a, a, 0, n, 1, 3); // error: index for '__builtin_shufflevector' must be a constant integer
  b = __builtin_shufflevector(a, f, 0, 1, 2, 3); // error: first two arguments to '__builtin_shufflevector' must have the same type
  float2 c = __builtin_shufflevector(f, f, 0, 1);
  int d = __builtin_shufflevector(a, a, 5);
}
kernel void conversions(int4 a, float4 f, int n) {
  float4 b = __builtin_convertvector(a, float4);
  b = __builtin_convertvector(a, float2); // error: vector operands do not have the same number of elements ('int4' and 'float2')
  b = __builtin_convertvector(n, float4); // error: '__builtin_convertvector' converts vectors, not 'int'
  int c = __builtin_bit_cast(int, 1.0f);
  c = __builtin_bit_cast(int, f); // error: invalid reinterpretation: sizes of 'int' and 'float4' must match
  int e[__builtin_types_compatible_p(int, const int) ? 1 : -1];
  int g[__builtin_types_compatible_p(int, uint) ? 1 : -1]; // error: array size is negative
}
kernel void overflows(int n, long l, global int *o) {
  o[1] = __builtin_add_overflow(n, 1L, o);
  o[1] = __builtin_add_overflow(n, l, o); // error: an operand of type 'long' may not fit 'int', the type that the result of '__builtin_add_overflow' has: convert it first
}
//--- -cl-std=CL1.1
kernel void prints(void) { printf("from 1.2 on"); } // error: implicit declaration of function 'printf' is invalid in OpenCL
//--- -cl-std=CL2.0
kernel void atomics(global atomic_int *a) {
  int x = __opencl_atomic_load(a, memory_order_relaxed, memory_scope_device);
  __opencl_atomic_store(a, x, memory_order_relaxed, memory_scope_device);
  __c11_atomic_store(a, x, memory_order_relaxed);
}
