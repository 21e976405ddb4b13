// SPDX-License-Identifier: MIT
// Local memory and barriers, also in loops and in functions.

// run: reverse global=8 local=4
// arg: int[8] = range -> 3 2 1 0 7 6 5 4
// arg: local int[4]
kernel void reverse(global int *data, local int *tile) {
  int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  tile[l] = data[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[g] = tile[n - 1 - l];
}

// run: prefix_sum global=16 local=8
// arg: int[16] = 1 1 1 1 1 1 1 1 1 2 3 4 5 6 7 8 -> 1 2 3 4 5 6 7 8 1 3 6 10 15 21 28 36
kernel void prefix_sum(global int *data) {
  local int tile[8];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = data[g];
  for (int step = 1; step < 8; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = l >= step ? tile[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += other;
  }
  data[g] = tile[l];
}

void meet(local int *flag, int l, int turn) {
  if (l == turn) *flag = 100 + turn;
  barrier(CLK_LOCAL_MEM_FENCE);
}

// run: in_turns global=4 local=4
// arg: int[16] = zero -> 100 101 102 103 100 101 102 103 100 101 102 103 100 101 102 103
kernel void in_turns(global int *out) {
  local int flag;
  int l = get_local_id(0);
  for (int turn = 0; turn < 4; turn++) {
    meet(&flag, l, turn);
    out[4 * l + turn] = flag;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// run: transpose global=4,4 local=2,2
// arg: int[16] = range
// arg: int[16] = zero -> 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15
kernel void transpose(global const int *in, global int *out) {
  local int tile[2][2];
  int x = get_local_id(0), y = get_local_id(1), bx = get_group_id(0) * 2, by = get_group_id(1) * 2;
  tile[y][x] = in[(by + y) * 4 + bx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + y) * 4 + by + x] = tile[x][y];
}

// run: copies global=4 local=4
// arg: int[8] = range
// arg: int[8] = zero -> 7 6 5 4 3 2 1 0
kernel void copies(global const int *in, global int *out) {
  local int here[8], there[8];
  event_t e = async_work_group_copy(here, in, 8, 0);
  wait_group_events(1, &e);
  for (int i = get_local_id(0); i < 8; i += 4) there[i] = here[7 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out, there, 8, 0);
  wait_group_events(1, &e);
}

// The region after the barrier comes back to the inner loop by two ways of a divergent branch.
// Odd work-items: 5 - 7 = -2, then 5 + 2 = 7. Even ones: 5 - 1 = 4 each time.
// run: barrier_in_a_nested_loop global=8 local=8
// arg: int[8] = zero -> 4 7 4 7 4 7 4 7
// arg: int = 2
// arg: int = 0
kernel void barrier_in_a_nested_loop(global int *out, int rounds, int zero) {
  int i = get_global_id(0);
  int a[2] = {7, 0};
  do {
    if ((i & 1) == 0) a[zero] = 1;
    for (int k = 0; k < 1; k += 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      a[0] = 5 - a[0];
    }
  } while (--rounds > 0);
  out[i] = a[0];
}
