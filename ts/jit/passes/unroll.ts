// SPDX-License-Identifier: MIT
//
// Full unrolling of loops whose number of iterations is a small constant, so that their private arrays become values. Those with constant
// contents, which are in the program's memory, become numbers.
import { edge, executions } from '../analyses/trip-counts';
import { addBlock, addParam, Builder, constantOf, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { copyBlocks } from '../ir/copy-blocks';
import { type Block, type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { isPure, mapped } from '../ir/rewrite';
import { bytesOf } from '../ir/types';

const MAX_ITERATIONS = 256;
/** Bytes. */
const WORD = 4;
/**
 * The most instructions after unrolling: without a hint, where bytes become words (vectorize/passes/memory/join-narrow.ts), where private
 * arrays become registers, and with a hint.
 */
const LIMIT = { plain: 96, bytes: 288, arrays: 4096, hinted: 2048 } as const;

/** Whether the function has a loop that `unrollLoops` may copy, if it is small enough. */
export function hasCountedLoops(func: Func): boolean {
  const dominators = dominatorsOf(func);
  const { loops } = dominators;
  const outer = new Set(loops.map((loop) => loop.parent));
  return loops.some((loop) => !outer.has(loop) && executions(loop, dominators, 1) !== undefined);
}

export function unrollLoops(func: Func): boolean {
  const dominators = dominatorsOf(func);
  const { loops } = dominators;
  const outer = new Set(loops.map((loop) => loop.parent));
  const counts = new Map<Loop, number>();
  for (const loop of loops) {
    if (outer.has(loop)) continue;
    const most = mostIterations(loop, () => indexedArrays(loop).size > 0);
    const count = most > 0 ? executions(loop, dominators, most) : undefined;
    if (count !== undefined && count <= most) counts.set(loop, count);
  }
  if (counts.size === 0) return false;
  const memory = arraysInMemory(func, loops, outer, counts);
  for (const [loop, count] of counts) {
    const pays = () => [...indexedArrays(loop)].some((array) => !memory.has(array));
    if (memory.size > 0 && count > mostIterations(loop, pays)) counts.delete(loop);
  }
  if (counts.size === 0) return false;
  demoteLiveOuts(func, counts.keys());
  for (const [loop, count] of counts) replicate(func, loop, count);
  return true;
}

function hintOf(loop: Loop): number | undefined {
  for (const block of [loop.header, ...loop.latches])
    if (block.terminator.facts.unroll !== undefined) return block.terminator.facts.unroll;
  return undefined;
}

/**
 * How many copies of a loop's body are worthwhile; 0 if it should remain a loop.
 * @param makesValues whether they turn private arrays into values
 */
function mostIterations(loop: Loop, makesValues: () => boolean): number {
  const hint = hintOf(loop);
  if (hint === 1) return 0;
  let size = 0;
  for (const block of loop.blocks) size += block.insts.length + 1;
  const limit =
    hint === 0
      ? LIMIT.hinted
      : makesValues()
        ? LIMIT.arrays
        : accessesNarrowInTurn(loop)
          ? LIMIT.bytes
          : LIMIT.plain;
  return Math.min(MAX_ITERATIONS, Math.floor(limit / size));
}

/** Whether a loop reads or writes consecutive bytes or 16-bit elements. */
function accessesNarrowInTurn(loop: Loop): boolean {
  const counts = loop.header.params.filter((param, at) =>
    loop.latches.every((latch) => {
      const next = edge(latch, loop.header)?.[at];
      return (
        next?.kind === 'inst' && next.op === Op.Add && next.operands[0] === param && isOne(next.operands[1]!)
      );
    }),
  );
  if (counts.length === 0) return false;
  const goesOn = (value: Value, scale: number): boolean => {
    if (value.kind === 'param') return scale === 1 && counts.includes(value);
    if (value.op === Op.Add) return value.operands.some((operand) => goesOn(operand, scale));
    return scale === 2 && value.op === Op.Shl && isOne(value.operands[1]!) && goesOn(value.operands[0]!, 1);
  };
  for (const block of loop.blocks)
    for (const inst of block.insts)
      if ((inst.op === Op.Load || inst.op === Op.Store) && inst.facts.space !== 'private') {
        const bytes = bytesOf(inst.op === Op.Load ? inst.type : inst.operands[1]!.type);
        if (bytes < WORD && goesOn(inst.operands[0]!, bytes)) return true;
      }
  return false;
}

const isOne = (value: Value): boolean => Number(constantOf(value)) === 1;

/** Allocations to whose address the loop adds something that is not constant. */
function indexedArrays(loop: Loop): Set<Value> {
  const found = new Set<Value>();
  for (const block of loop.blocks) for (const inst of block.insts) addIndexed(inst, found);
  return found;
}

function addIndexed(inst: Inst, found: Set<Value>): void {
  if (inst.op !== Op.Add) return;
  const [a, b] = inst.operands as [Value, Value];
  if (isAllocation(a) && constantOf(b) === undefined) found.add(a);
  if (isAllocation(b) && constantOf(a) === undefined) found.add(b);
}

const isAllocation = (value: Value): boolean =>
  value.kind === 'inst' &&
  (value.op === Op.PrivateAlloca || (value.op === Op.ProgramBase && value.facts.isPrivateTable === true));

/**
 * Arrays that unrolling cannot promote to values, because a loop that is not unrolled indexes them by varying values, or code
 * outside of loops by values known only at run time.
 */
function arraysInMemory(
  func: Func,
  loops: readonly Loop[],
  outer: ReadonlySet<Loop | undefined>,
  counts: ReadonlyMap<Loop, number>,
): Set<Value> {
  const innermost = new Map<Block, Loop>();
  for (const loop of loops) for (const block of loop.blocks) innermost.set(block, loop);
  const memory = new Set<Value>();
  for (const block of func.blocks) {
    const loop = innermost.get(block);
    // A loop around inner loops may be unrolled after them.
    if (loop && (outer.has(loop) || counts.has(loop))) continue;
    for (const inst of block.insts) {
      if (inst.op !== Op.Add) continue;
      const array = inst.operands.find(isAllocation);
      const index = inst.operands.find((value) => !isAllocation(value));
      if (array && index && isDecidedLate(index, loop)) memory.add(array);
    }
  }
  return memory;
}

/** Whether a value depends on a load, on the work-item, or on a varying value of a loop that is not unrolled. */
function isDecidedLate(value: Value, loop: Loop | undefined): boolean {
  const seen = new Set<Value>();
  const work = [value];
  for (let next = work.pop(); next; next = work.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === 'param') {
      if (loop?.blocks.has(next.block)) return true;
    } else if (next.op !== Op.Const && (next.operands.length === 0 || !isPure(next.op))) return true;
    else work.push(...next.operands);
  }
  return false;
}

/**
 * Demotes live-outs of disjoint loops to private memory, which `mem2reg` promotes again, so that the copies need no repair of
 * SSA form.
 */
function demoteLiveOuts(func: Func, loops: Iterable<Loop>): void {
  const leaves = new Leaves(func);
  const loopOf = new Map<Block, Loop>();
  for (const loop of loops) for (const block of loop.blocks) loopOf.set(block, loop);
  const slots = new Map<Value, Inst>();
  const slotOf = (value: Value): Inst => {
    let slot = slots.get(value);
    if (!slot) {
      const bytes = bytesOf(value.type);
      slot = leaves.alloca(bytes, bytes);
      slots.set(value, slot);
    }
    return slot;
  };
  for (const block of func.blocks) reloadLiveOuts(func, block, loopOf, leaves, slotOf);
  if (slots.size > 0) for (const block of loopOf.keys()) saveLiveOuts(func, block, slots);
}

const slotFacts = (value: Value): InstFacts => ({ space: 'private', align: bytesOf(value.type) });

/** Reloads the values of loops that a block outside of them uses. */
function reloadLiveOuts(
  func: Func,
  block: Block,
  loopOf: ReadonlyMap<Block, Loop>,
  leaves: Leaves,
  slotOf: (value: Value) => Inst,
): void {
  const own = loopOf.get(block);
  const out: Inst[] = [];
  const reload = (value: Value): Value => {
    const from = loopOf.get(value.block);
    if (from === undefined || from === own) return value;
    const type = value.type === Type.I1 ? Type.I8 : value.type;
    const load = makeInst(func, block, Op.Load, type, [slotOf(value)], slotFacts(value));
    out.push(load);
    if (type === value.type) return load;
    const truth = makeInst(func, block, Op.Ne, Type.I1, [load, leaves.constant(Type.I8, 0)]);
    out.push(truth);
    return truth;
  };
  for (const inst of block.insts) {
    inst.operands = mapped(inst.operands, reload);
    out.push(inst);
  }
  block.terminator.operands = mapped(block.terminator.operands, reload);
  for (const target of block.targets) target.arguments = mapped(target.arguments, reload);
  if (out.length > block.insts.length) block.insts = out;
}

/** Stores a loop's live-outs where they are defined. */
function saveLiveOuts(func: Func, block: Block, slots: ReadonlyMap<Value, Inst>): void {
  const out: Inst[] = [];
  const save = (value: Value) => {
    const slot = slots.get(value);
    if (!slot) return;
    let stored = value;
    if (value.type === Type.I1) {
      stored = makeInst(func, block, Op.ZExt, Type.I8, [value]);
      out.push(stored);
    }
    out.push(makeInst(func, block, Op.Store, Type.Void, [slot, stored], slotFacts(value)));
  };
  for (const param of block.params) save(param);
  for (const inst of block.insts) {
    out.push(inst);
    save(inst);
  }
  block.insts = out;
}

/** Chains `count` copies of the loop's blocks, the original first; the last one does not continue. */
function replicate(func: Func, { header, latches, blocks }: Loop, count: number): void {
  const [latch] = latches as [Block];
  const originals = [...blocks];
  const copies = Array.from({ length: count - 1 }, () => copyBlocks(func, originals).blocks);
  const never = addBlock(func);
  for (const param of header.params) addParam(func, never, param.type);
  new Builder(func, never).unreachable();
  const headers = [header, ...copies.map((made) => made.get(header)!), never];
  for (const [k, end] of [latch, ...copies.map((made) => made.get(latch)!)].entries())
    redirect(end, headers[k]!, headers[k + 1]!);
  for (const block of originals.concat(copies.flatMap((made) => [...made.values()]))) forgetHint(block);
}

function forgetHint({ terminator }: Block): void {
  const { unroll, ...facts } = terminator.facts;
  if (unroll !== undefined) terminator.facts = facts;
}

function redirect(from: Block, old: Block, to: Block): void {
  for (const target of from.targets) if (target.block === old) target.block = to;
}
