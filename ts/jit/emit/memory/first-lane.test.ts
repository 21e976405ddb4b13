// SPDX-License-Identifier: MIT
//
// Accesses whose elements a test at run time finds next to each other: the addresses of the other lanes are computed where lanes are
// accessed one by one, and nowhere else, unless the engine itself moves them there.

import { compiledModule } from '../../../../tests/helpers/compiled-module';
import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';
import { disassemble } from '../../../wasm/disassemble';
import { Program } from '../../frontend/program';
import { compileKernel } from '../../pipeline';

/** How often vectors are clamped outside of code that accesses lanes one by one, which is the `else` of a test. */
function clampsBeforeTest(body: string, hoists: boolean): number {
  const text = `kernel void k(global const int *in, global int *out, int n) { int x = get_global_id(0); ${body} }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false, hoists }, lanes: 8, rows: 1 },
  });
  const nesting: string[] = [];
  let count = 0;
  for (const line of disassemble(kernel.module('any').wasm).split('\n')) {
    const [word] = line.trim().split(' ');
    if (word === 'loop' || word === 'block' || word === 'if') nesting.push(word);
    else if (word === 'else') nesting[nesting.length - 1] = 'else';
    else if (word === 'end') nesting.pop();
    else if (word === 'i32x4.min_s' && !nesting.includes('else')) count++;
  }
  return count;
}

const CLAMPED = 'for (int d = -2; d <= n; d++) out[x] += in[clamp(x + d, 0, n)];';

test('the lanes of a clamped load are computed where they are loaded one by one', () => {
  expect(clampsBeforeTest(CLAMPED, false)).toBe(0);
});

test('the same for a store', () => {
  expect(clampsBeforeTest('out[min(x, n)] = in[x];', false)).toBe(0);
});

test('they stay before the test where the engine moves them, and where something else uses them', () => {
  expect(clampsBeforeTest(CLAMPED, true)).toBeGreaterThan(0);
  expect(clampsBeforeTest('int i = min(x, n); out[x] = in[i] + i;', false)).toBeGreaterThan(0);
});

const [WIDTH, HEIGHT] = [24, 6];

foreign('accesses that are probably contiguous at every tile', () => {
  test.each([
    ['for (int d = -2; d <= 2; d++) out[y * w + x] += in[y * w + clamp(x + d, 0, w - 1)];'],
    ['for (int d = -2; d <= 2; d++) out[y * w + x] += in[clamp(y + d, 0, 5) * w + clamp(x - d, 1, w - 3)];'],
    ['out[y * w + min(x, w - 5)] = 7 + y;'],
    ['out[y * w + ((x + k) & 15)] = y * 3;'],
    ['out[y * w + x] = in[(x + y * 5) % w] - in[max(x - y, 3)];'],
    ['if (in[x] & 1) out[y * w + x] = in[y * w + min(x + 3, w - 1)]; else out[y * w + x] = in[max(x, 5)];'],
    ['if (y > 2) for (int i = 0; i < (in[x] & 3); i++) out[y * w + x] ^= in[max(x - i, 0) + y];'],
    ['out[y * w + x] = ((global const uchar *)in)[min(x, w - 4) + y] << y;'],
    ['out[y * w + x] = (int)((global const long *)in)[min(x >> 1, w / 3)];'],
    ['out[y * w + x] = ((global const short *)in)[(x ^ (y & 1)) + w];'],
    ['((global uchar *)out)[y * w + min(x, w - 2)] = y;'],
    [
      'int p[24]; for (int i = 0; i < 24; i++) p[i] = i * y; out[y * w + x] = p[min(x, 19)] + p[(x + 3) & 7];',
    ],
    ['out[y * w + x] = in[(uint)(x * w + y) / (uint)w + 1];'],
    ['out[y * w + x] = in[min((x << 1) - x + (y & 1) * 2, w) ^ 0] - in[(x + 1 & 31) | 0];'],
  ])('%s', (body) => {
    const source = `__kernel void k(__global const int *in, __global int *out, int w, int k) {
      int x = get_global_id(0), y = get_global_id(1); ${body} }`;
    checkTiles(source, 'k', {
      global: [WIDTH, HEIGHT],
      local: [WIDTH, HEIGHT],
      args: [
        { buffer: ints(WIDTH * HEIGHT + 8, (i) => Math.imul(i + 1, 0x9e3779b1)) },
        { buffer: ints(WIDTH * HEIGHT + 8, () => 0) },
        { value: new Uint8Array(Int32Array.of(WIDTH).buffer) },
        { value: new Uint8Array(Int32Array.of(4).buffer) },
      ],
    });
  });
});
