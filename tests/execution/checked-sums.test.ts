// SPDX-License-Identifier: MIT
//
// Contracted sums: a checked kernel, which runs one work-item at a time, rounds as an unchecked one does in vectors.
import { openSync } from '../../ts';

const ITEMS = 64;
// The index from memory keeps the launch from being proven correct.
const SOURCE = `kernel void sums(global float *a, global const float *b, global const int *at) {
  int i = get_global_id(0), j = at[i];
  a[j] = a[j] - b[j] * b[${ITEMS} - 1 - j];
}`;

test('checked sums have the bits of unchecked ones', () => {
  const numbers = (seed: number) => Float32Array.from({ length: ITEMS }, (_, i) => Math.sin(i * seed) + 2);
  const [plain, checked] = (['off', 'all'] as const).map((check) => {
    const cl = openSync({ device: 'software', ...(check === 'all' ? { check } : {}) });
    const a = cl.buffer(numbers(3));
    const at = cl.buffer(Int32Array.from({ length: ITEMS }, (_, i) => i));
    cl.buildSync(SOURCE).kernels.sums!.runSync({ global: ITEMS }, a, cl.buffer(numbers(7)), at);
    const result = a.readSync();
    cl.close();
    return result;
  });
  expect(checked).toEqual(plain);
});
