// SPDX-License-Identifier: MIT
// What GNU's C has of functions on bytes and of atomics, and clang in OpenCL C, too.
// options: -cl-std=CL1.2

#ifdef POCL_DEVICE_ADDRESS_BITS
// Its kernel library has none.
#define __builtin_memcmp compare
static int compare(const void *a, const void *b, size_t size) {
  const uchar *x = (const uchar *)a, *y = (const uchar *)b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i]) return (int)x[i] - (int)y[i];
  return 0;
}
#endif

// run: bytes
// arg: int[24] = zero -> 0 0 1 2 3 3 4 5 6 7 0 16843009 16843009 0 -1 0 1 7 0 0 0 0 0 0
// except: rusticl: its translator does not know all of them
kernel void bytes(global int *out) {
  int up[5], down[8];
  for (int i = 0; i < 5; i++) up[i] = i;
  for (int i = 0; i < 8; i++) down[i] = i;
  __builtin_memmove(up + 1, up, 4 * sizeof(int));
  __builtin_memmove(down, down + 3, 5 * sizeof(int));
  __builtin_memcpy(out, up, sizeof(up));
  __builtin_memcpy(out + 5, down, 5 * sizeof(int));
  __builtin_memcpy(out, up, 0);
  int filled[4] = {1, 2, 3, 4};
  __builtin_bzero(filled, 4);
  __builtin_memset(filled + 1, 0x101, 2 * sizeof(int));
  __builtin_memcpy(out + 10, filled, 3 * sizeof(int));
  out[13] = __builtin_memcmp(up, up + 1, 4);
  out[14] = __builtin_memcmp(up, up + 2, 4);
  out[15] = __builtin_memcmp(up, down, 0);
  out[16] = __builtin_memcmp(up + 2, up, 8);
  struct { char c[3]; int i; } a = {{1, 2, 3}, 7}, b;
  __builtin_memcpy(&b, &a, sizeof a);
  out[17] = b.i;
}

// run: gnu_atomics global=64
// arg: int[16] = 0 0 0 0 0 0 5 0 -1 0 0 0 0 0 0 0 -> 64 -64 63 1 64 0 9 1 42 5 9 1 9 11 10 0
// except: rusticl: its translator does not know all of them
kernel void gnu_atomics(volatile global int *p) {
  __sync_fetch_and_add(p, 1);
  __sync_sub_and_fetch(p + 1, 1);
  __sync_fetch_and_or(p + 2, (int)get_global_id(0));
  __atomic_fetch_xor(p + 3, get_global_id(0) == 5, __ATOMIC_RELAXED);
  __atomic_add_fetch(p + 4, 1, __ATOMIC_SEQ_CST);
  if (get_global_id(0) == 0) {
    p[9] = __sync_val_compare_and_swap(p + 6, 5, 9);
    p[10] = __sync_val_compare_and_swap(p + 6, 5, 7);
    p[7] = __sync_bool_compare_and_swap(p + 6, 9, 9);
    __atomic_store_n(p + 8, 41, __ATOMIC_RELEASE);
    int expected = 9;
    p[11] = __atomic_compare_exchange_n(p + 6, &expected, 11, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    p[12] = expected;
    p[13] = __atomic_exchange_n(p + 6, 10, __ATOMIC_ACQ_REL);
    p[14] = __atomic_load_n(p + 6, __ATOMIC_ACQUIRE);
    __sync_lock_test_and_set(p + 6, 9);
    __sync_lock_release(p + 15);
    __sync_synchronize();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    p[8] = __sync_add_and_fetch(p + 8, 1);
  }
}
