// SPDX-License-Identifier: MIT
//
// Conditions of the rules that choose a tile (tile.ts): what a kernel's loops share, wait for and read.
import { type Divergence, X, Y } from '../analyses/divergence';
import { Uses } from '../analyses/uses';
import { constantOf, isPrologueOp } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { bytesOf } from '../ir/types';
import { laneBase, patternOf } from './access';
import { ByteIndexes } from './byte-indexes';
import { accessesMemory, LEAST_OF_STREAM, type Work } from './cost';
import { packableWidth } from './packing';
import { countCombined } from './passes/words/combine-bytes';
import { registersFor, vectorPressure } from './pressure';

/** The least gain, from values that are computed once for all lanes, for which sixteen lanes are worth their code. */
const LEAST_GAIN = 1.12;
const MOST_CODE = 80;
/** The most operations on vectors of 32 bits per operation on bytes for which sixteen lanes pay, with those on bytes themselves. */
const MOST_WORDS = 2;
/** Vector registers, without the one that V8 reserves. */
export const REGISTERS = 15;
/** The most operations on vectors of a kernel that only streams. */
const MOST_OF_STREAM = 16;
/** Vector registers for the values of a kernel whose values take two each, without those for constants. */
const MOST_OF_PAIRS = 12;
/** A step of this many elements or more leaves the cache lines that a tile has read. */
const LEAST_FAR = 16;
/** Accumulators of a tile of several rows. */
const MOST_ACCUMULATORS = 8;

export function mostlyDoubles({ doubles, wide, narrow }: Work): boolean {
  return wide > narrow && doubles * 2 > wide;
}

/** Whether there are loops, and the innermost ones do nothing but arithmetic. */
export function onlyChains({ flow }: Divergence): boolean {
  const { allLoops } = flow;
  return allLoops.length > 0 && allLoops.every((l) => hasInner(l, allLoops) || !accessesMemory(l));
}

/** Whether all that loops do is arithmetic on halves, each of which waits for the rounding of another, and registers are free. */
export function roundsInChains(func: Func, divergence: Divergence): boolean {
  const { flow } = divergence;
  return (
    divergence.divergentLoops.size === 0 &&
    onlyChains(divergence) &&
    func.blocks.some((b) => flow.loopOf(b) && b.insts.some((i) => i.op === Op.FRoundHalf)) &&
    registersFor(vectorPressure(func, divergence), 16) <= REGISTERS
  );
}

/**
 * Whether loops compute so much once for all lanes that more lanes pay, and enough registers are free. Only if groups cannot be
 * observed, so that rows of work-items are long.
 */
export function sharesMuch(func: Func, divergence: Divergence, work: Work): boolean {
  const gain = (work.shared / 8 + work.vectors / 4) / (work.shared / 16 + work.vectors / 4);
  return (
    divergence.flow.allLoops.length > 0 &&
    divergence.divergentLoops.size === 0 &&
    gain >= LEAST_GAIN &&
    work.code <= MOST_CODE &&
    !func.blocks.some((b) => b.insts.some(seesGroup)) &&
    registersFor(vectorPressure(func, divergence), 16) <= REGISTERS
  );
}

/**
 * Whether much of the work is on bytes, so that sixteen lanes share an instruction. This too only if groups cannot be observed. Bytes of one word
 * that are computed alike are combined to a word in eight lanes.
 */
export function worksOnBytes(func: Func, divergence: Divergence, work: Work): boolean {
  return (
    work.bytes > 0 &&
    work.bytes * MOST_WORDS >= work.vectors - work.halves &&
    divergence.divergentLoops.size === 0 &&
    !func.blocks.some((b) => b.insts.some(seesGroup)) &&
    !combinesBytes(func, divergence)
  );
}

/** Whether most operations on bytes are on bytes of words, and on four of them alike. */
function combinesBytes(func: Func, divergence: Divergence): boolean {
  const operations = func.blocks.reduce((sum, { insts }) => sum + insts.filter(isOnBytes).length, 0);
  return 2 * countCombined(func, divergence, new Uses(func)) > operations;
}

