// SPDX-License-Identifier: MIT
// Functions of vendors that real programs use.
// requires: cl_amd_media_ops cl_amd_media_ops2 cl_intel_subgroups
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable

// run: amd
// arg: uint[6] = zero -> 0x80000000 0x44112233 6 0x0a 3 2
kernel void amd(global uint *out) {
  out[0] = amd_bitalign(1u, 0u, 1u);
  out[1] = amd_bytealign(0x00000044u, 0x11223300u, 1u);
  out[2] = amd_sad(0x01020304u, 0x00000000u, 0u) - 4u;
  out[3] = amd_bfe(0xabcdu, 12u, 4u);
  out[4] = amd_max3(1u, 3u, 2u);
  out[5] = amd_median3(1u, 3u, 2u);
}

// run: blocks global=32 local=32
// arg: uint[32] = range
// arg: uint[32] = zero -> 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
__attribute__((intel_reqd_sub_group_size(8)))
kernel void blocks(global const uint *in, global uint *out) {
  size_t first = get_sub_group_id() * get_sub_group_size();
  intel_sub_group_block_write(out + first, intel_sub_group_block_read(in + first));
}
