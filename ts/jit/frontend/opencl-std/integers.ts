// SPDX-License-Identifier: MIT
//
// Integer functions.
import { OpenCLStd as E } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { Op as Ir, Type, type Value } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import { clamp } from '../arithmetic';
import type { Translation } from '../translation';
import { args, direct, each, type Handlers } from './componentwise';

const minMax = (least: Ir, most: Ir) => (t: Translation, a: Value, b: Value, c: Value) =>
  t.emit(least, a.type, [t.emit(most, a.type, [a, b]), c]);

const absDiff = (least: Ir, most: Ir) => (t: Translation, a: Value, b: Value) =>
  t.emit(Ir.Sub, a.type, [t.emit(most, a.type, [a, b]), t.emit(least, a.type, [a, b])]);

/** (a + b) >> 1 without overflow. */
const halfAdd = (shift: Ir) => (t: Translation, a: Value, b: Value) =>
  t.emit(Ir.Add, a.type, [
    t.emit(Ir.And, a.type, [a, b]),
    t.emit(shift, a.type, [t.emit(Ir.Xor, a.type, [a, b]), t.const(a.type, a.type === Type.I64 ? 1n : 1)]),
  ]);

const mulAdd = (t: Translation, a: Value, b: Value, c: Value) =>
  t.emit(Ir.Add, a.type, [t.emit(Ir.Mul, a.type, [a, b]), c]);

function madSat(t: Translation, a: Value, b: Value, c: Value, signed: boolean): Value {
  const type = a.type;
  if (type !== Type.I64) {
    // The product of two 32-bit numbers and a third fit into 64 bits.
    const wide = [a, b, c].map((v) => t.resize(v, Type.I64, signed));
    return t.resize(clamp(t, mulAdd(t, wide[0]!, wide[1]!, wide[2]!), type, signed, signed), type, signed);
  }
  const low = t.emit(Ir.Mul, type, [a, b]);
  if (!signed) {
    const high = t.emit(Ir.UMulHi, type, [a, b]);
    const fits = t.emit(Ir.Eq, Type.I1, [high, t.const(type, 0n)]);
    return t.select(fits, t.emit(Ir.UAddSat, type, [low, c]), t.const(type, -1n));
  }
  // 128 bits: (high, low) + sign-extended c.
  const high = t.emit(Ir.SMulHi, type, [a, b]);
  const sum = t.emit(Ir.Add, type, [low, c]);
  const carry = t.resize(t.emit(Ir.ULt, Type.I1, [sum, low]), type, false);
  const signOfC = t.emit(Ir.AShr, type, [c, t.const(type, 63n)]);
  const top = t.emit(Ir.Add, type, [t.emit(Ir.Add, type, [high, signOfC]), carry]);
  const fits = t.emit(Ir.Eq, Type.I1, [top, t.emit(Ir.AShr, type, [sum, t.const(type, 63n)])]);
  const limit = t.emit(Ir.Xor, type, [
    t.emit(Ir.AShr, type, [top, t.const(type, 63n)]),
    t.const(type, (1n << 63n) - 1n),
  ]);
  return t.select(fits, sum, limit);
}

function upsample(t: Translation, i: Instruction): void {
  const type = t.scalarType(t.type(i));
  const half = bitsOf(type) / 2;
  t.map(i, args(i), ([high, low]) =>
    t.emit(Ir.Or, type, [
      t.emit(Ir.Shl, type, [
        t.resize(high!, type, false),
        t.const(type, type === Type.I64 ? BigInt(half) : half),
      ]),
      t.resize(low!, type, false),
    ]),
  );
}

export const INTEGERS: Handlers = {
  [E.s_abs]: direct(Ir.Abs),
  [E.u_abs]: each((_, a) => a),
  [E.s_abs_diff]: each(absDiff(Ir.SMin, Ir.SMax)),
  [E.u_abs_diff]: each(absDiff(Ir.UMin, Ir.UMax)),
  [E.s_add_sat]: direct(Ir.SAddSat),
  [E.u_add_sat]: direct(Ir.UAddSat),
  [E.s_sub_sat]: direct(Ir.SSubSat),
  [E.u_sub_sat]: direct(Ir.USubSat),
  [E.s_hadd]: each(halfAdd(Ir.AShr)),
  [E.u_hadd]: each(halfAdd(Ir.LShr)),
  [E.s_rhadd]: direct(Ir.SAvgR),
  [E.u_rhadd]: direct(Ir.UAvgR),
  [E.s_clamp]: each(minMax(Ir.SMin, Ir.SMax)),
  [E.u_clamp]: each(minMax(Ir.UMin, Ir.UMax)),
  [E.clz]: direct(Ir.Clz),
  [E.ctz]: direct(Ir.Ctz),
  [E.popcount]: direct(Ir.PopCount),
  [E.rotate]: direct(Ir.Rotl),
  [E.s_min]: direct(Ir.SMin),
  [E.u_min]: direct(Ir.UMin),
  [E.s_max]: direct(Ir.SMax),
  [E.u_max]: direct(Ir.UMax),
  [E.s_mul_hi]: direct(Ir.SMulHi),
  [E.u_mul_hi]: direct(Ir.UMulHi),
  [E.s_mad_hi]: each((t, a, b, c) => t.emit(Ir.Add, a.type, [t.emit(Ir.SMulHi, a.type, [a, b]), c])),
  [E.u_mad_hi]: each((t, a, b, c) => t.emit(Ir.Add, a.type, [t.emit(Ir.UMulHi, a.type, [a, b]), c])),
  [E.s_mad_sat]: each((t, a, b, c) => madSat(t, a, b, c, true)),
  [E.u_mad_sat]: each((t, a, b, c) => madSat(t, a, b, c, false)),
  [E.s_mad24]: each(mulAdd),
  [E.u_mad24]: each(mulAdd),
  [E.s_mul24]: direct(Ir.Mul),
  [E.u_mul24]: direct(Ir.Mul),
  [E.u_upsample]: upsample,
  [E.s_upsample]: upsample,
};
