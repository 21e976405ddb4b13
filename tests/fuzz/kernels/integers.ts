// SPDX-License-Identifier: MIT
//
// Random expressions of integers. Their values are defined: arithmetic wraps in unsigned types, divisors are odd.
import { leaf } from './leaves';
import {
  bytesOf,
  COMPONENTS,
  FLOATS,
  INTEGERS,
  nameOf,
  scalar,
  unsignedOf,
  type ValueType,
  vector,
  wideOf,
} from './model';
import type { Writer } from './writer';

type Form = (w: Writer, type: ValueType, depth: number, uniform: boolean) => string;

/** Amounts of which only the lowest bits count, around 31, 32, 53 and 64 bits. */
const AMOUNTS: readonly bigint[] = [
  0n, 1n, 7n, 8n, 15n, 16n, 31n, 32n, 33n, 63n, 64n, 65n, 127n, 2n ** 31n, 2n ** 32n + 3n, 2n ** 53n, 2n ** 53n + 1n,
  2n ** 54n + 5n, 2n ** 63n, 2n ** 63n + 33n, 2n ** 64n - 1n, 2n ** 64n - 33n, 2n ** 64n - 64n,
]; // biome-ignore format: a table

function amount(w: Writer, type: ValueType): string {
  const one = () => `(${type.base})0x${w.chance.pick(AMOUNTS).toString(16)}ul`;
  if (type.count === 1) return one();
  if (w.chance.with(0.6)) return `(${nameOf(type)})(${one()})`;
  return `(${nameOf(type)})(${Array.from({ length: type.count }, one).join(', ')})`;
}

/** An operation in an unsigned type, where arithmetic wraps. */
const wrapped: Form = (w, type, depth, uniform) => {
  const { base, count } = type;
  const op = w.chance.pick(['+', '-', '*']);
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  if (count === 1) return `((${base})((${wideOf(base)})${a} ${op} (${wideOf(base)})${b}))`;
  const unsigned = nameOf({ base: unsignedOf(base), count });
  return `as_${nameOf(type)}(as_${unsigned}(${a}) ${op} as_${unsigned}(${b}))`;
};

const bitwise: Form = (w, type, depth, uniform) => {
  const [a, b, c] = [0, 1, 2].map(() => w.expression(type, depth - 1, uniform));
  const name = nameOf(type);
  return w.chance.pick([
    `((${name})(${a} ${w.chance.pick(['&', '|', '^'])} ${b}))`,
    `((${name})~${a})`,
    `bitselect(${a}, ${b}, ${c})`,
  ]);
};

const quotient: Form = (w, type, depth, uniform) => {
  const name = nameOf(type);
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  return `((${name})(${a} ${w.chance.pick(['/', '%'])} ((${b} & (${name})15) | (${name})1)))`;
};

const shift: Form = (w, type, depth, uniform) => {
  const { base, count } = type;
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  const unsigned = nameOf({ base: unsignedOf(base), count });
  if (w.chance.with(0.5))
    return count === 1 ? `((${base})(${a} >> (${b} & 7)))` : `(${a} >> (${b} & (${nameOf(type)})7))`;
  return count === 1
    ? `((${base})((${wideOf(base)})${a} << (${b} & 31)))`
    : `as_${nameOf(type)}(as_${unsigned}(${a}) << as_${unsigned}(${b}))`;
};

/** By a constant, of which only the lowest bits count (OpenCL C, 6.3.10, and 6.15.3 for rotate). */
const constantShift: Form = (w, type, depth, uniform) => {
  const { base, count } = type;
  const a = w.expression(type, depth - 1, uniform);
  const by = amount(w, type);
  const name = nameOf(type);
  const unsigned = nameOf({ base: unsignedOf(base), count });
  const left =
    count === 1
      ? `((${base})((${wideOf(base)})${a} << ${by}))`
      : `as_${name}(as_${unsigned}(${a}) << as_${unsigned}(${by}))`;
  return w.chance.pick([
    `rotate(${a}, ${by})`,
    `rotate(${a}, ${by})`,
    `((${name})(${a} >> ${by}))`,
    left,
    `as_${name}((${unsigned})(as_${unsigned}(${a}) >> as_${unsigned}(${by})))`,
  ]);
};

