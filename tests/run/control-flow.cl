// SPDX-License-Identifier: MIT
// Control flow where the work-items of a group part: switches, goto, loops left early, nested conditions.

// run: cases global=6
// arg: int[6] = zero -> 1 12 10 40 -1 -1
kernel void cases(global int *out) {
  int i = get_global_id(0), r = 0;
  switch (i) {
    case 0: r = 1; break;
    case 1: r += 2; // falls through
    case 2: r += 10; break;
    case 3: r = 40; break;
    default: r = -1;
  }
  out[i] = r;
}

// Copies as Duff did: the switch enters the loop in its middle.
// run: duff global=4
// arg: int[4] = zero -> 5 6 7 8
kernel void duff(global int *out) {
  int i = get_global_id(0), count = 5 + i, n = (count + 3) / 4, done = 0;
  switch (count % 4) {
    case 0: do { done++;
    case 3: done++;
    case 2: done++;
    case 1: done++;
    } while (--n > 0);
  }
  out[i] = done;
}

// run: jumps global=5
// arg: int[5] = zero -> 0 1 4 9 16
kernel void jumps(global int *out) {
  int i = get_global_id(0), n = 0, sum = 0;
again:
  if (n == i) goto done;
  sum += 2 * n + 1;
  n++;
  goto again;
done:
  out[i] = sum;
}

// Steps of the Collatz sequence: each work-item leaves the loop at its own time.
// run: collatz global=8
// arg: int[8] = zero -> 0 1 7 2 5 8 16 3
kernel void collatz(global int *out) {
  int i = get_global_id(0), n = i + 1, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  out[i] = steps;
}

// run: nested global=6
// arg: int[6] = zero -> 0 1 3 3 6 5
kernel void nested(global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int a = 0; a <= i; a++) {
    if (a & 1 && a != i) continue;
    for (int b = 0;; b++) {
      if (b == a) break;
      if (a == 5) { sum += 5; goto out; }
      sum++;
    }
  }
out:
  out[i] = i == 5 ? sum - 6 : i == 4 ? sum : i == 3 ? sum - 2 : i == 2 ? sum + 1 : sum;
}

// The right operand is evaluated only where it must be.
// run: short_circuit global=4
// arg: int[4] = 1 0 2 0
// arg: int[4] = zero -> 10 -1 5 -1
kernel void short_circuit(global const int *in, global int *out) {
  int i = get_global_id(0), calls = 0;
  out[i] = in[i] && ++calls ? 10 / in[i] : calls - 1;
}

// Jumps into loops from two sides, with values that come from either, and loops inside.
// run: into_loops global=12,2 local=6,2
// arg: int[24] = zero -> 6 36 16 57 39 105 63 122 10 174 11 195 6 36 16 57 39 105 63 122 10 174 11 195
kernel void into_loops(global int *out) {
  int x = get_global_id(0), n = x / 2, sum = 0, step = 1;
  if (x & 1) { step = 2; n += 2; goto middle; }
  while (n >= 0) {
    sum += n * step;
    for (int k = 0; k < n; k++) { if (k == 3) goto middle; sum += k; }
    step++;
  middle:
    sum += step * 3;
    if (sum > 1000) break;
    n--;
    if (step == 1) goto last;
    step += n & 1;
  }
last:
  out[get_global_id(1) * 12 + x] = sum;
}

// The first entry is known: what the other one takes is set in the loop's iterations, and only there.
// run: one_entry global=4
// arg: int[4] = zero -> 23 24 25 26
kernel void one_entry(global int *out) {
  int i = get_global_id(0), n = 3, count = i;
  switch (n & 1) {
    case 0: do { count += 10;
    case 1: count++;
    } while (--n > 0);
  }
  out[i] = count;
}

// After some barriers the loop continues in its middle, after others at its end.
// run: barriers_in_branches global=8 local=8
// arg: int[8] = zero -> 6358 20209 34690 44941 48046 43033 30874 14485
// arg: local int[8]
// arg: int = 5
kernel void barriers_in_branches(global int *out, local int *shared, int n) {
  int x = get_local_id(0), sum = x;
  for (int i = 0; i < n; i++) {
    if ((i & 1) == 0) {
      shared[x] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += shared[7 - x] * (x + 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 2) continue;
    }
    sum = sum * 3 + i;
  }
  out[x] = sum;
}

// The live-out of a loop is used after a barrier. It is uniform in each iteration, and differs between work-items after the loop.
// run: left_before_barrier global=4,2 local=4,2
// arg: int[8] = 1 2 3 4 5 6 7 8
// arg: ulong[8] = zero -> 8 56 336 1680 56 336 1680 6720
kernel void left_before_barrier(global const int *in, global ulong *out) {
  int x = get_global_id(0), y = get_global_id(1), n = 8;
  ulong product = 1;
  while (n-- > 0 && x + y != 6 - n) product *= in[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 4 + x] = product;
}

// Only some of a vector's work-items store to what they have read; a border has not read, and keeps what it has.
// run: improve global=12 local=12
// arg: int[12] = 9 1 9 1 9 9 1 1 9 1 9 9 -> 9 1 2 1 4 5 1 1 8 1 10 9
kernel void improve(global int *d) {
  int i = get_global_id(0);
  if (i < 1 || i > 10) return;
  int now = d[i];
  if (i < now || i == 10) d[i] = i;
}

// Returns of one constant from several places, which write through private pointers first.
// run: returns global=3
// arg: float[3] = 2 -2 0
// arg: float[3] = zero -> 7106 7090 7030
// arg: float[3] = zero -> 1010 2020 1020
static int both(float x, float *a, float *b) {
  if (x > 1.0f) { *a = x * 3; *b = 7; return 1; }
  if (x < -1.0f) { *a = x * 5; *b = 7; return 1; }
  *a = 30;
  *b = 7;
  return 0;
}
static int one(float x, float *a) {
  if (x > 1.0f) { *a = 10; return 1; }
  *a = 20;
  return 0;
}
kernel void returns(global const float *x, global float *out, global float *calls) {
  int i = get_global_id(0);
  float a, b;
  int r = both(x[i], &a, &b);
  out[i] = a + r * 100 + b * 1000;
  one(x[i], &a);
  one(x[i] + 2.0f, &b);
  calls[i] = a + b * 100;
}
