// SPDX-License-Identifier: MIT
//
// Ranges of what the steps of Op.CountUntil and Op.ReduceElements give for an element.
import { constantOf } from './build';
import { type ElementStep, Op, Type, type Value } from './ir';
import { isWithin, type Range, rangeOfOperation, signedRange, unsignedRange } from './operation-ranges';
import { bitsOf } from './types';

/** By step, the signed numbers that it can give, of integers of 32 bits and narrower ones; undefined for all others. */
export function rangesOfSteps(
  steps: readonly ElementStep[],
  operands: readonly Value[],
): readonly (Range | undefined)[] {
  const ranges: (Range | undefined)[] = [];
  for (const step of steps) ranges.push(rangeOfStep(step, steps, ranges, operands));
  return ranges;
}

function rangeOfStep(
  step: ElementStep,
  steps: readonly ElementStep[],
  ranges: readonly (Range | undefined)[],
  operands: readonly Value[],
): Range | undefined {
  const type = Type[step.type];
  if (type === Type.I1 || type > Type.I32) return undefined;
  const all = signedRange(bitsOf(type));
  if (step.is === 'loaded') return all;
  if (step.is === 'given') {
    const constant = constantOf(operands[step.operand]!);
    const range = constant === undefined ? all : { low: Number(constant), high: Number(constant) };
    return isWithin(range, all) ? range : all;
  }
  const computed = rangeOfComputed(step, steps, ranges);
  return computed && isWithin(computed, all) ? computed : all;
}

function rangeOfComputed(
  { op, type, of, by }: ElementStep & { is: 'computed' },
  steps: readonly ElementStep[],
  ranges: readonly (Range | undefined)[],
): Range | undefined {
  const code = Op[op];
  const from = Type[steps[of[0]!]!.type];
  const [x, y, z] = of.map((at) => ranges[at]);
  if (code === Op.ZExt) {
    if (from === Type.I1) return { low: 0, high: 1 };
    return x && x.low >= 0 ? x : unsignedRange(bitsOf(from));
  }
  if (code === Op.SExt) return x;
  if (code === Op.Select) return y && z && { low: Math.min(y.low, z.low), high: Math.max(y.high, z.high) };
  // A shift of fewer than 32 bits moves in fewer.
  if (code === Op.LShr && x && x.low < 0) return by === 0 ? x : unsignedRange(bitsOf(Type[type]) - (by ?? 0));
  return rangeOfOperation(code, x, by === undefined ? y : { low: by, high: by });
}
