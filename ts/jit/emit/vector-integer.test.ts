// SPDX-License-Identifier: MIT
//
// How many instructions sequences on vectors take.
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { disassemble } from '../../wasm/disassemble';
import { Program } from '../frontend/program';
import { compileKernel } from '../pipeline';

/** How often the code for four work-items, which compute a number from an element each, has an instruction. */
function countOf(instruction: string, body: string): number {
  const text = `kernel void k(global const uint *in, global uint *out) { int i = get_global_id(0); uint a = in[i]; out[i] = ${body}; }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false, hoists: true }, lanes: 4, rows: 1 },
  });
  const lines = disassemble(kernel.module('any').wasm).split('\n');
  return lines.filter((line) => line.trim() === instruction).length;
}

test('leading zeros are the exponent of a float', () => {
  expect(countOf('f32x4.convert_i32x4_s', 'clz(a)')).toBe(1);
  expect(countOf('i32x4.shr_u', 'clz(a)')).toBe(2);
  expect(countOf('i8x16.popcnt', 'clz(a)')).toBe(0);
});
