// SPDX-License-Identifier: MIT
// Structures, unions and arrays: layout, copies, initializers, pointers into them.

typedef struct { char tag; int4 v; } Wide;
typedef struct __attribute__((packed)) { char tag; int n; short s; } Packed;
typedef struct { int a[3]; struct { float x, y; } at; } Nested;

constant Nested table[2] = {{{1, 2, 3}, {0.5f, 1.5f}}, {.at = {.y = 4}, .a = {[2] = 9}}};

// run: sizes
// arg: uint[4] = zero -> 32 7 20 3
kernel void sizes(global uint *out) {
  out[0] = sizeof(Wide);
  out[1] = sizeof(Packed);
  out[2] = sizeof(Nested);
  out[3] = sizeof("ab");
}

// run: unaligned
// arg: uchar[14] = zero -> 1 4 3 2 1 6 5 2 8 7 6 5 0xff 0xff
// except: rusticl: gives members of packed structures the offsets of unpacked ones
kernel void unaligned(global Packed *p) {
  p[0] = (Packed){1, 0x01020304, 0x0506};
  Packed q = {.tag = 2, .s = -1};
  q.n = 0x05060708;
  p[1] = q;
}

// run: tables global=2
// arg: float[2] = zero -> 8 13
kernel void tables(global float *out) {
  size_t i = get_global_id(0);
  Nested copy = table[i];
  float sum = copy.at.x + copy.at.y;
  for (int k = 0; k < 3; k++) sum += copy.a[k];
  out[i] = sum;
}

typedef union { uint word; uchar bytes[4]; float f; ushort2 halves; } Pun;

// run: unions
// arg: uint[4] = zero -> 0x3f800000 0x80 0x3f80 0x3f8000ff
kernel void unions(global uint *out) {
  Pun p = {.f = 1.0f};
  out[0] = p.word;
  out[1] = p.bytes[2];
  out[2] = p.halves.y;
  p.bytes[0] = 0xff;
  out[3] = p.word;
}

// The most aligned member has a gap where another one has bytes.
typedef union { long word; ushort3 gap[2]; } Gapped;
constant Gapped gapped = {.word = 0x0123456789abcdefL};
// Attributes align the union, and so the structure, more than its members are.
typedef struct { long a; union { long word __attribute__((aligned(32))); uchar c; } u; } Apart;
constant Apart apart[2] = {{1, {2}}, {3, {4}}};

// run: gaps
// arg: long[4] = zero -> 0x0123456789abcdef 64 3 4
kernel void gaps(global long *out) {
  constant char *bytes = (constant char *)apart;
  out[0] = gapped.word;
  out[1] = sizeof(Apart);
  out[2] = *(constant long *)(bytes + 64);
  out[3] = *(constant long *)(bytes + 96);
}

void bump(Nested *n, int by) { n->a[by] += by; }

// run: by_pointer global=3
// arg: int[9] = zero -> 1 2 3 1 3 3 1 2 5
kernel void by_pointer(global int *out) {
  Nested n = table[0];
  int i = get_global_id(0);
  bump(&n, i);
  for (int k = 0; k < 3; k++) out[3 * i + k] = n.a[k];
}

typedef struct { uchar bytes[72]; } Large;
typedef struct __attribute__((packed)) { uchar tag[3]; Large large; } Shifted;

// Memory that is only copied: its parts begin at other remainders of words in each variable.
// run: shifted_copies
// arg: uchar[72] = range
// arg: uchar[72] = zero -> range
kernel void shifted_copies(global const Large *in, global Large *out) {
  Shifted a, b;
  a.large = *in;
  b = a;
  Large copy = b.large;
  *out = copy;
}
