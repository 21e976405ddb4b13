// SPDX-License-Identifier: MIT
//
// Random expressions of numbers of all types, without casts and with as few parentheses as the grammar allows.
import type { Chance } from '../chance';
import {
  BITS,
  commonType,
  convert,
  finer,
  fitted,
  fold,
  isFloat,
  isSigned,
  LEVEL,
  NAMES,
  type Name,
  OPERATORS,
  type Operand,
  type Operator,
  operation,
  promote,
  rangeOf,
  VARIABLE_FRACTION,
} from './conversion-rules';

export interface Typed extends Operand {
  readonly text: string;
  /** Of the outermost operator, as in C's grammar: 0 is a comma, 15 a name. */
  readonly level: number;
}

/** The state of a kernel that is written. */
export interface Conversions {
  readonly chance: Chance;
  readonly scalars: { readonly name: string; readonly type: Name }[];
  readonly vectors: { readonly name: string; readonly type: Name; readonly count: number }[];
  readonly functions: {
    readonly name: string;
    readonly result: Name;
    readonly parameters: readonly Name[];
  }[];
}

export const LITERALS: readonly (readonly [text: string, type: Name, value: bigint])[] = [
  ['0', 'int', 0n], ['1', 'int', 1n], ['7', 'int', 7n], ['255', 'int', 255n], ['256', 'int', 256n], ['65535', 'int', 65535n],
  ['2147483647', 'int', 2147483647n], ['2147483648', 'long', 2147483648n], ['4294967295', 'long', 4294967295n],
  ['0x7fffffff', 'int', 0x7fffffffn], ['0x80000000', 'uint', 0x80000000n], ['0xffffffff', 'uint', 0xffffffffn],
  ['0x100000000', 'long', 0x100000000n], ['0x8000000000000000', 'ulong', 1n << 63n], ['9223372036854775807', 'long', (1n << 63n) - 1n],
  ['1u', 'uint', 1n], ['4294967295u', 'uint', 4294967295n], ['5l', 'long', 5n], ['3UL', 'ulong', 3n], ["'a'", 'int', 97n],
  ["'\\xff'", 'int', -1n], ['017', 'int', 15n], ['INT_MAX', 'int', 2147483647n], ['UCHAR_MAX', 'int', 255n], ['SHRT_MAX', 'int', 32767n],
  ['UINT_MAX', 'uint', 0xffffffffn], ['CHAR_BIT', 'int', 8n], ['LEAST', 'int', -7n], ['FEW', 'int', 3n], ['MOST', 'int', 0x7fffffffn],
]; // biome-ignore format: a table

const FLOAT_LITERALS: readonly (readonly [text: string, type: Name, value: bigint])[] = [
  ['0.5f', 'float', 8n], ['2.0f', 'float', 32n], ['0.25', 'double', 4n], ['1.5', 'double', 24n], ['3.f', 'float', 48n],
  ['1e1f', 'float', 160n], ['.125f', 'float', 2n], ['0x1p3', 'double', 128n],
]; // biome-ignore format: a table

/** An operand: in parentheses if its operator binds less than `level`, and sometimes without need. */
export const operand = (w: Conversions, e: Pick<Typed, 'text' | 'level'>, level: number): string =>
  e.level < level || w.chance.with(0.1) ? `(${e.text})` : e.text;

function leaf(w: Conversions): Typed {
  const { chance } = w;
  if (chance.with(0.25)) {
    const [text, type, value] = chance.pick(LITERALS);
    return { text, type, low: value, high: value, fraction: 0, level: LEVEL.name };
  }
  if (chance.with(0.06)) {
    const [text, type, value] = chance.pick(FLOAT_LITERALS);
    return { text, type, low: value, high: value, fraction: VARIABLE_FRACTION, level: LEVEL.name };
  }
  if (w.vectors.length > 0 && chance.with(0.2)) {
    const { name, type, count } = chance.pick(w.vectors);
    const component = chance.integer(0, count - 1);
    return { text: `${name}.s${component.toString(16)}`, type, ...rangeOf(type), level: LEVEL.name };
  }
  const { name, type } = chance.pick(w.scalars);
  return { text: name, type, ...rangeOf(type), level: LEVEL.name };
}

