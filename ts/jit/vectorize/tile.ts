// SPDX-License-Identifier: MIT
//
// How many work-items go into one tile: lanes along x, rows along y. The choice is a list of rules, of which the first that
// matches decides.
import type { Divergence } from '../analyses/divergence';
import type { EngineFeatures, JitOptions } from '../compiled';
import type { Func } from '../ir/ir';
import { accessesMemory, measureWork, type Work } from './cost';
import { chasesPointers } from './pointer-chasing';
import { type Pressure, registersFor, vectorPressure } from './pressure';
import {
  chainsScatteredLoads,
  followsSeveralRows,
  hasLatencyBoundLoop,
  hasStreamPerItem,
  mostlyDoubles,
  onlyChains,
  onlyStreams,
  REGISTERS,
  roundsInChains,
  sharedRows,
  sharesCounter,
  sharesMuch,
  stridesByRange,
  widthOfNarrowStreams,
  worksOnBytes,
} from './tile-conditions';
import { waitsForOthers } from './waiting-loops';

export interface Tile {
  readonly lanes: number;
  readonly rows: number;
}

export interface Choice extends Tile {
  /** Nanoseconds for one work-item, roughly. */
  readonly costPerItem: number;
  /** Whether the engine is to pair vectors, so that eight lanes of 32 bits are one. */
  readonly wide: boolean;
  readonly reasons: readonly string[];
}

/** The time of a unit of cost. */
const NANOSECONDS = 0.15;
/** The most live vectors for which eight lanes, with two registers for each, still fit sixteen registers well. */
const MOST_VECTORS = 14;
/** The same for loop-carried values, which are live for all lanes at once. */
const MOST_CARRIED = 18;
/** The same where a loop is a chain of 64-bit arithmetic: waiting for a result costs more than reloading a spilled value. */
const MOST_WAITING = 24;
/** The largest part of the work that may be on lanes one by one where the engine pairs vectors, with divergent loops and without. */
const MOST_APART_DIVERGENT = 0.28;
const MOST_APART = 0.48;
/**
 * The most instructions for eight lanes and for four. V8 refuses functions of 7,654,321 bytes and more; an instruction takes
 * some 50 bytes for each four lanes, at most twice as many in kernels seen so far.
 */
const MOST_INSTRUCTIONS = { eight: 30_000, four: 60_000 };
/** The most live vectors for which tiles of two rows hide latencies. */
const FEW_VECTORS = 9;

/** The properties of a kernel that the rules use; each is computed once, on first use. */
class Kernel {
  readonly work: Work;
  readonly instructions: number;
  private knownPressure: Pressure | undefined;

  /** Whether the engine is to pair vectors, so that eight lanes take one register. */
  readonly wide: boolean;

  constructor(
    readonly func: Func,
    readonly divergence: Divergence,
    engine: EngineFeatures,
  ) {
    this.work = measureWork(func, divergence, engine);
    this.instructions = func.blocks.reduce((sum, { insts }) => sum + insts.length, 0);
    this.wide =
      (engine.wide === 'always' || (engine.wide === true && this.pairsWell())) &&
      !chainsScatteredLoads(func, divergence);
  }

  /** Whether little of the work is on lanes one by one: their extraction costs more from wider vectors. */
  private pairsWell(): boolean {
    const { work, divergence } = this;
    const most = divergence.divergentLoops.size > 0 ? MOST_APART_DIVERGENT : MOST_APART;
    return work.apart <= most * work.vector;
  }

  get pressure(): Pressure {
    this.knownPressure ??= vectorPressure(this.func, this.divergence);
    return this.knownPressure;
  }

  /** Whether eight lanes would be too much code. */
  get isLarge(): boolean {
    return this.instructions > MOST_INSTRUCTIONS.eight;
  }

  get isCrowded(): boolean {
    return this.pressure.peak > MOST_VECTORS || registersFor(this.pressure, 8) > MOST_CARRIED;
  }

  /** Whether each work-item reads consecutive memory of its own, and the loop does not wait longer for other loads. */
  get followsRows(): boolean {
    const { func, divergence } = this;
    return hasStreamPerItem(func, divergence) && !chasesPointers(func, divergence);
  }

  /** Whether rows of four lanes share what a loop reads, but rows of eight lanes do not. */
  get sharesRowsOfFour(): boolean {
    return sharedRows(this.divergence, 4) > ONE_ROW && sharedRows(this.divergence, 8) === ONE_ROW;
  }

  /** Whether loops are chains of arithmetic on doubles, in which eight lanes hide the latency of each. */
  get waits(): boolean {
    return (
      mostlyDoubles(this.work) &&
      onlyChains(this.divergence) &&
      registersFor(this.pressure, 8) <= MOST_WAITING
    );
  }