const isOnBytes = ({ op, type, operands }: Inst): boolean =>
  op !== Op.Trunc &&
  op !== Op.Load &&
  op !== Op.Const &&
  (type === Type.I8 || operands[0]?.type === Type.I8) &&
  op !== Op.ZExt;

/**
 * Whether a kernel of one dimension does little more than to read and write neighbouring elements, or to look up bytes. Counting tiles and computing addresses
 * takes as many instructions then as the vectors do. Rows of several dimensions are often too short for the remainder.
 */
export function onlyStreams(func: Func, divergence: Divergence, work: Work): boolean {
  const indexes = new ByteIndexes(divergence);
  return (
    divergence.flow.allLoops.length === 0 &&
    work.vectors <= MOST_OF_STREAM &&
    func.blocks.every((b) => b.targets.length <= 1 || isTestOfIds(b, divergence)) &&
    func.blocks.every((b) => b.insts.every((i) => isStreamed(i, b, divergence) || indexes.of(i))) &&
    func.blocks.some((b) => b.insts.some((i) => i.op === Op.Store)) &&
    // Without a loop each operation is on all lanes before the next one.
    vectorPressure(func, divergence).peak * (16 / 4) <= REGISTERS
  );
}

/** Whether a branch is the same for all lanes, or compares ids, as a guard does. */
function isTestOfIds({ terminator }: Block, { stride }: Divergence): boolean {
  const condition = terminator.operands[0]!;
  return (
    stride[condition.id] === 0 ||
    (condition.kind === 'inst' && condition.operands.every((o) => !Number.isNaN(stride[o.id]!)))
  );
}

/**
 * The width of the widest numbers of a kernel of one dimension that only reads and writes neighbouring bytes or shorts, and computes on
 * nothing else. Two vectors of each share the counting of tiles and the addresses then, as well as tests whether lanes are active. Not
 * where all lanes choose between long paths: of these kernels, some became slower.
 */
export function widthOfNarrowStreams(func: Func, divergence: Divergence): 8 | 16 | undefined {
  if (divergence.flow.allLoops.length > 0) return undefined;
  let widest: 8 | 16 = 8;
  let isStored = false;
  for (const block of func.blocks) {
    if (isUniformBranch(block, divergence)) return undefined;
    if (block.params.some((p) => isVector(p, divergence) && bytesOf(p.type) > 2)) return undefined;
    for (const inst of block.insts) {
      if (!isStreamed(inst, block, divergence)) return undefined;
      if (inst.op === Op.Store) isStored = true;
      else if (!isVector(inst, divergence) || isOfTruthOrIds(inst, divergence)) continue;
      const width = inst.op === Op.Trunc ? narrowed(inst) : packableWidth(block, inst, divergence);
      if (width === undefined) return undefined;
      if (width > widest) widest = width;
    }
  }
  if (!isStored || vectorPressure(func, divergence).peak * 2 > MOST_OF_PAIRS) return undefined;
  return widest;
}

function isUniformBranch({ terminator, targets }: Block, { stride }: Divergence): boolean {
  return targets.length > 1 && stride[terminator.operands[0]!.id] === 0;
}

const isVector = ({ id }: Value, { stride }: Divergence): boolean => Number.isNaN(stride[id]!);

/** Whether an operation combines truth values, or compares ids. */
function isOfTruthOrIds({ type, operands }: Inst, { stride }: Divergence): boolean {
  if (type !== Type.I1) return false;
  return operands.every((o) => o.type === Type.I1) || operands.every((o) => !Number.isNaN(stride[o.id]!));
}

/** The width at which a truncation of a packed number is done. */
function narrowed({ operands, type }: Inst): 16 | undefined {
  return operands[0]!.type === Type.I16 && type === Type.I8 ? 16 : undefined;
}

