// SPDX-License-Identifier: MIT
//
// Functions that choose or move bits and components, whatever these are.
import { OpenCLStd as E } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { Op as Ir, Type, type Value } from '../../ir/ir';
import { integerLike, isFloat } from '../../ir/types';
import { pick } from '../composites';
import { bitcast } from '../conversions';
import type { Translation } from '../translation';
import { args, type Handlers } from './componentwise';

function bitselect(t: Translation, i: Instruction): void {
  t.map(i, args(i), ([a, b, c]) => {
    const type = integerLike(a!.type);
    const raw = [a!, b!, c!].map((v) => (isFloat(v.type) ? t.emit(Ir.Bitcast, type, [v]) : v));
    const mixed = t.emit(Ir.Or, type, [
      t.emit(Ir.And, type, [raw[0]!, t.not(raw[2]!)]),
      t.emit(Ir.And, type, [raw[1]!, raw[2]!]),
    ]);
    return mixed.type === a!.type ? mixed : t.emit(Ir.Bitcast, a!.type, [mixed]);
  });
}

/** Scalars: c ? b : a. Vectors: by the most significant bit of each component. */
function select(t: Translation, i: Instruction): void {
  const vector = t.type(i).kind === 'vector';
  t.map(i, args(i), ([a, b, c]) => {
    const condition = isFloat(c!.type) ? t.emit(Ir.Bitcast, integerLike(c!.type), [c!]) : c!;
    const chosen =
      condition.type === Type.I1
        ? condition
        : t.emit(vector ? Ir.SLt : Ir.Ne, Type.I1, [condition, t.zero(condition.type)]);
    return t.select(chosen, b!, a!);
  });
}

function shuffle(t: Translation, i: Instruction): void {
  const operands = args(i);
  const mask = t.get(operands[operands.length - 1]!);
  const values = operands.slice(0, -1).flatMap((id) => padded(t, t.get(id)));
  const log = Math.round(Math.log2(values.length));
  t.set(
    i,
    mask.map((m) => {
      // Only the lowest bits of the mask are used.
      const bits = t.emit(Ir.And, m.type, [
        m,
        t.const(m.type, m.type === Type.I64 ? BigInt((1 << log) - 1) : (1 << log) - 1),
      ]);
      return pick(t, values, bits);
    }),
  );
}

const padded = (t: Translation, values: Value[]) =>
  values.length === 3 ? [...values, t.builder.leaves.undef(values[0]!.type)] : values;

function nanOf(t: Translation, i: Instruction): void {
  const to = t.leafTypes(t.type(i));
  const raw = t.get(args(i)[0]!);
  const bits = raw[0]!.type;
  const quiet = bits === Type.I64 ? 0x7ff8n << 48n : bits === Type.I32 ? 0x7fc00000 : 0x7e00;
  t.set(
    i,
    bitcast(
      t,
      raw.map((v) => t.emit(Ir.Or, bits, [v, t.const(bits, quiet)])),
      to,
    ),
  );
}

export const BITS: Handlers = {
  [E.bitselect]: bitselect,
  [E.select]: select,
  [E.shuffle]: shuffle,
  [E.shuffle2]: shuffle,
  [E.nan]: nanOf,
};
