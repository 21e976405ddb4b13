// SPDX-License-Identifier: MIT
//
// Loops in which each work-item reads bytes of its own, one after the other, and only adds up what it computes from them, or takes
// a minimum or the like. Sixteen iterations run at a time while as many remain: a lane reads four words, whose bytes are computed
// together (Op.Bytes), sixteen bytes to a vector:
//
//     do { s += a[k] } while (++k < n)   becomes   if (n - k >= 16) { do { s += sum of 4 words; k += 16 } while (n - k >= 16)
//                                                                     if (k == n) goto end }
//                                                  do { s += a[k] } while (++k < n)
//
// Loops that test before the body likewise. A byte or truth value of the iteration before, such as whether the last letter was one, is in
// the word shifted by a byte.
import type { Divergence } from '../../../analyses/divergence';
import { addParam, Leaves, redirectEntries } from '../../../ir/build';
import { type Loop, reversePostorder } from '../../../ir/cfg';
import { Block, type Func, Op, Type, type Value } from '../../../ir/ir';
import { removeDeadCode } from '../../../passes/dead-code';
import { patternOf } from '../../access';
import { ByteWords, WORD } from '../words/byte-words';
import { ByteReductions } from './byte-reductions';
import { constantStep } from './constant-steps';
import { connectSteps, isShorter, type SteppedLoop, steppedLoopOf } from './stepped-loops';

const ITERATIONS = 4 * WORD;

/** Returns whether it changed the function, which invalidates the analyses. `isWanted`: not all loops that it can pack. */
export function packByteLoops(
  func: Func,
  divergence: Divergence,
  isWanted: (loop: Loop) => boolean = () => true,
): boolean {
  let changed = false;
  for (const loop of divergence.flow.allLoops) {
    const counted = steppedLoopOf(loop);
    if (!counted || isShorter(func, counted, ITERATIONS) || !isWanted(loop)) continue;
    if (readsOwnBytes(counted, divergence) && pack(func, counted)) changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** Whether a lane reads bytes that are not beside those of its neighbours. */
function readsOwnBytes({ insts, counted }: SteppedLoop, divergence: Divergence): boolean {
  return insts.some((inst) => {
    if (inst.op !== Op.Load || inst.type !== Type.I8) return false;
    if (constantStep(inst.operands[0]!, counted) !== 1) return false;
    const pattern = patternOf(divergence, inst, inst.block);
    return pattern === 'scattered' || pattern === 'strided';
  });
}

/** Returns whether the loop can be packed. */
function pack(func: Func, loop: SteppedLoop): boolean {
  const { counted } = loop;
  const { header, again } = counted;
  const leaves = new Leaves(func);
  const [ahead, packed] = [new Block(func.freshId()), new Block(func.freshId())];
  const enter = header.params.map(({ type }) => addParam(func, ahead, type));
  const values = header.params.map(({ type }) => addParam(func, packed, type));
  const words = new ByteWords(func, ahead, packed, counted, leaves, values);
  const reductions = new ByteReductions(words, counted, leaves, ITERATIONS);
  const next: Value[] = [];
  for (const [i, param] of header.params.entries()) {
    const step = param.type === Type.I32 ? constantStep(param, counted) : Number.NaN;
    const after = Number.isNaN(step)
      ? (reductions.after(param, again[i]!, values[i]!) ?? words.after(again[i]!, ITERATIONS / WORD))
      : words.emit(Op.Add, Type.I32, [values[i]!, leaves.i32(step * ITERATIONS)]);
    if (!after) return false;
    next.push(after);
  }
  if (next.length < 2) return false;
  redirectEntries(func, counted, ahead);
  connectSteps(func, loop, { ahead, enter, steps: packed, values, next, iterations: ITERATIONS }, leaves);
  func.blocks.push(ahead, packed);
  return true;
}
