// SPDX-License-Identifier: MIT
// Vectors: operators by component, comparisons and selection, swizzles on both sides, three components in the room of four.

// run: compare
// arg: int4 = 1 2 3 4
// arg: int4 = 1 0 3 9
// arg: int4[3] = zero -> -1 0 -1 0 0 -1 0 0 1 200 3 400
kernel void compare(int4 a, int4 b, global int4 *out) {
  out[0] = a == b;
  out[1] = a > b;
  out[2] = (a == b) ? a : a * 100;
}

// run: swizzles
// arg: float4 = 1 2 3 4
// arg: float4[5] = zero -> 4 3 2 1 1 2 1 2 3 4 3 4 2 4 1 3 1 20 10 4
kernel void swizzles(float4 v, global float4 *out) {
  out[0] = v.wzyx;
  out[1] = (float4)(v.lo, v.lo);
  out[2] = (float4)(v.hi, v.s23);
  out[3] = (float4)(v.odd, v.even);
  v.zy = (float2)(10, 20);
  out[4] = v;
}

// run: sixteen
// arg: uchar16[1] = range -> 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// arg: uint[1] = zero -> 120
kernel void sixteen(global uchar16 *v, global uint *sum) {
  uchar16 r = v->sFEDCBA9876543210;
  *v = r;
  ushort8 eight = convert_ushort8(r.lo) + convert_ushort8(r.hi);
  ushort4 four = eight.lo + eight.hi;
  *sum = four.x + four.y + four.z + four.w;
}

// run: three global=2
// arg: float3[2] = 1 2 3 0 4 5 6 0
// arg: float[6] = zero -> 2 4 6 8 10 12
// arg: uint[1] = zero -> 16
kernel void three(global const float3 *in, global float *packed, global uint *size) {
  size_t i = get_global_id(0);
  vstore3(in[i] * 2, i, packed);
  *size = sizeof(float3);
}

// run: shuffles
// arg: int4 = 10 20 30 40
// arg: uint4 = 3 3 0 5
// arg: int4[2] = zero -> 40 40 10 20 40 -40 10 -20
kernel void shuffles(int4 v, uint4 mask, global int4 *out) {
  out[0] = shuffle(v, mask);
  out[1] = shuffle2(v, -v, (uint4)(3, 7, 0, 5));
}

// An index that is known only at run time, for reading and for writing.
// run: indexed global=4
// arg: int4[4] = zero -> 9 2 3 4 1 9 3 4 1 2 9 4 1 2 3 9
kernel void indexed(global int4 *out) {
  size_t i = get_global_id(0);
  int4 v = (int4)(1, 2, 3, 4);
  ((int *)&v)[i] = 9;
  out[i] = v;
}

// An index into components that were chosen first.
// run: indexed_swizzle global=4
// arg: int8[4] = zero -> 9 2 10 4 5 6 71 8 1 9 13 4 5 6 71 8 10 2 3 4 9 6 71 8 1 2 13 4 5 6 71 9
// arg: int[4] = zero -> 1 3 6 8
// except: Portable: clang takes the components that follow the first one
// except: rusticl: clang takes the components that follow the first one
// except: NVIDIA: clang takes the components that follow the first one
kernel void indexed_swizzle(global int8 *out, global int *picked) {
  int i = get_global_id(0);
  int8 v = (int8)(1, 2, 3, 4, 5, 6, 7, 8);
  picked[i] = v.s0257[i];
  v.s0147[i] = 9;
  if (i & 1) v.lo.zw.yx[i & 1] += 10;
  if (i == 0) v.lo.zx[0] = 10;
  if (i == 2) v.even[0] = 10;
  out[i] = v;
  out[i].hi.zx[0] = 71;
}

// run: any_and_all
// arg: int[4] = zero -> 1 0 1 5
kernel void any_and_all(global int *out) {
  out[0] = any((int4)(0, -1, 0, 0));
  out[1] = all((int4)(-1, -1, 1, -1));
  out[2] = all((int2)(-1, -2));
  out[3] = select((int2)(4, 4), (int2)(5, 5), (int2)(0, -1)).y;
}

// run: parts_of_literals
// arg: int = 7
// arg: int[6] = zero -> 3 7 7 2 4 9
kernel void parts_of_literals(int n, global int *out) {
  out[0] = (int4)(1, 2, 3, 4).z;
  out[1] = (int4)(n).y;
  out[2] = (int2)(n)[1];
  vstore3((int4)(2, 4, 9, n).xyz, 1, out);
}
