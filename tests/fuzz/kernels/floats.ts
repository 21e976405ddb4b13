// SPDX-License-Identifier: MIT
//
// Random expressions of floating-point numbers: only what IEEE 754 rounds correctly, so that results are exact.
import { leaf } from './leaves';
import { FLOATS, INTEGERS, nameOf, type ValueType } from './model';
import type { Writer } from './writer';

type Form = (w: Writer, type: ValueType, depth: number, uniform: boolean) => string;

const pair = (w: Writer, type: ValueType, depth: number, uniform: boolean) =>
  [w.expression(type, depth - 1, uniform), w.expression(type, depth - 1, uniform)] as const;

const arithmetic: Form = (w, type, depth, uniform) => {
  const [a, b] = pair(w, type, depth, uniform);
  return `(${a} ${w.chance.pick(['+', '-', '*', '+', '-', '*', '/'])} ${b})`;
};

const unary: Form = (w, type, depth, uniform) =>
  `${w.chance.pick(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'sqrt', '-'])}(${w.expression(type, depth - 1, uniform)})`;

const fused: Form = (w, type, depth, uniform) => {
  const [a, b] = pair(w, type, depth, uniform);
  return `fma(${a}, ${b}, ${w.expression(type, depth - 1, uniform)})`;
};

/** It is undefined which zero is greater: the sum has no sign. */
const extreme: Form = (w, type, depth, uniform) => {
  const [a, b] = pair(w, type, depth, uniform);
  return `(${w.chance.pick(['fmin', 'fmax'])}(${a}, ${b}) + (${nameOf(type)})0)`;
};

const conditional: Form = (w, type, depth, uniform) => {
  const [a, b] = pair(w, type, depth, uniform);
  return `((${nameOf(type)})((${w.condition(depth - 2, uniform)}) ? ${a} : ${b}))`;
};

const converted: Form = (w, type, depth, uniform) => {
  const base = w.chance.pick([...INTEGERS, ...FLOATS]);
  return `convert_${nameOf(type)}(${w.expression({ base, count: type.count }, depth - 1, uniform)})`;
};

const selected: Form = (w, type, depth, uniform) => {
  const [a, b] = pair(w, type, depth, uniform);
  const base = type.base === 'float' ? 'int' : 'long';
  return `select(${a}, ${b}, ${w.expression({ base, count: type.count }, depth - 1, uniform)})`;
};

/** A dot product, whose rounding OpenCL leaves open, or a vector of two halves. */
const composed: Form = (w, type, depth, uniform) => {
  if (type.count === 3 || (type.count === 1 && w.portable)) return leaf(w, type, uniform);
  const [a, b] = pair(w, { ...type, count: type.count === 1 ? 4 : type.count / 2 }, depth, uniform);
  return type.count === 1 ? `dot(${a}, ${b})` : `((${nameOf(type)})(${a}, ${b}))`;
};

export const FLOAT_FORMS: readonly Form[] = [
  arithmetic, arithmetic, arithmetic, arithmetic, unary, extreme, conditional, converted, selected, selected, composed, fused,
]; // biome-ignore format: a table
