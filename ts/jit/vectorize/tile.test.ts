// SPDX-License-Identifier: MIT
import { compile } from '../../compiler/compile';
import { Program } from '../frontend/program';
import { prepareKernel } from '../pipeline';

/** Whether vectors of a kernel of 8 lanes are paired, on an engine that can. */
function pairs(statement: string): boolean | undefined {
  const text = `kernel void k(global const uint *a, global const uint *b, global uint *c) {
    const uint i = get_global_id(0);
    ${statement}
  }`;
  const { module, log } = compile({ name: 'k.cl', text, options: '' });
  if (!module) throw new Error(log);
  const program = new Program(module, { moduleOf: () => undefined });
  const engine = { relaxedSimd: false, wide: true };
  const options = { engine, lanes: 8, rows: 1 };
  const compileFor = prepareKernel({ ...program.translate('k'), constants: program.image, options });
  return compileFor({ lanes: 8, rows: 1 }).wide;
}

describe('vectors are paired', () => {
  test('where neighbouring work-items read neighbouring elements', () => {
    expect(pairs('c[i] = a[i] * 3 + b[i];')).toBe(true);
  });

  test('where few reads are scattered', () => {
    expect(
      pairs('uint x = a[b[i] & 255]; for (int k = 0; k < 9; k++) x = x * 3 + (x >> 7) ^ b[i]; c[i] = x;'),
    ).toBe(true);
  });

  test('not where most reads are scattered', () => {
    expect(pairs('c[i] = a[b[i] & 255] + a[b[i] >> 24] + a[c[i] & 255];')).toBeUndefined();
  });

  test('not where the address of a scattered read depends on another', () => {
    expect(
      pairs(
        'uint x = a[a[b[i] & 255] & 255]; for (int k = 0; k < 29; k++) x = x * 3 + (x >> 7) ^ b[i]; c[i] = x;',
      ),
    ).toBeUndefined();
  });
});
