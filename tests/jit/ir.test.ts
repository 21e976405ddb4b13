// SPDX-License-Identifier: MIT
//
// tests/jit/*.ir: from IR to IR for each pass, and from IR to a plan for each kind of plan. `BLESS=1` rewrites what is expected.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../../ts/jit/frontend/program';
import { parse } from '../../ts/jit/ir/parse';
import { print } from '../../ts/jit/ir/print';
import { verify } from '../../ts/jit/ir/verify';
import { optimize } from '../../ts/jit/pipeline';
import { compiledModule } from '../helpers/compiled-module';
import { directive, PASSES, readIrFile, runIrFile, writeIrFile } from './ir-file';

const read = (name: string) => readFileSync(join(__dirname, name), 'utf8');
const files = readdirSync(__dirname).filter((name) => name.endsWith('.ir'));

test.each(files)('%s', (name) => {
  const { input, expected } = readIrFile(read(name));
  const actual = runIrFile(input);
  if (process.env.BLESS === '1')
    writeFileSync(join(__dirname, name), writeIrFile({ input, expected: actual }));
  else expect(actual).toBe(expected);
  // A file without results is not a test.
  expect(actual).not.toBe(print(parse(input).at(-1)!));
});

test('each pass has a file', () => {
  const shown = new Set(files.map((name) => directive(read(name), 'pass')));
  expect([...PASSES.keys()].filter((name) => !shown.has(name))).toEqual([]);
});

const SOURCES = {
  'loops and memory': `kernel void k(global float *a, global const uchar *restrict b, int n) {
    float sum = -0.0f; for (int i = 0; i < n; i++) sum += a[i] * b[i * 3 + 1]; a[get_global_id(0)] = sum; }`,
  'numbers of all types': `kernel void k(global double *d, global long *l, global half *h, global short *s) {
    int i = get_global_id(0); d[i] = d[i] * 1e-300 + INFINITY; l[i] = l[i] * 0x123456789abcdefL - 7; vstore_half(vload_half(i, h) / 3, i, h);
    s[i] = s[i] > 5 ? -s[i] : 9; }`,
  'groups, atomics, printf': `kernel void k(global int *a, local int *l) {
    int i = get_local_id(0); l[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(a, l[i ^ 1]); printf("%d, [%s]\\n", i, "x"); }`,
  switches: `kernel void k(global int *a) { int i = get_global_id(0);
    switch (a[i]) { case 1: a[i] = 3; break; case -5: a[i] = 8; case 70: a[i + 1] = 2; break; default: a[i] = 0; } }`,
};

describe.each(Object.entries(SOURCES))('%s', (_, text) => {
  test.each([false, true])('as text and back, optimized: %s', (optimized) => {
    const module = compiledModule({ name: 'k.cl', text, options: '', target: 'spir' });
    const program = new Program(module, { moduleOf: () => undefined });
    const { func, signature } = program.translate('k');
    if (optimized) optimize(func, { signature, constants: program.image, fuse: true });
    const printed = print(func);
    const again = parse(printed).at(-1)!;
    verify(again, 'parsing');
    expect(print(again)).toBe(printed);
  });
});

test('a function that is kept out of line comes before its callers', () => {
  const text = `func f(F32, I32): F32 {
b0:
  %0: F32 = Parameter [index 0]
  Jump b1
b1:
  Return %0
}
func k {
b0:
  Jump b1
b1:
  %0: F32 = Call 1:F32, 2 [callee f]
  Return
}
`;
  expect(
    parse(text)
      .map((f) => print(f))
      .join(''),
  ).toBe(text);
});

test.each([
  ['func k {\nb0:\n  Jump b1\n', "a function has no end: '}' is missing"],
  ['func k {\nb0:\n  Jmp b1\n}\n', "line 3: 'Jmp' is not an operation: Jmp b1"],
  ['func k {\nb0:\n  %0: I7 = Not 1\n}\n', "line 3: 'I7' is not a type: %0: I7 = Not 1"],
  ['func k {\nb0:\n  Store %1, 2\n}\n', "line 4: '%1' is not defined: }"],
  ['b0:\n', "line 1: 'func NAME {' is missing: b0:"],
])('what is wrong with %j is said', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});
