// SPDX-License-Identifier: MIT
//
// Copies by a work-group together: elements of each size, strides on either side, groups that are not a multiple of a vector.

// Each group gathers every third element of its part, and scatters them over the even places of its output.
#define COPIES(name, type)                                                                 \
  kernel void name(global const int *in, global int *out, int count, int stride) {         \
    local type here[8];                                                                    \
    int group = get_group_id(0);                                                           \
    global const type *from = (global const type *)in + group * 24;                        \
    global type *to = (global type *)out + group * 16;                                     \
    event_t e = async_work_group_strided_copy(here, from, count, 3, 0);                    \
    wait_group_events(1, &e);                                                              \
    e = async_work_group_strided_copy(to, here, count, stride, 0);                         \
    wait_group_events(1, &e);                                                              \
  }

// run: words global=10 local=5
// arg: int[48] = range
// arg: int[32] = zero -> 0 0 3 0 6 0 9 0 12 0 15 0 18 0 21 0 24 0 27 0 30 0 33 0 36 0 39 0 42 0 45 0
// arg: int = 8
// arg: int = 2
COPIES(words, int)

// run: few global=10 local=5
// arg: int[48] = range
// arg: int[32] = zero -> 0 3 6 9 12 0 0 0 0 0 0 0 0 0 0 0 24 27 30 33 36 0 0 0 0 0 0 0 0 0 0 0
// arg: int = 5
// arg: int = 1
COPIES(few, int)

// run: none global=10 local=5
// arg: int[48] = range
// arg: int[4] = range -> 0 1 2 3
// arg: int = 0
// arg: int = 1
COPIES(none, int)

// run: words16 global=4 local=4
// arg: int[96] = range
// arg: int[64] = zero -> 0 1 2 3 0 0 0 0 12 13 14 15 0 0 0 0 24 25 26 27 0 0 0 0 36 37 38 39 0 0 0 0 48 49 50 51 0 0 0 0 60 61 62 63 0 0 0 0 72 73 74 75 0 0 0 0 84 85 86 87 0 0 0 0
// arg: int = 8
// arg: int = 2
COPIES(words16, int4)

// run: words8 global=4 local=4
// arg: int[48] = range
// arg: int[32] = zero -> 0 1 0 0 6 7 0 0 12 13 0 0 18 19 0 0 24 25 0 0 30 31 0 0 36 37 0 0 42 43 0 0
// arg: int = 8
// arg: int = 2
COPIES(words8, int2)

// run: words32 global=4 local=4
// arg: int[192] = range
// arg: int[64] = zero -> 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0 24 25 26 27 28 29 30 31 0 0 0 0 0 0 0 0 48 49 50 51 52 53 54 55 0 0 0 0 0 0 0 0 72 73 74 75 76 77 78 79 0 0 0 0 0 0 0 0
// arg: int = 4
// arg: int = 2
COPIES(words32, int8)

// run: bytes global=6 local=3
// arg: uchar[48] = range
// arg: uchar[32] = zero -> 0 0 3 0 6 0 9 0 12 0 15 0 18 0 21 0 24 0 27 0 30 0 33 0 36 0 39 0 42 0 45 0
// arg: int = 8
// arg: int = 2
COPIES(bytes, uchar)

// run: halves global=6 local=3
// arg: short[48] = range
// arg: short[32] = zero -> 0 0 3 0 6 0 9 0 12 0 15 0 18 0 21 0 24 0 27 0 30 0 33 0 36 0 39 0 42 0 45 0
// arg: int = 8
// arg: int = 2
COPIES(halves, short)

// Two rows of work-items, and what is copied depends on the group.
// run: by_group global=8,4 local=4,2
// arg: int[64] = range
// arg: int[64] = zero -> 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 32 33 0 0 0 0 0 0 0 0 0 0 0 0 0 0 48 49 50 0 0 0 0 0 0 0 0 0 0 0 0 0
kernel void by_group(global const int *in, global int *out) {
  local int here[16];
  int group = get_group_id(1) * 2 + get_group_id(0);
  event_t e = async_work_group_copy(here, in + group * 16, 16, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + group * 16, here, group, 0);
  wait_group_events(1, &e);
}
