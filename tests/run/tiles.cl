// SPDX-License-Identifier: MIT
// Faults in tiles of several rows and columns of work-items, which tests/fuzz found.

// Rows diverge. What they read then depends on the column alone, and is read once for all rows.
// run: read_for_some_rows global=8,4 local=8,4
// arg: int[32] = 0 1 0 1 0 1 0 1  1 0 1 0 1 0 1 0  0 0 0 0 0 0 0 0  1 1 1 1 0 0 0 0
// arg: int[24] = range
// arg: int[32] = zero -> 0 12 0 30 0 48 0 66  3 0 21 0 39 0 57 0  0 0 0 0 0 0 0 0  3 12 21 30 0 0 0 0
kernel void read_for_some_rows(global const int *wanted, global const int *in, global int *out) {
  int x = get_global_id(0), i = get_global_id(1) * 8 + x, sum = 0;
  for (int k = 0; k < 3; k++)
    if (wanted[i]) sum += in[(x * 3 + k) % 24];
  out[i] = sum;
}

// Rows diverge, and reconverge with a number that is uniform in each row.
// run: rows_meet global=8,4 local=8,4
// arg: int[4] = 1 0 0 1
// arg: int[8] = 10 11 12 13 14 15 16 17
// arg: int[32] = zero -> 10 10 10 10 10 10 10 10  71 71 71 71 71 71 71 71  72 72 72 72 72 72 72 72  13 13 13 13 13 13 13 13
kernel void rows_meet(global const int *wanted, global const int *in, global int *out) {
  int y = get_global_id(1), r;
  if (wanted[y]) r = in[y];
  else r = in[in[0] - 3] + y + 53;
  out[y * 8 + get_global_id(0)] = r;
}

// A row whose work-items are all inactive has no address to read from.
// run: idle_rows global=8,4 local=8,4
// arg: int[4] = 0 2147480000 -2147480000 8
// arg: int[16] = range
// arg: int[32] = zero -> 0 1 2 3 4 5 6 7  -1 -1 -1 -1 -1 -1 -1 -1  -1 -1 -1 -1 -1 -1 -1 -1  8 9 10 11 12 13 14 15
kernel void idle_rows(global const int *starts, global const int *in, global int *out) {
  int x = get_global_id(0), y = get_global_id(1), start = starts[y], r = -1;
  if (start >= 0 && start < 16) r = in[start + x];
  out[y * 8 + x] = r;
}

// The same for each row's own local memory.
// run: idle_rows_write global=8,4 local=8,4
// arg: int[4] = 0 2147480000 -2147480000 8
// arg: local int[16]
// arg: int[16] = zero -> 0 1 2 3 4 5 6 7  24 25 26 27 28 29 30 31
kernel void idle_rows_write(global const int *starts, local int *own, global int *out) {
  int x = get_global_id(0), y = get_global_id(1), start = starts[y];
  if (start >= 0 && start < 16) own[start + x] = y * 8 + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y < 2) out[y * 8 + x] = own[y * 8 + x];
}

// A uniform number is read before the barrier; after it, only vectors are computed from it.
// run: uniform_across_barrier global=8 local=8
// arg: float[2] = 2 3
// arg: local float[8]
// arg: float[8] = zero -> 21 18 15 12 9 6 3 0
kernel void uniform_across_barrier(global const float *in, local float *shared, global float *out) {
  int i = get_local_id(0);
  float scale = in[1];
  shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = scale * shared[7 - i];
}

// Each work-item's own array at an index that grows by one from work-item to work-item.
// run: own_arrays global=8,2 local=8,2
// arg: int[16] = zero -> 0 1 2 3 4 5 6 7  0 1 2 3 4 5 6 7
// arg: int[16] = zero -> 1007 1006 1005 1004 1003 1002 1001 1000  1007 1006 1005 1004 1003 1002 1001 1000
kernel void own_arrays(global int *at, global int *back) {
  int x = get_global_id(0), i = get_global_id(1) * 8 + x, own[8];
  for (int k = 0; k < 8; k++) own[k] = k;
  at[i] = own[x];
  own[7 - x] += 1000;
  back[i] = own[7 - x];
}

// Work-items leave a loop at different iterations. Its live-outs are used after a barrier, in all tiles.
// run: left_before_barrier global=16 local=16
// except: Portable: takes one work-item's number for all that leave the loop
// arg: int[16] = 1 5 9 100 3 60 2 7 200 1 30 4 8 15 90 6
// arg: local int[16]
// arg: int[16] = zero -> 3005 3009 9031 81185 3021 27133 3029 3033 81415 3041 9111 3049 3053 3057 9151 3065
// arg: int[16] = zero -> 32 60 28 26 24 44 20 144 16 14 48 10 64 12 4 2
kernel void left_before_barrier(global const int *limits, local int *shared, global int *sums, global int *back) {
  int i = get_local_id(0), a = i + 1, b = 1, same = 1;
  do {
    a *= 2;
    b += a;
    same = same * 3 % 101;
  } while (b < limits[i]);
  shared[i] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[i] = a + b + 1000 * same;
  back[i] = shared[15 - i];
}

// A group of one row, and a loop that work-items of other rows would leave at other iterations.
// run: left_by_row global=16 local=8
// arg: int[2] = 7 8
// arg: local int[8]
// arg: float[16] = zero -> 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
kernel void left_by_row(global const int *in, local int *shared, global float *out) {
  int x = get_global_id(0), y = get_global_id(1), last;
  float sum = 0.5f;
  do {
    last = ~in[1];
    sum += (float)x;
  } while (y);
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[get_local_id(0)] = last;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[x] = sum + shared[7 - get_local_id(0)] + 9.5f;
}

