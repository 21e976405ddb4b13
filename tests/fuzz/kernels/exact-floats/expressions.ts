// SPDX-License-Identifier: MIT
//
// Expressions of floats and of the integers that belong to them, with what they are for each work-item. All operations are exact, or
// rounded once. Where the bits of a NaN are not known, the model has one NaN for all, and code that looks at bits makes
// that of them first.
import type { Draft } from '../draft';
import { INTEGERS, type Base as Integer, bitsOf as integerBits, integerOf, isSigned, saturate, wrap } from '../numbers'; // biome-ignore format: a list
import { FLOAT_FUNCTIONS, FLOAT_TESTS, type FloatFunction, ilogb, scaled } from './functions';
import {
  convertFloat,
  FLOATS,
  type Float,
  formatOf,
  infinityOf,
  isFiniteFloat,
  isNan,
  isNegative,
  isSignalling,
  isZero,
  MODES,
  magnitudeOf,
  nanOf,
  oneOf,
  signOf,
  toFloat,
  toWhole,
} from './model';

export const ROWS = 8;
export const COUNTS = [1, 2, 3, 4, 8, 16] as const;

type WholeType = Exclude<Integer, 'float' | 'double'>;
export type Base = WholeType | Float;
export interface Type {
  readonly base: Base;
  readonly count: number;
}

export interface Expression {
  readonly text: string;
  /** The components for each row of the tables: an integer's value, a float's bits. */
  readonly rows: readonly (readonly bigint[])[];
  /** Some components are NaNs whose bits are not known. */
  readonly loose?: boolean;
}

export interface Work {
  readonly draft: Draft;
  declarations: string;
  readonly variables: { readonly name: string; readonly type: Type; readonly value: Expression }[];
}

export const isFloat = (base: Base): base is Float => (FLOATS as readonly string[]).includes(base);
export const bitsOf = (base: Base): number => (isFloat(base) ? formatOf(base).bits : integerBits(base));
export const bitsType = (base: Base): WholeType =>
  isFloat(base) ? (integerOf(bitsOf(base), false) as WholeType) : base;
export const nameOf = ({ base, count }: Type): string => (count === 1 ? base : `${base}${count}`);
/** A value of a base from any number of bits. */
export const fitted = (base: Base, value: bigint): bigint =>
  isFloat(base) ? BigInt.asUintN(bitsOf(base), value) : wrap(base, value);

export const each = (count: number, f: (row: number, i: number) => bigint): bigint[][] =>
  Array.from({ length: ROWS }, (_, row) => Array.from({ length: count }, (_, i) => f(row, i)));

const hasNaN = (base: Float, { rows }: Expression) => rows.some((row) => row.some((v) => isNan(base, v)));
const hasSignalling = (base: Float, { rows }: Expression) =>
  rows.some((row) => row.some((v) => isSignalling(base, v)));

/** The function that makes all NaNs of a type the same. */
export const oneNaN = (type: Type): string => `one_nan_${nameOf(type)}`;

export function declareOneNaN(type: Type & { readonly base: Float }): string {
  const { base, count } = type;
  const bits = { base: bitsType(base), count };
  const constant = (value: bigint) => `(${nameOf(bits)})(0x${value.toString(16)}ul)`;
  const test = `(b & ${constant(signOf(base) - 1n)}) > ${constant(infinityOf(base))}`;
  const choice =
    count === 1 ? `${test} ? ${constant(nanOf(base))} : b` : `select(b, ${constant(nanOf(base))}, ${test})`;
  return `static ${nameOf(type)} ${oneNaN(type)}(${nameOf(type)} v) { ${nameOf(bits)} b = as_${nameOf(bits)}(v); return as_${nameOf(type)}((${nameOf(bits)})(${choice})); }\n`;
}

/** The same numbers, with bits that are known. */
export const withKnownBits = (type: Type, e: Expression): Expression =>
  e.loose ? { text: `${oneNaN(type)}(${e.text})`, rows: e.rows } : e;

// ---- leaves

