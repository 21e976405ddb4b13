// SPDX-License-Identifier: MIT
//
// Random kernels of built-in functions on vectors of all widths: integer functions, conversions, selections, shuffles and relations, also of
// each other's results. Their operands are constants, which are folded, uniform numbers, and elements of tables, whose range may be known. A model
// computes what each work-item stores.
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel, RESULTS } from './model';
import {
  type Base, bitsOf, bitsOfNumber, floatToInteger, INTEGERS, type Integer, integerOf, integerToFloat, isFloat, isSigned, MODES,type Mode, 
  numberOf, saturate, wrap,
} from './numbers'; // biome-ignore format: a list

const ROWS = 8;
const COUNTS = [1, 2, 3, 4, 8, 16] as const;

interface Type {
  readonly base: Base;
  readonly count: number;
}

/** An expression, and its components for each row of the tables. */
interface Expression {
  readonly text: string;
  readonly rows: readonly (readonly bigint[])[];
}

interface Work {
  readonly draft: Draft;
  declarations: string;
}

const nameOf = ({ base, count }: Type) => (count === 1 ? base : `${base}${count}`);

/** Components computed from those of the operands. */
const each = (count: number, f: (row: number, i: number) => bigint): bigint[][] =>
  Array.from({ length: ROWS }, (_, row) => Array.from({ length: count }, (_, i) => f(row, i)));

// ---- leaves

const SPECIAL = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255] as const;
const FLOATS = [0, -0, 0.5, -0.5, 1.5, 2.5, -2.5, 1, -1, 127.5, 128, -128.5, 255.5, 32767.5, 65535.5, 2147483648, -2147483648, 4294967295, 2147483520, 1e10, -1e10, 9.2233720368547758e18, 1.8446744073709552e19, 1e30, -1e30, 1e-40, -1e-40, 0.49999997, 8388609, 16777215, Infinity, -Infinity] as const; // biome-ignore format: a table

function number({ chance }: Draft, base: Base): bigint {
  if (isFloat(base))
    return bitsOfNumber(base, chance.with(0.8) ? chance.pick(FLOATS) : chance.integer(-40000, 40000) / 16);
  const bits = bitsOf(base);
  const random = (BigInt(chance.integer(0, 0xffffffff)) << 32n) | BigInt(chance.integer(0, 0xffffffff));
  return wrap(
    base,
    chance.pick([
      random,
      random >> BigInt(chance.integer(0, 63)),
      BigInt(chance.pick(SPECIAL)),
      -BigInt(chance.pick(SPECIAL)),
      (1n << BigInt(bits - 1)) + BigInt(chance.integer(-2, 2)),
    ]),
  );
}

function literal(type: Type, components: readonly bigint[]): string {
  const { base, count } = type;
  const one = (value: bigint) => {
    const text = `0x${BigInt.asUintN(64, value).toString(16)}ul`;
    if (!isFloat(base)) return `(${base})${text}`;
    return base === 'float' ? `as_float((uint)${text})` : `as_double(${text})`;
  };
  return count === 1 ? one(components[0]!) : `((${nameOf(type)})(${components.map(one).join(', ')}))`;
}

function leaf(w: Work, type: Type): Expression {
  const { draft } = w;
  const { chance } = draft;
  const { base, count } = type;
  const bits: Type = { base: isFloat(base) ? integerOf(bitsOf(base), false) : base, count };
  const reinterpreted = (text: string) => (isFloat(base) ? `as_${nameOf(type)}(${text})` : text);
  const isConstant = chance.with(0.35);
  const constant = Array.from({ length: count }, () => number(draft, base));
  if (isConstant) {
    const rows = each(count, (_, i) => constant[i]!);
    if (chance.with(0.6)) return { text: literal(type, constant), rows };
    return {
      text: reinterpreted(`(${nameOf(bits)})(${literal(bits, constant)} ^ (${bits.base})(n - 5u))`),
      rows,
    };
  }
  const rows = each(count, () => number(draft, base));
  const name = draft.fresh('t');
  w.declarations += `constant ${nameOf(bits)} ${name}[${ROWS}] = { ${rows.map((row) => literal(bits, row)).join(', ')} };\n`;
  const text = `${name}[x & ${ROWS - 1}]`;
  if (isFloat(base) || chance.with(0.6)) return { text: reinterpreted(text), rows };
  const mask = wrap(base, number(draft, base));
  return {
    text: `(${nameOf(type)})(${text} & (${base})0x${BigInt.asUintN(64, mask).toString(16)}ul)`,
    rows: each(count, (row, i) => wrap(base, rows[row]![i]! & mask)),
  };
}

