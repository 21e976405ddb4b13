// SPDX-License-Identifier: MIT
//
// Random kernels in which each work-item goes along elements of its own: sums, minima, counts and the like of rows that may overlap,
// numbers with a bit for each element, several in one loop, from any first to any last element, in steps of one and others, searches that
// end early, and searches in the loop, from its element on or from the row's first one.
import { Chance } from '../chance';
import type { RandomKernel, Triple } from './model';

/** Element types, and how many of them the input has. */
const ELEMENTS = [
  ['uchar', 1024],
  ['char', 1024],
  ['ushort', 512],
  ['short', 512],
  ['uint', 256],
  ['int', 256],
  ['ulong', 128],
  ['float', 256],
] as const;
const LENGTHS = [0, 1, 3, 4, 7, 15, 16, 17, 31, 40, 63, 64, 65, 100] as const;
const TOTALS = ['int', 'int', 'uint', 'uint', 'long', 'ulong', 'uchar', 'short'] as const;
/** Those that can have a bit for each of some elements. */
const MASKS = ['uint', 'uint', 'uint', 'int', 'int', 'ulong', 'ulong', 'ulong', 'long', 'ushort'] as const;
/** Shorter rows are not done sixteen elements at a time. */
const LEAST_OF_MASKS = 16;
/** More lets the last row end beyond the input. */
const MOST_ITEMS = 40;

interface Row {
  readonly chance: Chance;
  readonly isFloat: boolean;
  /** Variables of the loop that hold the element. */
  readonly elements: readonly string[];
}

export function randomRows(seed: number): RandomKernel {
  const chance = new Chance(seed);
  const [element, available] = chance.pick(ELEMENTS);
  const hasMasks = chance.with(0.3);
  const { global, local } = sizes(chance);
  const items = global[0] * global[1];
  const length = chance.pick(
    LENGTHS.filter((l) => l + items <= available && (l >= LEAST_OF_MASKS || !hasMasks)),
  );
  const most = Math.floor((available - length) / items);
  const stride = chance.pick([Math.min(length, most), 1, Math.min(3, most), most]);
  const isFloat = element === 'float';
  const row: Row = { chance, isFloat, elements: chance.with(0.3) ? ['a', 'b'] : ['a'] };
  const totals = Array.from({ length: chance.integer(1, hasMasks ? 2 : 3) }, () =>
    chance.pick(hasMasks ? MASKS : TOTALS),
  );
  const bits = totals.map(
    (type, i) => `  ${type} b${i} = ${chance.pick(['1', '1', '2', '0x40000000', 'n'])};\n`,
  );
  const starts = totals.map((type, i) => `  ${type} t${i} = ${chance.pick(['0', '1', 'x', 'n', '-1'])};\n`);
  const pointer = isFloat ? 'fin' : `((global const ${element} *)in)`;
  // The bounds are known to the compiler, or only to the launch.
  const end = chance.pick([`${length}`, `(int)(n / n) * ${length}`, `min((int)n + ${length}, ${length})`]);
  const from = length > 3 && chance.with(0.2) ? chance.integer(1, 3) : 0;
  const step = chance.pick([1, 1, 1, 1, hasMasks ? 1 : 2]);
  const loads = `    ${element} a = s[j];${row.elements.length > 1 ? ` ${element} b = r[j];` : ''}\n`;
  const leave = chance.with(hasMasks ? 0 : 0.1) ? `    if (${condition(row)}) break;\n` : '';
  const inner = chance.with(hasMasks ? 0 : 0.2) ? innerSearch(row, end) : '';
  const source = `kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const int x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global const ${element} *s = ${pointer} + x * ${stride}, *r = ${pointer} + ${chance.integer(0, most)};
  // statements
${starts.join('')}${hasMasks ? bits.join('') : ''}  for (int j = ${from}; j < ${end}; j += ${step}) {
${loads}${totals.map((type, i) => `    ${hasMasks && chance.with(0.95) ? mask(row, i, type) : combination(row, `t${i}`, type)}\n`).join('')}${inner}${leave}  }
${totals.map((_, i) => `  out[x * 8 + ${i}] = (ulong)t${i};\n`).join('')}}
`;
  return { source, global, local };
}

function sizes(chance: Chance): { global: Triple; local: Triple } {
  const [local, rows] = chance.pick([[16, 1], [32, 1], [8, 1], [7, 1], [1, 1], [20, 2], [5, 4]]) as [number, number]; // biome-ignore format: a table
  const groups = chance.integer(1, Math.max(1, Math.floor(MOST_ITEMS / local / rows)));
  return { global: [local * groups, rows, 1], local: [local, rows, 1] };
}

/** A search among the row's elements, in each iteration; what follows depends on where it ends, and sometimes on why. */
function innerSearch({ chance, isFloat }: Row, end: string): string {
  const start = chance.pick(['0', 'j', 'j']);
  const tests = Array.from({ length: chance.integer(1, 2) }, () =>
    chance.pick([
      's[m] != a',
      's[m] == r[m]',
      's[m] <= a',
      's[m] >= r[j]',
      isFloat ? 's[m] < 2.0f' : '(s[m] & 7) != (a & 7)',
      isFloat ? '!isnan(r[m])' : '(s[m] & 1) == (r[m] & 1)',
    ]),
  );
  const bound = chance.pick([`m < ${end}`, `m < ${end}`, `m != max(${start}, ${end})`]);
  const reason = chance.with(0.3) ? `if (m < ${end} && s[m] == a) t0 += 7; ` : '';
  const body = chance.with(0.7)
    ? `while (${bound} && ${tests.join(' && ')}) m++;`
    : `for (; ${bound}; m++) if (!(${tests.join(' && ')})) { ${chance.with(0.5) ? 't0 ^= 5; ' : ''}break; }`;
  return `    int m = ${start}; ${body} ${reason}t0 += m${chance.with(0.5) ? ` == ${end}` : ''};\n`;
}

