// SPDX-License-Identifier: MIT
//
// Counts of the bits of 64-bit numbers, by their words: vectors of words count four at a time, and what is counted is extended only where it is
// used as 64 bits.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';

const WORD = 32;

type Counter = (make: Make, lower: Value, upper: Value) => Value;
interface Make {
  inst(op: Op, type: Type, operands: readonly Value[]): Value;
  word(value: number): Value;
  /** Whether only the last bit of the count is used. */
  readonly isParity: boolean;
}

/** How many zeros are at one end: they are in the first word, unless that is 0. */
const zeros =
  (op: Op): ((make: Make, first: Value, second: Value) => Value) =>
  (make, first, second) => {
    const isZero = make.inst(Op.Eq, Type.I1, [first, make.word(0)]);
    const word = make.inst(Op.Select, Type.I32, [isZero, second, first]);
    const before = make.inst(Op.Select, Type.I32, [isZero, make.word(WORD), make.word(0)]);
    return make.inst(Op.Add, Type.I32, [make.inst(op, Type.I32, [word]), before]);
  };

const COUNTERS: Partial<Record<Op, Counter>> = {
  [Op.PopCount]: (make, lower, upper) => {
    const count = (word: Value) => make.inst(Op.PopCount, Type.I32, [word]);
    if (make.isParity) return count(make.inst(Op.Xor, Type.I32, [lower, upper]));
    return make.inst(Op.Add, Type.I32, [count(lower), count(upper)]);
  },
  [Op.Ctz]: zeros(Op.Ctz),
  [Op.Clz]: (make, lower, upper) => zeros(Op.Clz)(make, upper, lower),
};

/** Returns whether it changed the function. Numbers that all work-items share are left as they are. */
export function countWords(func: Func, divergence: Divergence, uses: Uses): boolean {
  const leaves = new Leaves(func);
  return replaceInsts(func, (inst, before) => {
    const counter = COUNTERS[inst.op];
    if (!counter || inst.type !== Type.I64 || !Number.isNaN(divergence.stride[inst.id]!)) return undefined;
    const make: Make = {
      inst(op, type, operands) {
        const made = makeInst(func, inst.block, op, type, operands, {}, inst.position);
        before.push(made);
        return made;
      },
      word: (value) => leaves.i32(value),
      isParity: isParity(inst, uses),
    };
    const [number] = inst.operands as [Value];
    const shifted = make.inst(Op.LShr, Type.I64, [number, leaves.constant(Type.I64, BigInt(WORD))]);
    const lower = make.inst(Op.Trunc, Type.I32, [number]);
    const upper = make.inst(Op.Trunc, Type.I32, [shifted]);
    return make.inst(Op.ZExt, Type.I64, [counter(make, lower, upper)]);
  });
}

/** Whether all uses take the last bit alone. */
function isParity(value: Inst, uses: Uses): boolean {
  if (uses.paramsGiven(value).length > 0) return false;
  const users = uses.usersOf(value);
  return (
    users.length > 0 &&
    users.every((user) => {
      if (user.op === Op.Trunc) return isParity(user, uses);
      return (
        user.op === Op.And && user.operands[0] === value && Number(constantOf(user.operands[1]!) ?? 0) === 1
      );
    })
  );
}
