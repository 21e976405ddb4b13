// SPDX-License-Identifier: MIT
// Objects of each address space at the alignment that their types, or their attributes, ask for.
// options: -cl-std=CL3.0
// requires: __opencl_c_fp64 __opencl_c_program_scope_global_variables __opencl_c_generic_address_space

typedef struct __attribute__((aligned(256))) { int a; char b; } Wide;
typedef struct { char tag; long16 v; } Holder;
typedef struct { char tag; int n __attribute__((aligned(32))); } Inner;

#define MISALIGNED(object, alignment) ((int)((size_t)&(object) & ((alignment) - 1)))

constant long16 table[2] = {(long16)(1), (long16)(2)};
constant int padded __attribute__((aligned(512))) = 7;
global double16 kept;
global char far __attribute__((aligned(256)));

// Each work-item has variables between that break the alignment of what follows.
// run: private_variables global=9 local=9
// arg: int[9] = zero -> 0 0 0 0 0 0 0 0 0
// arg: int = 3
kernel void private_variables(global int *out, int n) {
  char c = n;
  long16 l = (long16)(n);
  short s = n;
  double16 d = (double16)(n);
  int far256 __attribute__((aligned(256))) = n;
  int far4096 __attribute__((aligned(4096))) = n;
  Wide w[2] = {{n, 1}, {n, 2}};
  Holder h = {(char)n, (long16)(n)};
  Inner i = {1, n};
  char bytes[3] = {1, 2, (char)n};
  volatile int *used[] = {&far256, &far4096, &w[1].a, &i.n};
  out[get_global_id(0)] = MISALIGNED(l, 128) + MISALIGNED(d, 128) + MISALIGNED(far256, 256) +
                          MISALIGNED(far4096, 4096) + MISALIGNED(w[0], 256) + MISALIGNED(w[1], 256) +
                          MISALIGNED(h, 128) + MISALIGNED(h.v, 128) + MISALIGNED(i, 32) + MISALIGNED(i.n, 32) +
                          (c + s + bytes[2] + *used[0] + *used[1] + *used[2] + *used[3] - 7 * n);
}

// Variables at one address each, kept over a barrier.
// run: kept_over_barriers global=20 local=10
// arg: int[20] = zero -> 45 45 45 45 45 45 45 45 45 45 145 145 145 145 145 145 145 145 145 145
kernel void kept_over_barriers(global int *out) {
  local int shared[10];
  local Wide wide;
  local long16 of_group;
  int16 own[2];
  own[1] = (int16)((int)get_global_id(0));
  size_t before = (size_t)&own[1];
  shared[get_local_id(0)] = own[1].s5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += shared[i];
  int wrong = MISALIGNED(own, 64) + (int)(before - (size_t)&own[1]) + (own[1].s7 - (int)get_global_id(0)) +
              MISALIGNED(wide, 256) + MISALIGNED(of_group, 128);
  out[get_global_id(0)] = sum + wrong;
}

static int of_copy(Wide w, Inner i, long16 l) {
  w.a += i.n;
  return MISALIGNED(w, 256) + MISALIGNED(i, 32) + MISALIGNED(l, 128) + (w.a - 5);
}

static Wide made(int a) {
  Wide w = {a, 2};
  return w;
}

// run: arguments global=5 local=5
// arg: int[5] = zero -> 0 0 0 0 0
// arg: local long16[2]
// arg: local int[5]
// arg: local double16[1]
// arg: long16 = range
kernel void arguments(global int *out, local long16 *a, local int *b, local double16 *c, long16 l) {
  out[get_global_id(0)] = MISALIGNED(*a, 128) + MISALIGNED(*b, 4) + MISALIGNED(*c, 128) + MISALIGNED(l, 128) +
                          of_copy(made(2), (Inner){1, 3}, l);
}

// run: program_scope
// arg: int[1] = zero -> 0
kernel void program_scope(global int *out) {
  *out = MISALIGNED(table, 128) + MISALIGNED(table[1], 128) + MISALIGNED(padded, 512) + MISALIGNED(kept, 128) +
         MISALIGNED(far, 256);
}

// A typedef's alignment, more or less than that of its type, is that of its objects; clang has the same numbers.
typedef int Far __attribute__((aligned(32)));
typedef struct { float x, y, z; } Point __attribute__((aligned(16)));
typedef Point Near __attribute__((aligned(8)));
typedef __attribute__((aligned(4))) float4 Loose;
struct Far2 { char c; Far n; };
struct Mixed { char c; Point p; char d; Loose u; };

// run: aligned_typedefs
// arg: int[12] = zero -> 64 32 48 16 28 32 12 16 8 4 16 4
// arg: float[9] = 0 1 2 3 4 5 6 7 8 -> 0 1 2 3 4 15 16 17 18
kernel void aligned_typedefs(global int *out, global float *x) {
  out[0] = sizeof(struct Far2);
  out[1] = __alignof__(struct Far2);
  out[2] = sizeof(struct Mixed);
  out[3] = __builtin_offsetof(struct Mixed, p);
  out[4] = __builtin_offsetof(struct Mixed, d);
  out[5] = __builtin_offsetof(struct Mixed, u);
  out[6] = sizeof(Point);
  out[7] = __alignof__(Point);
  out[8] = __alignof__(Near);
  global Loose *loose = (global Loose *)(x + 5);
  out[9] = __alignof__(*loose);
  *loose += 10;
  out[10] = __alignof__(const Point);
  out[11] = __alignof__(loose[0].x) + MISALIGNED(*(private Far *)&(Far){1}, 1);
}

// run: declared_alignments
// arg: int[7] = zero -> 32 1 1 8 128 64 4
kernel void declared_alignments(global int *out) {
  Inner inner;
  struct __attribute__((packed)) { char a; int b; int c __attribute__((aligned(8))); } packed;
  int far __attribute__((aligned(128)));
  int array[2] __attribute__((aligned(64)));
  out[0] = __alignof__(inner.n);
  out[1] = __alignof__(inner.tag);
  out[2] = __alignof__(packed.b);
  out[3] = __alignof__((packed.c));
  out[4] = __alignof__(far);
  out[5] = __alignof__(array);
  out[6] = __alignof__(array[0]);
}
