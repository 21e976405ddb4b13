// SPDX-License-Identifier: MIT
//
// Statements of which each takes the result of the one before: a pass that follows them by recursive calls leaves the stack. A quarter of
// the usual stack shows it with a quarter of the statements.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';

const STACK_KB = 246;
const STATEMENTS = 1500;
const folder = temporaryFolder();

/** A kernel in whose loop, or without one, `x` goes through all statements. */
const chain = (type: string, statement: (i: number) => string, inLoop = false) => {
  const statements = Array.from({ length: STATEMENTS }, (_, i) => statement(i)).join('\n');
  return `kernel void k(global ${type} *a, int n) {
  size_t g = get_global_id(0);
  ${type} x = a[g];
  ${inLoop ? `for (int j = 0; j < n; j++) {\n${statements}\n}` : statements}
  a[g] = x;
}`;
};

const CHAINS = {
  'products in a loop': chain('ulong', (i) => `x = x * ${2 * i + 3} + ${i};`, true),
  'quotients in a loop of 32-bit values': chain('int', (i) => `x = x * 3 + (int)((long)x / ${i + 2});`, true),
  'upper halves': chain('ulong', (i) => `x = mul_hi(x, ${2 * i + 3}ul) ^ (x >> ${i % 31});`),
  'bits that are put together': chain('uint', (i) => `x |= (x == ${i * 11}) & (n < ${i * 100});`),
  'vectors in memory order': chain('float4', (i) => `x = x.yzwx * ${i}.5f + x.wwxy;`),
  'vectors that are refused in memory order': chain('int4', (i) => `x = x > ${i} ? x.wzyx : x + 1;`),
  'shifts that are put together': chain('uint', (i) => `x = (x << 8) | ((global uchar *)a)[g * 4 + ${i}];`),
  'narrow numbers': chain('uchar', (i) => `x = x * ${(i % 7) + 3} + (x >> ${i % 7});`, true),
  selections: chain('int', (i) => `x = x > ${i} ? x - ${i * 3} : x + ${i};`),
  extremes: chain('int', (i) => `x = min(max(x, ${i}) * 3, ${i * 5 + 100});`),
  'fused products': chain('double', (i) => `x = fma(x, 1.${i}, x * 0.5);`),
  addresses: chain('int', () => 'x = a[x];'),
};

test.each(Object.entries(CHAINS))(
  'a long chain of %s is compiled',
  (name, text) => {
    const source = join(folder, `${name}.cl`);
    writeFileSync(source, text);
    const { status, stderr } = node(
      `--stack-size=${STACK_KB}`,
      [join(root, 'dist/cli.cjs'), 'compile', '--emit=wat', source, '-o', join(folder, 'k.wat')],
      { bare: true },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
  },
  60_000,
);
