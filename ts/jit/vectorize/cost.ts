// SPDX-License-Identifier: MIT
//
// The cost of a kernel's work, as scalars and as vectors, in instructions for four work-items, from measurements on x86-64; loops
// count ten times per level.
import { type Divergence, X } from '../analyses/divergence';
import type { EngineFeatures } from '../compiled';
import { constantAmount, isPrologueOp } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf, isFloat } from '../ir/types';
import { isOfTriples, isScattered, patternOf } from './access';
import { carriedLatency } from './carried-latency';
import { takesManyElements } from './many-elements';
import { packableWidth } from './packing';
import { pointerChasingLoads } from './pointer-chasing';
import { privateCounters } from './private-counters';

const LOOP_WEIGHT = 10;
const DEEPEST = 4;
/** The cost per lane of a gather or scatter: extract the address, load, insert the element. */
const GATHERED = 6;
/** What integers of 64 bits cost more: their words are shuffled apart and back where vectors have the operations for 32 bits only. */
const GATHERED_LONG = 2;
/** The same for each further access from one address. */
const GATHERED_AGAIN = 2;
/**
 * An access to an element of a private array that each work-item chooses, reads and writes, as in a histogram of its own. Two instructions
 * for each lane's address and two for its element are what counts, as the processor has nothing to wait for. One lane has one instruction.
 */
const COUNTER = { vector: 16, scalar: 2 };
/** One whose lanes a permutation takes out of 16 bytes. */
const REPEATED = 2;
/** A product of twice the width is several instructions and shuffles. */
const PRODUCT_APART = 2;
/** The average share of active lanes in loops that work-items leave one by one. */
const UTILIZATION = 0.65;
/**
 * The same in searches, loops that work-items also leave when they have found something: most vectors continue for one last lane.
 */
const UTILIZATION_SEARCHING = 0.5;
/** The same for divisions in searches: in scalar code they overlap. */
const UTILIZATION_DIVIDING = 0.35;
const INTEGER_DIVISION = 12;
/** The instructions for the products of two lanes of 64 bits, and for their rotations. */
const WIDE_PRODUCT = 8;
const WIDE_ROTATION = 3;
/** The upper halves of such products: the instructions of scalars, and what a vector of two lanes takes of that, as measured. */
const WIDE_HIGH_PRODUCT = { scalar: 23, vector: 0.7 };
/** The instructions for counting bits of two lanes of 64 bits, as words of which the vectors that share the work have four. */
const WIDE_BIT_COUNT = 6;
/** The instructions for four floats from unsigned numbers of 32 bits, half of them on scalars too. */
const UNSIGNED_TO_FLOAT = 4;
/** The instructions for shifts of four lanes of 32 bits, each by its own amount. */
const VARYING_SHIFT = 8;
/**
 * What four lanes cost, one after the other, for each cycle from a long operation to that of the next iteration. The processor overlaps half of it
 * with other work-items.
 */
const WAITING = 6.5;
/**
 * The additional cost of a load that depends on a load of the previous iteration: some hit the second-level cache or the third.
 */
const CHASED = 20;
/**
 * There are twice as many scalar units as vector units. Scalar floats use the vector units, and in a loop of only arithmetic one
 * lane waits for each of its own results.
 */
const SCALAR_OPERATION = 0.5;
/**
 * The same for operations on integers of 64 bits, but for products and divisions, as measured: V8 copies operands that are used again, as x64 overwrites
 * one of two.
 */
const SCALAR_LONG_OPERATION = 0.8;
/** What is left of a loop's cost where one lane takes sixteen elements at once (passes/skip-elements.ts, passes/reduce-elements.ts). */
const SKIPPED = 0.25;
/**
 * The least element size in bytes of a stream: a cache line contains many smaller elements, so reading many rows of those costs
 * little.
 */
export const LEAST_OF_STREAM = 4;

/** What vectors have instructions for on 64 bits too. */
const SHORT_ON_LONGS = new Set([Op.Add, Op.Sub, Op.And, Op.Or, Op.Xor, Op.Not, Op.Shl, Op.LShr, Op.Rotl]);

export interface Work {
  vector: number;
  scalar: number;
  wide: number;
  narrow: number;
  /** The wide operations on doubles. */
  doubles: number;
  /** The cost of operations that are executed once for all lanes, and of those executed once for each four lanes. */
  shared: number;
  vectors: number;
  /** All operations on vectors. */
  code: number;
  /** Operations that sixteen lanes do on one vector of bytes. */
  bytes: number;
  /** Operations that eight lanes do on one vector of 16-bit numbers. */
  halves: number;
  /** The cost of what engines do not pair to wider vectors, of `vector`: lanes one by one, and products of twice the width. */
  apart: number;
  /** Whether one lane spends most of a loop waiting for the 64-bit product or quotient of the iteration before. */
  waitsForLongs: boolean;
}

