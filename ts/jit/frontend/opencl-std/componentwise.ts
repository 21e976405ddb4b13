// SPDX-License-Identifier: MIT
//
// Functions of scalars, which are applied to each component of vectors.
import type { OpenCLStd as E } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { type InstFacts, Op as Ir, Type, type Value } from '../../ir/ir';
import { isFloat } from '../../ir/types';
import type { Handler, Translation } from '../translation';

/** Handlers by instruction. */
export type Handlers = Partial<Record<E, Handler>>;

export const args = (i: Instruction) => i.operands.slice(2);

/** A function of scalars, applied to each component. */
export const each =
  (f: (t: Translation, a: Value, b: Value, c: Value, facts: InstFacts) => Value): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), ([a, b, c]) => f(t, a!, b!, c!, facts));
  };

/** The same on floats; half is computed as float. */
export const eachFloat =
  (f: (t: Translation, a: Value, b: Value, c: Value, facts: InstFacts) => Value): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), (values) => {
      const [a, b, c] = values.map((v) => t.widen(v));
      return t.narrow(f(t, a!, b!, c!, facts), values[0]!.type);
    });
  };

export const direct = (op: Ir): Handler =>
  each((t, a, b, c, facts) =>
    t.emit(op, a.type, c ? [a, b, c] : b ? [a, b] : [a], isFloat(a.type) ? { ...facts } : {}),
  );
export const directFloat =
  (op: Ir): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), (values) => t.float(op, values[0]!.type, values, { ...facts }));
  };

export const number = (t: Translation, like: Value, value: number) => t.const(like.type, value);
export const nan = (t: Translation, a: Value) => t.emit(Ir.FUnordered, Type.I1, [a, a]);
const op2 = (op: Ir) => (t: Translation, a: Value, b: Value) => t.emit(op, a.type, [a, b]);
export const add = op2(Ir.FAdd);
export const sub = op2(Ir.FSub);
export const mul = op2(Ir.FMul);
export const div = op2(Ir.FDiv);
export const less = (t: Translation, a: Value, b: Value) => t.emit(Ir.FLt, Type.I1, [a, b]);
export const abs = (t: Translation, a: Value) => t.emit(Ir.FAbs, a.type, [a]);