// Live-outs of the inner loop are carried by the outer one, which rows leave at different iterations.
// run: left_in_a_loop global=4,2 local=4,2
// arg: int[8] = zero -> 1 1 31 75 1 13 183 79
kernel void left_in_a_loop(global int *out) {
  int x = get_global_id(0), i = get_global_id(1) * 4 + x;
  int sum = 1, before = 1, last = 1;
  for (int k = 0; k < i; k++) {
    for (int j = 0; j < x; j++) sum = (sum * 5 + 1) & 255;
    before = last;
    last = sum;
  }
  out[i] = before;
}

// Components of a uniform vector, read in a loop after a barrier. Some work-items leave the loop early.
// run: components_behind_barrier global=16 local=16
// arg: float[64] = range
// arg: float[16] = zero -> 124 140 156 172 188 204 220 236 0 0 0 0 0 0 0 0
// arg: int = 4
typedef struct { float v, x, y, z; } Components;
kernel void components_behind_barrier(global const Components *in, global float *out, int n) {
  local Components all[16];
  int i = get_local_id(0);
  all[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  while (i < 8) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += all[k].v + all[k].x + all[k].y + all[k].z + all[i].x;
    out[get_local_id(0)] = sum;
    i += 8;
  }
}

// The tiles for which a guard holds run in a loop of their own, which ends at the rows' ends and at the guard.
// run: inner_points global=24,6 local=8,2
// arg: int[144] = range
// arg: int[144] = zero -> 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0  0 101 104 107 110 113 116 119 122 125 128 131 134 137 140 143 146 149 152 155 158 161 164 0  0 173 176 179 182 185 188 191 194 197 200 203 206 209 212 215 218 221 224 227 230 233 236 0  0 245 248 251 254 257 260 263 266 269 272 275 278 281 284 287 290 293 296 299 302 305 308 0  0 317 320 323 326 329 332 335 338 341 344 347 350 353 356 359 362 365 368 371 374 377 380 0  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// arg: int = 24
// arg: int = 6
kernel void inner_points(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  out[y * w + x] = in[(y - 1) * w + x] + 2 * in[(y + 1) * w + x] - in[y * w + x - 1] + in[y * w + x + 1];
}

// All work-items do the same iterations until some of them leave the loop; its live-outs are needed after it.
// run: round_together global=16 local=16
// arg: int = 53
// arg: int[16] = zero -> 0 20 0 16 0 21 0 13 0 15 0 17 0 9 0 21
// arg: int[16] = zero -> 48 -1 50 -1 52 -1 38 -1 40 -1 42 -1 44 -1 46 -1
// arg: int[16] = zero -> 644 654 664 674 684 533 543 553 563 573 583 593 603 613 623 633
kernel void round_together(int n, global int *sums, global int *lasts, global int *ends) {
  int sum = 0, last = -1, turns = 0, i;
  for (i = get_global_id(0); i < n; i += get_global_size(0), turns++) {
    int v = i * 7 % 10;
    if (v & 1) sum += v;
    else last = i;
  }
  int x = get_global_id(0);
  sums[x] = sum;
  lasts[x] = last;
  ends[x] = i * 10 + turns;
}

// A jump into a loop with a barrier, after a branch that looks divergent: values that no work-item changes keep their value
// from one iteration to the next.
// run: into_loop global=8 local=8
// arg: int[8] = zero
// arg: int = 5
// arg: int = 0
// arg: local int[8]
// arg: int[16] = zero -> 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0
kernel void into_loop(global const int *zeros, int entry, int stay, local int *all, global int *out) {
  int x = get_global_id(0), kept = 5, read = 0, turns = 7;
  if (entry < 3) goto inside;
  while (turns-- > 0 && stay > 3) {
    int v = entry;
    for (int j = 0; j < 3 + zeros[x]; j++) v = v * 3 & 127;
    if (v > kept) {
      all[x] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      read = all[0];
      kept = 3;
    }
inside:;
  }
  out[x * 2] = kept;
  out[x * 2 + 1] = read;
}

// A jump out of a loop passes a value to the next loop, whose live-out it is.
// run: counted_behind_loop global=4,2 local=4,2
// arg: int = 5
// arg: int[8] = zero -> 98 98 98 98 98 98 98 98
short second_even(int limit) {
  for (int i = 0; i < 3; i += 2)
    for (int j = 0; j < ((limit - i) & 7); j++)
      if (j * 0.25f <= 0.0f) return (short)(i + limit);
  return 7;
}
kernel void counted_behind_loop(int entry, global int *out) {
  int x = get_global_id(0), y = get_global_id(1), found = 1, turns = 3;
  if (entry == 5) goto inside;
  while (turns-- > 0 && found) {
inside:
    for (int i = 0; i < y; i += 2) {
    }
    found = second_even(96);
  }
  out[y * 4 + x] = found;
}

// A loop with two exits, one of which comes before the loop's end in reverse postorder: work-items that leave there must
// not end those that wait at the other.
// run: two_returns global=8 local=8
// arg: int = 5
// arg: int[8] = zero -> 7 1 1 7 1 1 7 1
kernel void two_returns(int entry, global int *out) {
  int x = get_global_id(0), turns = 1;
  if (entry == 5) goto inside;
  while (turns-- > 0) {
    out[x] = turns + 1;
inside:
    if (x % 3 == 0) {
      out[x] = 7;
      return;
    }
  }
}
