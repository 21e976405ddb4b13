// SPDX-License-Identifier: MIT
//
// Accesses whose index wraps around, at and beside the places where it does; and that a scalar tells whether it does.
import { compiledModule } from '../../../../tests/helpers/compiled-module';
import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';
import { disassemble } from '../../../wasm/disassemble';
import { Program } from '../../frontend/program';
import { compileKernel } from '../../pipeline';

/** How often the code tests all lanes. */
function testsOfLanes(body: string): number {
  const text = `kernel void k(global const int *in, global int *out, int n, uint m) { uint i = get_global_id(0); ${body} }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false }, lanes: 8, rows: 1 },
  });
  return disassemble(kernel.module('any').wasm).split('i32x4.all_true').length - 1;
}

test.each([
  ['a constant mask', 'out[i] = in[i & 15];'],
  ['a mask of an argument', 'out[i] = in[(i + 5) & m];'],
  ['a remainder', 'out[i] = in[(i + 3) % m];'],
  ['a signed remainder', 'out[i] = in[((int)i + 3 + n) % n];'],
  ['a store', 'out[(i + 5) & 31] = in[i];'],
  ['two accesses', 'int at = (i + 3) & 15; out[at] = in[at];'],
  ['two accesses by a remainder', 'int at = (i + 3) % m; out[at] = in[at];'],
])('%s is tested by scalars', (_, body) => expect(testsOfLanes(body)).toBe(0));

test.each([
  ['a mask with zeros below its ones', 'out[i] = in[i & 12];'],
  ['an index that goes another way', 'out[i] = in[(i * 3) & 15];'],
  ['a limit that work-items do not share', 'out[i] = in[i % (i | 1)];'],
  ['an index that is not an element further in each lane', 'out[i] = in[(15 - i) & 15];'],
])('%s is not', (_, body) => expect(testsOfLanes(body)).toBeGreaterThan(0));

foreign('indices that wrap around, at every tile', () => {
  test.each([
    ['out[i] = in[i & 15];'],
    ['out[i] = in[i & 12];'],
    ['out[i & 31] = in[i];'],
    ['out[i] = in[(i + 5) & m];'],
    ['out[i] = in[(i + 5) & (m - 1)];'],
    ['out[i] = in[(i + 3) % n];'],
    ['out[i] = in[((int)i - 7 + n) % n + 40];'],
    ['out[i] = in[((int)i + 5) % n];'],
    ['int at = ((int)i - 9) % n; out[i] = in[at + 64] + at;'],
    ['out[i] = in[(i + 0xfffffff9u) % (n | 0xfffffff0u) + 8];'],
    ['uint at = (i + 0xfffffff9u) % (n | 0xfffffff0u); out[i] = in[at + 8] + at;'],
    ['uint at = (i + 0xfffffffbu) % m; out[i] = in[at + 8] + at;'],
    ['out[i] = in[(int)(i + 0x7ffffff9u) % n + 64];'],
    ['int at = (int)(i + 0x7ffffff9u) % n; out[i] = in[at + 64] + at;'],
    ['if (in[i] & 1) out[i] = in[(i + 3) & 15] + in[(i + 2) % n];'],
    ['for (int j = 0; j < 5; j++) out[i] += in[(i + j) % n] * in[(i + j) & m];'],
    ['for (int j = 0; j < (in[i] & 3); j++) out[i] += in[(i + j) % n] * in[(i + j) & m];'],
    ['out[i] = in[2 * (i & 15)] + in[(2 * i) & m];'],
    ['int at = (i + 3) & m, by = (i + 5) % n; out[i] = in[at] + in[by]; out[i] *= in[at + 1] - in[by + 2];'],
    ['out[i] = ((global const uchar *)in)[(i + 3) & m] + ((global const short *)in)[(i + 3) % n];'],
    ['out[i] = (int)((global const long *)in)[(i + 3) & m];'],
  ])('%s', (body) => {
    const source = `__kernel void k(__global const int *in, __global int *out, int n, uint m) {
        uint i = get_global_id(0); ${body} }`;
    for (const [n, m] of [[11, 15], [24, 31], [3, 7], [40, 13], [-24, 63], [10, -3]] as const) // biome-ignore format: a table
      checkTiles(source, 'k', {
        global: [48],
        local: [48],
        args: [
          { buffer: ints(128, (i) => i * 37) },
          { buffer: ints(128, () => 0) },
          { value: ints(1, () => n) },
          { value: ints(1, () => m) },
        ],
      });
  });
});
