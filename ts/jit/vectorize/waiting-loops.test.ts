// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { Divergence } from '../analyses/divergence';
import { waitsForOthers } from './waiting-loops';

function waits(body: string): boolean {
  const func = optimizedKernel(`kernel void k(volatile global int *lock, global int *out) {
    int i = get_global_id(0); ${body} }`);
  return waitsForOthers(func, new Divergence(func));
}

test.each([
  'while (atomic_cmpxchg(lock, 0, 1)) ; out[0] += i; atomic_xchg(lock, 0);',
  'while (atomic_xchg(lock, 1)) ; out[0] += i; atomic_xchg(lock, 0);',
  'while (atomic_or(lock, 1) & 1) mem_fence(CLK_GLOBAL_MEM_FENCE); out[0] += i; atomic_and(lock, 0);',
  'int own = atomic_inc(lock); while (atomic_add(lock + 1, 0) != own) ; out[0] += i; atomic_inc(lock + 1);',
  'while (lock[i & 7] != i) ; out[0] += i; lock[i & 7]++;',
  // Groups are observed, and each work-item acquires the lock.
  'out[i] = get_local_id(0); while (atomic_cmpxchg(lock, 0, 1)) ; out[0] += i; atomic_xchg(lock, 0);',
  'local int own; barrier(CLK_LOCAL_MEM_FENCE); while (atomic_xchg(&own, 1)) ; out[0] += i; atomic_xchg(&own, 0);',
  'int own = atomic_inc(lock); while (lock[1] != own) ; out[get_group_id(0)] += i; atomic_inc(lock + 1);',
  'if (get_local_id(0) < 9) { while (atomic_cmpxchg(lock, 0, 1)) ; out[0] += i; atomic_xchg(lock, 0); }',
  'int n = 0; do { for (int k = 0; k < i; k++) n ^= k * n; } while (atomic_cmpxchg(lock, 0, 1)); out[n] = i; *lock = 0;',
])('waits: %s', (body) => expect(waits(body)).toBe(true));

test.each([
  // They try again with what they have seen: one of the neighbours succeeds.
  'int old = *lock; for (int seen; (seen = atomic_cmpxchg(lock, old, old + i)) != old; old = seen) ;',
  'int old; do old = *lock; while (atomic_cmpxchg(lock, old, old + i) != old);',
  // Each iteration takes another number.
  'int n = 0; for (int k; (k = atomic_inc(lock)) < 100; ) n ^= k; out[i] = n;',
  // Its work is in the loop.
  'for (int done = 0; !done; ) if (!atomic_cmpxchg(lock, 0, 1)) { out[0] += i; done = 1; atomic_xchg(lock, 0); }',
  // It reads one place after the other.
  'int n = i; while (lock[n]) n++; out[i] = n;',
  // Work-items of a group hand values to their neighbours.
  'local int a[64]; int l = get_local_id(0); atomic_xchg(a + l, 1); while (!atomic_add(a + (l ^ 1), 0)) ; out[i] = a[l];',
  // One work-item of a group acquires the lock.
  'if (get_local_id(0) != 0) return; while (atomic_cmpxchg(lock, 0, 1)) ; out[0] += i; atomic_xchg(lock, 0);',
  'if (get_local_id(0) == 0) { while (atomic_cmpxchg(lock, 0, 1)) ; out[0] += i; atomic_xchg(lock, 0); }',
])('does not wait: %s', (body) => expect(waits(body)).toBe(false));
