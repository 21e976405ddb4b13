// SPDX-License-Identifier: MIT
//
// How many work-items go into one tile: lanes along x, rows along y. Costs are in instructions for four work-items, from
// measurements on x86-64; loops count ten times per level.
import type { Divergence } from '../analyses/divergence';
import { X, Y } from '../analyses/divergence';
import type { JitOptions } from '../compiled';
import { constantOf, isPrologueOp } from '../ir/build';
import type { Loop } from '../ir/cfg';
import { type Func, type Inst, Op, Type } from '../ir/ir';
import { bytesOf, isFloat } from '../ir/types';
import { isOfTriples, laneBase, patternOf } from './access';
import { isOfBytes } from './packing';
import { pointerChasingLoads } from './pointer-chasing';
import { type Pressure, registersFor, vectorPressure } from './pressure';

export interface Tile {
  readonly lanes: number;
  readonly rows: number;
}

export interface Choice extends Tile {
  /** Nanoseconds for one work-item, roughly. */
  readonly costPerItem: number;
  readonly reasons: readonly string[];
}

const LOOP_WEIGHT = 10;
const DEEPEST = 4;
/** The cost per lane of a gather or scatter: extract the address, load, insert the element. */
const GATHERED = 6;
/** The average share of active lanes in loops that work-items leave one by one. */
const UTILIZATION = 0.65;
/** The same in searches, loops that they also leave when they have found something: most vectors continue for one last lane. */
const UTILIZATION_SEARCHING = 0.5;
/** The same for divisions in searches: in scalar code they overlap. */
const UTILIZATION_DIVIDING = 0.35;
const INTEGER_DIVISION = 12;
/**
 * The additional cost of a load that depends on a load of the previous iteration: some hit the second-level cache or the third.
 */
const CHASED = 20;
/**
 * There are twice as many scalar units as vector units. Scalar floats use the vector units, and in a loop of only arithmetic one
 * lane waits for each of its own results.
 */
const SCALAR_OPERATION = 0.5;
const NANOSECONDS = 0.15;
/** The most live vectors for which eight lanes, with two registers for each, still fit sixteen registers well. */
const MOST_VECTORS = 14;
/** The same for loop-carried values, which are live for all lanes at once. */
const MOST_CARRIED = 18;
/** The same where a loop is a chain of 64-bit arithmetic: waiting for a result costs more than reloading a spilled value. */
const MOST_WAITING = 24;
/** The least gain, from values that are computed once for all lanes, for which sixteen lanes are worth their code. */
const LEAST_GAIN = 1.12;
const MOST_CODE = 80;
/** The most operations on wider vectors per operation on bytes for which sixteen lanes pay. */
const MOST_WORDS = 2;
/** Vector registers, without the one that V8 reserves. */
const REGISTERS = 15;
/** The most live vectors for which tiles of two rows hide latencies. */
const FEW_VECTORS = 9;
/**
 * The least element size in bytes of a stream: a cache line holds many smaller elements, so reading many rows of those costs
 * little.
 */
const LEAST_OF_STREAM = 4;
/** A step of this many elements or more leaves the cache lines that a tile has read. */
const LEAST_FAR = 16;
/** Accumulators of a tile of several rows. */
const MOST_ACCUMULATORS = 8;

/** The properties of a kernel that rules use; each is computed once, on its first use. */
class Kernel {
  readonly work: Work;
  private knownPressure: Pressure | undefined;

  constructor(
    readonly func: Func,
    readonly divergence: Divergence,
  ) {
    this.work = measure(func, divergence);
  }

  get pressure(): Pressure {
    this.knownPressure ??= vectorPressure(this.func, this.divergence);
    return this.knownPressure;
  }

  get isCrowded(): boolean {
    return this.pressure.peak > MOST_VECTORS || registersFor(this.pressure, 8) > MOST_CARRIED;
  }

