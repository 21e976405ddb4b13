// SPDX-License-Identifier: MIT
//
// Random expressions of vectors: their components are not promoted, numbers are spread to all of them, comparisons give -1, and a selection
// looks at the sign.
import {
  BITS,
  fitted,
  INTEGERS,
  isSigned,
  LEVEL,
  type Name,
  OPERATORS,
  type Operator,
  type Range,
  rangeOf,
} from './conversion-rules';
import { type Conversions, integerExpression, operand } from './conversion-scalars';
import { COMPONENTS } from './model';

const COUNTS = [2, 3, 4, 4, 8, 16];
/** Other names of four components. */
const LETTERS = 'xyzw';

interface VectorType {
  readonly type: Name;
  readonly count: number;
}

interface Value extends VectorType, Range {
  readonly text: string;
  readonly level: number;
}

const nameOf = ({ type, count }: VectorType): string => `${type}${count}`;
const signedOf = (type: Name): Name => (isSigned(type) ? type : (type.slice(1) as Name));
const unsignedOf = (type: Name): Name => (isSigned(type) ? (`u${type}` as Name) : type);

/** Numbers that a vector takes: of its components' type, or of a narrower one. */
const takes = (vector: Name, scalar: Name): boolean =>
  BITS[scalar] < BITS[vector] || scalar === vector || (BITS[scalar] === BITS[vector] && !isSigned(vector));

function swizzle(w: Conversions, of: VectorType, count: number, distinct: boolean): string {
  const { chance } = w;
  const half = { 2: 1, 4: 2, 8: 4, 16: 8 }[of.count];
  if (half === count && count > 1 && chance.with(0.3)) return chance.pick(['lo', 'hi', 'even', 'odd']);
  const left = [...Array(of.count).keys()];
  const places = Array.from({ length: count }, () =>
    distinct ? left.splice(chance.integer(0, left.length - 1), 1)[0]! : chance.integer(0, of.count - 1),
  );
  if (of.count <= 4 && chance.with(0.5)) return places.map((place) => LETTERS[place]).join('');
  return `s${places.map((place) => COMPONENTS[place]).join('')}`;
}

/** Components and vectors that have `count` components together. */
function parts(w: Conversions, { type, count }: VectorType): string {
  const list: string[] = [];
  for (let left = count; left > 0; ) {
    const some = w.vectors.filter((each) => each.type === type && each.count < count && each.count <= left);
    const whole = some.length > 0 && w.chance.with(0.4) ? w.chance.pick(some) : undefined;
    list.push(whole ? whole.name : integerExpression({ ...w, functions: [] }, 1).text);
    left -= whole?.count ?? 1;
  }
  return list.join(', ');
}

function leaf(w: Conversions, of: VectorType): Value {
  const { chance } = w;
  const full = { ...of, ...rangeOf(of.type) };
  const same = w.vectors.filter((each) => each.type === of.type && each.count >= 2);
  const wide = w.vectors.filter((each) => each.count === of.count && each.type !== of.type);
  const exact = same.filter((each) => each.count === of.count);
  if (exact.length > 0 && chance.with(0.5))
    return { text: chance.pick(exact).name, level: LEVEL.name, ...full };
  if (same.length > 0 && chance.with(0.4)) {
    const from = chance.pick(same);
    return { text: `${from.name}.${swizzle(w, from, of.count, false)}`, level: LEVEL.name, ...full };
  }
  if (wide.length > 0 && chance.with(0.5)) {
    const from = chance.pick(wide);
    return BITS[from.type] === BITS[of.type]
      ? { text: `as_${nameOf(of)}(${from.name})`, level: LEVEL.name, ...full }
      : { text: `convert_${nameOf(of)}_sat(${from.name})`, level: LEVEL.name, ...full };
  }
  if (chance.with(0.3)) {
    const value = chance.integer(0, 100);
    return {
      text: `(${nameOf(of)})(${value})`,
      level: LEVEL.unary,
      ...full,
      low: BigInt(value),
      high: BigInt(value),
    };
  }
  return { text: `(${nameOf(of)})(${parts(w, of)})`, level: LEVEL.unary, ...full };
}

/** Small components. */
function tame(w: Conversions, e: Value): Value {
  const mask = w.chance.pick([1, 15, 7]);
  const text = `${operand(w, e, LEVEL['&'] + 1)} & (${nameOf(e)})(${mask})`;
  return { ...e, text, level: LEVEL['&'], low: 0n, high: BigInt(mask) };
}

/** The number that a vector is computed with. */
function spread(w: Conversions, of: VectorType): Value | undefined {
  const fitting = w.scalars.filter((each) => INTEGERS.includes(each.type) && takes(of.type, each.type));
  if (fitting.length === 0) return undefined;
  const { name, type } = w.chance.pick(fitting);
  // Negative numbers become large ones.
  const range = isSigned(type) && !isSigned(of.type) ? rangeOf(of.type) : rangeOf(type);
  return { text: name, level: LEVEL.name, ...of, ...range };
}

