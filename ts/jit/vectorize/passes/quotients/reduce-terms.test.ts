// SPDX-License-Identifier: MIT
//
// Remainders of sums with numbers that work-items share: that they are narrow, and each near a limit against the interpreter.

import { runCompiled } from '../../../../../tests/helpers/compiled-kernel';
import { compiledModule } from '../../../../../tests/helpers/compiled-module';
import { runInterpreted } from '../../../../../tests/helpers/interpreted-kernel';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Program } from '../../../frontend/program';
import { Op } from '../../../ir/ir';
import { compileKernel } from '../../../pipeline';

const source = (
  body: string,
  type = 'uchar',
) => `kernel void k(global const ${type} *in, global ${type} *out, int n,
    uint u, global const int *rows) {
  int i = get_global_id(0); ${type} c = in[i]; ${body} out[i] = c; }`;

const opsOf = (body: string, type?: string) =>
  preparedKernel(source(body, type)).blocks.flatMap((b) => b.insts.map((i) => i.op));
const hasWide = (body: string, type?: string) =>
  opsOf(body, type).some((op) => op === Op.UMulHi || op === Op.SMulHi || op === Op.Mul);

test('a sum with an argument is near the divisor', () => {
  expect(hasWide("if (c >= 'a' && c <= 'z') c = (c - 'a' + n) % 26 + 'a';")).toBe(false);
  expect(hasWide('c = ((c & 7) - n + 5) % 41;')).toBe(false);
  expect(opsOf('c = (c + n) % 200;')).not.toContain(Op.SMulHi);
  expect(opsOf('c = (c + n) % 20000;', 'ushort')).toContain(Op.SMulHi);
});

test('a remainder of a number below twice the divisor is a minimum', () => {
  expect(hasWide('c = ((c & 31) + 3) % 26;')).toBe(false);
  expect(opsOf('c = ((c & 31) + 3) % 26;')).toContain(Op.UMin);
  expect(hasWide('c = ((c & 63) + 40) % 26;')).toBe(false);
  expect(hasWide('c = ((c & 63) + 41) % 26;')).toBe(true);
});

const LARGEST = 2 ** 31 - 1;
const NUMBERS = [0, 1, 3, 25, 26, 27, 100, 127, 128, 255, 256, 1000, 0x12345678]
  .flatMap((n) => [n, -n, LARGEST - n, n - 2 ** 31, 2 ** 31 + n])
  .map((n) => n | 0);

const EXPRESSIONS = [
  "if (c >= 'a' && c <= 'z') c = (c - 'a' + n) % 26 + 'a';",
  'c = (c + n) % 26;',
  'c = (n + c) % 200;',
  'c = (c - n) % 13;',
  'c = (c + n - u + 7) % 11;',
  'c = (c + u) % 26u;',
  'c = ((c & 15) + u) % 10u;',
  'c = ((c & 15) - 8 + u) % 10u;',
  'c = ((c & 15) - 8 + n) % 10;',
  'c = (c + in[i + 1] + n) % 300 > 17;',
  'c = (c + rows[get_global_id(1)] + n) % 26;',
  'c = ((c & 31) + 3) % 26 ^ ((c & 31) - 20) % 17;',
  'c = ((c & 31) - 17) % 17;',
  'c = ((c & 15) + 11) % 26;',
  'c = ((c & 63) - 52) % 13;',
  'c = ((c & 63) + n) % 25;',
  'c = ((c & 127) - 51) % 26;',
  'c = ((c & 127) - 52 + 26) % 26 + ((c & 127) - 51) % 26u;',
  'c = (c & 31) >= 20 ? (c & 31) - 20 : (c & 31);',
  'int r = c >= 300 ? c - 300 : c; c = r; if (r > 200) c ^= 1;',
];
const ITEMS = 256;

describe.each(['uchar', 'short'])('%s', (type) => {
  test.each(EXPRESSIONS)('%s', (body) => {
    const module = compiledModule({ name: 'k.cl', text: source(body, type), options: '' });
    const program = new Program(module, { moduleOf: () => undefined });
    const binaries = [1, 8, 16].map((lanes) => {
      const { func, signature } = program.translate('k');
      return compileKernel({
        translate: () => ({ func, signature }),
        constants: program.image,
        options: { engine: { relaxedSimd: false, isX64: true }, lanes, rows: 1 },
        trace: { check: true },
      });
    });
    const reference = program.translate('k');
    const bytes = type === 'uchar' ? 1 : 2;
    const input = Uint8Array.from({ length: (ITEMS + 1) * bytes }, (_, i) =>
      bytes === 1 ? i : i % 2 ? [0, 0, 255, 127, 128, 3][(i >> 1) % 6]! : i >> 1,
    );
    for (const n of NUMBERS) {
      const value = { value: new Uint8Array(Int32Array.of(n).buffer) };
      const invocation = {
        global: [ITEMS] as const,
        local: [ITEMS] as const,
        args: [
          { buffer: input },
          { buffer: new Uint8Array(ITEMS * bytes) },
          value,
          value,
          { buffer: Int32Array.of(n) },
        ],
      };
      const expected = runInterpreted(reference.func, reference.signature, program.binary, invocation);
      for (const binary of binaries) {
        const actual = runCompiled(binary, program.binary, invocation);
        expect({ n, out: [...actual.buffers[1]!] }).toEqual({ n, out: [...expected.buffers[1]!] });
      }
    }
  });
});