  /** Whether loops are chains of 64-bit arithmetic, in which eight lanes hide what each of them waits for. */
  get waits(): boolean {
    return (
      mostlyDoubles(this.work) &&
      onlyChains(this.divergence) &&
      registersFor(this.pressure, 8) <= MOST_WAITING
    );
  }
}

interface Rule {
  readonly tile: Tile;
  when(kernel: Kernel): boolean;
  reason(kernel: Kernel): string;
}

const ONE_ROW = 1;
const USUAL: Tile = { lanes: 8, rows: ONE_ROW };

/** Rules on how many lanes a kernel can fill. The first matching rule decides; otherwise the tile is the usual one. */
const FIRST_RULES: readonly Rule[] = [
  {
    tile: { lanes: 1, rows: ONE_ROW },
    when: ({ work }) => work.scalar < work.vector,
    reason: () =>
      'not vectorized: work-items read scattered memory in loops of different lengths, which costs more than vectors gain; let neighbouring work-items access neighbouring elements',
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.waits && kernel.isCrowded,
    reason: ({ pressure }) =>
      `4 lanes rather than 8: ${pressure.peak} vectors are alive at once, ${pressure.carried} all through a loop`,
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.waits && hasStreamPerItem(kernel.func, kernel.divergence),
    reason: () =>
      '4 lanes rather than 8: each work-item reads a row of its own, and caches follow few rows at once',
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.waits && kernel.work.wide > kernel.work.narrow,
    reason: () => '4 lanes rather than 8: most values are 64 bits wide',
  },
];

/** Further rules for kernels of one row with the usual tile: more lanes share more, fewer lanes wait for less. */
const LANE_RULES: readonly Rule[] = [
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence, work }) => sharesMuch(func, divergence, work),
    reason: () => '16 lanes: much in the loop is the same for all of them',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence }) => stridesByRange(func, divergence),
    reason: () => '16 lanes: the loop goes on far away, so that all of a cache line is best read at once',
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: ({ func, divergence }) => stridesByRange(func, divergence, true),
    reason: () =>
      '4 lanes: the loop goes on far away and does its atomics lane by lane, so that with more of them the processor waits for one cache line at a time',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence }) => sharesCounter(func, divergence),
    reason: () => '16 lanes: they do one atomic together',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence, work }) => worksOnBytes(func, divergence, work),
    reason: () => '16 lanes: bytes are computed sixteen to a vector',
  },
];

/** As many vectors as eight lanes of one row, for work-items that are closer to each other. */
const TWO_ROWS: Rule = {
  tile: { lanes: 4, rows: 2 },
  when: ({ func, divergence, work, pressure }) =>
    !mostlyDoubles(work) && hasLatencyBoundLoop(func, divergence) && pressure.peak <= FEW_VECTORS,
  reason: () =>
    '4 lanes of 2 rows at once: the loop waits for its own results, and neighbours leave it together',
};

/** Options may fix lanes or rows. Several rows need masks, which code of one lane does not have. */
export function chooseTile(func: Func, divergence: Divergence, options: JitOptions): Choice {
  const kernel = new Kernel(func, divergence);
  const reasons: string[] = [];
  const free = options.lanes === 0;
  const follow = (rules: readonly Rule[], otherwise: Tile): Tile => {
    const rule = rules.find((r) => r.when(kernel));
    if (rule) reasons.push(rule.reason(kernel));
    return rule?.tile ?? otherwise;
  };
  const { lanes } = free ? follow(FIRST_RULES, USUAL) : options;
  let tile: Tile = { lanes, rows: lanes === 1 ? ONE_ROW : Math.max(ONE_ROW, options.rows) };
  if (options.rows === 0 && lanes > 1) {
    tile = { lanes, rows: sharedRows(divergence, lanes) };
    if (tile.rows > 1) reasons.push(`${tile.rows} rows at once: they share what a loop reads`);
    else if (lanes === USUAL.lanes) {
      if (free) tile = follow([...LANE_RULES, TWO_ROWS], tile);
      else tile = { ...follow([TWO_ROWS], tile), lanes };
    }
  }
  const { work } = kernel;
  const perItem = tile.lanes === 1 ? work.scalar : work.vector;
  return { ...tile, costPerItem: Math.max(1, (perItem / 4) * NANOSECONDS), reasons };
}