function specialFloat({ chance }: Draft, base: Float): bigint {
  const infinity = infinityOf(base);
  const one = oneOf(base);
  const leastNormal = 1n << BigInt(formatOf(base).precision - 1);
  const random = (BigInt(chance.integer(0, 0xffffffff)) << 32n) | BigInt(chance.integer(0, 0xffffffff));
  const magnitude = chance.pick([
    0n, 0n, 1n, BigInt(chance.integer(1, 1000)), leastNormal, leastNormal - 1n, leastNormal + 1n, infinity, infinity, infinity - 1n,
    nanOf(base), nanOf(base) | (random & 0xffn), infinity + 1n + (random & 0x1ffn), one, one - 1n, one + 1n,
    toFloat(base, BigInt(chance.integer(0, 4000)), -3), toFloat(base, BigInt(chance.integer(0, 4000)), -3),
    toFloat(base, BigInt(chance.integer(0, 40)), -1), toFloat(base, (random & 0xffffn) | 1n, chance.integer(-40, 60)),
    toFloat(base, 1n, chance.pick([7, 8, 10, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64])), random,
  ]); // biome-ignore format: a table
  return magnitudeOf(base, magnitude) | (chance.with(0.5) ? signOf(base) : 0n);
}

const SPECIAL = [0, 1, 2, 3, 7, 24, 53, 127, 128, 149, 255, 1023, 2000] as const;

function wholeNumber({ chance }: Draft, base: WholeType): bigint {
  const random = (BigInt(chance.integer(0, 0xffffffff)) << 32n) | BigInt(chance.integer(0, 0xffffffff));
  return wrap(
    base,
    chance.pick([
      random,
      random >> BigInt(chance.integer(0, 63)),
      BigInt(chance.pick(SPECIAL)),
      -BigInt(chance.pick(SPECIAL)),
      BigInt(chance.integer(-60, 60)),
      -1n,
      0n,
    ]),
  );
}

export function literal(type: Type, components: readonly bigint[]): string {
  const { base, count } = type;
  const one = (value: bigint) => {
    const text = `(${bitsType(base)})0x${BigInt.asUintN(64, value).toString(16)}ul`;
    return isFloat(base) ? `as_${base}(${text})` : text;
  };
  return count === 1 ? `(${one(components[0]!)})` : `((${nameOf(type)})(${components.map(one).join(', ')}))`;
}

export function leaf(w: Work, type: Type): Expression {
  const { draft } = w;
  const { chance } = draft;
  const { base, count } = type;
  const known = w.variables.filter((v) => nameOf(v.type) === nameOf(type));
  if (known.length > 0 && chance.with(0.5)) return chance.pick(known).value;
  const number = () => (isFloat(base) ? specialFloat(draft, base) : wholeNumber(draft, base));
  const bits: Type = { base: bitsType(base), count };
  const reinterpreted = (text: string) => (isFloat(base) ? `as_${nameOf(type)}(${text})` : text);
  if (chance.with(0.3)) {
    const constant = Array.from({ length: count }, number);
    const rows = each(count, (_, i) => constant[i]!);
    if (chance.with(0.6)) return { text: literal(type, constant), rows };
    const unknown = `(${nameOf(bits)})(${literal(bits, constant)} ^ (${bits.base})(n - 5u))`;
    return { text: reinterpreted(unknown), rows };
  }
  const rows = each(count, number);
  const name = draft.fresh('t');
  w.declarations += `constant ${nameOf(bits)} ${name}[${ROWS}] = { ${rows.map((row) => literal(bits, row)).join(', ')} };\n`;
  return { text: reinterpreted(`${name}[x & ${ROWS - 1}]`), rows };
}

// ---- operations

type Form = (w: Work, type: Type, depth: number) => Expression | undefined;

/** A scalar, as a vector of it. */
const spread = ({ rows, ...rest }: Expression, count: number): Expression => ({
  ...rest,
  rows: rows.map((row) => Array.from({ length: count }, () => row[0]!)),
});

/** A function's result, with one NaN for all, and one zero where its text adds one. */
export function applied(
  base: Float,
  { model, anyZero }: Pick<FloatFunction, 'model' | 'anyZero'>,
  ...operands: bigint[]
): bigint {
  const result = model(base, ...operands);
  if (isNan(base, result)) return nanOf(base);
  return anyZero && isZero(base, result) ? 0n : result;
}