/** Adds up the work of all instructions. */
export function measureWork(func: Func, divergence: Divergence, engine: EngineFeatures): Work {
  const work: Work = {
    vector: 0,
    scalar: 0,
    wide: 0,
    narrow: 0,
    doubles: 0,
    shared: 0,
    vectors: 0,
    code: 0,
    bytes: 0,
    halves: 0,
    apart: 0,
    waitsForLongs: false,
  };
  const chased = pointerChasingLoads(func, divergence);
  const counters = privateCounters(func, divergence);
  const { allLoops, dominators } = divergence.flow;
  const chains = new Set(allLoops.filter((l) => !accessesMemory(l)));
  const skipping = new Set(allLoops.filter((l) => takesManyElements(func, l, divergence)));
  const scalarIn = new Map<Loop | undefined, number>();
  for (const block of func.blocks) {
    const loop = divergence.flow.loopOf(block);
    const isSearching = isSearch(loop, divergence);
    const place: Place = {
      block,
      divergence,
      engine,
      weight: LOOP_WEIGHT ** Math.min(loop?.depth ?? 0, DEEPEST),
      isSearching,
      utilization: isSearching ? UTILIZATION_SEARCHING : isDivergent(loop, divergence) ? UTILIZATION : 1,
      isChain: loop !== undefined && chains.has(loop),
    };
    const accessed = new Set<number>();
    const before = work.scalar;
    for (const inst of block.insts) {
      if (isPrologueOp(inst.op)) continue;
      const packable = isVector(inst, divergence) ? packableWidth(block, inst, divergence) : undefined;
      if (packable) work[packable === 8 ? 'bytes' : 'halves'] += place.weight;
      if (inst.op === Op.Load || inst.op === Op.Store) {
        if (counters.has(inst)) addCounter(work, place);
        else addAccess(work, place, inst, accessed);
        if (chased.has(inst)) work.scalar += place.weight * CHASED;
      } else addOperation(work, place, inst);
    }
    if (loop && skipping.has(loop)) work.scalar -= (work.scalar - before) * (1 - SKIPPED);
    scalarIn.set(loop, (scalarIn.get(loop) ?? 0) + work.scalar - before);
  }
  for (const loop of allLoops) {
    const waiting = WAITING * carriedLatency(loop, dominators) * LOOP_WEIGHT ** Math.min(loop.depth, DEEPEST);
    const more = waiting - scalarIn.get(loop)!;
    if (more <= 0) continue;
    work.scalar += more;
    work.waitsForLongs = true;
  }
  return work;
}

/** The block of an instruction, and the cost of an operation there. */
interface Place {
  readonly block: Block;
  readonly divergence: Divergence;
  readonly engine: EngineFeatures;
  /** The block's executions relative to the kernel's entry. */
  readonly weight: number;
  readonly isSearching: boolean;
  /** The share of active lanes. */
  readonly utilization: number;
  /** Whether the block is in a loop of only arithmetic. */
  readonly isChain: boolean;
}

function isVector(inst: Inst, divergence: Divergence): boolean {
  return Number.isNaN(divergence.stride[inst.id]!) || inst.op === Op.Store;
}

/** `accessed`: the addresses that earlier accesses of the block have used. */
function addAccess(work: Work, place: Place, inst: Inst, accessed: Set<number>): void {
  const { block, divergence, weight, utilization } = place;
  const pattern = patternOf(divergence, inst, block);
  const isScatteredHere = isScattered(pattern) && !isOfTriples(divergence, inst, block);
  // Components of one structure are read together, except for bytes that are not joined to words.
  const { type } = inst.op === Op.Load ? inst : inst.operands[1]!;
  const isFirst = !accessed.has(inst.operands[0]!.id) || bytesOf(type) < LEAST_OF_STREAM;
  accessed.add(inst.operands[0]!.id);
  const isApart = isScatteredHere || pattern === 'structures';
  const cost = isApart
    ? isFirst && isScatteredHere
      ? GATHERED + (type === Type.I64 ? GATHERED_LONG : 0)
      : GATHERED_AGAIN
    : pattern === 'repeated'
      ? REPEATED
      : 1;
  work.vector += (weight / utilization) * cost;
  if (isScatteredHere) work.apart += (weight / utilization) * cost;
  work.scalar += weight * (pattern === 'uniform' ? 2 : 4);
  if (pattern === 'uniform' && inst.op === Op.Load) work.shared += weight;
  else {
    work.vectors += weight;
    work.code++;
  }
}