function isStreamed(inst: Inst, block: Block, divergence: Divergence): boolean {
  if (isPrologueOp(inst.op))
    return !seesGroup(inst) && (inst.op !== Op.GlobalId || inst.facts.dimension === 0);
  if (inst.op !== Op.Load && inst.op !== Op.Store) return isPure(inst.op);
  const pattern = patternOf(divergence, inst, block);
  return inst.facts.memoryOrder === undefined && (pattern === 'contiguous' || pattern === 'uniform');
}

/** Whether all work-items update one counter, which other workers update too (emit/atomics/one-address.ts). */
export function sharesCounter(func: Func, divergence: Divergence): boolean {
  const isSharedCounter = (i: Inst) =>
    i.op === Op.AtomicRmw &&
    i.type === Type.I32 &&
    (i.facts.rmw === 'add' || i.facts.rmw === 'sub') &&
    i.facts.space !== 'local' &&
    i.facts.privatized === undefined &&
    (divergence.dims[i.operands[0]!.id]! & X) === 0;
  return (
    func.blocks.some((b) => b.insts.some(isSharedCounter)) &&
    !func.blocks.some((b) => b.insts.some(seesGroup)) &&
    registersFor(vectorPressure(func, divergence), 16) <= REGISTERS
  );
}

function seesGroup(inst: Inst): boolean {
  return (
    inst.op === Op.LocalId ||
    inst.op === Op.LocalLinearId ||
    inst.op === Op.GroupId ||
    inst.op === Op.LocalBase ||
    (inst.op >= Op.Barrier && inst.op <= Op.SubGroupElect)
  );
}

/** The rows of a tile: the most that an innermost loop can use. */
export function sharedRows(divergence: Divergence, lanes: number): number {
  const { allLoops } = divergence.flow;
  const innermost = allLoops.filter((loop) => !hasInner(loop, allLoops));
  return Math.max(1, ...innermost.map((loop) => rowsOfLoop(loop, divergence, lanes)));
}

/**
 * Rows pay where a loop reads memory that rows or columns share, as in a matrix product. The loop must be uniform, and the tile's
 * accumulators must fit the registers.
 */
function rowsOfLoop(loop: Loop, divergence: Divergence, lanes: number): number {
  const dimsOf = (value: Value) => divergence.dims[value.id]! & (X | Y);
  const blocks = [...loop.blocks];
  const isUniform = blocks.every((b) => b.targets.length <= 1 || dimsOf(b.terminator.operands[0]!) === 0);
  if (!isUniform) return 1;
  const loads = blocks.flatMap((b) => b.insts.filter((i) => i.op === Op.Load)).map(dimsOf);
  if (loads.includes(X | Y) || loads.filter((dims) => dims !== 0).length < 2) return 1;
  const accumulators = loop.header.params.filter((p) => Number.isNaN(divergence.stride[p.id]!));
  if (!accumulators.some((p) => dimsOf(p) & Y)) return 1;
  const vectors = accumulators.length * (lanes >> 2);
  return [4, 2].find((rows) => vectors * rows <= MOST_ACCUMULATORS) ?? 1;
}

/**
 * Whether there is a divergent innermost loop without memory accesses: a chain of arithmetic, such as an iteration until
 * convergence.
 */
export function hasLatencyBoundLoop(func: Func, divergence: Divergence): boolean {
  const loops = divergence.flow.allLoops;
  const byRow = func.entry.insts.some((i) => i.op === Op.GlobalId && i.facts.dimension === 1);
  return (
    byRow &&
    loops.length > 0 &&
    loops.every((loop) => {
      if (hasInner(loop, loops)) return true;
      return divergence.divergentLoops.has(loop) && !accessesMemory(loop);
    })
  );
}

/** Whether a loop reads memory with a stride between lanes that is fixed before the loop, such as the rows of a matrix. */
export function hasStreamPerItem(func: Func, divergence: Divergence): boolean {
  return func.blocks.some(
    (block) =>
      divergence.flow.loopOf(block) !== undefined &&
      block.insts.some(
        (i) =>
          i.op === Op.Load &&
          bytesOf(i.type) >= LEAST_OF_STREAM &&
          laneBase(divergence, i.operands[0]!, block) !== undefined,
      ),
  );
}