function leaf({ chance, elements }: Row): string {
  return chance.pick(elements);
}

function condition(row: Row): string {
  const { chance, isFloat } = row;
  const compared = chance.pick(['>', '>=', '<', '<=', '==', '!=']);
  const limit = isFloat
    ? chance.pick(['0.0f', '1.5f', 'fin[n]', 'NAN', '-100.0f', leaf(row)])
    : chance.pick([`${chance.integer(-3, 260)}`, 'k', 'n', '0', leaf(row)]);
  // The place in the row with an id: in most iterations all work-items that run together agree.
  if (chance.with(0.15)) {
    const id = chance.pick([
      'x',
      '(int)get_global_id(0)',
      '2 * (int)get_global_id(0) - 9',
      '(int)get_local_id(0)',
    ]);
    return `j ${compared} ${chance.pick([id, `(${id}) + k`, `40 - (${id})`])}`;
  }
  const tested = isFloat || chance.with(0.7) ? leaf(row) : `(${leaf(row)} & ${chance.integer(1, 255)})`;
  const one = `${tested} ${compared} ${limit}`;
  return chance.with(0.2) ? `(${one}) ${chance.pick(['&&', '||', '==', '!='])} (${leaf(row)} > 3)` : one;
}

/** An integer that is computed from the elements. */
function summand(row: Row): string {
  const { chance, isFloat } = row;
  if (isFloat) return chance.pick([`(${condition(row)})`, `as_int(${leaf(row)})`, `isnan(${leaf(row)})`]);
  return chance.pick([
    () => leaf(row),
    () => leaf(row),
    () => `(int)${leaf(row)}`,
    () => `${leaf(row)} * ${leaf(row)}`,
    () => `${leaf(row)} * ${chance.pick(['3', '77', 'k', 'x'])}`,
    () =>
      `(${leaf(row)} ${chance.pick(['+', '-', '&', '|', '^'])} ${chance.pick([leaf(row), '1', '15', 'k'])})`,
    () => `(${leaf(row)} >> ${chance.integer(0, 7)})`,
    () => `popcount(${leaf(row)})`,
    () => `abs_diff(${leaf(row)}, ${leaf(row)})`,
    () => `(${condition(row)})`,
    () => `(${condition(row)} ? ${leaf(row)} : ${chance.pick(['0', '1', leaf(row)])})`,
  ])();
}

/** A statement that adds a bit for the element to a number. */
function mask(row: Row, index: number, type: string): string {
  const { chance, isFloat } = row;
  const total = `t${index}`;
  const highest = MASK_BITS[type]! - 1;
  const bit = chance.with(isFloat ? 1 : 0.7)
    ? `(${condition(row)})`
    : `(${leaf(row)} >> ${chance.pick([0, 3, 7])} & 1)`;
  const number = `(${type})${isFloat || chance.with(0.8) ? bit : `(${leaf(row)} ${chance.pick(['& 1', '>> 7', '>> 15'])})`}`;
  const amount = chance.pick([
    'j',
    'j',
    `(j & ${highest})`,
    `(${highest} - j)`,
    `(j ^ ${highest})`,
    '(j + 3)',
    '(-j)',
    'x',
  ]);
  const op = chance.pick(['|', '|', '+', '^']);
  const top = `((${type})1 << ${highest})`;
  const moves = chance.pick([`b${index} <<= 1;`, `b${index} += b${index};`]);
  return chance.pick([
    () => `${total} ${op}= ${number} << ${amount};`,
    () => `if ${bit} ${total} ${op}= (${type})1 << ${amount};`,
    () => `${total} ${op}= ${bit} ? (${type})1 << ${amount} : 0;`,
    () => `${total} ${op}= ${bit} ? ${top} >> ${amount} : 0;`,
    () => `${total} = (${total} << 1) ${op} ${number};`,
    () => `${total} = (${total} * 2) ${op} ${bit};`,
    () => `${total} <<= 1; if ${bit} ${total} ${op}= 1;`,
    () => `${total} = (${total} >> 1) ${op} (${bit} ? ${top} : 0);`,
    () => `${total} = (${total} >> 1) ${op} (${number} << ${highest});`,
    () => `if ${bit} ${total} ${op}= b${index}; ${moves}`,
    () => `${total} ${op}= ${bit} ? b${index} : 0; ${moves}`,
  ])();
}

const MASK_BITS: Record<string, number> = {
  uint: 32,
  int: 32,
  ulong: 64,
  long: 64,
  ushort: 16,
  short: 16,
  uchar: 8,
};

function combination(row: Row, total: string, type: string): string {
  const { chance } = row;
  const value = summand(row);
  return chance.pick([
    () => `${total} += ${value};`,
    () => `${total} += ${value};`,
    () => `${total} -= ${value};`,
    () => `if (${condition(row)}) ${total} += ${chance.pick(['1', '3', value])};`,
    () => `if (${condition(row)}) ${total}++;`,
    () =>
      `if (${condition(row)}) ${total} ${chance.pick(['+=', '-='])} ${value}; else ${total} += ${summand(row)};`,
    () => `${total} += ${condition(row)} ? ${value} : ${chance.pick(['k', '-3', 'n', value])};`,
    () => `${total} = ${chance.pick(['min', 'max'])}(${total}, (${type})(${value}));`,
    () => `if (${value} ${chance.pick(['<', '>'])} ${total}) ${total} = ${value};`,
    () => `${total} ${chance.pick(['&', '|', '^'])}= ${value};`,
    () => `${total} = ${total} * ${chance.pick(['3', '31'])} + ${value};`,
  ])();
}
