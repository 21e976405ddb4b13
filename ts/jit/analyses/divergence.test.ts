// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../tests/helpers/optimized-kernel';
import { type Inst, Op } from '../ir/ir';
import { Divergence } from './divergence';

/** Strides along x of the addresses of a kernel's loads in loops. */
function strides(body: string): number[] {
  const text = `kernel void k(global int *p, global const int *q, int n) { int x = get_global_id(0); ${body} }`;
  const func = optimizedKernel(text);
  const divergence = new Divergence(func);
  const isLoad = (inst: Inst) => inst.op === Op.Load;
  return func.blocks
    .filter((b) => divergence.flow.loopOf(b))
    .flatMap((b) => b.insts.filter(isLoad).map((i) => divergence.strideAt(i.operands[0]!, b)));
}

test('a loop after a guard, or inside of a loop of different lengths, has the same counter for all', () => {
  const loop = 'for (int k = 0; k < n; k++) s += q[k];';
  expect(strides(`int s = 0; ${loop} p[x] = s;`)).toEqual([0]);
  expect(strides(`if (x < n) { int s = 0; ${loop} p[x] = s; }`)).toEqual([0]);
  expect(strides(`int s = 0; for (int i = 0; i < x; i++) { ${loop} } p[x] = s;`)).toEqual([0]);
});

test('what work-items bring from different sides of a branch varies', () => {
  const [address] = strides(
    'int s = 0, step = 1; if (p[x] > n) { p[x + n] = 0; step = 2; } for (int k = 0; k < n; k++) s += q[k * step]; p[x] = s;',
  );
  expect(address).toBeNaN();
  const [behind] = strides(
    'int s = 0, i = 0; while (p[x * 8 + i] > 0) { p[i] = 0; i++; } for (int k = 0; k < n; k++) s += q[i + k * 3]; p[x] = s;',
  ).slice(-1);
  expect(behind).toBeNaN();
});

test('an id stays affine as a long, and what may wrap around between work-items does not', () => {
  const loop = (from: string) =>
    strides(`for (long i = ${from}; i < n; i += get_global_size(0)) p[i] = q[i];`);
  expect(loop('get_global_id(0)')).toEqual([4]);
  expect(loop('(long)get_global_id(0) * 2 + n')).toEqual([8]);
  expect(loop('(uint)get_global_id(0) * (uint)n')).toEqual([Number.NaN]);
  expect(loop('(uint)get_global_id(0) + (uint)n')).toEqual([Number.NaN]);
});