/**
 * Whether all innermost loops that access memory follow several rows of each work-item: those of eight lanes are sixteen cache lines or
 * more, which rows of a power of two put into one set of the first-level cache.
 */
export function followsSeveralRows(divergence: Divergence): boolean {
  const { allLoops } = divergence.flow;
  const accessing = allLoops.filter((loop) => !hasInner(loop, allLoops) && accessesMemory(loop));
  return accessing.length > 0 && accessing.every((loop) => rowsFollowed(loop, divergence) > 1);
}

function rowsFollowed({ blocks }: Loop, divergence: Divergence): number {
  const rows = new Set<Value>();
  for (const block of blocks)
    for (const inst of block.insts) {
      if (inst.op !== Op.Load && inst.op !== Op.Store) continue;
      const { type } = inst.op === Op.Load ? inst : inst.operands[1]!;
      const base = laneBase(divergence, inst.operands[0]!, block)?.base;
      if (base && bytesOf(type) >= LEAST_OF_STREAM) rows.add(base);
    }
  return rows.size;
}

/**
 * Whether a loop has contiguous accesses and steps such as the ND-range's size. Each cache line is evicted before the next tile
 * reaches it. `atomics`: consider loops with atomics on words.
 */
export function stridesByRange(func: Func, divergence: Divergence, atomics = false): boolean {
  const { flow } = divergence;
  const far = flow.allLoops.filter((loop) => !hasInner(loop, flow.allLoops) && stepsFar(loop, divergence));
  if (far.length === 0 || registersFor(vectorPressure(func, divergence), 16) > REGISTERS) return false;
  return far.some((loop) => {
    const insts = [...loop.blocks].flatMap((block) => block.insts);
    const lines = insts.filter((i) => i.op === Op.Load && patternOf(divergence, i, i.block) === 'contiguous');
    const words = lines.some((i) => bytesOf(i.type) >= LEAST_OF_STREAM);
    return lines.length > 0 && (words && insts.some((i) => i.op === Op.AtomicRmw)) === atomics;
  });
}

/** Whether a loop carries a divergent index whose step is not a small constant. */
function stepsFar(loop: Loop, divergence: Divergence): boolean {
  if (loop.latches.length !== 1) return false;
  const again = loop.latches[0]!.targets.find((t) => t.block === loop.header)!;
  return loop.header.params.some((p, i) => {
    const next = again.arguments[i]!;
    if (!divergence.stride[p.id] || next.kind !== 'inst' || next.op !== Op.Add) return false;
    const [a, b] = next.operands;
    const by = a === p ? b : b === p ? a : undefined;
    return by !== undefined && (constantOf(by) === undefined || Number(constantOf(by)) >= LEAST_FAR);
  });
}

function hasInner(loop: Loop, loops: readonly Loop[]): boolean {
  return loops.some((l) => l.parent === loop);
}

/**
 * Whether a scattered load's address depends on another one's value, in one block. V8 can pair the last steps of two scattered loads
 * that have nothing to do with each other. It computes the second one's address with the first one then, and aborts if other
 * pairs of scattered loads are among what it needs for it (ADR 39).
 */
export function chainsScatteredLoads(func: Func, divergence: Divergence): boolean {
  return func.blocks.some((block) => {
    const scattered = new Set<number>();
    return block.insts.some((inst) => {
      const depends = inst.operands.some((operand) => scattered.has(operand.id));
      const isScattered = inst.op === Op.Load && isScatteredAccess(divergence, inst, block);
      if (depends || isScattered) scattered.add(inst.id);
      return depends && isScattered;
    });
  });
}

function isScatteredAccess(divergence: Divergence, inst: Inst, block: Block): boolean {
  const pattern = patternOf(divergence, inst, block);
  return pattern === 'scattered' || pattern === 'strided';
}