const arithmetic: Form = (w, type, depth) => {
  const { base, count } = type;
  if (!isFloat(base)) return undefined;
  const { chance } = w.draft;
  const { name, operands, model, scalar, anyZero, isOperator } = chance.pick(FLOAT_FUNCTIONS);
  const isSpread = scalar !== undefined && count > 1 && chance.with(0.25);
  const spreadAt = isSpread ? (scalar === 'first' ? 0 : operands - 1) : -1;
  const list = Array.from({ length: operands }, (_, i) =>
    expression(w, i === spreadAt ? { base, count: 1 } : type, depth - 1),
  );
  if (list.some((e) => hasSignalling(base, e))) return undefined;
  const components = list.map((e, i) => (i === spreadAt ? spread(e, count) : e).rows);
  const rows = each(count, (r, i) => applied(base, { model, anyZero }, ...components.map((c) => c[r]![i]!)));
  const texts = list.map((e) => e.text);
  const call = isOperator ? `(${texts.join(` ${name} `)})` : `${name}(${texts.join(', ')})`;
  const text = name === '-' && operands === 1 ? `(-(${texts[0]}))` : call;
  return {
    text: anyZero ? `(${text} + (${base})0)` : text,
    rows,
    loose: hasNaN(base, { text, rows }),
  };
};

/** Functions that move bits. */
const moved: Form = (w, type, depth) => {
  const { base, count } = type;
  if (!isFloat(base)) return undefined;
  const { chance } = w.draft;
  const known = (of: Type) => withKnownBits(of, expression(w, of, depth - 1));
  const [a, b] = [known(type), known(type)];
  const how = chance.pick(['copysign', 'bitselect', 'select', 'select', '?', 'as'] as const);
  if (how === 'copysign') {
    if (hasNaN(base, a)) return undefined;
    const rows = each(count, (r, i) => magnitudeOf(base, a.rows[r]![i]!) | (b.rows[r]![i]! & signOf(base)));
    return { text: `copysign(${a.text}, ${b.text})`, rows };
  }
  const mask: Type = { base: integerOf(bitsOf(base), chance.with(0.6)) as WholeType, count };
  if (how === 'bitselect') {
    const c = known(type);
    const rows = each(count, (r, i) => {
      const bits = c.rows[r]![i]!;
      return (a.rows[r]![i]! & ~bits) | (b.rows[r]![i]! & bits);
    });
    return { text: `bitselect(${a.text}, ${b.text}, ${c.text})`, rows };
  }
  if (how === 'as') {
    const whole: Type = { base: bitsType(base), count };
    const c = expression(w, whole, depth - 1);
    return { text: `as_${nameOf(type)}(${c.text})`, rows: c.rows };
  }
  const c = expression(w, mask, depth - 1);
  const isB = (value: bigint) =>
    count === 1 ? value !== 0n : BigInt.asUintN(bitsOf(base), value) >> BigInt(bitsOf(base) - 1) === 1n;
  const rows = each(count, (r, i) => (isB(c.rows[r]![i]!) ? b : a).rows[r]![i]!);
  if (how === 'select') return { text: `select(${a.text}, ${b.text}, ${c.text})`, rows };
  return { text: `(${c.text} ? ${b.text} : ${a.text})`, rows };
};

const powered: Form = (w, type, depth) => {
  const { base, count } = type;
  if (!isFloat(base)) return undefined;
  const isSpread = count > 1 && w.draft.chance.with(0.4);
  const a = expression(w, type, depth - 1);
  const k = expression(w, { base: 'int', count: isSpread ? 1 : count }, depth - 1);
  if (hasSignalling(base, a)) return undefined;
  const rows = each(count, (r, i) => scaled(base, a.rows[r]![i]!, k.rows[r]![isSpread ? 0 : i]!));
  const text = `ldexp(${a.text}, ${k.text})`;
  return { text, rows, loose: hasNaN(base, { text, rows }) };
};

const toFloats: Form = (w, type, depth) => {
  const { base, count } = type;
  if (!isFloat(base)) return undefined;
  const { chance } = w.draft;
  const from = chance.pick([...FLOATS, ...FLOATS, ...INTEGERS] as const);
  const mode = chance.pick([undefined, ...MODES]);
  const a = expression(w, { base: from, count }, depth - 1);
  const text = `convert_${nameOf(type)}${mode ? `_${mode}` : ''}(${a.text})`;
  if (!isFloat(from)) return { text, rows: each(count, (r, i) => toFloat(base, a.rows[r]![i]!, 0, mode)) };
  if (hasSignalling(from, a) || from === base) return undefined;
  const rows = each(count, (r, i) => convertFloat(base, from, a.rows[r]![i]!, mode));
  return { text, rows, loose: hasNaN(base, { text, rows }) };
};

