// SPDX-License-Identifier: MIT
//
// Geometric functions: whole vectors to a scalar or a vector.
import { OpenCLStd as E } from '../../../spirv/grammar.gen';
import { Op as Ir, Type, type Value } from '../../ir/ir';
import type { Handler, Translation } from '../translation';
import { abs, add, args, div, type Handlers, less, mul, number, sub } from './componentwise';

interface Norm {
  readonly length: Value;
  /** The length of the vector times `up` times `down`, powers of two that keep the squares in range; one of them is 1. */
  readonly root: Value;
  readonly up: Value;
  readonly down: Value;
}

function norm(t: Translation, vector: readonly Value[]): Norm {
  const type = vector[0]!.type;
  const double = type === Type.F64;
  const [high, low] = double ? [2 ** 500, 2 ** -400] : [2 ** 62, 2 ** -50];
  const [byHigh, byLow] = double ? [2 ** -540, 2 ** 680] : [2 ** -66, 2 ** 88];
  let largest = abs(t, vector[0]!);
  for (const v of vector.slice(1)) largest = t.emit(Ir.FMax, type, [largest, abs(t, v)]);
  const one = t.const(type, 1);
  const isHigh = t.emit(Ir.FGt, Type.I1, [largest, t.const(type, high)]);
  const isLow = less(t, largest, t.const(type, low));
  const down = t.select(isHigh, t.const(type, byHigh), one);
  const up = t.select(isLow, t.const(type, byLow), one);
  const scale = t.select(isHigh, t.const(type, byHigh), up);
  const unscale = t.select(isHigh, t.const(type, 1 / byHigh), t.select(isLow, t.const(type, 1 / byLow), one));
  const scaled = vector.map((v) => mul(t, v, scale));
  const root = t.emit(Ir.FSqrt, type, [dotOf(t, scaled, scaled)]);
  return { length: mul(t, root, unscale), root, up, down };
}

function dotOf(t: Translation, a: readonly Value[], b: readonly Value[]): Value {
  let sum: Value | undefined;
  a.forEach((x, at) => {
    const product = mul(t, x, b[at]!);
    sum = sum ? add(t, sum, product) : product;
  });
  return sum!;
}

const geometry =
  (f: (t: Translation, a: Value[], b: Value[]) => Value[]): Handler =>
  (t, i) => {
    const lists = args(i).map((id) => t.get(id));
    const type = lists[0]![0]!.type;
    const [a, b] = lists.map((list) => list.map((v) => t.widen(v)));
    t.set(
      i,
      f(t, a!, b ?? []).map((v) => t.narrow(v, type)),
    );
  };

const difference = (t: Translation, a: Value[], b: Value[]) => a.map((x, at) => sub(t, x, b[at]!));

function normalize(t: Translation, a: Value[]): Value[] {
  const { root, up, down } = norm(t, a);
  const one = number(t, root, 1);
  const isZero = t.emit(Ir.FEq, Type.I1, [root, number(t, root, 0)]);
  const factor = t.select(isZero, one, div(t, one, root));
  // A small component of a long vector is scaled down last: before, it would lose bits that the factor makes
  // visible.
  return a.map((v) => mul(t, mul(t, mul(t, v, up), factor), down));
}

function fastNormalize(t: Translation, a: Value[]): Value[] {
  const square = dotOf(t, a, a);
  const one = number(t, square, 1);
  const isZero = t.emit(Ir.FEq, Type.I1, [square, number(t, square, 0)]);
  const factor = t.select(isZero, one, div(t, one, t.emit(Ir.FSqrt, square.type, [square])));
  return a.map((v) => mul(t, v, factor));
}

function cross(t: Translation, a: Value[], b: Value[]): Value[] {
  const term = (i: number, j: number) => sub(t, mul(t, a[i]!, b[j]!), mul(t, a[j]!, b[i]!));
  const result = [term(1, 2), term(2, 0), term(0, 1)];
  if (a.length === 4) result.push(number(t, a[0]!, 0));
  return result;
}

export const GEOMETRY: Handlers = {
  [E.cross]: geometry(cross),
  [E.distance]: geometry((t, a, b) => [norm(t, difference(t, a, b)).length]),
  [E.length]: geometry((t, a) => [norm(t, a).length]),
  [E.normalize]: geometry(normalize),
  [E.fast_distance]: geometry((t, a, b) => {
    const d = difference(t, a, b);
    return [t.emit(Ir.FSqrt, d[0]!.type, [dotOf(t, d, d)])];
  }),
  [E.fast_length]: geometry((t, a) => [t.emit(Ir.FSqrt, a[0]!.type, [dotOf(t, a, a)])]),
  [E.fast_normalize]: geometry(fastNormalize),
};
