// SPDX-License-Identifier: MIT
// global=8,2,3 local=4,4,1
// A copy of 8 bits took the place of one of 32, where integers are narrowed.
typedef struct { int a; short b; float c; uchar d[3]; } Record;
constant uint table[8] = { 200547162u, 2265478206u, 3195554038u, 1515964465u, 1581040943u, 3716445233u, 3961500334u, 2013964177u };
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint W = get_global_size(0), H = get_global_size(1), D = get_global_size(2), N = W * H * D;
  const uint LS = get_local_size(0) * get_local_size(1) * get_local_size(2);
  const uint gid = (z * H + y) * W + x;
  const uint lid = (lz * get_local_size(1) + ly) * get_local_size(0) + lx;
  uint pa[8]; uchar pb[8]; for (uint i = 0; i < 8; i++) { pa[i] = in[(gid + i * 3) & 255]; pb[i] = (uchar)(i * x + y); }
  Record r = { (int)gid, (short)x, 0.5f, { (uchar)y, 2, (uchar)lx } };
  // statements
  int u0 = ((int)((uint)((int)(get_local_size(0))) << (((int)(n)) & 31)));
  char u1 = ((char)(((char)(u0)) / ((((global const char *)in)[((uint)u0 * 2) & 1023] & (char)15) | (char)1)));
  long v2 = ((long)((!(((global const uchar *)in)[((uint)r.a) & 1023] >= ((uchar)(get_group_id(1))))) ? ((long)1) : ((long)0)));
  uchar8 v3 = ((uchar8)(((uchar8)(vload4(((uint)r.a) & 127, ((global const uchar *)in)), ((uchar4)((uchar)1, (uchar)128, (uchar)0, (uchar)255)))) % ((as_uchar8(as_uchar8(((uchar8)((uchar)1, (uchar)2, (uchar)31, (uchar)128, (uchar)127, (uchar)255, (uchar)1355859100, (uchar)65535))) - as_uchar8(((uchar8)((uchar)128, (uchar)7, (uchar)127, (uchar)7, (uchar)624450843, (uchar)1, (uchar)31, (uchar)1)))) & (uchar8)15) | (uchar8)1)));
  float4 v4 = ((float4)((fmax(((float2)(r.c)), ((float2)(r.c))) + (float2)0), ((float2)((float)1024.0, (float)0.5))));
  ulong v5 = convert_ulong_sat(((long)((ulong)((long)(r.a)) << (v2 & 31))));
  double v6 = (ceil((double)fin[((uint)(W - 1 - x)) & 255]) - ((double)39.75));
  ulong v7 = ((ulong)((ulong)((ulong)((ulong)((global const ulong *)in)[((uint)(get_num_groups(1))) & 127] << (((ulong)(r.b)) & 31))) << (((ulong)(((global const ulong *)in)[((uint)r.a) & 127] / ((((global const ulong *)in)[((uint)(x)) & 127] & (ulong)15) | (ulong)1))) & 31)));
  {
    {
      shorts[1 * N + x * H * D + y * D + z] += ((ushort)((r.c < ((float)(int)((k) & 1023) * (float)0.25)) ? convert_ushort(((uchar)(x))) : ((ushort)((uint)((global const ushort *)in)[((uint)u1) & 511] << (((global const ushort *)in)[(48 - (uint)(ly)) & 511] & 31)))));
    }
    if (fin[((uint)u0) & 255] <= ((float)(int)((get_num_groups(1)) & 1023) * (float)0.25)) goto end8;
    {
      {
        int n9 = (int)(((uint)(get_local_size(0)) * 4) & 7);
        do {
          for (int i10 = 0; i10 < (int)(((uint)(n)) & 7); i10++) {
            if ((u1 <= ((char)31)) && (!((((ushort)table[((uint)(x + y * 3) + 3) & 7]) & 2) != 0))) continue;
            pb[((uint)(get_group_id(0))) & 7] = convert_uint(((long)convert_long8(v3).s2));
            if ((((uint)vload8(((uint)v7) & 31, in).s6) & 1) != 0) {
              v4.s1 = (((float)((((short)(i10)) < ((short)pa[((uint)(lx)) & 7])) ? r.c : r.c)) * v4.s2);
            }
          }
          for (int i11 = 0; i11 < (int)(((uint)u1) & 7); i11++) {
            v7 = ((ulong)((ulong)((ulong)as_ulong8(as_ulong8(vload8(((uint)u0) & 15, ((global const ulong *)in))) << as_ulong8(((ulong8)(((ulong)(v2)))))).s6) << (((global const ulong *)in)[((uint)v7) & 127] & 31)));
          }
          if (rotate(in[((uint)u1 + 4) & 255], ((uint)(ly))) < convert_uint(((ushort)(get_local_size(0))))) {
            v3 = as_uchar8(as_uchar8((convert_uchar8(v3) >> (convert_uchar8(convert_long8(v3)) & (uchar8)7))) * as_uchar8(((uchar8)(clz(v3) % ((add_sat(v3, ((uchar8)(((uchar)(v2))))) & (uchar8)15) | (uchar8)1)))));
          }
          else {
            pb[((uint)(6)) & 7] += ((uint)(get_group_id(1)));
          }
        }
        while (--n9 > 0 && ((u1 & 5) != 0));
      }
      v5 = ((ulong)(((ulong)((ulong2)(((ulong)(0)))).s0) | clz(convert_ulong_sat(((uint)127)))));
    }
  }
  end8: ;
  if (((fmin(v4.s0, r.c) + (float)0) < (fmin(r.c, r.c) + (float)0)) && (r.c == v4.s3)) {
    r.a = ((int)(r.a));
    if ((((short)((uint)((short)(u0)) + (uint)r.b)) & 5) != 0) {
      if (((uint)((uint)((uint)(r.a)) << (((uint)255) & 31))) == ((uint)((r.a < r.a) ? ((uint)(k)) : ((uint)(x))))) {
        v4.s0 = trunc((fmin(r.c, ((float)(int)((z) & 1023) * (float)0.25)) + (float)0));
        v5 -= ((ulong)(((ulong)((ulong)((ulong)((ulong)((ulong)(gid)) + (ulong)((ulong)(y)))) + (ulong)convert_ulong_sat(((global const ushort *)in)[((uint)(y) + 1) & 511]))) | ((ulong)((ulong)popcount(v7) - (ulong)((global const ulong *)in)[(74 - (uint)u0) & 127]))));
        v6 = ((fmin((fmax(((double)1e-3), (double)fin[((uint)(x)) & 255]) + (double)0), (double)fin[((uint)(n)) & 255]) + (double)0) - (double)fin[((uint)(x)) & 255]);
      }
    }
  }
  { float w12 = (dot(v4, v4) - (fmax(v4.s0, ((float)(int)((get_group_id(0)) & 1023) * (float)0.25)) + (float)0)); floats[gid * 2 + (((uint)(y)) & 1)] = w12 != w12 ? 7.0f : w12; }
  pa[(88 - (uint)v7) & 7] = ((uint)~((uint)(((uint)(r.a)) >> (((uint)(v5)) & 7))));
  v6 -= ((double)((u0 < ((int)pb[((uint)(7)) & 7])) ? (select(v6, v6, ((long)(r.a))) - convert_double(((char)(u0)))) : ((double)((((char)(u0)) == ((char)2)) ? select(v6, (double)fin[((uint)(8) + 3) & 255], v2) : (v6 + ((double)(int)((v2) & 1023) * (double)0.25))))));
  pa[((uint)u0) & 7] = convert_uint_sat((fmax(v6, v6) + (double)0));
  out[gid * 8 + 0] = (ulong)r.a;
  out[gid * 8 + 1] = (ulong)r.b;
  out[gid * 8 + 2] = (r.c != r.c ? 7ul : (ulong)as_uint(r.c));
  out[gid * 8 + 3] = (ulong)u0;
  out[gid * 8 + 4] = (ulong)u1;
  out[gid * 8 + 5] = (ulong)v2;
  out[gid * 8 + 6] = ((((((((ulong)v3.s0) * 31 + (ulong)v3.s1) * 31 + (ulong)v3.s2) * 31 + (ulong)v3.s3) * 31 + (ulong)v3.s4) * 31 + (ulong)v3.s5) * 31 + (ulong)v3.s6) * 31 + (ulong)v3.s7;
  out[gid * 8 + 0] += ((((v4.s0 != v4.s0 ? 7ul : (ulong)as_uint(v4.s0))) * 31 + (v4.s1 != v4.s1 ? 7ul : (ulong)as_uint(v4.s1))) * 31 + (v4.s2 != v4.s2 ? 7ul : (ulong)as_uint(v4.s2))) * 31 + (v4.s3 != v4.s3 ? 7ul : (ulong)as_uint(v4.s3));
  out[gid * 8 + 1] += (ulong)v5;
  out[gid * 8 + 2] += (v6 != v6 ? 7ul : as_ulong(v6));
  ulong h = r.d[0] + r.d[1] * 3 + r.d[2] * 7;
  for (uint i = 0; i < 8; i++) h = h * 31 + pa[i] + pb[i];
  out[gid * 8 + 7] = h;
}