interface Work {
  vector: number;
  scalar: number;
  wide: number;
  narrow: number;
  /** Of the wide ones, those on doubles. */
  doubles: number;
  /** The cost of operations that are done once for all lanes, and of those done once for each four lanes. */
  shared: number;
  vectors: number;
  /** Operations on vectors, wherever they stand. */
  code: number;
  /** Operations that sixteen lanes do on one vector of bytes. */
  bytes: number;
}

function measure(func: Func, divergence: Divergence): Work {
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
  };
  const chased = pointerChasingLoads(func, divergence);
  const chains = new Set(divergence.flow.allLoops.filter((l) => !accessesMemory(l)));
  for (const block of func.blocks) {
    const loop = divergence.flow.loopOf(block);
    const weight = LOOP_WEIGHT ** Math.min(loop?.depth ?? 0, DEEPEST);
    const searching = isSearch(loop, divergence);
    const used = searching ? UTILIZATION_SEARCHING : isDivergent(loop, divergence) ? UTILIZATION : 1;
    const chain = loop !== undefined && chains.has(loop);
    const gathered = new Set<number>();
    for (const inst of block.insts) {
      if (isPrologueOp(inst.op)) continue;
      const wide = inst.type === Type.I64 || inst.type === Type.F64;
      const vector = Number.isNaN(divergence.stride[inst.id]!) || inst.op === Op.Store;
      if (vector && isOfBytes(block, inst, divergence)) work.bytes += weight;
      if (inst.op === Op.Load || inst.op === Op.Store) {
        const pattern = patternOf(divergence, inst, block);
        const scattered =
          (pattern === 'scattered' || pattern === 'strided') && !isOfTriples(divergence, inst, block);
        // Components of one structure are read together, except for bytes that are not joined to words.
        const accessed = inst.op === Op.Load ? inst : inst.operands[1]!;
        const own = !gathered.has(inst.operands[0]!.id) || bytesOf(accessed.type) < LEAST_OF_STREAM;
        gathered.add(inst.operands[0]!.id);
        work.vector += (weight / used) * (scattered ? (own ? GATHERED : 2) : 1);
        work.scalar += weight * (pattern === 'uniform' ? 2 : 4);
        if (chased.has(inst)) work.scalar += weight * CHASED;
        if (pattern === 'uniform' && inst.op === Op.Load) work.shared += weight;
        else {
          work.vectors += weight;
          work.code++;
        }
        continue;
      }
      const cost = costOf(inst);
      // Divisions of one lane overlap; their vectors are long sequences.
      const active = searching && cost === INTEGER_DIVISION ? UTILIZATION_DIVIDING : used;
      work.vector += (weight / active) * (vector ? cost * (wide ? 2 : 1) : 0.5);
      const waits = chain && isFloat((inst.operands[0] ?? inst).type);
      work.scalar += weight * 4 * cost * (waits ? 1 : SCALAR_OPERATION);
      if (vector) {
        work.vectors += weight * cost;
        work.code++;
      } else work.shared += weight;
      if (vector && inst.type !== Type.I1) work[wide ? 'wide' : 'narrow'] += weight;
      if (vector && inst.type === Type.F64) work.doubles += weight;
    }
  }
  return work;
}

function mostlyDoubles({ doubles, wide, narrow }: Work): boolean {
  return wide > narrow && doubles * 2 > wide;
}

/** Whether there are loops, and the innermost ones do nothing but arithmetic. */
function onlyChains({ flow }: Divergence): boolean {
  const { allLoops } = flow;
  return allLoops.length > 0 && allLoops.every((l) => hasInner(l, allLoops) || !accessesMemory(l));
}

