// SPDX-License-Identifier: MIT
//
// Loops in which each work-item reads bytes of its own, one after the other, until a limit of its own: a chunk of a text. Four
// iterations run at a time while as many remain, so that a lane reads a word (vectorize/passes/memory/join-narrow.ts) instead of four bytes:
//
//     while (k < n) { body(k); k++ }     becomes     while (k < n && n - k > 3) { body(k) … body(k + 3); k += 4 }
//                                                    while (k < n) { body(k); k++ }
//
// Loops that all work-items leave together are the affair of unroll-streams.ts.
import { type Divergence, X } from '../../../analyses/divergence';
import { addBlock, addParam, branchTo, Leaves, makeInst, redirectEntries } from '../../../ir/build';
import { type Loop, reversePostorder } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { patternOf } from '../../access';
import { appendCopies } from './append-copies';
import { type CountedLoop, constantStep, limitOf } from './constant-steps';

const COPIES = 4;
const MOST_INSTRUCTIONS = 32;

/** Returns whether it changed the function, which invalidates the analyses. */
export function unrollBytes(func: Func, divergence: Divergence): boolean {
  let changed = false;
  for (const loop of divergence.flow.allLoops) {
    const count = countOf(loop, divergence);
    if (!count || !readsOwnBytes(count, divergence)) continue;
    unroll(func, count);
    changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** A loop of two blocks: a header that tests whether the parameter `at`, which grows by one, is less than `limit`, and a body. */
interface ByteLoop {
  readonly header: Block;
  readonly body: Block;
  readonly at: number;
  readonly limit: Value;
  readonly less: Op.SLt | Op.ULt;
  readonly counted: CountedLoop;
}

function countOf({ header, blocks }: Loop, divergence: Divergence): ByteLoop | undefined {
  const { terminator, insts, targets, params } = header;
  if (blocks.size !== 2 || terminator.op !== Op.Branch || terminator.facts.unroll === 1) return undefined;
  const body = targets[0]!.block;
  if (!blocks.has(body) || body.params.length > 0 || body.terminator.op !== Op.Jump) return undefined;
  if (insts.length + body.insts.length > MOST_INSTRUCTIONS) return undefined;
  if (!insts.every(({ op }) => isPure(op)) || !body.insts.every(({ op }) => isPure(op) || op === Op.Load))
    return undefined;
  const [test] = terminator.operands as [Value];
  if (test.kind !== 'inst' || test.block !== header || (divergence.dims[test.id]! & X) === 0)
    return undefined;
  const tested = limitOf(test);
  if (!tested) return undefined;
  const { count, limit, less } = tested;
  if (count.kind !== 'param' || count.type !== Type.I32 || blocks.has(limit.block)) return undefined;
  const at = params.indexOf(count);
  const counted = { header, blocks, again: body.targets[0]!.arguments };
  if (at < 0 || constantStep(count, counted) !== 1) return undefined;
  return { header, body, at, limit, less, counted };
}

/** Whether some loads read one byte after the other in each lane, and all others the same place for all lanes. */
function readsOwnBytes({ body, counted }: ByteLoop, divergence: Divergence): boolean {
  let streams = 0;
  for (const inst of body.insts) {
    if (inst.op !== Op.Load) continue;
    const { volatile, space } = inst.facts;
    if (volatile || space === 'private' || space === 'generic') return false;
    const pattern = patternOf(divergence, inst, body);
    if (pattern !== 'scattered' && pattern !== 'strided') continue;
    if (bytesOf(inst.type) !== 1 || constantStep(inst.operands[0]!, counted) !== 1) return false;
    streams++;
  }
  return streams > 0;
}

function unroll(func: Func, { header, body, at, limit, less, counted }: ByteLoop): void {
  const leaves = new Leaves(func);
  const { position } = header.terminator;
  const test = addBlock(func);
  const fours = addBlock(func);
  redirectEntries(func, counted, test);
  const params = header.params.map(({ type }) => addParam(func, test, type));
  const emit = (op: Op, type: Type, operands: Value[]): Inst => {
    const inst = makeInst(func, test, op, type, operands, {}, position);
    test.insts.push(inst);
    return inst;
  };
  const count = params[at]!;
  const enough = emit(Op.UGt, Type.I1, [emit(Op.Sub, Type.I32, [limit, count]), leaves.i32(COPIES - 1)]);
  const both = emit(Op.And, Type.I1, [emit(less, Type.I1, [count, limit]), enough]);
  branchTo(func, test, both, [new Target(fours), new Target(header, params)], position);

  const values = appendCopies(func, fours, COPIES, [...header.insts, ...body.insts], counted, params);
  fours.terminator = makeInst(func, fours, Op.Jump, Type.Void, [], {}, position);
  fours.targets = [new Target(test, values)];
}
