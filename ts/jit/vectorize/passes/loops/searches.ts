// SPDX-License-Identifier: MIT
//
// Loops that only look for an element: they count, and end at a limit or where a condition on elements of memory no longer holds, which is
// the only thing that they compute.
import type { Loop } from '../../../ir/cfg';
import { type Block, type Inst, Op, type Target, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { type CountedLoop, constantStep, type Limit, limitOf } from './constant-steps';

const MOST_BLOCKS = 4;
const MOST_INSTRUCTIONS = 24;

/** The loop continues if `value` is what `holds` says. */
export interface Condition {
  readonly value: Inst;
  readonly holds: boolean;
}

/** A count with a constant step below a limit, or, with a step of one, not at it. */
export interface Bound extends Omit<Limit, 'less'> {
  readonly less: Limit['less'] | undefined;
  readonly step: number;
}

export interface Search {
  readonly counted: CountedLoop & { readonly blocks: ReadonlySet<Block> };
  readonly conditions: readonly Condition[];
  /** It continues only within all of them. */
  readonly limits: readonly Bound[];
}

export function searchOf({ header, blocks }: Loop): Search | undefined {
  if (blocks.size > MOST_BLOCKS) return undefined;
  const tests: Condition[] = [];
  let again: Target | undefined;
  let instructions = 0;
  for (let block = header; !again; ) {
    const { terminator, targets, insts } = block;
    instructions += insts.length;
    if (!insts.every(isRepeatable) || instructions > MOST_INSTRUCTIONS) return undefined;
    const inside = targets.filter((target) => blocks.has(target.block));
    if (inside.length !== 1 || terminator.facts.unroll !== undefined) return undefined;
    if (terminator.op === Op.Branch) {
      const [value] = terminator.operands as [Value];
      if (value.kind !== 'inst' || !blocks.has(value.block)) return undefined;
      tests.push(...partsOf({ value, holds: targets[0] === inside[0] }, blocks));
    } else if (terminator.op !== Op.Jump) return undefined;
    if (inside[0]!.block === header) again = inside[0]!;
    else if (inside[0]!.block.params.length > 0) return undefined;
    block = inside[0]!.block;
  }
  const counted = { header, blocks, again: again.arguments };
  if (!header.params.every((param) => Number.isFinite(constantStep(param, counted)))) return undefined;
  const limits: Bound[] = [];
  const conditions: Condition[] = [];
  for (const test of tests) {
    const limit = boundOf(test, counted);
    if (limit) limits.push(limit);
    else conditions.push(test);
  }
  return conditions.length > 0 ? { counted, conditions, limits } : undefined;
}

/** The conditions of which all must hold, if one condition must. */
function partsOf({ value, holds }: Condition, blocks: ReadonlySet<Block>): Condition[] {
  const { op, operands } = value;
  const all: Value[] = op === (holds ? Op.And : Op.Or) ? [...operands] : [];
  if (all.length === 0 || !all.every((v) => v.kind === 'inst' && blocks.has(v.block)))
    return [{ value, holds }];
  return all.flatMap((part) => partsOf({ value: part as Inst, holds }, blocks));
}

/** Whether iterations may be done together, or not at all if the result is not used. */
function isRepeatable({ op, facts }: Inst): boolean {
  return isPure(op) || (op === Op.Load && !facts.volatile);
}

/** Of a condition that bounds what counts. */
function boundOf({ value, holds }: Condition, loop: Search['counted']): Bound | undefined {
  const bound = limitOf(value, holds);
  if (bound) {
    const step = constantStep(bound.count, loop);
    return step > 0 && !loop.blocks.has(bound.limit.block) ? { ...bound, step } : undefined;
  }
  if (value.op !== (holds ? Op.Ne : Op.Eq) || value.operands[0]!.type !== Type.I32) return undefined;
  for (const [count, limit] of [value.operands, value.operands.toReversed()] as [Value, Value][]) {
    const step = constantStep(count, loop);
    if (step > 0 && !loop.blocks.has(limit.block)) return { count, limit, less: undefined, step };
  }
  return undefined;
}
