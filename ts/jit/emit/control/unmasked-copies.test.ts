// SPDX-License-Identifier: MIT
//
// Loops over tiles that take one side of a branch with which a kernel begins.

import { compiledModule } from '../../../../tests/helpers/compiled-module';
import { disassemble } from '../../../wasm/disassemble';
import { Program } from '../../frontend/program';
import { compileKernel } from '../../pipeline';

/** By store of a whole vector, the loops around it, which are three without any of its own: for planes, rows and tiles. */
function loopsAroundStores(body: string): number[] {
  const text = `kernel void k(global const float *in, global float *out, int w, global const float *f) {
    int x = get_global_id(0), y = get_global_id(1); ${body} }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const options = { engine: { relaxedSimd: false }, lanes: 4, rows: 1 };
  const { wasm } = compileKernel({ translate: () => program.translate('k'), options }).module('whole-tiles');
  const nesting: string[] = [];
  const found: number[] = [];
  for (const line of disassemble(wasm).split('\n')) {
    const [word] = line.trim().split(' ');
    if (word === 'loop' || word === 'block' || word === 'if') nesting.push(word);
    else if (word === 'end') nesting.pop();
    else if (word === 'v128.store') found.push(nesting.filter((each) => each === 'loop').length);
  }
  return found;
}

test('tiles that pass a guard run in a loop of their own', () => {
  expect(loopsAroundStores('if (x >= w) return; out[y * w + x] = in[x] * in[y];')).toContain(4);
});

test('not where the kernel does something else before', () => {
  expect(
    loopsAroundStores('out[x + 9] = 1; if (x >= w) return; out[y * w + x] = in[x] * in[y];'),
  ).not.toContain(4);
});

test('so do tiles that a division by the width leaves in one row, and the others, in a loop around both', () => {
  expect(loopsAroundStores('out[x] = in[x] * f[x / w];')).toEqual([5, 5]);
  expect(loopsAroundStores('out[x] = in[x] * f[x];')).toEqual([3]);
});
