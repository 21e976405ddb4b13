// SPDX-License-Identifier: MIT

import { checkTiles, foreign, ints, noise } from '../../../../../tests/helpers/every-tile';
import { preparedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { type Inst, Op, Type } from '../../../ir/ir';
import { verify } from '../../../ir/verify';
import { reduceElements } from '../loops/reduce-elements';

/** The first reduction of a loop with this statement, as its steps' operations and types, and what it reduces. */
function reductionOf(statement: string, type = 'uchar'): string {
  const text = `kernel void k(global const ${type} *restrict a, global const ${type} *restrict b, global int *out, int n) {
    int y = get_global_id(0), s = 0; for (int j = 0; j < n; j++) { ${statement} } out[y] = s; }`;
  const func = preparedKernel(text);
  reduceElements(func);
  verify(func, 'reduceElements');
  const all = func.blocks.flatMap(({ insts }) => insts);
  const inst = all.find(({ op }) => op === Op.ReduceElements) as Inst;
  const steps = inst.facts.elements!.steps.map(
    (step) => `${step.is === 'computed' ? step.op : step.is} ${step.type}`,
  );
  return `${inst.facts.reduction} ${Type[inst.type]}: ${steps.join(', ')}`;
}
const A = 'a[y * n + j]';
const B = 'b[y * n + j]';

test('products of shorts are added in pairs', () => {
  expect(reductionOf(`s += ${A} * ${B};`, 'short')).toBe('add I32: loaded I16, loaded I16, Mul I32');
  expect(reductionOf(`int e = ${A} - ${B}; s += e * e;`)).toBe(
    'add I32: loaded I8, ZExt I16, loaded I8, ZExt I16, Sub I16, Mul I32',
  );
  // Not those of numbers of 16 bits without a sign, of which one may be larger.
  expect(reductionOf(`s += ${A} * ${B};`, 'ushort')).toMatch(/Mul I32$/);
  expect(reductionOf(`s += ${A} * ${B};`, 'ushort')).toMatch(/ZExt I32/);
});

test('sums of small numbers are in 16 bits, differences of bytes in 8', () => {
  expect(reductionOf(`s += (${A} + ${B} + 1) >> 1;`)).toMatch(
    /Add I16, given I16, Add I16, LShr I16, ZExt I32$/,
  );
  expect(reductionOf(`s += abs(${A} - ${B});`)).toMatch(/UMax I8, UMin I8, Sub I8, ZExt I16, ZExt I32$/);
  // From -1 to 65024 is neither with a sign nor without one.
  expect(reductionOf(`s += (${A} * ${B} - 1) >> 1;`)).toMatch(/AShr I32$/);
});

test('extremes are those of the narrow numbers', () => {
  expect(reductionOf(`s = max(s, (int)abs(${A} - ${B}));`)).toMatch(/^umax I8: .*Sub I8$/);
  expect(reductionOf(`s = min(s, ${A} - ${B});`)).toMatch(/^smin I16: .*Sub I16$/);
  expect(reductionOf(`s = max(s, ${A} * ${B});`)).toMatch(/^umax I16: .*Mul I16$/);
  expect(reductionOf(`s = max(s, ${A} - ${B});`, 'short')).toMatch(/^smax I32: .*Sub I32$/);
});

const [ITEMS, LENGTH] = [10, 150];
const TYPES = [
  ['short', Int16Array],
  ['ushort', Uint16Array],
  ['uchar', Uint8Array],
  ['char', Int8Array],
] as const;

foreign('narrow elements', () => {
  // Mostly numbers at the ends of the types' ranges, whose sums and products pass 16 bits first.
  const ENDS = [-32768, 32767, -128, 127, 128, 255, 0, -1, 32640];
  const value = (i: number) =>
    noise(i) < 0.8 ? ENDS[Math.floor(noise(i + 0.5) * ENDS.length)]! : Math.floor(noise(i + 7) * 65536);
  const bodies = [
    's += A * B; t -= A * A; u += (A - B) * (A - B); v = v + (A - 3) * (B + 5);',
    's += abs(A - B); t += (A + B + 1) >> 1; u = u + A * 3 + B * 5; v -= A;',
    's = max(s, (int)abs(A - B)); t = min(t, A - B); u = max(u, (uint)(A * B)); v = max(v, (int)max(A, B));',
    's += min(A, B); t += max((int)A, 100); u ^= A << 3; v |= A + B;',
    's &= A * 2; t += (A & 15) - (B >> 4); u = min(u, (uint)A); v += -(int)A;',
    's += A - w; t += (A - w) * (A - w); u += A * x; v = max(v, B - w);',
    's += (uint)A >> 2; t += (A ^ B) << 5; u += ~A; v += abs(A);',
    's += (uchar)A; t += (char)B * (char)A; u += abs_diff((uchar)A, (uchar)B); v = max(v, (int)abs((char)A));',
  ];
  test.each(TYPES.flatMap(([type, Elements]) => bodies.map((body) => [type, body, Elements] as const)))(
    '%s: %s',
    (type, body, Elements) => {
      const loops = body
        .split(';')
        .filter((statement) => statement.trim() !== '')
        .map((statement) => `for (int k = 0; k < n; k++) { ${statement}; }`);
      const source = `__kernel void k(__global const ${type} *a, __global const ${type} *b, __global int *out, int n, uchar w, int x) {
       int y = get_global_id(0); __global const ${type} *e = a + y * ${LENGTH};
       int s = y, t = 1, v = n; uint u = y;
       ${loops.join('\n').replaceAll('A', 'e[k]').replaceAll('B', 'b[k + 1]')}
       out[y] = s * 31 + t * 7 + v * 3 + (int)u; }`;
      const numbers = (count: number, from: number) =>
        Elements.from(Array.from({ length: count }, (_, i) => value(i + from)));
      checkTiles(
        source,
        'k',
        {
          global: [ITEMS],
          local: [ITEMS],
          args: [
            { buffer: numbers(ITEMS * LENGTH + 64, 0) },
            { buffer: numbers(LENGTH + 64, 5000) },
            { buffer: ints(ITEMS, () => 0) },
            { value: new Int32Array([143]) },
            { value: new Uint8Array([200]) },
            { value: new Int32Array([77777]) },
          ],
        },
        undefined,
        [0],
      );
    },
  );

  test('products of the least shorts alone', () => {
    const source = `__kernel void k(__global const short *a, __global int *out, int n) {
       int y = get_global_id(0), s = 0; for (int k = 0; k < n; k++) s += a[y + k] * a[y + k]; out[y] = s; }`;
    const args = [
      { buffer: new Int16Array(200).fill(-32768) },
      { buffer: ints(4, () => 0) },
      { value: new Int32Array([81]) },
    ];
    checkTiles(source, 'k', { global: [4], local: [4], args });
  });
});
