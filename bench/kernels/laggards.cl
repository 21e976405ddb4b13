// SPDX-License-Identifier: MIT
// Kernels on which drivers that use wider vectors, or vectorize within a work-item, are or were ahead.

// Bytes equal to one, in a chunk for each work-item.
kernel void count_byte(global const uchar *text, int per, uchar wanted, global int *out) {
  int id = get_global_id(0), count = 0;
  for (int k = 0; k < per; k++) if (text[id * per + k] == wanted) count++;
  out[id] = count;
}

// The same, all work-items together.
kernel void count_strided(global const uchar *text, int n, uchar wanted, global int *out) {
  int count = 0;
  for (int k = get_global_id(0); k < n; k += get_global_size(0)) count += text[k] == wanted;
  out[get_global_id(0)] = count;
}

kernel void sum_bytes(global const uchar *data, int per, global uint *out) {
  int id = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < per; k++) sum += data[id * per + k];
  out[id] = sum;
}

kernel void sum_strided(global const uchar *data, int n, global uint *out) {
  uint sum = 0;
  for (int k = get_global_id(0); k < n; k += get_global_size(0)) sum += data[k];
  out[get_global_id(0)] = sum;
}

// The position of the first difference of two records.
kernel void memcmp_records(global const uchar *a, global const uchar *b, int length, global int *out) {
  int id = get_global_id(0), k = 0;
  while (k < length && a[id * length + k] == b[id * length + k]) k++;
  out[id] = k == length ? 0 : (int)a[id * length + k] - (int)b[id * length + k];
}

// Blocks of literals and matches: a token's upper half is the number of literals, its lower half the length of the match.
kernel void unpack(global const uchar *packed, global const int *starts, global uchar *unpacked, int size) {
  int id = get_global_id(0), at = starts[id], end = starts[id + 1], to = id * size;
  while (at < end) {
    int token = packed[at++];
    for (int k = token >> 4; k > 0; k--) unpacked[to++] = packed[at++];
    int length = token & 15;
    if (length) {
      int from = to - packed[at++] - 1;
      for (int k = 0; k < length; k++) unpacked[to++] = unpacked[from++];
    }
  }
}

// A register machine.
static int run(global const uchar *code, int length, int a) {
  int b = 1, c = 0;
  for (int at = 0; at < length; at++) {
    switch (code[at]) {
      case 0: a += b; break;
      case 1: a -= c; break;
      case 2: b ^= a; break;
      case 3: c = a & b; break;
      case 4: a = a << 1 | 1; break;
      case 5: b = max(a, c); break;
      case 6: c += 3; break;
      case 7: a = b; break;
      case 8: b = a * c; break;
      case 9: c = ~c; break;
      case 10: if (a > b) c = a; break;
      case 11: a = a >> 1; break;
      case 12: b -= 7; break;
      case 13: c ^= b; break;
      case 14: a = min(a, b); break;
      default: { int t = a; a = c; c = t; }
    }
  }
  return a ^ b ^ c;
}

// Each work-item with its own program.
kernel void machine(global const uchar *code, int length, global const int *in, global int *out) {
  int id = get_global_id(0);
  out[id] = run(code + id * length, length, in[id]);
}

// The same, all work-items with one program.
kernel void machine_uniform(global const uchar *code, int length, global const int *in, global int *out) {
  int id = get_global_id(0);
  out[id] = run(code, length, in[id]);
}

kernel void add_one(global float *x) { x[get_global_id(0)] += 1.0f; }

// Hashes and generators of 64 bits.

kernel void xxhash(global const ulong *words, global ulong *out) {
  int id = get_global_id(0);
  ulong h = 0x165667B19E3779F9UL + 128;
  for (int k = 0; k < 16; k++) {
    h ^= rotate(words[id * 16 + k] * 0xC2B2AE3D27D4EB4FUL, 31UL) * 0x9E3779B185EBCA87UL;
    h = rotate(h, 27UL) * 0x9E3779B185EBCA87UL + 0xC2B2AE3D27D4EB4FUL;
  }
  h = (h ^ h >> 33) * 0xC2B2AE3D27D4EB4FUL;
  h = (h ^ h >> 29) * 0x165667B19E3779F9UL;
  out[id] = h ^ h >> 32;
}

