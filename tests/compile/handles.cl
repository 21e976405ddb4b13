// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
// Handles are compared through memory, since no instruction makes a number of them; records are reinterpreted through it.
int is_null(queue_t q) { return q == CLK_NULL_QUEUE; }
int same(clk_event_t a, clk_event_t b) { return a == b; }
int is_event(clk_event_t a) { return a != CLK_NULL_EVENT; }
reserve_id_t none(void) { return CLK_NULL_RESERVE_ID; }
typedef struct { int a, b; } pair;
typedef union { int a[2]; long b; } either;
long of_pair(pair p) { return __builtin_bit_cast(long, p); }
pair to_pair(long n) { return __builtin_astype(n, pair); }
either to_either(pair p) { return __builtin_bit_cast(either, p); }
