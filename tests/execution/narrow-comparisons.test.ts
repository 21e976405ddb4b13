// SPDX-License-Identifier: MIT
//
// Conditions on bytes and shorts that vectors evaluate at the narrow width: comparisons with numbers of 32 bits, at the ends of the
// narrow ranges and beyond them, neighbours under a condition, and stores on both sides of a branch. All against JavaScript.
import { openSync, type Session } from '../../ts';

type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array;
const TYPES: Record<string, (list: number[]) => Numbers> = {
  char: (list) => Int8Array.from(list),
  uchar: (list) => Uint8Array.from(list),
  short: (list) => Int16Array.from(list),
  ushort: (list) => Uint16Array.from(list),
};
const OPERATORS: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const NUMBERS = [
  -(2 ** 31),
  -32769,
  -32768,
  -129,
  -128,
  -1,
  0,
  1,
  127,
  128,
  255,
  256,
  32767,
  65535,
  65536,
  2 ** 31 - 1,
];
const COUNT = 300;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software' });
});

describe.each(Object.entries(TYPES))('%s', (type, arrayOf) => {
  const data = arrayOf(Array.from({ length: COUNT }, (_, i) => (i < 270 ? i : i * 7919)));

  test.each(['int', 'uint'] as const)('is compared with a uniform %s', async (number) => {
    const names = Object.keys(OPERATORS);
    const conditions = names.flatMap((op, i) => [
      `(a[i] ${op} t) << ${2 * i}`,
      `(t ${op} a[i]) << ${2 * i + 1}`,
    ]);
    // Stores of one byte each, so that the comparisons are all that is wide.
    const stores = conditions.map((c, i) => `o[${i * COUNT} + i] = (${c}) != 0 ? 255 : 3;`);
    const program = session.buildSync(
      `kernel void k(global const ${type} *a, global uchar *o, int n, ${number} t) {
        int i = get_global_id(0); if (i >= n) return; ${stores.join('\n')} }`,
    );
    const input = session.buffer(data);
    const out = session.buffer(Uint8Array, conditions.length * COUNT);
    const convert = (x: number) => (number === 'uint' ? x >>> 0 : x);
    for (const t of NUMBERS) {
      program.kernels.k!.run({ global: COUNT }, input, out, COUNT, convert(t));
      const results = await out.read();
      const expected = names.flatMap((op) => {
        const compare = OPERATORS[op]!;
        return [
          Array.from(data, (x) => (compare(convert(x), convert(t)) ? 255 : 3)),
          Array.from(data, (x) => (compare(convert(t), convert(x)) ? 255 : 3)),
        ].flat();
      });
      const wrong = expected.findIndex((value, at) => results[at] !== value);
      expect({ t, wrong }).toEqual({ t, wrong: -1 });
    }
  });

  test.each(['int', 'uint', 'long', 'ulong'] as const)('as %s is compared with floats', async (number) => {
    const FLOATS = [-3.25, 0, 7, 99.5, 254.5, 4e9, NaN];
    const names = Object.keys(OPERATORS);
    const conditions = names.flatMap((op) => [
      ...FLOATS.map((x) => `(${number})a[i] ${op} ${Number.isNaN(x) ? 'NAN' : `${x.toFixed(2)}f`}`),
      `t ${op} (${number})a[i]`,
    ]);
    const stores = conditions.map((c, i) => `o[${i * COUNT} + i] = ${c} ? 255 : 3;`);
    const program = session.buildSync(
      `kernel void k(global const ${type} *a, global uchar *o, int n, float t) {
        int i = get_global_id(0); if (i >= n) return; ${stores.join('\n')} }`,
    );
    const input = session.buffer(data);
    const out = session.buffer(Uint8Array, conditions.length * COUNT);
    const isUnsigned = number.startsWith('u');
    const bits = number.endsWith('long') ? 64 : 32;
    const convert = (x: number) => Math.fround(Number(isUnsigned ? BigInt.asUintN(bits, BigInt(x)) : x));
    for (const t of [-1.5, 3, 4294967168, 1e20, NaN]) {
      program.kernels.k!.run({ global: COUNT }, input, out, COUNT, t);
      const results = await out.read();
      const expected = names.flatMap((op) => {
        const compare = OPERATORS[op]!;
        return [
          ...FLOATS.flatMap((f) => Array.from(data, (x) => (compare(convert(x), f) ? 255 : 3))),
          ...Array.from(data, (x) => (compare(Math.fround(t), convert(x)) ? 255 : 3)),
        ];
      });
      const wrong = expected.findIndex((value, at) => results[at] !== value);
      expect({ t, wrong }).toEqual({ t, wrong: -1 });
    }
  });

  test('is stored on both sides of a branch, with neighbours under conditions', async () => {
    const program = session.buildSync(
      `kernel void k(global const ${type} *a, global ${type} *o, int n, int t) {
        int i = get_global_id(0); if (i >= n) return;
        ${type} before = i > 0 ? a[i - 1] : 32;
        ${type} after = i < n - 1 ? a[i + 1] : 10;
        if (a[i] > t) { o[2 * i] = before; o[2 * i + 1] = 7; }
        else if (a[i] == t) { o[2 * i] = 5; o[2 * i + 1] = after; }
        else { o[2 * i] = after; o[2 * i + 1] = before; } }`,
    );
    const input = session.buffer(data);
    const out = session.buffer(arrayOf(new Array<number>(2 * COUNT).fill(0)));
    for (const t of [-129, 0, 100, 70000]) {
      program.kernels.k!.run({ global: COUNT }, input, out, COUNT, t);
      const expected = arrayOf(new Array<number>(2 * COUNT).fill(0));
      for (let i = 0; i < COUNT; i++) {
        const before = i > 0 ? data[i - 1]! : 32;
        const after = i < COUNT - 1 ? data[i + 1]! : 10;
        const x = data[i]!;
        expected.set(x > t ? [before, 7] : x === t ? [5, after] : [after, before], 2 * i);
      }
      expect(Array.from(await out.read())).toEqual(Array.from(expected));
    }
  });
});
