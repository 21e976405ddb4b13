// SPDX-License-Identifier: MIT
//
// Float functions that need no call of the built-in library.
import { OpenCLStd as E } from '../../../spirv/grammar.gen';
import { Op as Ir, Type } from '../../ir/ir';
import { remainder } from '../float-remainder';
import { DOUBLE_FMA } from '../library-calls';
import { placeOf, storeLeaf } from '../memory';
import type { Handler } from '../translation';
import {
  abs,
  add,
  args,
  directFloat,
  div,
  eachFloat,
  type Handlers,
  less,
  mul,
  nan,
  number,
  sub,
} from './componentwise';
import { library } from './library';

const scale = (factor: number) => eachFloat((t, a) => mul(t, a, number(t, a, factor)));

const clampFloat = eachFloat((t, a, b, c) => t.emit(Ir.FMin, a.type, [t.emit(Ir.FMax, a.type, [a, b]), c]));

const fract: Handler = (t, i) => {
  const [x, pointer] = args(i);
  const values = t.get(x!);
  const info = t.typeOf(x!);
  const leaves = t.index.types.leaves(info);
  const place = placeOf(t, pointer!);
  const results = values.map((value, at) => {
    const a = t.widen(value);
    const most = a.type === Type.F64 ? 1 - 2 ** -53 : value.type === Type.F16 ? 1 - 2 ** -11 : 1 - 2 ** -24;
    const floor = t.emit(Ir.FFloor, a.type, [a]);
    storeLeaf(t, place, leaves[at]!, t.narrow(floor, value.type));
    const part = t.emit(Ir.FMin, a.type, [sub(t, a, floor), number(t, a, most)]);
    const infinite = t.emit(Ir.FEq, Type.I1, [abs(t, a), number(t, a, Number.POSITIVE_INFINITY)]);
    const finite = t.select(infinite, number(t, a, 0), part);
    const signed = t.emit(Ir.FCopySign, a.type, [finite, a]);
    // The result is zero or positive, but keeps the sign of zero and infinity.
    const zero = t.emit(Ir.FEq, Type.I1, [finite, number(t, a, 0)]);
    return t.narrow(t.select(nan(t, a), a, t.select(zero, signed, finite)), value.type);
  });
  t.set(i, results);
};

const smoothstep = eachFloat((t, low, high, x) => {
  const ratio = div(t, sub(t, x, low), sub(t, high, low));
  const limited = t.emit(Ir.FMin, x.type, [
    t.emit(Ir.FMax, x.type, [ratio, number(t, x, 0)]),
    number(t, x, 1),
  ]);
  const poly = sub(t, number(t, x, 3), mul(t, number(t, x, 2), limited));
  return t.select(nan(t, x), x, mul(t, mul(t, limited, limited), poly));
});

const sign = eachFloat((t, a) => {
  const one = number(t, a, 1);
  const signed = t.emit(Ir.FCopySign, a.type, [one, a]);
  const zero = t.emit(Ir.FEq, Type.I1, [a, number(t, a, 0)]);
  return t.select(nan(t, a), number(t, a, 0), t.select(zero, a, signed));
});

const magnitude = (larger: boolean) =>
  eachFloat((t, a, b) => {
    const [x, y] = [abs(t, a), abs(t, b)];
    const first = t.emit(larger ? Ir.FGt : Ir.FLt, Type.I1, [x, y]);
    const second = t.emit(larger ? Ir.FLt : Ir.FGt, Type.I1, [x, y]);
    const equal = t.emit(larger ? Ir.FMax : Ir.FMin, a.type, [a, b]);
    return t.select(first, a, t.select(second, b, equal));
  });

const reciprocal = eachFloat((t, a, _b, _c, facts) =>
  t.emit(Ir.FDiv, a.type, [number(t, a, 1), a], { ...facts }),
);
const shortRsqrt = eachFloat((t, a) => div(t, number(t, a, 1), t.emit(Ir.FSqrt, a.type, [a])));

/**
 * The reciprocal of the root is up to 1.5 ULP from the result. The library's is not, at the price of a rare case, for doubles that do not
 * allow reciprocals. Halves are rounded correctly without it; of floats it would make the forces of bodies 1.5 times as slow.
 */
const rsqrt: Handler = (t, i) => {
  const { fast } = t.fastMath(i);
  if (fast?.reciprocal || t.get(args(i)[0]!)[0]!.type !== Type.F64) shortRsqrt(t, i);
  else library(t, i, E.rsqrt);
};

/** Of doubles that no instruction computes, a function of the library computes the results at the ends of the range. */
const fma: Handler = (t, i) => {
  const facts = t.fastMath(i);
  t.map(i, args(i), (operands) => {
    const usual = t.float(Ir.Fma, operands[0]!.type, operands, { ...facts });
    if (usual.type !== Type.F64 || t.context.fusedMultiplyAdd) return usual;
    return t.callLibrary(DOUBLE_FMA, [...operands, usual], 'fma')[0]!;
  });
};

export const FLOATS: Handlers = {
  [E.ceil]: directFloat(Ir.FCeil),
  [E.floor]: directFloat(Ir.FFloor),
  [E.trunc]: directFloat(Ir.FTrunc),
  [E.rint]: directFloat(Ir.FRint),
  [E.fabs]: directFloat(Ir.FAbs),
  [E.copysign]: directFloat(Ir.FCopySign),
  [E.fmin]: directFloat(Ir.FMin),
  [E.fmax]: directFloat(Ir.FMax),
  [E.fmin_common]: directFloat(Ir.FMin),
  [E.fmax_common]: directFloat(Ir.FMax),
  [E.fma]: fma,
  [E.mad]: directFloat(Ir.MulAdd),
  [E.fmod]: eachFloat(remainder),
  [E.sqrt]: directFloat(Ir.FSqrt),
  [E.half_sqrt]: directFloat(Ir.FSqrt),
  [E.native_sqrt]: directFloat(Ir.FSqrt),
  [E.rsqrt]: rsqrt,
  [E.half_rsqrt]: shortRsqrt,
  [E.native_rsqrt]: shortRsqrt,
  [E.half_divide]: directFloat(Ir.FDiv),
  [E.native_divide]: directFloat(Ir.FDiv),
  [E.half_recip]: reciprocal,
  [E.native_recip]: reciprocal,
  [E.fdim]: eachFloat((t, a, b) => t.select(t.emit(Ir.FLe, Type.I1, [a, b]), number(t, a, 0), sub(t, a, b))),
  [E.fract]: fract,
  [E.maxmag]: magnitude(true),
  [E.minmag]: magnitude(false),
  [E.fclamp]: clampFloat,
  [E.degrees]: scale(180 / Math.PI),
  [E.radians]: scale(Math.PI / 180),
  [E.mix]: eachFloat((t, a, b, c) => add(t, a, mul(t, sub(t, b, a), c))),
  [E.step]: eachFloat((t, edge, x) => t.select(less(t, x, edge), number(t, x, 0), number(t, x, 1))),
  [E.smoothstep]: smoothstep,
  [E.sign]: sign,
};
