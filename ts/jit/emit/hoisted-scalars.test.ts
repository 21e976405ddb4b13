// SPDX-License-Identifier: MIT
//
// Scalars that are the same for a row of work-items: where they are computed, and what kernels make of them at every tile.

import { compiledModule } from '../../../tests/helpers/compiled-module';
import { checkTiles, foreign, ints } from '../../../tests/helpers/every-tile';
import { disassemble } from '../../wasm/disassemble';
import { Program } from '../frontend/program';
import { compileKernel } from '../pipeline';

/** How many instructions are in the loop over the tiles of a row, which is the third, or in a loop within it. */
function countInTiles(wat: string, instruction: string): number {
  const nesting: string[] = [];
  let count = 0;
  for (const line of wat.split('\n')) {
    const [word] = line.trim().split(' ');
    if (word === 'loop' || word === 'block' || word === 'if') nesting.push(word);
    else if (word === 'end') nesting.pop();
    else if (word === instruction && nesting.filter((each) => each === 'loop').length >= 3) count++;
  }
  return count;
}

/** Products in the loop over tiles of scalar code. */
const products = (body: string, hoists: boolean): number =>
  countInTiles(disassemble(moduleOf(body, hoists)), 'i32.mul');

function moduleOf(body: string, hoists: boolean): Uint8Array {
  const text = `kernel void k(global int *out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    ${body}
  }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false, hoists }, lanes: 1, rows: 1 },
  });
  return kernel.module('any').wasm;
}

// One product is that of the id along x: the group's first one.
test('the address of a row is computed before its tiles', () => {
  expect(products('out[(z * h + y) * w + x] = 1;', false)).toBe(1);
});

test('also where a branch uses it', () => {
  expect(products('if (out[x] > 3) out[(y * 7 + h * z) * w + x] = 1;', false)).toBe(1);
});

test('what depends on x or on memory stays', () => {
  expect(products('out[x] = (x ^ y) * w * 5;', false)).toBeGreaterThan(1);
  expect(products('out[y * w + x] = out[y] * w;', false)).toBeGreaterThan(1);
});

test('nothing is moved where the engine does that', () => {
  expect(products('out[(z * h + y) * w + x] = 1;', true)).toBeGreaterThan(3);
});

/** Instructions that need the one before each. */
const chain = (first: string) =>
  `int a = ${first}; ${Array.from({ length: 2000 }, (_, i) => `a = (a ^ (a << ${(i % 5) + 1})) * h + ${i};`).join(' ')}`;

// Computing them before the loops would recurse once for each operation.
test.each([true, false])(
  'long chains of operations on arguments stay, whether the engine hoists: %s',
  (hoists) => {
    const wasm = moduleOf(`${chain('w')} out[x + y * a] = x / (a | 1);`, hoists);
    expect(WebAssembly.validate(wasm as Uint8Array<ArrayBuffer>)).toBe(true);
  },
);

test('a row has a limited number of values, because each takes a local', () => {
  const wat = disassemble(moduleOf(`${chain('w + y')} out[x] = x / (a | 1);`, false));
  const locals = wat
    .split('\n')
    .filter((line) => line.includes('(local '))
    .map((line) => line.split(' ').length);
  expect(Math.max(...locals)).toBeGreaterThan(4096);
  expect(Math.max(...locals)).toBeLessThan(4500);
});

const [WIDTH, HEIGHT] = [24, 6];

foreign('values of rows at every tile', () => {
  test.each([
    ['out[y * w + x] = in[y * w + x] + y * k;'],
    ['if (x < w - 2 && y > 0) out[y * w + x] = in[(y - 1) * w + x + 1] - (y * k & 255);'],
    ['uchar b = (uchar)(y * k), c = (uchar)(b + k); if (in[x] & 1) out[y * w + x] = c / 3 + (char)c;'],
    ['long a = (long)y * k * k; out[y * w + x] = (int)(a >> 9) ^ in[x];'],
    ['float f = y * 0.37f + k; out[y * w + x] = (int)(f * in[x] * 1e-7f);'],
    ['int s = 0; for (int i = 0; i < (y * k & 7); i++) s += in[(y * i + x) % (w * 6)]; out[y * w + x] = s;'],
    ['int d = y * k; out[y * w + x] = in[x] & 4 ? (d != 0 ? in[x] / d : -1) : (d > 9 ? d : in[y]);'],
    ['int r = (5 - y) * w; out[r + x] = in[r + w - 1 - x]; if (in[r] > 0) out[r + x] += (y << 3) * k;'],
    ['int d = y * k; if (d != 0) out[y * w + x] = 1000000000 / d; else out[y * w + x] = 7;'],
    ['if (y > 1) out[y * w + x] = (-2147483647 - 1) / (y - 1) + (int)(7u / (uint)(y - 1)); else out[x] = y;'],
    ['long d = y; if (d > 1) out[y * w + x] = (int)(((-9223372036854775807L - 1) / (d - 1)) >> 32);'],
    ['for (int i = x; i < w; i += 3) out[y * w + x] += in[y * w + i] * (y * k + 1);'],
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
        { value: new Uint8Array(Int32Array.of(1234567).buffer) },
      ],
    });
  });
});