// ---- functions of operands of one type

type Model = (base: Integer, ...operands: bigint[]) => bigint;
type Row = readonly [name: string, operands: number, model: Model];

const width = (base: Base) => BigInt(bitsOf(base));
const unsigned = (base: Base, value: bigint) => BigInt.asUintN(bitsOf(base), value);
const digits = (base: Base, value: bigint) => unsigned(base, value).toString(2).padStart(bitsOf(base), '0');
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

const FUNCTIONS: readonly Row[] = [
  ['add_sat', 2, (t, a, b) => saturate(t, a! + b!)],
  ['sub_sat', 2, (t, a, b) => saturate(t, a! - b!)],
  ['mul_hi', 2, (t, a, b) => (a! * b!) >> width(t)],
  ['hadd', 2, (_, a, b) => (a! + b!) >> 1n],
  ['rhadd', 2, (_, a, b) => (a! + b! + 1n) >> 1n],
  ['min', 2, (_, a, b) => least(a!, b!)],
  ['max', 2, (_, a, b) => most(a!, b!)],
  ['rotate', 2, (t, a, b) => {
    const by = unsigned(t, b!) % width(t);
    return (unsigned(t, a!) << by) | (unsigned(t, a!) >> (width(t) - by));
  }],
  ['mad_hi', 3, (t, a, b, c) => ((a! * b!) >> width(t)) + c!],
  ['mad_sat', 3, (t, a, b, c) => saturate(t, a! * b! + c!)],
  ['bitselect', 3, (_, a, b, c) => (a! & ~c!) | (b! & c!)],
  ['clz', 1, (t, a) => BigInt(`${digits(t, a!)}1`.indexOf('1'))],
  ['ctz', 1, (t, a) => BigInt(bitsOf(t) - 1 - digits(t, a!).lastIndexOf('1'))],
  ['popcount', 1, (t, a) => BigInt(digits(t, a!).split('1').length - 1)],
  ['bit_reverse', 1, (t, a) => BigInt(`0b${[...digits(t, a!)].reverse().join('')}`)],
]; // biome-ignore format: a table

const called = (name: string, operands: readonly Expression[]) =>
  `${name}(${operands.map(({ text }) => text).join(', ')})`;

type Form = (w: Work, type: Type, depth: number) => Expression | undefined;

const sameType: Form = (w, type, depth) => {
  const { base, count } = type;
  if (isFloat(base)) return undefined;
  const [name, arity, model] = w.draft.chance.pick(FUNCTIONS);
  const operands = Array.from({ length: arity }, () => expression(w, type, depth - 1));
  return {
    text: called(name, operands),
    rows: each(count, (row, i) => wrap(base, model(base, ...operands.map(({ rows }) => rows[row]![i]!)))),
  };
};

/** Operators whose result no type leaves undefined. */
const OPERATORS: readonly (readonly [string, Model])[] = [
  ['&', (_, a, b) => a! & b!],
  ['|', (_, a, b) => a! | b!],
  ['^', (_, a, b) => a! ^ b!],
  ['+', (_, a, b) => a! + b!],
  ['-', (_, a, b) => a! - b!],
  ['*', (_, a, b) => a! * b!],
  ['<<', (t, a, b) => a! << (unsigned(t, b!) % width(t))],
  ['>>', (t, a, b) => a! >> (unsigned(t, b!) % width(t))],
];

