// SPDX-License-Identifier: MIT
//
// What Op.CountUntil computes for each of sixteen consecutive elements: a list of steps, of which the last one is the condition that
// ends the count.
import { type ElementSteps, Op, Type } from './ir';

/** The elements that one instruction looks at. */
export const ELEMENTS = 16;

const NARROW: readonly Type[] = [Type.I8, Type.I16, Type.I32];
const INTEGERS: readonly Type[] = [...NARROW, Type.I64];
const FLOATS: readonly Type[] = [Type.F32, Type.F64];
const CONDITIONS: readonly Type[] = [Type.I1];

/** The operations, and the types of their first operand. */
const OPERATIONS: readonly (readonly [ops: readonly Op[], types: readonly Type[]])[] = [
  [
    [Op.Add, Op.Sub, Op.And, Op.Or, Op.Xor, Op.Eq, Op.Ne, Op.SLt, Op.SLe, Op.SGt, Op.SGe, Op.Shl, Op.LShr],
    INTEGERS,
  ],
  [[Op.SMin, Op.SMax, Op.UMin, Op.UMax, Op.ULt, Op.ULe, Op.UGt, Op.UGe], NARROW],
  [[Op.FAdd, Op.FSub, Op.FMul, Op.FNeg, Op.FAbs, Op.FEq, Op.FNe, Op.FLt, Op.FLe, Op.FGt, Op.FGe], FLOATS],
  [[Op.And, Op.Or, Op.Xor, Op.Not], CONDITIONS],
  [
    [Op.ZExt, Op.SExt],
    [Type.I8, Type.I16],
  ],
  [[Op.SToF, Op.UToF], [Type.I32]],
];

const KNOWN = new Set(
  OPERATIONS.flatMap(([ops, types]) => ops.flatMap((op) => types.map((t) => key(op, t)))),
);

function key(op: Op, type: Type): string {
  return `${op} ${type}`;
}

/** Whether a step may be this operation on operands of a type. */
export function isElementOperation(op: Op, result: Type, operand: Type): boolean {
  if (!KNOWN.has(key(op, operand))) return false;
  if (op === Op.ZExt || op === Op.SExt) return result === Type.I16 || result === Type.I32;
  return op !== Op.SToF && op !== Op.UToF ? true : result === Type.F32;
}

/** Whether a value may be the elements at an address. */
export const isElementType = (type: Type): boolean => INTEGERS.includes(type) || FLOATS.includes(type);

export const isElementShift = (op: Op): boolean => op === Op.Shl || op === Op.LShr;

/** Says what is wrong with the steps of an instruction with operands of these types. */
export function faultOf({ steps }: ElementSteps, operands: readonly Type[]): string | undefined {
  for (const [at, step] of steps.entries()) {
    const type = Type[step.type];
    if (step.is !== 'computed') {
      if (!isElementType(type)) return `elements of ${step.type}`;
      const expected = step.is === 'loaded' ? Type.I32 : type;
      if (operands[step.operand] !== expected) return 'a step uses an operand of another type';
      continue;
    }
    if (step.of.length === 0 || step.of.some((from) => from < 0 || from >= at))
      return 'a step uses no step before it';
    const op = Op[step.op];
    const from = Type[steps[step.of[0]!]!.type];
    if (op === undefined || !isElementOperation(op, type, from)) return `${step.op} of ${Type[from]}`;
    if (isElementShift(op) !== (step.by !== undefined)) return 'only shifts have an amount';
  }
  return steps.at(-1)?.type === 'I1' ? undefined : 'the last step is no condition';
}
