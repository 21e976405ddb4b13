// SPDX-License-Identifier: MIT
//
// Loops in which each work-item reads or writes its own row, element after element, are unrolled by four: one access per lane and
// element becomes one vector per lane, which is transposed (emit/memory/grouped.ts), or a word of bytes (vectorize/passes/memory/join-narrow.ts). The
// original loop remains for the last elements, of which there is at least one:
//
//     do { body(k) } while (++k < n)     becomes     while (k + 4 < n) { body(k) … body(k + 3); k += 4 }
//                                                    do { body(k) } while (++k < n)
//
// Rows that are followed backwards are unrolled alike.

import { type Divergence, X } from '../../../analyses/divergence';
import { accessedBytes } from '../../../ir/accesses';
import { addBlock, addParam, Leaves, makeInst } from '../../../ir/build';
import { type Loop, reversePostorder } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { patternOf } from '../../access';
import { appendCopies } from './append-copies';
import { type CountedLoop, constantStep, limitOf } from './constant-steps';

const COPIES = 4;
const MOST_INSTRUCTIONS = 32;
/** Bytes of an element. */
const LARGEST = 4;
const LARGEST_STEP = 16;

/** Returns whether it changed the function, which invalidates the analyses. `isOther`: which loops stay as they are. */
export function unrollStreams(func: Func, divergence: Divergence, isOther: (loop: Loop) => boolean): boolean {
  let changed = false;
  for (const loop of divergence.flow.allLoops) {
    const count = loop.blocks.size === 1 ? countOf(func, loop, divergence) : undefined;
    if (!count || !hasStream(loop.header, divergence) || isOther(loop)) continue;
    unroll(func, loop.header, count);
    changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/**
 * The counter of a loop of one block: the loop continues while `param + step` is before the limit, or unequal to it. `includes`:
 * or at the limit.
 */
interface Count {
  readonly at: number;
  readonly step: number;
  readonly limit: Value;
  readonly less: Op.SLt | Op.ULt | undefined;
  readonly includes: boolean;
  /** The only block that enters the loop. */
  readonly front: Block;
}

function countOf(func: Func, { header }: Loop, divergence: Divergence): Count | undefined {
  const { terminator, insts, targets, params } = header;
  if (terminator.op !== Op.Branch || terminator.facts.unroll === 1) return undefined;
  if (insts.length > MOST_INSTRUCTIONS || !insts.every(isRepeatable)) return undefined;
  if (targets[0]!.block !== header || targets[1]!.block === header) return undefined;
  const [test] = terminator.operands as [Value];
  if (test.kind !== 'inst' || test.block !== header || (divergence.dims[test.id]! & X) !== 0)
    return undefined;
  const entries = func.blocks.filter((b) => b !== header && b.targets.some((t) => t.block === header));
  if (entries.length !== 1 || entries[0]!.targets.filter((t) => t.block === header).length !== 1)
    return undefined;
  const strict = limitOf(test);
  const compared = strict ?? limitOf(test, false);
  if (!compared && test.op !== Op.Ne) return undefined;
  const [small, large] = compared ? [compared.count, compared.limit] : (test.operands as [Value, Value]);
  const again = targets[0]!.arguments;
  const isFirst = again.includes(small);
  const [next, limit] = isFirst ? [small, large] : [large, small];
  const at = again.indexOf(next);
  if (at < 0 || limit.type !== Type.I32 || limit.block === header) return undefined;
  const step = constantStep(params[at]!, asLoop(header));
  if (!(Math.abs(step) <= (compared ? LARGEST_STEP : 1)) || step === 0) return undefined;
  // `small < large` holds, or `small >= large`.
  const isForward = isFirst === (strict !== undefined);
  if (compared && isForward !== step > 0) return undefined;
  return {
    at,
    step,
    limit,
    less: compared?.less,
    includes: compared !== undefined && !strict,
    front: entries[0]!,
  };
}

function isRepeatable(inst: Inst): boolean {
  if (inst.op === Op.Load || inst.op === Op.Store)
    return !inst.facts.volatile && inst.facts.space !== 'private' && inst.facts.space !== 'generic';
  return isPure(inst.op);
}

function hasStream(block: Block, divergence: Divergence): boolean {
  return block.insts.some((inst) => {
    if (inst.op !== Op.Load && inst.op !== Op.Store) return false;
    const bytes = accessedBytes(inst);
    if (bytes > LARGEST || Math.abs(constantStep(inst.operands[0]!, asLoop(block))) !== bytes) return false;
    const pattern = patternOf(divergence, inst, block);
    return pattern === 'scattered' || pattern === 'strided';
  });
}

function asLoop(block: Block): CountedLoop {
  return {
    header: block,
    blocks: new Set([block]),
    again: block.targets.find((t) => t.block === block)!.arguments,
  };
}

function unroll(func: Func, loop: Block, { at, step, limit, less, includes, front }: Count): void {
  const leaves = new Leaves(func);
  const counted = asLoop(loop);
  const entry = front.targets.find((t) => t.block === loop)!;
  const before = addBlock(func);
  const fours = addBlock(func);
  const { position } = loop.terminator;
  /** Runs four iterations if at least one remains for the original loop. */
  const decide = (block: Block, values: readonly Value[]): void => {
    const emit = (op: Op, type: Type, operands: Value[]): Inst => {
      const inst = makeInst(func, block, op, type, operands, {}, position);
      block.insts.push(inst);
      return inst;
    };
    const count = values[at]!;
    const [low, high] = step > 0 ? [count, limit] : [limit, count];
    const left = emit(Op.Sub, Type.I32, [high, low]);
    const enough = emit(includes ? Op.UGe : Op.UGt, Type.I1, [left, leaves.i32(COPIES * Math.abs(step))]);
    const test =
      less === undefined ? enough : emit(Op.And, Type.I1, [emit(less, Type.I1, [low, high]), enough]);
    block.terminator = makeInst(func, block, Op.Branch, Type.Void, [test], {}, position);
    block.targets = [new Target(fours, values), new Target(loop, values)];
  };
  decide(before, entry.arguments);
  entry.block = before;
  entry.arguments = [];
  const params = loop.params.map((p) => addParam(func, fours, p.type));
  const values = appendCopies(func, fours, COPIES, loop.insts, counted, params);
  decide(fours, values);
}