const operator: Form = (w, type, depth) => {
  const { base, count } = type;
  // Signed sums may not overflow, and operands of scalars are promoted.
  if (isFloat(base) || isSigned(base) || (count === 1 && bitsOf(base) < 32)) return undefined;
  const [sign, model] = w.draft.chance.pick(OPERATORS);
  const [a, b] = [expression(w, type, depth - 1), expression(w, type, depth - 1)];
  return {
    text: `(${a.text} ${sign} ${b.text})`,
    rows: each(count, (row, i) => wrap(base, model(base, a.rows[row]![i]!, b.rows[row]![i]!))),
  };
};

const distance: Form = (w, { base, count }, depth) => {
  if (isFloat(base) || isSigned(base)) return undefined;
  const type: Type = { base: integerOf(bitsOf(base), w.draft.chance.with(0.7)), count };
  const a = expression(w, type, depth - 1);
  if (w.draft.chance.with(0.4))
    return {
      text: called('abs', [a]),
      rows: each(count, (r, i) => wrap(base, most(a.rows[r]![i]!, -a.rows[r]![i]!))),
    };
  const b = expression(w, type, depth - 1);
  const difference = (r: number, i: number) => a.rows[r]![i]! - b.rows[r]![i]!;
  return {
    text: called('abs_diff', [a, b]),
    rows: each(count, (r, i) => most(difference(r, i), -difference(r, i))),
  };
};

const upsampled: Form = (w, { base, count }, depth) => {
  if (isFloat(base) || bitsOf(base) === 8) return undefined;
  const half = bitsOf(base) / 2;
  const high = expression(w, { base: integerOf(half, isSigned(base)), count }, depth - 1);
  const low = expression(w, { base: integerOf(half, false), count }, depth - 1);
  return {
    text: called('upsample', [high, low]),
    rows: each(count, (r, i) => (high.rows[r]![i]! << BigInt(half)) | low.rows[r]![i]!),
  };
};

// ---- conversions

const converted: Form = (w, type, depth) => {
  const { chance } = w.draft;
  const { base, count } = type;
  const from: Type = { base: chance.pick([...INTEGERS, 'float', 'double'] as const), count };
  const mode = chance.pick([undefined, ...MODES]);
  const suffix = mode ? `_${mode}` : '';
  if (isFloat(base)) {
    if (isFloat(from.base)) return undefined;
    const a = expression(w, from, depth - 1);
    return {
      text: called(`convert_${nameOf(type)}${suffix}`, [a]),
      rows: each(count, (r, i) => integerToFloat(base, a.rows[r]![i]!, mode ?? 'rte')),
    };
  }
  const a = expression(w, from, depth - 1);
  const source = from.base;
  if (isFloat(source))
    return {
      text: called(`convert_${nameOf(type)}_sat${suffix}`, [a]),
      rows: each(count, (r, i) =>
        floatToInteger(base, numberOf(source, a.rows[r]![i]!), mode ?? ('rtz' as Mode)),
      ),
    };
  const saturates = chance.with(0.6);
  return {
    text: called(`convert_${nameOf(type)}${saturates ? '_sat' : ''}${suffix}`, [a]),
    rows: each(count, (r, i) => (saturates ? saturate : wrap)(base, a.rows[r]![i]!)),
  };
};

/** The same bytes as another type. */
const reinterpreted: Form = (w, type, depth) => {
  const { base, count } = type;
  const bits = bitsOf(base);
  const others = COUNTS.flatMap((n) =>
    ([...INTEGERS, 'float', 'double'] as const).map((b): Type => ({ base: b, count: n })),
  );
  const fitting = others.filter(
    (o) => bitsOf(o.base) * o.count === bits * count && (o.count === 3) === (count === 3),
  );
  const from = w.draft.chance.pick(fitting);
  // Which NaN a float is need not be kept.
  if (isFloat(base) && from.base !== base) return undefined;
  const a = expression(w, from, depth - 1);
  const size = bitsOf(from.base);
  const rows = a.rows.map((row) => {
    const all = row.reduce((sum, v, i) => sum | (unsigned(from.base, v) << BigInt(i * size)), 0n);
    return Array.from({ length: count }, (_, i) => wrap(base, all >> BigInt(i * bits)));
  });
  return { text: called(`as_${nameOf(type)}`, [a]), rows };
};

