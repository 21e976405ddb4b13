// SPDX-License-Identifier: MIT
//
// The constant step of an integer in a loop: by how much it grows in each iteration; and the limit that a loop's test compares it with.
import { constantAmount, constantOf } from '../../../ir/build';
import type { Block, Inst } from '../../../ir/ir';
import { Op, Type, type Value } from '../../../ir/ir';

export interface CountedLoop {
  readonly blocks: { has(block: Block): boolean };
  readonly header: Block;
  /** The values of the header's parameters on the back edge. */
  readonly again: readonly Value[];
}

/** The depth to which operations are analysed. */
const DEEPEST = 8;

/** The step of a sum or a shift of header parameters that are counters; 0 for invariants, else NaN. */
export function constantStep(value: Value, loop: CountedLoop, depth = DEEPEST): number {
  if (value.type !== Type.I32) return Number.NaN;
  if (!loop.blocks.has(value.block)) return 0;
  if (depth === 0) return Number.NaN;
  if (value.kind === 'param') {
    const next = value.block === loop.header ? loop.again[value.block.params.indexOf(value)]! : value;
    if (next.kind !== 'inst' || next.op !== Op.Add) return Number.NaN;
    const [a, b] = next.operands as [Value, Value];
    const by = constantOf(a === value ? b : b === value ? a : value);
    return by === undefined ? Number.NaN : Number(by);
  }
  const { op, operands } = value;
  if (op === Op.Add)
    return constantStep(operands[0]!, loop, depth - 1) + constantStep(operands[1]!, loop, depth - 1);
  if (op !== Op.Shl) return Number.NaN;
  return constantStep(operands[0]!, loop, depth - 1) * 2 ** (constantAmount(operands[1]!) ?? Number.NaN);
}

/** That `count` is less than `limit`. */
export interface Limit {
  readonly count: Value;
  readonly limit: Value;
  readonly less: Op.SLt | Op.ULt;
}

const LESS: Partial<Record<Op, readonly [less: Op.SLt | Op.ULt, swapped: boolean, holds: boolean]>> = {
  [Op.SLt]: [Op.SLt, false, true],
  [Op.SGt]: [Op.SLt, true, true],
  [Op.SGe]: [Op.SLt, false, false],
  [Op.SLe]: [Op.SLt, true, false],
  [Op.ULt]: [Op.ULt, false, true],
  [Op.UGt]: [Op.ULt, true, true],
  [Op.UGe]: [Op.ULt, false, false],
  [Op.ULe]: [Op.ULt, true, false],
};

/** What a test says if its value is `holds`; undefined if that is not such a comparison. */
export function limitOf({ op, operands }: Inst, holds = true): Limit | undefined {
  const form = LESS[op];
  if (!form || form[2] !== holds) return undefined;
  const [less, swapped] = form;
  const [a, b] = operands as [Value, Value];
  return swapped ? { count: b, limit: a, less } : { count: a, limit: b, less };
}