const conditional: Form = (w, type, depth, uniform) => {
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  return `((${nameOf(type)})((${w.condition(depth - 2, uniform)}) ? ${a} : ${b}))`;
};

const binary: Form = (w, type, depth, uniform) => {
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  const name = w.chance.pick(['min', 'max', 'add_sat', 'sub_sat', 'hadd', 'rhadd', 'mul_hi', 'rotate']);
  return `${name}(${a}, ${b})`;
};

const unary: Form = (w, type, depth, uniform) =>
  `${w.chance.pick(['popcount', 'clz', 'ctz'])}(${w.expression(type, depth - 1, uniform)})`;

/** Functions whose results are of the unsigned type, and those of three numbers that saturate. */
const magnitude: Form = (w, type, depth, uniform) => {
  const [a, b, c] = [0, 1, 2].map(() => w.expression(type, depth - 1, uniform));
  const name = nameOf(type);
  return w.chance.pick([
    `as_${name}(abs(${a}))`,
    `as_${name}(abs_diff(${a}, ${b}))`,
    `mad_sat(${a}, ${b}, ${c})`,
    `mad_hi(${a}, ${b}, ${c})`,
    `clamp(${a}, min(${b}, ${c}), max(${b}, ${c}))`,
  ]);
};

/** The halves of a wider number. */
const joined: Form = (w, type, depth, uniform) => {
  const bytes = bytesOf(type.base);
  if (bytes === 1) return unary(w, type, depth, uniform);
  const half = INTEGERS[INTEGERS.indexOf(type.base as 'int') - 2]!;
  const high = w.expression(vector(half, type.count), depth - 1, uniform);
  const low = w.expression(vector(unsignedOf(half), type.count), depth - 1, uniform);
  return `upsample(${high}, ${low})`;
};

const converted: Form = (w, type, depth, uniform) => {
  const { count } = type;
  const sub = (bases: readonly ValueType['base'][]) =>
    w.expression({ base: w.chance.pick(bases), count }, depth - 1, uniform);
  return w.chance.with(0.5)
    ? `convert_${nameOf(type)}(${sub(INTEGERS)})`
    : `convert_${nameOf(type)}_sat(${sub([...INTEGERS, ...FLOATS])})`;
};

const selected: Form = (w, type, depth, uniform) => {
  const [a, b] = [0, 1].map(() => w.expression(type, depth - 1, uniform));
  const base = w.chance.with(0.5) ? unsignedOf(type.base) : type.base;
  return `select(${a}, ${b}, ${w.expression({ base, count: type.count }, depth - 1, uniform)})`;
};

/** A component of a vector, or a vector of two halves. */
const composed: Form = (w, type, depth, uniform) => {
  const { base, count } = type;
  if (count === 3) return leaf(w, type, uniform);
  if (count > 1) {
    const [a, b] = [0, 1].map(() => w.expression({ base, count: count / 2 }, depth - 1, uniform));
    return `((${nameOf(type)})(${a}, ${b}))`;
  }
  const other = w.chance.pick([2, 4, 8]);
  const whole = w.expression({ base, count: other }, depth - 1, uniform);
  return `((${nameOf(scalar(base))})${whole}.s${COMPONENTS[w.chance.integer(0, other - 1)]})`;
};

export const INTEGER_FORMS: readonly Form[] = [
  wrapped, wrapped, bitwise, bitwise, quotient, shift, shift, constantShift, conditional, binary, unary, magnitude,
  joined, converted, selected, composed,
]; // biome-ignore format: a table
