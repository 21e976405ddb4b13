// SPDX-License-Identifier: MIT
//
// Random kernels that look elements up in tables: constants at program scope, and private arrays that have constants only, or are changed
// by some work-items. The indexes are in range for reasons of all kinds: masks, shifts, remainders, limits, loops, other tables.
import { Chance } from '../chance';
import { GROUP_SIZES, PARAMETERS, type RandomKernel } from './model';

/** Element types, and the bits of their integers; floats have none. */
const TYPES = [
  ['uchar', 8], ['uchar', 8], ['char', 8], ['ushort', 16], ['short', 16], ['uint', 32], ['int', 32], ['int', 32], ['ulong', 64],
  ['long', 64], ['float', 0], ['float', 0], ['double', 0],
] as const; // biome-ignore format: a table
const LENGTHS = [2, 3, 4, 4, 5, 8, 8, 8, 12, 16, 16, 17, 32, 64, 100, 256] as const;

/** The most loops and conditions around a statement. */
const DEEPEST = 2;

interface Table {
  readonly name: string;
  readonly type: (typeof TYPES)[number][0];
  /** The components of an element, or 0 for a structure's two members. */
  readonly components: 0 | 1 | 2 | 4;
  readonly length: number;
  /** The length of the rows, if the table has two dimensions. */
  readonly row: number | undefined;
  readonly place: 'program' | 'kernel' | 'changed';
}

interface Writer {
  readonly chance: Chance;
  readonly tables: readonly Table[];
  /** The counters of the loops around. */
  readonly counters: readonly string[];
}

export function randomTables(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0x7ab1e);
  const [local, rows] = chance.pick(GROUP_SIZES);
  const groups = chance.integer(1, 3);
  const tables = Array.from({ length: chance.integer(1, 3) }, (_, i) => table(chance, `t${i}`));
  const w: Writer = { chance, tables, counters: [] };
  const declared = (place: Table['place'][]) =>
    tables.filter((each) => place.includes(each.place)).map((each) => declaration(chance, each));
  const statements = Array.from({ length: chance.integer(2, 6) }, () => statement(w, 2));
  const source = `${tables.map(recordOf).join('')}${declared(['program']).join('')}kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const uint v = in[x & 255], u = in[(x * 3 + 7) & 255];
  const uchar b = ((global const uchar *)in)[(x * 5) & 1023];
  uint h = 0; float f = 0;
  // statements
  ${declared(['kernel', 'changed']).join('  ')}${tables.map((each) => change(w, each)).join('')}${statements.join('')}  slots[x] = h;
  floats[x] = f;
}
`;
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1] };
}

function table(chance: Chance, name: string): Table {
  const length = chance.pick(LENGTHS);
  const isMatrix = (length === 16 || length === 12 || length === 64) && chance.with(0.5);
  return {
    name,
    type: chance.pick(TYPES)[0],
    components: chance.pick([1, 1, 1, 1, 1, 2, 4, 0]),
    length,
    row: isMatrix ? 4 : undefined,
    place: chance.pick(['program', 'program', 'kernel', 'kernel', 'changed']),
  };
}

function recordOf({ name, type, components }: Table): string {
  return components === 0 ? `typedef struct { ${type} a, b; } r_${name};\n` : '';
}

const elementOf = ({ name, type, components }: Table): string =>
  components === 0 ? `r_${name}` : components === 1 ? type : `${type}${components}`;

function declaration(chance: Chance, t: Table): string {
  const number = numbers(chance, t);
  const element = () => {
    if (t.components === 1) return number();
    const parts = Array.from({ length: t.components || 2 }, number).join(', ');
    return t.components === 0 ? `{${parts}}` : `(${elementOf(t)})(${parts})`;
  };
  // Elements that are not written are zero.
  const written = chance.with(0.1) ? Math.ceil(t.length / 2) : t.length;
  const elements = Array.from({ length: written }, element);
  const row = t.row;
  const lines = row
    ? Array.from(
        { length: Math.ceil(written / row) },
        (_, i) => `{${elements.slice(i * row, (i + 1) * row).join(', ')}}`,
      )
    : elements;
  const space =
    t.place === 'program' ? 'constant ' : t.place === 'kernel' && chance.with(0.5) ? 'const ' : '';
  return `${space}${elementOf(t)} ${t.name}${row ? `[${t.length / row}][${row}]` : `[${t.length}]`} = {${lines.join(', ')}};\n`;
}

/** What the elements of a table are chosen from: numbers that fit a byte, negative ones, large ones, or a few. */
function numbers(chance: Chance, { type }: Table): () => string {
  const [, bits] = TYPES.find(([name]) => name === type)!;
  if (bits === 0)
    return () => chance.pick([`${chance.integer(-64, 64)}`, `${chance.integer(-255, 255) / 8}`, '-0.0', '1']);
  const isSigned = !type.startsWith('u');
  const [low, high] = isSigned
    ? [-(2 ** Math.min(bits - 1, 31)), 2 ** Math.min(bits - 1, 31) - 1]
    : [0, 2 ** Math.min(bits, 32) - 1];
  const few = [chance.integer(Math.max(low, -128), Math.min(high, 127)), 0, 1];
  const within = (least: number, most: number) => () =>
    chance.integer(Math.max(low, least), Math.min(high, most));
  const chosen = chance.pick([
    within(0, 255),
    within(0, 255),
    within(-128, 127),
    within(-300, 300),
    within(low, high),
    () => chance.pick(few),
  ]);
  return () => {
    const value = chosen();
    return value < -(2 ** 31) + 1 ? `(-${-value - 1} - 1)` : value > 2 ** 31 - 1 ? `${value}u` : `${value}`;
  };
}

