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
// Loops that test before the body likewise.
import type { Divergence } from '../../analyses/divergence';
import { addBlock, addParam, branchTo, Leaves, makeInst, redirectEntries } from '../../ir/build';
import { type Loop, reversePostorder } from '../../ir/cfg';
import { Block, type Func, type Inst, Op, Target, Type, type Value } from '../../ir/ir';
import { removeDeadCode } from '../../passes/dead-code';
import { patternOf } from '../access';
import { ByteReductions } from './byte-reductions';
import { ByteWords, isRepeatable, WORD } from './byte-words';
import { type CountedLoop, constantStep, limitOf } from './constant-steps';

const ITERATIONS = 4 * WORD;
const MOST_INSTRUCTIONS = 48;

/** Returns whether it changed the function, which invalidates the analyses. */
export function packByteLoops(func: Func, divergence: Divergence): boolean {
  let changed = false;
  for (const loop of divergence.flow.allLoops) {
    const counted = countOf(loop);
    if (counted && readsOwnBytes(counted, divergence) && pack(func, counted)) changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** A loop that continues while the parameter `at`, or that plus one, is less than `limit`, or unequal to it. */
interface ByteLoop {
  readonly counted: CountedLoop & { readonly blocks: ReadonlySet<Block> };
  readonly insts: readonly Inst[];
  readonly at: number;
  readonly limit: Value;
  readonly less: Op.SLt | Op.ULt | undefined;
  /** Where it goes if it ends after the body; undefined if it tests before. */
  readonly exit: Target | undefined;
}

function countOf({ header, blocks }: Loop): ByteLoop | undefined {
  const { terminator, targets, params } = header;
  if (blocks.size > 2 || terminator.op !== Op.Branch || terminator.facts.unroll === 1) return undefined;
  const [inside, exit] = targets as [Target, Target];
  if (!blocks.has(inside.block) || blocks.has(exit.block)) return undefined;
  const isOne = blocks.size === 1;
  const body = inside.block;
  if (!isOne && (body === header || body.params.length > 0 || body.terminator.op !== Op.Jump))
    return undefined;
  const insts = isOne ? header.insts : [...header.insts, ...body.insts];
  if (insts.length > MOST_INSTRUCTIONS || !insts.every(isRepeatable)) return undefined;
  const counted = { header, blocks, again: (isOne ? inside : body.targets[0]!).arguments };
  const [test] = terminator.operands as [Value];
  if (test.kind !== 'inst' || test.block !== header) return undefined;
  const less = limitOf(test);
  if (!less && test.op !== Op.Ne) return undefined;
  const [count, limit] = less ? [less.count, less.limit] : (test.operands as [Value, Value]);
  const at = isOne ? counted.again.indexOf(count) : count.kind === 'param' ? params.indexOf(count) : -1;
  if (at < 0 || limit.type !== Type.I32 || blocks.has(limit.block)) return undefined;
  if (constantStep(params[at]!, counted) !== 1) return undefined;
  return { counted, insts, at, limit, less: less?.less, exit: isOne ? exit : undefined };
}

/** Whether a lane reads bytes that are not beside those of its neighbours. */
function readsOwnBytes({ insts, counted }: ByteLoop, divergence: Divergence): boolean {
  return insts.some((inst) => {
    if (inst.op !== Op.Load || inst.type !== Type.I8) return false;
    if (constantStep(inst.operands[0]!, counted) !== 1) return false;
    const pattern = patternOf(divergence, inst, inst.block);
    return pattern === 'scattered' || pattern === 'strided';
  });
}

/** Returns whether the loop can be packed. */
function pack(func: Func, loop: ByteLoop): boolean {
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
      ? reductions.after(param, again[i]!, values[i]!)
      : words.emit(Op.Add, Type.I32, [values[i]!, leaves.i32(step * ITERATIONS)]);
    if (!after) return false;
    next.push(after);
  }
  if (next.length < 2) return false;
  redirectEntries(func, counted, ahead);
  connect(func, loop, { ahead, enter, packed, values, next }, leaves);
  func.blocks.push(ahead, packed);
  return true;
}

interface Packed {
  readonly ahead: Block;
  readonly enter: readonly Value[];
  readonly packed: Block;
  readonly values: readonly Value[];
  readonly next: readonly Value[];
}

function connect(
  func: Func,
  loop: ByteLoop,
  { ahead, enter, packed, values, next }: Packed,
  leaves: Leaves,
): void {
  const { at, limit, less, exit } = loop;
  const { header } = loop.counted;
  const { position } = header.terminator;
  const emit = (block: Block, op: Op, type: Type, operands: Value[]): Inst => {
    const inst = makeInst(func, block, op, type, operands, {}, position);
    block.insts.push(inst);
    return inst;
  };
  const branch = (block: Block, test: Value, then: Target, otherwise: Target): void => {
    branchTo(func, block, test, [then, otherwise], position);
  };
  /** Where the loop ends if no iteration remains after the packed ones; a loop that tests before its body does that itself. */
  const end = exit && endAfter(func, loop, exit, next);
  const least = leaves.i32(exit && !end ? ITERATIONS + 1 : ITERATIONS);
  const suffice = (block: Block, count: Value): Value =>
    emit(block, Op.UGe, Type.I1, [emit(block, Op.Sub, Type.I32, [limit, count]), least]);
  const first = enter[at]!;
  const enough = suffice(ahead, first);
  const both = less && emit(ahead, Op.And, Type.I1, [emit(ahead, less, Type.I1, [first, limit]), enough]);
  // A single entry to what remains, so that it can be unrolled, too.
  const rest = addBlock(func);
  const params = values.map(({ type }) => addParam(func, rest, type));
  rest.terminator = makeInst(func, rest, Op.Jump, Type.Void, [], {}, position);
  rest.targets = [new Target(header, params)];
  branch(ahead, both ?? enough, new Target(packed, enter), new Target(rest, enter));
  // The count is not beyond the limit any more.
  const again = suffice(packed, next[at]!);
  if (!end) {
    branch(packed, again, new Target(packed, next), new Target(rest, next));
    return;
  }
  const tail = addBlock(func);
  branch(packed, again, new Target(packed, next), new Target(tail));
  const none = emit(tail, Op.Eq, Type.I1, [next[at]!, limit]);
  branch(tail, none, end, new Target(rest, next));
}

/** The exit with the values after the packed iterations; undefined if other values of the loop are used after it. */
function endAfter(
  func: Func,
  { counted }: ByteLoop,
  exit: Target,
  next: readonly Value[],
): Target | undefined {
  const { blocks, again } = counted;
  for (const block of func.blocks) {
    if (blocks.has(block)) continue;
    const used = [...block.insts, block.terminator].flatMap(({ operands }) => operands);
    for (const value of [...used, ...block.targets.flatMap((target) => target.arguments)])
      if (blocks.has(value.block)) return undefined;
  }
  const mapped = exit.arguments.map((value) =>
    blocks.has(value.block) ? next[again.indexOf(value)] : value,
  );
  return mapped.every((value) => value !== undefined) ? new Target(exit.block, mapped) : undefined;
}
