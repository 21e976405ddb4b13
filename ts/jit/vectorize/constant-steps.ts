// SPDX-License-Identifier: MIT
//
// The constant step of an integer in a loop: by how much it grows in each iteration.
import { constantAmount, constantOf } from '../ir/build';
import type { Block } from '../ir/ir';
import { Op, Type, type Value } from '../ir/ir';

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