export function expression(w: Conversions, depth: number): Typed {
  const { chance } = w;
  if (depth === 0 || chance.with(0.15)) return leaf(w);
  const a = expression(w, depth - 1);
  if (chance.with(0.2)) return unary(w, a) ?? a;
  const b = expression(w, depth - 1);
  if (chance.with(0.1)) return conditional(w, integerExpression(w, depth - 1), a, b) ?? a;
  if (chance.with(0.1)) return call(w, depth) ?? a;
  const operator = chance.pick(Object.keys(OPERATORS) as Operator[]);
  return (
    binary(w, operator, a, b) ??
    binary(w, operator, a, tame(w, b)) ??
    binary(w, operator, tame(w, a), tame(w, b)) ??
    a
  );
}

export function integerExpression(w: Conversions, depth: number): Typed {
  for (;;) {
    const found = expression(w, depth);
    if (!isFloat(found.type)) return found;
  }
}

/** Small values, so that operations on them have results. */
export function tame(w: Conversions, e: Typed): Typed {
  const { chance } = w;
  if (isFloat(e.type)) return integerExpression({ ...w, functions: [] }, 0);
  const type = promote(e.type);
  const small = (text: string, level: number, low: bigint, high: bigint): Typed => ({
    text,
    type,
    low,
    high,
    fraction: 0,
    level,
  });
  const mask = chance.pick([1n, 15n, 127n]);
  const left = operand(w, e, LEVEL['&'] + 1);
  const tamed = small(`${left} & ${mask}`, LEVEL['&'], 0n, mask);
  const divided = small(`${operand(w, e, LEVEL['%'])} % 100`, LEVEL['%'], isSigned(type) ? -99n : 0n, 99n);
  return chance.pick([tamed, divided]);
}

function binary(w: Conversions, operator: Operator, a: Typed, b: Typed): Typed | undefined {
  const result = operation(operator, a, b);
  const level = LEVEL[operator];
  return (
    result && { text: `${operand(w, a, level)} ${operator} ${operand(w, b, level + 1)}`, level, ...result }
  );
}

function unary(w: Conversions, a: Typed): Typed | undefined {
  const { chance } = w;
  const level = LEVEL.unary;
  const of = (sign: string) => `${sign}${a.level < level || /^[-+&]/.test(a.text) ? `(${a.text})` : a.text}`;
  const operator = chance.pick(['-', '~', '!', '+', 'cast', 'cast', 'sizeof'] as const);
  const type = promote(a.type);
  switch (operator) {
    case '-': {
      const range = fitted({ low: -a.high, high: -a.low, fraction: a.fraction }, type);
      return range && { text: of('-'), type, level, ...range };
    }
    case '+':
      return { ...a, text: of('+'), type, level };
    case '~':
      if (isFloat(type)) return undefined;
      return isSigned(type)
        ? { text: of('~'), type, level, low: ~a.high, high: ~a.low, fraction: 0 }
        : { text: of('~'), type, level, ...rangeOf(type) };
    case '!':
      return { text: of('!'), type: 'int', level, low: 0n, high: 1n, fraction: 0 };
    case 'sizeof': {
      const bytes = { bool: 1, float: 4, double: 8 }[a.type as string] ?? BITS[a.type] / 8;
      const size = BigInt(bytes);
      return { text: `(int)sizeof(${a.text})`, type: 'int', level, low: size, high: size, fraction: 0 };
    }
    case 'cast': {
      const to = chance.pick(NAMES);
      const range = convert(a, a.type, to);
      return range && { text: of(`(${to})`), type: to, level, ...range };
    }
  }
}

function conditional(w: Conversions, c: Typed, a: Typed, b: Typed): Typed | undefined {
  const type = commonType(a.type, b.type);
  const [p, q] = [convert(a, a.type, type), convert(b, b.type, type)];
  if (p === undefined || q === undefined) return undefined;
  const fraction = Math.max(p.fraction, q.fraction);
  const [r, s] = [finer(p, fraction), finer(q, fraction)];
  const level = LEVEL['?'];
  const text = `${operand(w, c, level + 1)} ? ${a.text} : ${operand(w, b, level)}`;
  return { text, type, level, ...fold([r.low, r.high, s.low, s.high], fraction) };
}

function call(w: Conversions, depth: number): Typed | undefined {
  if (w.functions.length === 0) return undefined;
  const { name, result, parameters } = w.chance.pick(w.functions);
  const args = parameters.map(() => integerExpression(w, depth - 1));
  return {
    text: `${name}(${args.map((arg) => arg.text).join(', ')})`,
    type: result,
    level: LEVEL.name,
    ...rangeOf(result),
  };
}