function addCounter(work: Work, { weight, utilization }: Place): void {
  work.vector += (weight / utilization) * COUNTER.vector;
  work.apart += (weight / utilization) * COUNTER.vector;
  work.scalar += weight * COUNTER.scalar;
  work.vectors += weight;
  work.code++;
}

function addOperation(work: Work, place: Place, inst: Inst): void {
  const { divergence, weight, isSearching, utilization, isChain } = place;
  const vector = isVector(inst, divergence);
  const wide = inst.type === Type.I64 || inst.type === Type.F64;
  const cost = costOf(inst, place.engine);
  // Divisions of one lane overlap; their vectors are long sequences.
  const active = isSearching && cost === INTEGER_DIVISION ? UTILIZATION_DIVIDING : utilization;
  work.vector += (weight / active) * (vector ? cost * (wide ? 2 : 1) * partsOf(inst, divergence) : 0.5);
  if (vector && isApart(inst)) work.apart += (weight / active) * cost * (wide ? 2 : 1) * PRODUCT_APART;
  const waits = isChain && isFloat((inst.operands[0] ?? inst).type);
  work.scalar +=
    weight * 4 * cost * (waits ? 1 : vector && isShortLong(inst) ? SCALAR_LONG_OPERATION : SCALAR_OPERATION);
  if (!vector) {
    work.shared += weight;
    return;
  }
  work.vectors += weight * cost;
  work.code++;
  if (inst.type !== Type.I1) work[wide ? 'wide' : 'narrow'] += weight;
  if (inst.type === Type.F64) work.doubles += weight;
}

/** Whether an operation on 64 bits is one instruction of vectors too, or few. */
function isShortLong({ op, type }: Inst): boolean {
  return type === Type.I64 && SHORT_ON_LONGS.has(op);
}

/** Whether an operation is a sequence with shuffles of products. */
function isApart({ op, type }: Inst): boolean {
  return op === Op.UMulHi || op === Op.SMulHi || (op === Op.Mul && type === Type.I64);
}

/** The instructions of a vector operation on integers, compared with those of scalars. */
function partsOf({ op, type, operands }: Inst, divergence: Divergence): number {
  const isShift = op === Op.Shl || op === Op.LShr || op === Op.AShr || op === Op.Rotl;
  if (isShift && Number.isNaN(divergence.stride[operands[1]!.id]!)) return VARYING_SHIFT;
  if (op === Op.UToF && type === Type.F32 && operands[0]!.type === Type.I32) return UNSIGNED_TO_FLOAT;
  if (type !== Type.I64) return 1;
  if (op === Op.SMulHi || op === Op.UMulHi) return WIDE_HIGH_PRODUCT.vector;
  if (op === Op.PopCount || op === Op.Clz || op === Op.Ctz) return WIDE_BIT_COUNT;
  if (op === Op.Rotl) return isOfBytes(operands[1]!) ? 1 : WIDE_ROTATION;
  return op === Op.Mul ? WIDE_PRODUCT : 1;
}

/** Whether a rotation is a permutation of bytes. */
function isOfBytes(amount: Value): boolean {
  const constant = constantAmount(amount);
  return constant !== undefined && constant % 8 === 0;
}

function isDivergent(loop: Loop | undefined, divergence: Divergence): boolean {
  for (let l = loop; l; l = l.parent) if (divergence.divergentLoops.has(l)) return true;
  return false;
}

/** Whether work-items leave a loop one by one in several ways, such as at its end and by `break`. */
function isSearch(loop: Loop | undefined, divergence: Divergence): boolean {
  if (!loop || !divergence.divergentLoops.has(loop)) return false;
  const exits = [...loop.blocks].filter(
    (block) =>
      block.targets.some((t) => !loop.blocks.has(t.block)) &&
      (divergence.dims[block.terminator.operands[0]?.id ?? -1] ?? 0) & X,
  );
  return exits.length > 1;
}

function costOf(inst: Inst, engine: EngineFeatures): number {
  switch (inst.op) {
    case Op.FDiv:
    case Op.FSqrt:
    case Op.FRoundHalf:
      return 4;
    case Op.SDiv:
    case Op.UDiv:
    case Op.SRem:
    case Op.URem:
      return INTEGER_DIVISION;
    case Op.Fma:
      return engine.fusedMultiplyAdd ? 2 : 20;
    case Op.FRem:
      return 20;
    case Op.MulAdd:
      return 2;
    case Op.SMulHi:
    case Op.UMulHi:
      return inst.type === Type.I64 ? WIDE_HIGH_PRODUCT.scalar : 1;
    default:
      return 1;
  }
}

export function accessesMemory(loop: Loop): boolean {
  for (const block of loop.blocks)
    if (block.insts.some((i) => i.op >= Op.Load && i.op <= Op.AsyncCopy)) return true;
  return false;
}