// ---- choices

const selected: Form = (w, type, depth) => {
  const { base, count } = type;
  const [a, b] = [expression(w, type, depth - 1), expression(w, type, depth - 1)];
  const mask: Type = { base: integerOf(bitsOf(base), w.draft.chance.with(0.5)), count };
  const c = expression(w, mask, depth - 1);
  const isB = (value: bigint) =>
    count === 1 ? value !== 0n : unsigned(mask.base, value) >> (width(mask.base) - 1n) === 1n;
  return {
    text: called('select', [a, b, c]),
    rows: each(count, (r, i) => (isB(c.rows[r]![i]!) ? b : a).rows[r]![i]!),
  };
};

const shuffled: Form = (w, { base, count }, depth) => {
  const { chance } = w.draft;
  if (count === 1 || count === 3) return undefined;
  const from: Type = { base, count: chance.pick([2, 4, 8, 16]) };
  const sources = Array.from({ length: chance.integer(1, 2) }, () => expression(w, from, depth - 1));
  const mask = expression(w, { base: integerOf(bitsOf(base), false), count }, depth - 1);
  const all = (row: number) => sources.flatMap(({ rows }) => rows[row]!);
  return {
    text: called(sources.length === 1 ? 'shuffle' : 'shuffle2', [...sources, mask]),
    rows: each(count, (r, i) => all(r)[Number(mask.rows[r]![i]! % BigInt(all(r).length))]!),
  };
};

const RELATIONS: readonly (readonly [string, (a: number | bigint, b: number | bigint) => boolean])[] = [
  ['<', (a, b) => a < b], ['<=', (a, b) => a <= b], ['>', (a, b) => a > b], ['>=', (a, b) => a >= b],
  ['==', (a, b) => a === b || (a as number) - (b as number) === 0], ['!=', (a, b) => a < b || a > b],
]; // biome-ignore format: a table

const compared: Form = (w, { base, count }, depth) => {
  const { chance } = w.draft;
  if (isFloat(base) || !isSigned(base) || (count === 1 && base !== 'int')) return undefined;
  const of =
    count === 1 ? chance.pick([...INTEGERS, 'float', 'double'] as const) : chance.pick(kindsOf(bitsOf(base)));
  const [sign, holds] = chance.pick(RELATIONS);
  const [a, b] = [
    expression(w, { base: of, count }, depth - 1),
    expression(w, { base: of, count }, depth - 1),
  ];
  const value = (v: bigint) => (isFloat(of) ? numberOf(of, v) : v);
  return {
    text: `(${a.text} ${sign} ${b.text})`,
    rows: each(count, (r, i) =>
      holds(value(a.rows[r]![i]!), value(b.rows[r]![i]!)) ? (count === 1 ? 1n : -1n) : 0n,
    ),
  };
};

/** The types of a size. */
const kindsOf = (bits: number): Base[] => [
  integerOf(bits, true),
  integerOf(bits, false),
  ...(bits === 32 ? (['float'] as const) : bits === 64 ? (['double'] as const) : []),
];

/** Parts of a longer vector. */
const part: Form = (w, { base, count }, depth) => {
  if (count === 3 || count === 16) return undefined;
  const whole = expression(w, { base, count: count * 2 }, depth - 1);
  const [name, index] = w.draft.chance.pick([
    ['lo', (i: number) => i], ['hi', (i: number) => count + i], ['even', (i: number) => 2 * i], ['odd', (i: number) => 2 * i + 1],
  ] as const); // biome-ignore format: a table
  return { text: `${whole.text}.${name}`, rows: each(count, (r, i) => whole.rows[r]![index(i)]!) };
};

