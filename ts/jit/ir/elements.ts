// SPDX-License-Identifier: MIT
//
// What Op.CountUntil and Op.ReduceElements compute for each of some consecutive elements: a list of steps, of which the last one is the
// condition that ends the count, or what is reduced.
import { type ElementStep, type ElementSteps, Op, Type, type Value } from './ir';
import { bytesOf } from './types';

/** The elements that a condition is one vector of bytes for. */
export const ELEMENTS = 16;

const NARROW: readonly Type[] = [Type.I8, Type.I16, Type.I32];
const INTEGERS: readonly Type[] = [...NARROW, Type.I64];
const FLOATS: readonly Type[] = [Type.F32, Type.F64];
const CONDITIONS: readonly Type[] = [Type.I1];

/** The operations, and the types of their first operand. */
const OPERATIONS: readonly (readonly [ops: readonly Op[], types: readonly Type[]])[] = [
  [[Op.Add, Op.Sub, Op.And, Op.Or, Op.Xor, Op.Not, Op.Neg, Op.Abs, Op.Shl, Op.LShr, Op.AShr], INTEGERS],
  [[Op.Eq, Op.Ne, Op.SLt, Op.SLe, Op.SGt, Op.SGe], INTEGERS],
  [[Op.Mul], [Type.I16, Type.I32]],
  [[Op.PopCount], [Type.I8, Type.I32]],
  [[Op.SMin, Op.SMax, Op.UMin, Op.UMax, Op.ULt, Op.ULe, Op.UGt, Op.UGe], NARROW],
  [[Op.FAdd, Op.FSub, Op.FMul, Op.FNeg, Op.FAbs, Op.FEq, Op.FNe, Op.FLt, Op.FLe, Op.FGt, Op.FGe], FLOATS],
  [[Op.And, Op.Or, Op.Xor, Op.Not, Op.Select, Op.ZExt], CONDITIONS],
  [[Op.ZExt, Op.SExt], NARROW],
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
  if (op === Op.ZExt || op === Op.SExt) return result > operand && INTEGERS.includes(result);
  if (op === Op.Select) return INTEGERS.includes(result);
  return op !== Op.SToF && op !== Op.UToF ? true : result === Type.F32;
}

/** Whether a value may be the elements at an address. */
export const isElementType = (type: Type): boolean => INTEGERS.includes(type) || FLOATS.includes(type);

export const isElementShift = (op: Op): boolean => op === Op.Shl || op === Op.LShr || op === Op.AShr;

/** The bytes of the elements that a condition compares; undefined if it combines comparisons of different widths. */
export function conditionBytes(steps: readonly ElementStep[], at: number): number | undefined {
  const step = steps[at]!;
  if (step.is !== 'computed') return undefined;
  const from = Type[steps[step.of[0]!]!.type];
  if (from !== Type.I1) return bytesOf(from);
  const widths = step.of.map((operand) => conditionBytes(steps, operand));
  return widths.every((bytes) => bytes === widths[0]) ? widths[0] : undefined;
}

/** Whether a step that makes numbers from a condition has numbers as wide as what the condition compares. */
export function fitsCondition(
  steps: readonly ElementStep[],
  { type, of }: ElementStep & { is: 'computed' },
): boolean {
  return (
    type === 'I1' || steps[of[0]!]!.type !== 'I1' || conditionBytes(steps, of[0]!) === bytesOf(Type[type])
  );
}

/** Whether the last step is a product of shorts with 32 bits. */
export function isWideProduct(steps: readonly ElementStep[]): boolean {
  const last = steps.at(-1);
  return last?.is === 'computed' && last.op === 'Mul' && steps[last.of[0]!]!.type !== last.type;
}

/** Says what is wrong with the steps of an instruction with these operands. */
export function faultOf({ steps }: ElementSteps, operands: readonly Value[]): string | undefined {
  for (const [at, step] of steps.entries()) {
    const type = Type[step.type];
    if (step.is !== 'computed') {
      if (!isElementType(type)) return `elements of ${step.type}`;
      const given = operands[step.operand]?.type;
      // Of a given number of 32 bits, a narrower step has the low ones.
      const isWider = step.is === 'given' && given === Type.I32 && NARROW.includes(type);
      if (given !== (step.is === 'loaded' ? Type.I32 : type) && !isWider)
        return 'a step uses an operand of another type';
      continue;
    }
    if (step.of.length === 0 || step.of.some((from) => from < 0 || from >= at))
      return 'a step uses no step before it';
    const op = Op[step.op];
    const from = Type[steps[step.of[0]!]!.type];
    if (op === undefined || !isElementOperation(op, type, from)) return `${step.op} of ${Type[from]}`;
    // Of two shorts. The instruction for it adds pairs of them, so that there are no single ones.
    if (op === Op.Mul && type !== from && at < steps.length - 1) return 'a wide product before the last step';
    if (isElementShift(op) !== (step.by !== undefined)) return 'only shifts have an amount';
    if (!fitsCondition(steps, step)) return 'numbers of another width than their condition';
  }
  return undefined;
}