function accessesMemory(loop: Loop): boolean {
  for (const block of loop.blocks)
    if (block.insts.some((i) => i.op >= Op.Load && i.op <= Op.AsyncCopy)) return true;
  return false;
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

function costOf(inst: Inst): number {
  switch (inst.op) {
    case Op.FDiv:
    case Op.FSqrt:
      return 4;
    case Op.SDiv:
    case Op.UDiv:
    case Op.SRem:
    case Op.URem:
      return INTEGER_DIVISION;
    case Op.Fma:
    case Op.FRem:
      return 20;
    case Op.MulAdd:
      return 2;
    default:
      return 1;
  }
}

/**
 * Whether loops compute so much once for all lanes that more lanes pay, and registers are left for them. Only where groups cannot
 * be observed, so that rows of work-items are long.
 */
function sharesMuch(func: Func, divergence: Divergence, work: Work): boolean {
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
 * Whether much of the work is on bytes, so that sixteen lanes share an instruction. Likewise only where groups cannot be
 * observed.
 */
function worksOnBytes(func: Func, divergence: Divergence, work: Work): boolean {
  return (
    work.bytes * MOST_WORDS >= work.vectors &&
    divergence.divergentLoops.size === 0 &&
    !func.blocks.some((b) => b.insts.some(seesGroup))
  );
}

/** Whether all work-items update one counter, which other workers update too (emit/one-address.ts). */
function sharesCounter(func: Func, divergence: Divergence): boolean {
  const insts = func.blocks.flatMap((block) => block.insts);
  return (
    insts.some(
      (i) =>
        i.op === Op.AtomicRmw &&
        i.type === Type.I32 &&
        (i.facts.rmw === 'add' || i.facts.rmw === 'sub') &&
        i.facts.space !== 'local' &&
        i.facts.privatized === undefined &&
        (divergence.dims[i.operands[0]!.id]! & X) === 0,
    ) &&
    !insts.some(seesGroup) &&
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

/**
 * Rows pay where a loop reads memory that rows or columns share, as in a matrix product. The loop must be uniform, and the tile's
 * accumulators must fit the registers.
 */
function sharedRows(divergence: Divergence, lanes: number): number {
  let rows = 1;
  for (const loop of divergence.flow.allLoops) {
    let shared = 0;
    let own = 0;
    let uniform = true;
    for (const block of loop.blocks) {
      if (block.targets.length > 1 && (divergence.dims[block.terminator.operands[0]!.id]! & (X | Y)) !== 0)
        uniform = false;
      for (const inst of block.insts)
        if (inst.op === Op.Load) {
          const dims = divergence.dims[inst.id]! & (X | Y);
          if (dims === X || dims === Y) shared++;
          else if (dims !== 0) own++;
        }
    }
    if (!uniform || shared < 2 || own > 0 || hasInner(loop, divergence.flow.allLoops)) continue;
    const vectors = loop.header.params.filter((p) => Number.isNaN(divergence.stride[p.id]!));
    if (!vectors.some((p) => (divergence.dims[p.id]! & Y) !== 0)) continue;
    const accumulators = vectors.length;
    for (const candidate of [4, 2])
      if (accumulators * candidate * (lanes >> 2) <= MOST_ACCUMULATORS) rows = Math.max(rows, candidate);
  }
  return rows;
}

/**
 * Whether there is a divergent innermost loop without memory accesses: a chain of arithmetic, such as an iteration until
 * convergence.
 */
function hasLatencyBoundLoop(func: Func, divergence: Divergence): boolean {
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

/** Whether a loop reads memory at a distance from lane to lane that is fixed before the loop, as rows of a matrix are. */
function hasStreamPerItem(func: Func, divergence: Divergence): boolean {
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
 * Whether a loop has contiguous accesses and steps such as the ND-range's size. Each cache line is evicted before the next tile
 * reaches it. `atomics`: look at loops with atomics on words.
 */
function stridesByRange(func: Func, divergence: Divergence, atomics = false): boolean {
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