// ---- functions of floats

const ROUNDING = {
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  fabs: Math.abs,
  sign: Math.sign,
  rint: toEven,
} as const;

function toEven(value: number): number {
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  const up = rest > 0.5 || (rest === 0.5 && whole % 2 !== 0);
  return up ? whole + Math.sign(value) : rest === 0 ? value : value < 0 ? whole || -0 : whole;
}

const ofFloats: Form = (w, type, depth) => {
  const { base, count } = type;
  if (!isFloat(base)) return undefined;
  const { chance } = w.draft;
  const a = expression(w, type, depth - 1);
  const value = (e: Expression, r: number, i: number) => numberOf(base, e.rows[r]![i]!);
  const name = chance.pick([
    ...(Object.keys(ROUNDING) as (keyof typeof ROUNDING)[]),
    'copysign',
    'fmax',
  ] as const);
  if (name !== 'copysign' && name !== 'fmax')
    return {
      text: called(name, [a]),
      rows: each(count, (r, i) => bitsOfNumber(base, ROUNDING[name](value(a, r, i)))),
    };
  const b = expression(w, type, depth - 1);
  const sign = 1n << (width(base) - 1n);
  if (name === 'copysign')
    return {
      text: called(name, [a, b]),
      rows: each(count, (r, i) => (a.rows[r]![i]! & ~sign) | (b.rows[r]![i]! & sign)),
    };
  // Of two zeros either may be the larger one.
  return {
    text: `fabs(${called(name, [a, b])})`,
    rows: each(count, (r, i) => bitsOfNumber(base, Math.abs(Math.max(value(a, r, i), value(b, r, i))))),
  };
};

const FORMS: readonly Form[] = [
  sameType, sameType, sameType, sameType, operator, distance, upsampled, converted, converted, converted, reinterpreted, selected, shuffled,
  compared, compared, part, ofFloats, ofFloats,
]; // biome-ignore format: a table

function expression(w: Work, type: Type, depth: number): Expression {
  if (depth <= 0) return leaf(w, type);
  return w.draft.chance.pick(FORMS)(w, type, depth) ?? expression(w, type, depth);
}

// ---- kernels

export function randomBuiltIns(seed: number): RandomKernel {
  const draft = new Draft(seed ^ 0xb111);
  const { chance } = draft;
  const w: Work = { draft, declarations: '' };
  const local = chance.pick([16, 8, 24, 7]);
  const expected = new BigUint64Array(local * 2 * RESULTS.out);
  let text = '';
  for (let at = 0; at < RESULTS.out; at++) {
    const type: Type = {
      base: chance.with(0.15) ? chance.pick(['float', 'double'] as const) : chance.pick(INTEGERS),
      count: chance.pick(COUNTS),
    };
    const { text: value, rows } = expression(w, type, chance.integer(1, 3));
    const component = (i: number) => (type.count === 1 ? `r${at}` : `r${at}.s${i.toString(16)}`);
    const asBits = (name: string) =>
      isFloat(type.base) ? `as_${integerOf(bitsOf(type.base), false)}(${name})` : name;
    const sum = Array.from({ length: type.count }, (_, i) => i).reduce(
      (h, i) => `(${h} * 31ul + (ulong)${asBits(component(i))})`,
      '0ul',
    );
    text += `  ${nameOf(type)} r${at} = ${value};\n  out[x * ${RESULTS.out} + ${at}] = ${sum};\n`;
    for (let x = 0; x < local * 2; x++)
      expected[x * RESULTS.out + at] = rows[x % ROWS]!.reduce((h, v) => BigInt.asUintN(64, h * 31n + v), 0n);
  }
  const source = `${w.declarations}kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0);
  // statements
${text}}
`;
  return { source, global: [local * 2, 1, 1], local: [local, 1, 1], expected };
}
