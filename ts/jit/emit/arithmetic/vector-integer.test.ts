// SPDX-License-Identifier: MIT
//
// How many instructions sequences on vectors take.
import { compiledModule } from '../../../../tests/helpers/compiled-module';
import { disassemble } from '../../../wasm/disassemble';
import type { EngineFeatures } from '../../compiled';
import { Program } from '../../frontend/program';
import { compileKernel } from '../../pipeline';

const PLAIN: EngineFeatures = { relaxedSimd: false, hoists: true };

/** How often the code for four work-items, which compute a number from an element each, has an instruction. */
function countOf(instruction: string, body: string, type = 'uint', engine: EngineFeatures = PLAIN): number {
  const text = `kernel void k(global const ${type} *in, global ${type} *out) { int i = get_global_id(0); ${type} a = in[i]; out[i] = ${body}; }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine, lanes: 4, rows: 1 },
  });
  const lines = disassemble(kernel.module('any').wasm).split('\n');
  return lines.filter((line) => line.trim() === instruction).length;
}

test('leading zeros are the exponent of a float', () => {
  expect(countOf('f32x4.convert_i32x4_s', 'clz(a)')).toBe(1);
  expect(countOf('i32x4.shr_u', 'clz(a)')).toBe(2);
  expect(countOf('i8x16.popcnt', 'clz(a)')).toBe(0);
});

test('trailing zeros are the exponent of the lowest bit', () => {
  for (const body of ['popcount(~a & (a - 1))', 'popcount((a & -a) - 1)']) {
    expect(countOf('f32x4.convert_i32x4_s', body)).toBe(1);
    expect(countOf('i8x16.popcnt', body)).toBe(0);
  }
});

test('on x64, bits of bytes are counted by two look-ups in a table', () => {
  const x64: EngineFeatures = { relaxedSimd: true, isX64: true, hoists: true };
  for (const [type, bodies] of Object.entries({
    uint: ['popcount(a)', 'popcount(~a & (a - 3))'],
    uchar: ['popcount(a)'],
  }))
    for (const body of bodies) {
      expect(countOf('i8x16.popcnt', body, type, x64)).toBe(0);
      expect(countOf('i8x16.relaxed_swizzle', body, type, x64)).toBe(2);
    }
  expect(countOf('i8x16.popcnt', 'popcount(a)', 'uint', { ...x64, isX64: false })).toBe(1);
  expect(countOf('i8x16.popcnt', 'popcount(a)')).toBe(1);
});

test('upper halves of 64-bit products are products of words', () => {
  const products = (body: string, type: string) =>
    ['low', 'high'].reduce((sum, half) => sum + countOf(`i64x2.extmul_${half}_i32x4_u`, body, type), 0);
  // Two vectors.
  expect(products('mul_hi(a, in[i + 9])', 'ulong')).toBe(8);
  expect(products('mul_hi(a, 1000000ul)', 'ulong')).toBe(4);
  expect(products('mul_hi(in[i + 9] >> 32, a)', 'long')).toBe(8);
  expect(products('mul_hi(in[i + 9] & 0xffff, a)', 'long')).toBe(4);
  expect(countOf('i64x2.lt_s', 'mul_hi(a, in[i + 9])', 'long')).toBe(4);
  expect(countOf('i64x2.lt_s', 'mul_hi(a, 0x123456789abl)', 'long')).toBe(2);
});
