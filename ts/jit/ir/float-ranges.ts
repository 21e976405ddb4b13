// SPDX-License-Identifier: MIT
//
// What clamps and conversions from integers say about floats: limits, and whether they may be NaN.
import { constantOf } from './build';
import { type Inst, Op, type Value } from './ir';
import { bitsOf } from './types';

interface FloatRange {
  /** Of all values but NaN. */
  readonly low: number;
  readonly high: number;
  readonly mayBeNaN: boolean;
}

const ANY: FloatRange = { low: -Infinity, high: Infinity, mayBeNaN: true };
const DEEPEST = 6;

export function floatRange(v: Value, depth = DEEPEST): FloatRange {
  const constant = constantOf(v);
  if (constant !== undefined) {
    const c = Number(constant);
    return Number.isNaN(c) ? ANY : { low: c, high: c, mayBeNaN: false };
  }
  if (v.kind !== 'inst' || depth === 0) return ANY;
  const of = () => floatRange(v.operands[0]!, depth - 1);
  switch (v.op) {
    case Op.SToF:
    case Op.UToF: {
      const bits = bitsOf(v.operands[0]!.type);
      const high = 2 ** (v.op === Op.UToF ? bits : bits - 1);
      return { low: v.op === Op.UToF ? 0 : -high, high, mayBeNaN: false };
    }
    case Op.FFloor:
    case Op.FCeil:
    case Op.FTrunc:
    case Op.FRint: {
      const { low, high, mayBeNaN } = of();
      return { low: Math.floor(low), high: Math.ceil(high), mayBeNaN };
    }
    case Op.FMin:
    case Op.FMax:
      return limited(v, depth);
    default:
      return ANY;
  }
}

function limited(v: Inst, depth: number): FloatRange {
  const clamp = clampOf(v);
  if (!clamp) return ANY;
  const { number, limit, replacesNaN } = clamp;
  const { low, high, mayBeNaN } = floatRange(number, depth - 1);
  const bound = v.op === Op.FMin ? Math.min : Math.max;
  const ends = [bound(low, limit), bound(high, limit)];
  if (mayBeNaN && replacesNaN) ends.push(limit);
  return { low: Math.min(...ends), high: Math.max(...ends), mayBeNaN: mayBeNaN && !replacesNaN };
}

interface Limit {
  readonly number: Value;
  readonly limit: number;
  /** Whether the limit is the result for a NaN. */
  readonly replacesNaN: boolean;
}

/** A minimum or maximum of a number and a constant. */
export function clampOf(v: Inst): Limit | undefined {
  for (const at of [0, 1]) {
    const limit = Number(constantOf(v.operands[at]!) ?? Number.NaN);
    if (Number.isNaN(limit)) continue;
    return { number: v.operands[1 - at]!, limit, replacesNaN: at === 0 || !v.facts.byComparison };
  }
  return undefined;
}
