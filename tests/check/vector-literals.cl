// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
void literals(float2 w) {
  float4 a = (float4)(w, w);
  float2 part = (float4)(w, w).xz + (float2)(1)[0] - -(float4)(1, 2, 3, 4).x;
  float4 b = (float4)(1, 2, 3); // error: too few elements in vector initialization
  float4 c = (float4)(w, w, 1); // error: too many elements in vector initialization
  float4 d = (float4)(w); // error: invalid conversion between ext-vector type 'float4' and 'float2'
  float4 e = {1, 2, 3}; // error: too few elements in vector initialization (expected 4 elements, have 3)
}
