// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { Dominators, naturalLoops } from '../ir/cfg';
import { Op } from '../ir/ir';

/** Loads that remain in the loops of a kernel. */
function loadsInLoops(body: string): number {
  const text = `kernel void k(global const int *p, global int *out, local int *l, int n) {
    int x = get_global_id(0), s = 0; ${body} out[x] = s; }`;
  const func = optimizedKernel(text);
  const inside = new Set(naturalLoops(new Dominators(func)).flatMap((loop) => [...loop.blocks]));
  return [...inside].reduce((n, b) => n + b.insts.filter((i) => i.op === Op.Load).length, 0);
}

test('what a loop tests in each iteration is read before it, if the loop does not write there', () => {
  expect(loadsInLoops('for (int i = p[x]; i < p[x + 1]; i++) s += p[i];')).toBe(1);
  expect(loadsInLoops('for (int i = x; i < l[0]; i++) out[i] = i;')).toBe(0);
});

test('not where it writes, or work-items may wait for others, or the program says so', () => {
  expect(loadsInLoops('for (int i = x; i < p[x + 1]; i++) out[i] = i;')).toBe(1);
  expect(loadsInLoops('for (int i = 0; i < l[0]; i++) { barrier(1); l[x] = i; }')).toBe(1);
  expect(loadsInLoops('while (((volatile global const int *)p)[x] < n) s++;')).toBe(1);
  expect(loadsInLoops('while (p[x] < n) { s++; mem_fence(CLK_GLOBAL_MEM_FENCE); }')).toBe(1);
});