/** Some work-items write elements of tables that can be changed. */
function change(w: Writer, t: Table): string {
  if (t.place !== 'changed' || t.components === 0) return '';
  const condition = w.chance.pick(['x == 3', 'n > 9', 'u > v', 'n < 9']);
  return `  if (${condition}) ${access(w, t, 1)} = (${elementOf(t)})(${w.chance.integer(0, 9)});\n`;
}

function statement(w: Writer, depth = 0): string {
  const { chance } = w;
  const indent = '  '.repeat(depth + 1);
  if (depth < DEEPEST && chance.with(0.15))
    return `${indent}if (${condition(w)}) {\n${statement(w, depth + 1)}${indent}}\n`;
  if (depth < DEEPEST && chance.with(0.15)) {
    const count = chance.pick(['n', '4', '8', '(v & 7)', '(u & 3) + 1']);
    const j = `j${depth}`;
    const body = statement({ ...w, counters: [...w.counters, j] }, depth + 1);
    return `${indent}for (uint ${j} = 0; ${j} < ${count}; ${j}++) {\n${body}${indent}}\n`;
  }
  const element = number(w, 2);
  const text = chance.pick([
    () => `h = h * 31 + ${integer(element)};`,
    () => `h ^= ${integer(element)};`,
    () => `h += ${condition(w)} ? ${integer(element)} : ${integer(number(w, 1))};`,
    () => `f += (float)(${element.text});`,
    () => `out[x * 8 + ${chance.integer(0, 7)}] = (ulong)${integer(element)} * 3;`,
    () => `bytes[x * 2 + ${chance.integer(0, 1)}] = (uchar)${integer(element)};`,
    () => `shorts[x * 2 + ${chance.integer(0, 1)}] = (ushort)${integer(element)};`,
    () => `if (${condition(w)}) { h += 5; ${chance.pick(['f = 1; ', ''])}} else h -= ${integer(element)};`,
  ])();
  return `${indent}${text}\n`;
}

interface Num {
  readonly text: string;
  readonly isFloat: boolean;
}

/** A number as a uint. Floats are at most 255, and some are negative. */
const integer = ({ text, isFloat }: Num): string => (isFloat ? `(uint)(int)(${text})` : `(uint)(${text})`);

function number(w: Writer, depth: number): Num {
  const { chance } = w;
  const t = chance.pick(w.tables);
  const part =
    t.components === 0
      ? chance.pick(['.a', '.b'])
      : t.components === 1
        ? ''
        : `.${chance.pick(['x', 'y', ...(t.components === 4 ? ['z', 'w'] : [])])}`;
  return { text: `${access(w, t, depth)}${part}`, isFloat: t.type === 'float' || t.type === 'double' };
}

function access(w: Writer, t: Table, depth: number): string {
  if (!t.row) return `${t.name}[${index(w, t.length, depth)}]`;
  return `${t.name}[${index(w, t.length / t.row, depth)}][${index(w, t.row, depth)}]`;
}

/** An index from 0 to `length` - 1. */
function index(w: Writer, length: number, depth: number): string {
  const { chance } = w;
  const varying = ['v', 'u', 'b', 'x', '(v ^ u)', '(v >> 5)', '(u + b)', 'popcount(v)'];
  const counters = w.counters.flatMap((name) => [name, name, `(u + ${name})`]);
  const value = () => chance.pick([...varying, ...counters]);
  const bits = Math.floor(Math.log2(length));
  const power = 2 ** bits;
  const some: (() => string)[] = [
    () => `${value()} & ${power - 1}`,
    () => `${value()} & ${power - 1}`,
    () => `(${value()} & ${power - 1}) ^ ${power - 1}`,
    () => `(int)(${value()} & ${power - 1})`,
    () => `(ulong)${value()} % ${length}`,
    () => `${value()} % ${length}`,
    () => `min((uint)${value()}, ${length - 1}u)`,
    () => `clamp((int)${value()}, 0, ${length - 1})`,
    () => `${length - 1} - ${value()} % ${length}`,
    () => `(uchar)(${value()} & ${power - 1})`,
    () => `${condition(w)} ? ${chance.integer(0, length - 1)} : ${chance.integer(0, length - 1)}`,
    () => `${condition(w)} ? (${value()} & ${power - 1}) : ${chance.integer(0, length - 1)}`,
    ...(bits > 0 ? [() => `v >> ${32 - bits}`, () => `(uchar)b >> ${Math.max(8 - bits, 0)}`] : []),
    ...(bits > 1
      ? [
          () => `(${value()} & ${power / 2 - 1}) * 2 + (u & 1)`,
          () => `(v & ${power / 2 - 1}) | (u & ${power / 2})`,
        ]
      : []),
    ...(length === 256
      ? ['b', '(uchar)v', '(uchar)(u + b)', 'v >> 24', '(v >> 8) & 255'].map((text) => () => text)
      : []),
    ...(depth > 0
      ? [
          () => `${integer(number(w, depth - 1))} % ${length}`,
          () => `${integer(number(w, depth - 1))} & ${power - 1}`,
        ]
      : []),
  ];
  return chance.pick(some)();
}

function condition({ chance }: Writer): string {
  return chance.pick([
    'v > u',
    '(v & 3) == 1',
    'b > 99',
    'x > 11',
    'n == 5',
    'k > 0',
    '(int)v < 0',
    '(u & 1)',
  ]);
}