  /** Whether all lanes stay in loops of 64-bit integers, which wait for each other's results too, and registers are free for eight. */
  get hasRoomForWide(): boolean {
    const { work, divergence, pressure } = this;
    return (
      !mostlyDoubles(work) &&
      divergence.flow.allLoops.length > 0 &&
      divergence.divergentLoops.size === 0 &&
      registersFor(pressure, 8) <= REGISTERS
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

/** Why scalars cost less, as far as an author can change it. */
function whyScalar({ divergence, work }: Kernel): string {
  const loops = [...divergence.divergentLoops.keys()];
  if (loops.some(accessesMemory))
    return 'work-items read scattered memory in loops of different lengths, which costs more than vectors gain; let neighbouring work-items access neighbouring elements';
  if (loops.length > 0)
    return 'work-items leave loops in different iterations, which costs more than vectors gain';
  return work.wide > work.narrow && !mostlyDoubles(work)
    ? 'products, divisions and rotations of 64 bits are one instruction of scalars, and many of vectors; 32 bits would be vectors'
    : "accesses to each work-item's own places, and operations that vectors have no instruction for, cost more than vectors gain";
}

/**
 * Rules for the number of lanes that a kernel can fill. The first matching rule decides; otherwise the tile is the usual
 * one.
 */
const FIRST_RULES: readonly Rule[] = [
  {
    tile: { lanes: 1, rows: ONE_ROW },
    when: ({ func, divergence }) => waitsForOthers(func, divergence),
    reason: () =>
      'not vectorized: work-items wait in a loop until others change memory, as for a lock, and neighbours in a vector would wait for each other',
  },
  {
    tile: { lanes: 1, rows: ONE_ROW },
    when: ({ instructions }) => instructions > MOST_INSTRUCTIONS.four,
    reason: ({ instructions }) =>
      `not vectorized: ${instructions} instructions after inlining and unrolling, too many for a function of vectors`,
  },
  {
    tile: { lanes: 1, rows: ONE_ROW },
    when: ({ work }) => work.scalar < work.vector,
    reason: (kernel) => `not vectorized: ${whyScalar(kernel)}`,
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: ({ isLarge }) => isLarge,
    reason: ({ instructions }) =>
      `4 lanes rather than 8: ${instructions} instructions after inlining and unrolling`,
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.wide && !kernel.waits && kernel.isCrowded,
    reason: ({ pressure }) =>
      `4 lanes rather than 8: ${pressure.peak} vectors are alive at once, ${pressure.carried} all through a loop`,
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.waits && kernel.followsRows && kernel.sharesRowsOfFour,
    reason: () =>
      '4 lanes rather than 8: each work-item reads memory of its own, and so few lanes leave registers for several rows',
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: (kernel) => !kernel.waits && kernel.followsRows && followsSeveralRows(kernel.divergence),
    reason: () =>
      '4 lanes rather than 8: each work-item follows several rows, and those of more lanes evict each other from the cache',
  },
  {
    tile: { lanes: 4, rows: ONE_ROW },
    when: ({ waits, hasRoomForWide, work }) =>
      !waits && !work.waitsForLongs && work.wide > work.narrow && !hasRoomForWide,
    reason: () => '4 lanes rather than 8: most values are 64 bits wide',
  },
];

/**
 * Further rules for kernels of one row with the usual tile: more lanes share more work, fewer lanes wait less for each
 * other.
 */
const LANE_RULES: readonly Rule[] = [
  {
    tile: { lanes: 16, rows: ONE_ROW },
    // Caches follow few rows at once.
    when: ({ func, divergence, work, followsRows }) => !followsRows && sharesMuch(func, divergence, work),
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
    tile: { lanes: 32, rows: ONE_ROW },
    when: ({ func, divergence, wide }) => !wide && widthOfNarrowStreams(func, divergence) === 8,
    reason: () => '32 lanes: two vectors of bytes share counting and addressing',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence, wide }) => !wide && widthOfNarrowStreams(func, divergence) === 16,
    reason: () => '16 lanes: two vectors of shorts share counting and addressing',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence, work }) => worksOnBytes(func, divergence, work),
    reason: () => '16 lanes: bytes are computed sixteen to a vector',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence }) => roundsInChains(func, divergence),
    reason: () => '16 lanes: the loop waits for the rounding of each half',
  },
  {
    tile: { lanes: 16, rows: ONE_ROW },
    when: ({ func, divergence, work }) => onlyStreams(func, divergence, work),
    reason: () => '16 lanes: counting and addressing take as long as what the kernel computes',
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

/** The tile and why; options may fix its lanes or rows. */
export function chooseTile(func: Func, divergence: Divergence, options: JitOptions): Choice {
  const kernel = new Kernel(func, divergence, options.engine);
  const { work } = kernel;
  const reasons: string[] = [];
  const tile = tileOf(kernel, options, reasons);
  const perItem = tile.lanes === 1 ? work.scalar : work.vector;
  const leastLanes = options.engine.wide === 'always' || work.wide > work.narrow ? 4 : 8;
  const wide = kernel.wide && tile.lanes >= leastLanes;
  return { ...tile, wide, costPerItem: Math.max(1, (perItem / 4) * NANOSECONDS), reasons };
}

/** First the lanes, then the rows that share what a loop reads, then lanes and rows by what is left to gain. */
function tileOf(kernel: Kernel, options: JitOptions, reasons: string[]): Tile {
  const follow = (rules: readonly Rule[], otherwise: Tile): Tile => {
    const rule = rules.find((r) => r.when(kernel));
    if (rule) reasons.push(rule.reason(kernel));
    return rule?.tile ?? otherwise;
  };
  const isFree = options.lanes === 0;
  const { lanes } = isFree ? follow(FIRST_RULES, USUAL) : options;
  const oneRow: Tile = { lanes, rows: ONE_ROW };
  // Several rows need masks, which code of one lane does not have.
  if (lanes === 1) return oneRow;
  if (options.rows !== 0) return { lanes, rows: Math.max(ONE_ROW, options.rows) };
  const rows = kernel.isLarge ? ONE_ROW : sharedRows(kernel.divergence, lanes);
  if (rows > ONE_ROW) {
    reasons.push(`${rows} rows at once: they share what a loop reads`);
    return { lanes, rows };
  }
  if (lanes !== USUAL.lanes) return oneRow;
  return isFree ? follow([...LANE_RULES, TWO_ROWS], oneRow) : { ...follow([TWO_ROWS], oneRow), lanes };
}
