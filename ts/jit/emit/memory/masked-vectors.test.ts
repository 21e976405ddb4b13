// SPDX-License-Identifier: MIT
//
// Vectors that are stored in memory order under a condition: each lane's at once.
import { compiledModule } from '../../../../tests/helpers/compiled-module';
import { checkTiles, foreign, ints } from '../../../../tests/helpers/every-tile';
import { disassemble } from '../../../wasm/disassemble';
import { Program } from '../../frontend/program';
import { compileKernel } from '../../pipeline';

/** How often eight lanes' code has an instruction. */
function counted(type: string, body: string, ...instructions: string[]): number[] {
  const text = `kernel void k(global const ${type} *in, global ${type} *out, global const int *m, int n) { int i = get_global_id(0); ${body} }`;
  const program = new Program(compiledModule({ name: 'k.cl', text, options: '' }), {
    moduleOf: () => undefined,
  });
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false }, lanes: 8, rows: 1 },
  });
  const code = disassemble(kernel.module('any').wasm);
  return instructions.map((name) => code.split(name).length - 1);
}

test.each([
  ['int4', 'if (m[i]) out[i] = in[i] * n;'],
  ['float4', 'if (m[i] > n) out[i] = in[i] * n;'],
  ['long2', 'if (m[i]) out[i] = in[i] + n;'],
])('%s: %s takes one store for each lane, and no branch', (type, body) =>
  expect(counted(type, body, 'v128.store ', 'v128.store32_lane', 'i32x4.all_true')).toEqual([8, 0, 0]),
);

test('vectors of eight bytes take one store for each lane, if some are inactive', () =>
  expect(
    counted('int2', 'if (m[i]) out[i] = in[i] * n;', 'v128.store ', 'v128.store64_lane', 'v128.store32_lane'),
  ).toEqual([4, 8, 0]));

test.each([
  ['int8', 'if (m[i]) out[i] = in[i] * n;'],
  ['int4', 'if (m[i]) out[i * n] = in[i] * n;'],
])('%s: %s takes no condition for each lane', (type, body) =>
  expect(counted(type, body, 'i32x4.extract_lane')).toEqual([0]),
);

foreign('vectors that are stored under a condition, at every tile', () => {
  test.each([
    ['int4', 'if (places[x] & 1) out[x] = in[x] * n;'],
    ['int4', 'if (places[x] & 1) out[x] = in[x] * n; else if (places[x] & 2) out[x] = in[x].wzyx;'],
    ['int4', 'if (in[x].x > 0) { out[x] = in[x] * n; out[x] ^= in[x].yyxw; }'],
    ['int4', 'for (int k = 0; k < (places[x] & 3); k++) out[x] = in[x] * k;'],
    ['int4', 'if (places[x] & 1) out[places[x]] = in[x] * n;'],
    ['int4', 'if (places[x] & 1) out[x + n] = in[x] - n;'],
    ['int2', 'if (places[x] & 1) out[x] = in[x] * n;'],
    ['int3', 'if (places[x] & 1) out[x] = in[x] * n;'],
    ['int', 'if (places[x] & 1) vstore3(vload3(x, in) * n, x, out);'],
    ['int', 'if (places[x] & 1) vstore3(vload3(x, in) * n, x + 1, out + 5);'],
    ['int8', 'if (places[x] & 1) out[x] = in[x] * n;'],
    ['int8', 'if (places[x] & 1) out[x].hi = in[x].lo * n; else out[x].lo = in[x].hi ^ n;'],
    ['long2', 'if (places[x] & 1) out[x] = in[x] + n;'],
    ['long4', 'if (places[x] & 1) out[x] = in[x] + n;'],
    ['short2', 'if (places[x] & 1) out[x] = in[x] + (short)n;'],
    ['int', 'if (places[x] & 1) vstore_half4(convert_float4(vload4(x, in)), x, (__global half *)out);'],
  ])('%s: %s', (type, statement) => {
    checkTiles(
      `__kernel void k(__global const ${type} *in, __global ${type} *out, __global const int *places, int n) {
        int x = get_global_id(0) + get_global_size(0) * get_global_id(1); ${statement} }`,
      'k',
      {
        global: [16, 4],
        local: [16, 4],
        args: [
          { buffer: ints(128 * 8, (i) => ((i * 7919) % 61) - 30) },
          { buffer: ints(128 * 8, (i) => ((i * 5471) % 67) - 30) },
          { buffer: ints(64, (i) => (i * 5) % 64) },
          { value: ints(1, () => 19) },
        ],
      },
    );
  });
});
