// SPDX-License-Identifier: MIT
//
// What all variants of a kernel's code share: the IR after the passes, its analyses, and the decisions that do not depend on the
// tile (vectorize/plan.ts has the others).
import { type CheckImport, checkImportOf, nameOfCheck } from '../../base/checks';
import type { KernelSignature, PrintfFormat, PrivatizedArgument } from '../../base/kernel-abi';
import type { Analyses } from '../analyses/analyses';
import { DIVERGENCE, type Divergence } from '../analyses/divergence';
import { LOOP_LIVE_OUTS, type LoopLiveOuts } from '../analyses/loop-live-outs';
import { PRIVATE_LAYOUT, type PrivateLayout } from '../analyses/private-memory';
import { USES, type Uses } from '../analyses/uses';
import type { EngineFeatures } from '../compiled';
import { isPrologueOp } from '../ir/build';
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { type Regions, regionsOf } from '../regions/regions';
import { isColumnMajor } from './column-major';
import { OWN_ELEMENTS } from './own-elements';
import { NO_SOLE_WRITES, type SoleWrites, soleWrites } from './sole-writes';
import { usesSubGroups } from './sub-groups';

export interface KernelPlan {
  readonly func: Func;
  readonly signature: KernelSignature;
  readonly engine: EngineFeatures;
  /** Whether code has the form that the engine pairs (emit/pairs.ts). */
  readonly wide: boolean;
  readonly divergence: Divergence;
  readonly layout: PrivateLayout;
  readonly uses: Uses;
  readonly liveOuts: LoopLiveOuts;
  readonly regions: Regions;
  /** Stores whose inactive lanes may write back the old contents, and the block that has read these. */
  readonly ownElements: ReadonlyMap<Inst, Block>;
  /** Arguments to which each work-item writes an element of its own, and their stores. */
  readonly soleWrites: SoleWrites;
  /** Whether memory access is column-major, so that groups are two-dimensional blocks instead of rows. */
  readonly columnMajor: boolean;
  /** Whether the kernel uses sub-groups: then the lanes of a tile are one. */
  readonly subGroups: boolean;
  /** Whether groups are run one by one, region after region. */
  readonly byGroups: boolean;
  /** Whether each group's local memory starts as zeros. */
  readonly zeroesLocal: boolean;
  /** Operations of the environment that the kernel uses. */
  readonly environment: ReadonlySet<Op>;
  readonly readsClock: boolean;
  /** The checks that it calls (jit/checks). */
  readonly checkCalls: ReadonlyMap<string, CheckImport>;
  /** The formats of its printf calls, each once. */
  readonly printfFormats: readonly PrintfFormat[];
  /** Arguments whose atomics this code performs on a worker's private copy; empty if it performs them on the memory itself. */
  readonly privatized: readonly PrivatizedArgument[];
  /** The plans of the functions that the kernel calls out of line. */
  readonly callees: ReadonlyMap<Func, KernelPlan>;
}

export interface PlanInputs {
  readonly signature: KernelSignature;
  readonly engine: EngineFeatures;
  readonly wide?: boolean;
  readonly callees: ReadonlyMap<Func, KernelPlan>;
  readonly zeroesLocal?: boolean;
  /** Offset in the dispatch block for the words of sole writes; undefined for functions that are not kernels. */
  readonly soleWritesAt?: number;
}

export function planKernel(
  analyses: Analyses,
  { signature, engine, wide = false, callees, zeroesLocal = false, soleWritesAt }: PlanInputs,
): KernelPlan {
  const { func } = analyses;
  const divergence = analyses.get(DIVERGENCE);
  const ownElements = analyses.get(OWN_ELEMENTS);
  const liveOuts = analyses.get(LOOP_LIVE_OUTS);
  const regions = regionsOf(func);
  const subGroups = usesSubGroups(func);
  return {
    func,
    signature,
    engine,
    wide,
    divergence,
    layout: analyses.get(PRIVATE_LAYOUT),
    uses: analyses.get(USES),
    liveOuts,
    regions,
    ownElements,
    soleWrites:
      soleWritesAt === undefined || subGroups
        ? NO_SOLE_WRITES
        : soleWrites(func, divergence, signature, soleWritesAt),
    columnMajor: isColumnMajor(func, divergence),
    subGroups,
    byGroups: subGroups || zeroesLocal || regions.list.length > 1,
    zeroesLocal,
    environment: environmentOf(func),
    readsClock: func.blocks.some(({ insts }) => insts.some(({ op }) => op === Op.ReadClock)),
    checkCalls: checkCallsOf(func),
    printfFormats: printfFormatsOf(func),
    privatized: [],
    callees,
  };
}

function environmentOf(func: Func): Set<Op> {
  const operations = new Set<Op>();
  for (const block of func.blocks) for (const { op } of block.insts) if (isPrologueOp(op)) operations.add(op);
  return operations;
}

function checkCallsOf(func: Func): Map<string, CheckImport> {
  const calls = new Map<string, CheckImport>();
  for (const block of func.blocks)
    for (const { op, facts } of block.insts) {
      if (op !== Op.Check) continue;
      const made = checkImportOf(facts.check!, facts.site!);
      calls.set(nameOfCheck(made), made);
    }
  return calls;
}

function printfFormatsOf(func: Func): PrintfFormat[] {
  const formats = new Set<PrintfFormat>();
  for (const block of func.blocks)
    for (const { op, facts } of block.insts) if (op === Op.Printf) formats.add(facts.format!);
  return [...formats];
}
