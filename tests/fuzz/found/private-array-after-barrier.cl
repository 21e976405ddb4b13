// SPDX-License-Identifier: MIT
// global=64,2,1 local=64,1,1
// The stores to `own` vanished when the bytes of `a0` were joined: the address that reads it, after the barrier, was not seen.
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  const uint LX = get_local_size(0), LY = get_local_size(1), LS = LX * LY;
  const uint gid = y * get_global_size(0) + x;
  const uint lid = ly * LX + lx;
  local uchar4 a0[64];
  local ulong a1[64];
  for (uint j = lid; j < 64; j += LS) { a0[j] = (uchar4)((uchar)(j), (uchar)lid, (uchar)((j) >> 8), 7); a1[j] = (ulong)(j); }
  uint v0 = gid;
  uint own[4] = { gid, x, y, 1 };
  a1[lid] = 59u | own[1] << 4; barrier(CLK_LOCAL_MEM_FENCE); for (uint j = 0; j < LS; j++) if ((uint)a1[j] > (own[lid & 3] >> 0)) { v0 = j; break; } barrier(CLK_LOCAL_MEM_FENCE);
  out[gid * 8 + 0] = v0;
}