const tested: Form = (w, { base, count }, depth) => {
  if (isFloat(base) || !isSigned(base) || (count === 1 && base !== 'int')) return undefined;
  const { chance } = w.draft;
  const of = count === 1 ? chance.pick(FLOATS) : FLOATS.find((each) => bitsOf(each) === bitsOf(base));
  if (of === undefined) return undefined;
  const { name, operands, holds, isOperator, seesBits } = chance.pick(FLOAT_TESTS);
  const list = Array.from({ length: operands }, () => expression(w, { base: of, count }, depth - 1));
  if (list.some((e) => hasSignalling(of, e))) return undefined;
  const texts = list.map((e) => (seesBits ? withKnownBits({ base: of, count }, e) : e).text);
  const rows = each(count, (r, i) =>
    holds(of, list[0]!.rows[r]![i]!, list.at(-1)!.rows[r]![i]!) ? (count === 1 ? 1n : -1n) : 0n,
  );
  return { text: isOperator ? `(${texts.join(` ${name} `)})` : `${name}(${texts.join(', ')})`, rows };
};

const toInts: Form = (w, type, depth) => {
  const { base, count } = type;
  if (isFloat(base)) return undefined;
  const { chance } = w.draft;
  const from = chance.pick(FLOATS);
  const of: Type = { base: from, count };
  const a = expression(w, of, depth - 1);
  if (base === 'int' && chance.with(0.4)) {
    if (hasSignalling(from, a)) return undefined;
    return { text: `ilogb(${a.text})`, rows: each(count, (r, i) => ilogb(from, a.rows[r]![i]!)) };
  }
  if (bitsOf(from) === bitsOf(base) && chance.with(0.3))
    return {
      text: `as_${nameOf(type)}(${withKnownBits(of, a).text})`,
      rows: each(count, (r, i) => fitted(base, a.rows[r]![i]!)),
    };
  if (hasSignalling(from, a)) return undefined;
  const mode = chance.pick([undefined, ...MODES]);
  return {
    text: `convert_${nameOf(type)}_sat${mode ? `_${mode}` : ''}(${a.text})`,
    rows: each(count, (r, i) => {
      const bits = a.rows[r]![i]!;
      if (isNan(from, bits)) return 0n;
      if (isFiniteFloat(from, bits)) return saturate(base, toWhole(from, bits, mode ?? 'rtz'));
      return saturate(base, isNegative(from, bits) ? -(1n << 70n) : 1n << 70n);
    }),
  };
};

/** Components in another order, and parts of longer vectors. */
const rearranged: Form = (w, { base, count }, depth) => {
  const { chance } = w.draft;
  const from = chance.pick([2, 3, 4, 8, 16]);
  const a = expression(w, { base, count: from }, depth - 1);
  const at = Array.from({ length: count }, () => chance.integer(0, from - 1));
  return {
    text: `${a.text}.s${at.map((i) => i.toString(16)).join('')}`,
    rows: each(count, (r, i) => a.rows[r]![at[i]!]!),
    ...(a.loose && { loose: true }),
  };
};

const FORMS: readonly Form[] = [
  arithmetic, arithmetic, arithmetic, arithmetic, moved, moved, powered, toFloats, tested, tested, toInts, toInts, rearranged,
]; // biome-ignore format: a table

export function expression(w: Work, type: Type, depth: number): Expression {
  if (depth <= 0) return leaf(w, type);
  for (let tries = 0; tries < 20; tries++) {
    const found = w.draft.chance.pick(FORMS)(w, type, depth);
    if (found) return found;
  }
  return leaf(w, type);
}

/** An expression that functions may compute with: no signalling NaNs. */
export function quietExpression(w: Work, type: Type, depth: number): Expression {
  for (;;) {
    const found = expression(w, type, depth);
    if (!isFloat(type.base) || !hasSignalling(type.base, found)) return found;
  }
}
