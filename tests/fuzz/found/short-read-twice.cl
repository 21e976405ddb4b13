// SPDX-License-Identifier: MIT
// global=2,1,1 local=1,1,1
// Two loads of one short, left where branches became selects, were joined to a word of its size: a truncation to the same type.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global short *p = (global short *)again + x * 10;
  global short *q = (global short *)same + x * 10;
  short a = p[7], b = p[3];
  // statements
  if (p[3] > b) p[0] = (short)(b * p[7]); else p[6] = p[6];
  if (p[3] != a) { q[4] = q[7]; a = (short)((short)1 * p[6]); }
  if (q[1] > b) p[1] = q[5]; else p[0] = (short)((short)3 ^ p[3]);
  slots[x] = (uint)(int)a * 31 + (uint)(int)b;
}
