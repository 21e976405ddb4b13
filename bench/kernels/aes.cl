// SPDX-License-Identifier: MIT
// AES-128 of one block a work-item, by the usual four tables of 256 words and the S-box.
#define BYTE(x, n) (((x) >> (8 * (n))) & 255)

kernel void aes(global const uint4 *restrict in, global uint4 *restrict out, global const uint *restrict t,
                global const uchar *restrict sbox, constant uint *keys) {
  size_t id = get_global_id(0);
  uint4 block = in[id];
  uint a = block.x ^ keys[0], b = block.y ^ keys[1], c = block.z ^ keys[2], d = block.w ^ keys[3];
  for (int round = 1; round < 10; round++) {
    uint e = t[BYTE(a, 0)] ^ t[256 + BYTE(b, 1)] ^ t[512 + BYTE(c, 2)] ^ t[768 + BYTE(d, 3)] ^ keys[round * 4];
    uint f = t[BYTE(b, 0)] ^ t[256 + BYTE(c, 1)] ^ t[512 + BYTE(d, 2)] ^ t[768 + BYTE(a, 3)] ^ keys[round * 4 + 1];
    uint g = t[BYTE(c, 0)] ^ t[256 + BYTE(d, 1)] ^ t[512 + BYTE(a, 2)] ^ t[768 + BYTE(b, 3)] ^ keys[round * 4 + 2];
    uint h = t[BYTE(d, 0)] ^ t[256 + BYTE(a, 1)] ^ t[512 + BYTE(b, 2)] ^ t[768 + BYTE(c, 3)] ^ keys[round * 4 + 3];
    a = e; b = f; c = g; d = h;
  }
#define LAST(w, x, y, z) \
  (sbox[BYTE(w, 0)] | sbox[BYTE(x, 1)] << 8 | sbox[BYTE(y, 2)] << 16 | (uint)sbox[BYTE(z, 3)] << 24)
  out[id] = (uint4)(LAST(a, b, c, d) ^ keys[40], LAST(b, c, d, a) ^ keys[41], LAST(c, d, a, b) ^ keys[42], LAST(d, a, b, c) ^ keys[43]);
}