function expression(w: Conversions, of: VectorType, depth: number): Value {
  const { chance } = w;
  if (depth === 0 || chance.with(0.15)) return leaf(w, of);
  if (chance.with(0.15)) return selection(w, of, depth);
  if (isSigned(of.type) && chance.with(0.25)) return condition(w, of, depth);
  const a = expression(w, of, depth - 1);
  if (chance.with(0.15)) return unary(w, a) ?? a;
  const b = (chance.with(0.3) && spread(w, of)) || expression(w, of, depth - 1);
  const operator = chance.pick(ARITHMETIC);
  const isNumber = b.level === LEVEL.name && w.scalars.some((each) => each.name === b.text);
  return (
    binary(w, operator, a, b) ??
    (isNumber
      ? undefined
      : (binary(w, operator, a, tame(w, b)) ?? binary(w, operator, tame(w, a), tame(w, b)))) ??
    a
  );
}

const ARITHMETIC = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '<<',
  '>>',
] as const satisfies readonly Operator[];

function binary(
  w: Conversions,
  operator: (typeof ARITHMETIC)[number],
  a: Value,
  b: Value,
): Value | undefined {
  const range =
    operator === '<<' || operator === '>>' ? rangeOf(a.type) : OPERATORS[operator]![1](a, b, a.type);
  const fits = range && fitted(range, a.type);
  const level = LEVEL[operator];
  return (
    fits && { ...a, text: `${operand(w, a, level)} ${operator} ${operand(w, b, level + 1)}`, level, ...fits }
  );
}

function unary(w: Conversions, a: Value): Value | undefined {
  const text = (sign: string) =>
    `${sign}${a.level < LEVEL.unary || /^[-+]/.test(a.text) ? `(${a.text})` : a.text}`;
  if (w.chance.with(0.5)) return { ...a, text: text('~'), level: LEVEL.unary, ...rangeOf(a.type) };
  const range = fitted({ low: -a.high, high: -a.low, fraction: 0 }, a.type);
  return range && { ...a, text: text('-'), level: LEVEL.unary, ...range };
}

/** Comparisons and logic give signed components of the operands' width. */
function condition(w: Conversions, of: VectorType, depth: number): Value {
  const { chance } = w;
  const type = chance.with(0.5) ? of.type : unsignedOf(of.type);
  const from = { type, count: of.count };
  const a = expression(w, from, depth - 1);
  const result = { ...of, low: -1n, high: 0n, fraction: 0 };
  if (chance.with(0.15)) return { ...result, text: `!(${a.text})`, level: LEVEL.unary };
  const b = (chance.with(0.3) && spread(w, from)) || expression(w, from, depth - 1);
  const operator = chance.pick(['<', '>', '<=', '>=', '==', '!=', '&&', '||'] as const);
  const level = LEVEL[operator];
  return { ...result, text: `${operand(w, a, level)} ${operator} ${operand(w, b, level + 1)}`, level };
}

function selection(w: Conversions, of: VectorType, depth: number): Value {
  const mask = { type: w.chance.with(0.7) ? signedOf(of.type) : unsignedOf(of.type), count: of.count };
  const c = expression(w, mask, depth - 1);
  const a = expression(w, of, depth - 1);
  const b = expression(w, of, depth - 1);
  const level = LEVEL['?'];
  const low = a.low < b.low ? a.low : b.low;
  const high = a.high > b.high ? a.high : b.high;
  return {
    ...of,
    low,
    high,
    fraction: 0,
    level,
    text: `${operand(w, c, level + 1)} ? ${a.text} : ${operand(w, b, level)}`,
  };
}

// ---- statements

export function vectorDeclaration(w: Conversions): string {
  const of = { type: w.chance.pick(INTEGERS), count: w.chance.pick(COUNTS) };
  const name = `q${w.vectors.length}`;
  const scalar = spread(w, of);
  const value = scalar && w.chance.with(0.4) ? scalar.text : expression(w, of, 2).text;
  w.vectors.push({ name, ...of });
  return `  ${nameOf(of)} ${name} = ${value};\n`;
}

export function vectorStatement(w: Conversions, indent: string): string {
  const { chance } = w;
  const to = chance.pick(w.vectors);
  const some = chance.with(0.4) ? chance.pick(COUNTS.filter((count) => count < to.count)) : undefined;
  const target = some ? { ...to, count: some } : to;
  const place = some ? `${to.name}.${swizzle(w, to, some, true)}` : to.name;
  if (chance.with(0.15)) {
    const component = `${to.name}.s${COMPONENTS[chance.integer(0, to.count - 1)]}`;
    return `${indent}${component} ${chance.pick(['=', '^=', '|='])} ${integerExpression(w, 2).text};\n`;
  }
  if (chance.with(0.3)) {
    const value = spread(w, target) ?? expression(w, target, 2);
    return `${indent}${place} ${chance.pick(['^=', '&=', '|=', '<<=', '>>='])} ${value.text};\n`;
  }
  return `${indent}${place} = ${expression(w, target, 3).text};\n`;
}

/** All components as one number. */
export function vectorResult({ name, count }: { name: string; count: number }): string {
  return [...COMPONENTS.slice(0, count)].reduce((sum, at) => `(${sum} * 31 + ${name}.s${at})`, '0ul');
}
