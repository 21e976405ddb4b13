// SPDX-License-Identifier: MIT
//
// Bad input of any kind gives a message, in bounded time: inputs made to be deep, long or endless, and a fuzzer that
// mutates real kernels by bytes and by words. ANYCL_FUZZ_SECONDS makes it run longer, ANYCL_FUZZ_SEED elsewhere.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../spirv/encode';
import { compile } from './compile';

/** In CPU time: other work on the machine does not count. */
const PATIENCE_MS = 20_000;
/** At least this many mutations are tried, however long they take. */
const LEAST_MUTATIONS = 80;

/** Compiles; the result must be a module or a message, never an exception. */
function survive(text: string | Uint8Array): 'compiled' | 'refused' {
  const begin = process.cpuUsage();
  const { module, log } = compile({ name: 'a.cl', text, options: '-cl-std=CL3.0' });
  if (module) encode(module);
  else expect(log).toMatch(/error/);
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(PATIENCE_MS);
  return module ? 'compiled' : 'refused';
}

const MANY = 100_000;
const body = (text: string) => `kernel void k(global int *p) { ${text} }`;

const HOSTILE: Readonly<Record<string, string | Uint8Array>> = {
  'nested parentheses': `int x = ${'('.repeat(MANY)}1${')'.repeat(MANY)};`,
  'nested braces': body('{'.repeat(MANY) + '}'.repeat(MANY)),
  'unary operators': body(`*p = ${'- '.repeat(MANY)}1;`),
  'pointers to pointers': `int ${'*'.repeat(MANY)}p;`,
  'arrays of arrays': `int p${'[1]'.repeat(MANY)};`,
  'open structs': 'struct a {'.repeat(MANY),
  'nested ifs': body(`${'if (*p) '.repeat(MANY)};`),
  'a chain of else if': body('if (*p) *p = 1; else '.repeat(MANY)),
  'a long sum': body(`*p = ${'1 + '.repeat(2 * MANY)}1;`),
  'nested conditionals': body(`*p = ${'*p ? 1 : '.repeat(MANY)}1;`),
  'nested assignments': body(`${'*p = '.repeat(MANY)}1;`),
  'nested calls': `int f(int x) { return x; } ${body(`*p = ${'f('.repeat(MANY)}1${')'.repeat(MANY)};`)}`,
  'a macro bomb': `${Array.from({ length: 40 }, (_, i) => (i ? `#define A${i} A${i - 1} A${i - 1}` : '#define A0 x')).join('\n')}\nA39\n`,
  'a long string': `"${'a'.repeat(3_000_000)}"`,
  'bytes that are not text': Uint8Array.from({ length: 300_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255),
  'nested loops': body(`${'for (;;) '.repeat(MANY)};`),
  'conditionals in #if': `#if ${'1 ? '.repeat(MANY)}1${' : 0'.repeat(MANY)}\n#endif\n`,
  'a long macro': `#define A ${'x '.repeat(1_000_000)}\n${'A\n'.repeat(100)}`,
  'a long name': `#define CAT(a, b) a##b\n#define TWICE(a) CAT(a, a)\nint TWICE(TWICE(${'x'.repeat(MANY)}));`,
  'typedefs of pointers': `typedef int T0;${Array.from({ length: 3000 }, (_, i) => `typedef T${i} *T${i + 1};`).join('')}`,
  'structs of structs': `struct S0 { int x; };${Array.from({ length: 3000 }, (_, i) => `struct S${i + 1} { struct S${i} a; };`).join('')}`,
  'everything at once': body(
    `${'{ if (*p) '.repeat(240)}*p = ${`${'1 + '.repeat(3900)}(`.repeat(8)}${'- '.repeat(900)}1${')'.repeat(8)};${'}'.repeat(240)}`,
  ),
  'a truncated file': 'kernel void k(global int *p) { if (',
};

test.each(Object.keys(HOSTILE))(
  '%s',
  (name) => {
    expect(survive(HOSTILE[name]!)).toBe('refused');
  },
  120_000,
);

const LARGE: Readonly<Record<string, string>> = {
  'two of each level': `struct S0 { int x; };${Array.from({ length: 40 }, (_, i) => `struct S${i + 1} { struct S${i} a, b; };`).join('')}${body('*p = sizeof(struct S40) >> 32;')}`,
  'an array that is mostly zero': `constant int a[1 << 28] = { 1 };${body('*p = a[*p];')}`,
  'parameters of a macro': `#define F(${Array.from({ length: 20_000 }, (_, i) => `a${i}`).join()}) a7\n${body(`*p = F(${'1,'.repeat(19_999)}1);`)}`,
};

test.each(Object.keys(LARGE))(
  '%s: large, and right',
  (name) => {
    expect(survive(LARGE[name]!)).toBe('compiled');
  },
  120_000,
);

const LONG = 5000;
test.each([
  ['a sum', `*p = ${'*p + '.repeat(LONG)}1;`],
  ['commas', `${'p++, '.repeat(LONG)}*p = 1;`],
  ['else if', `${'if (*p == 1) *p = 2; else '.repeat(LONG)}*p = 3;`],
])('long code compiles: %s', (_, text) => expect(survive(body(text))).toBe('compiled'));

test('an empty file compiles', () => expect(survive('')).toBe('compiled'));

test('mutated kernels', () => {
  const folder = join(__dirname, '../../kernels/examples');
  const source = ['sha256', 'sobel', 'reduction']
    .map((name) => readFileSync(join(folder, `${name}.cl`), 'utf8'))
    .join('\n');
  const words = source.match(/\w+|\s+|[^\w\s]/g)!;
  let seed = Number(process.env['ANYCL_FUZZ_SEED'] ?? 1);
  const random = (bound: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % bound;
  };
  const byWords = () => {
    const list = words.slice();
    for (let i = 0; i <= random(6); i++) {
      const at = random(list.length);
      const other = list[random(list.length)]!;
      const kind = random(4);
      if (kind === 0) list.splice(at, 1 + random(5));
      else if (kind === 1) list[at] = other;
      else if (kind === 2) list.splice(at, 0, other, ' ', list[random(list.length)]!);
      else list.splice(at, 0, ...list.slice(at, at + random(40)));
    }
    return list.join('');
  };
  const byCharacters = () => {
    const list = source.split('');
    for (let i = 0; i <= random(10); i++) {
      const at = random(list.length);
      if (random(3) === 0) list.splice(at, 1 + random(3));
      else list[at] = String.fromCharCode(random(256));
    }
    return list.join('');
  };
  const end = performance.now() + 1000 * Number(process.env['ANYCL_FUZZ_SECONDS'] ?? 0);
  let compiled = 0;
  for (let i = 0; i < LEAST_MUTATIONS || performance.now() < end; i++) {
    const before = seed;
    const text = i % 2 === 0 ? byWords() : byCharacters();
    try {
      if (survive(text) === 'compiled') compiled++;
    } catch (error) {
      throw new Error(`seed ${before}:\n${text}`, { cause: error });
    }
  }
  // The mutations are small enough for some to be valid.
  expect(compiled).toBeGreaterThan(0);
}, 300_000);