kernel void splitmix(global ulong *out, uint seed) {
  ulong z = (get_global_id(0) + seed * 1000UL) * 0x9E3779B97F4A7C15UL;
  for (int round = 0; round < 4; round++) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9UL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBUL;
    z ^= z >> 31;
  }
  out[get_global_id(0)] = z;
}

kernel void xoshiro(global const ulong4 *states, global ulong *out) {
  ulong4 s = states[get_global_id(0)];
  ulong sum = 0;
  for (int k = 0; k < 64; k++) {
    sum += rotate(s.y * 5, 7UL) * 9;
    ulong t = s.y << 17;
    s.z ^= s.x;
    s.w ^= s.y;
    s.y ^= s.z;
    s.x ^= s.w;
    s.z ^= t;
    s.w = rotate(s.w, 45UL);
  }
  out[get_global_id(0)] = sum;
}

kernel void pcg(global const ulong *states, global float *out) {
  ulong state = states[get_global_id(0)];
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    uint x = (uint)((state >> 18 ^ state) >> 27);
    uint by = (uint)(state >> 59);
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    sum += (x >> by | x << (-by & 31)) * 0x1p-32f;
  }
  out[get_global_id(0)] = sum;
}

// Bytes and shorts whose shifts, conditions and places differ between neighbours.

kernel void mulaw_decode(global const uchar *codes, global short *out) {
  int id = get_global_id(0);
  uchar code = ~codes[id];
  int magnitude = (((code & 15) << 3) + 132 << ((code & 0x70) >> 4)) - 132;
  out[id] = code & 0x80 ? -magnitude : magnitude;
}

kernel void mulaw_encode(global const short *samples, global uchar *out) {
  int id = get_global_id(0);
  int sample = samples[id];
  int magnitude = min((int)abs(sample), 32635) + 132;
  int exponent = 24 - clz(magnitude);
  out[id] = ~((sample < 0 ? 0x80 : 0) | exponent << 4 | (magnitude >> (exponent + 3) & 15));
}

kernel void rotate_bytes(global const uchar *data, global const uchar *by, global uchar *out) {
  int id = get_global_id(0);
  uchar byte = data[id];
  int n = by[id] & 7;
  out[id] = byte << n | byte >> (8 - n & 7);
}

kernel void test_bits(global const uchar *data, global const uchar *bit, global uchar *out) {
  int id = get_global_id(0);
  out[id] = data[id] >> (bit[id] & 7) & 1;
}

kernel void digit_values(global const uchar *text, global uchar *out) {
  int id = get_global_id(0);
  uchar c = text[id];
  out[id] = c >= 'A' && c <= 'Z'   ? c - 'A'
            : c >= 'a' && c <= 'z' ? c - 'a' + 26
            : c >= '0' && c <= '9' ? c - '0' + 52
            : c == '+'             ? 62
            : c == '/'             ? 63
                                   : 255;
}

kernel void copy_masked(global const uchar *from, global const uchar *mask, global uchar *to) {
  int id = get_global_id(0);
  if (mask[id] > 100) to[id] = from[id];
}

kernel void caesar(global const uchar *text, global uchar *out, int key) {
  int id = get_global_id(0);
  uchar c = text[id];
  out[id] = c >= 'a' && c <= 'z' ? 'a' + (c - 'a' + key) % 26 : c;
}

// Recurrences along rows, each work-item its own.

kernel void row_recurrence(global const float *a, global const float *b, global float *out, int n) {
  int row = get_global_id(0) * n;
  float y = 0;
  for (int k = 0; k < n; k++) out[row + k] = y = y * a[row + k] + b[row + k];
}

// The same from the end, with the result before in memory.
kernel void row_recurrence_back(global const float *a, global const float *b, global float *out, int n) {
  int row = get_global_id(0) * n;
  out[row + n - 1] = b[row + n - 1];
  for (int k = 1; k < n; k++) {
    int at = n - 1 - k;
    out[row + at] = out[row + at + 1] * a[row + at] + b[row + at];
  }
}
