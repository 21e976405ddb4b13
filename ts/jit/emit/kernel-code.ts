// SPDX-License-Identifier: MIT
//
// What all variants of a kernel's code share: the prepared IR and its analyses.
import type { CollectedArgument, KernelSignature, PrintfFormat } from '../../base/kernel-abi';
import { Divergence } from '../analyses/divergence';
import { layoutPrivateMemory, type PrivateLayout } from '../analyses/private-memory';
import type { EngineFeatures } from '../compiled';
import { isPrologueOp } from '../ir/build';
import type { Block, Func, Inst, Op, Value } from '../ir/ir';
import { hasBarriers, type Regions, regionsOf, splitAtBarriers } from '../regions/split';
import { goesAlongColumns } from '../vectorize/columns';
import { joinNarrowAccesses } from '../vectorize/join-narrow';
import { ownElementStores } from '../vectorize/own-elements';
import { prepare } from '../vectorize/prepare';
import { recordsAsTheyLie } from '../vectorize/records';
import { storeBack } from '../vectorize/store-back';
import { usesSubGroups } from '../vectorize/sub-groups';
import { unrollStreams } from '../vectorize/unroll-streams';
import { unrollTested } from '../vectorize/unroll-tested';
import { widenProducts } from '../vectorize/wide-products';
import { Uses } from './body';
import { LeavingValues } from './leaving';

export interface KernelCode {
  readonly func: Func;
  readonly signature: KernelSignature;
  readonly layout: PrivateLayout;
  readonly divergence: Divergence;
  readonly regions: Regions;
  readonly uses: Uses;
  readonly engine: EngineFeatures;
  readonly printfFormats: PrintfFormat[];
  /** Arguments whose atomics this code does on a copy; none where it does them on the memory itself. */
  readonly collected: readonly CollectedArgument[];
  /** Values that leave divergent loops. */
  readonly escaping: ReadonlySet<Value>;
  /** How they are kept. */
  readonly leaving: LeavingValues;
  /** Stores whose inactive lanes may write back what is there, and where they have read it. */
  readonly ownElements: ReadonlyMap<Inst, Block>;
  /** Whether memory is accessed along columns, so that groups are not to be run row by row. */
  readonly columns: boolean;
  /** Whether work-items see sub-groups: the lanes of a tile are one then. */
  readonly subGroups: boolean;
  /** Operations of the environment that the kernel uses. */
  readonly environment: ReadonlySet<Op>;
  /** The same of a function that the kernel calls. */
  calleeCode(callee: Func): KernelCode;
}

export function analyzeKernel(func: Func, signature: KernelSignature, engine: EngineFeatures): KernelCode {
  prepare(func);
  splitAtBarriers(func);
  const layout = layoutPrivateMemory(func);
  let divergence = new Divergence(func, layout.interleaved);
  if (unrollStreams(func, divergence)) divergence = new Divergence(func, layout.interleaved);
  if (widenProducts(func, divergence)) divergence = new Divergence(func, layout.interleaved);
  return codeOf(func, signature, engine, layout, divergence);
}

/** The same for one work-item at a time: what pays there alone is done to the function. */
export function codeOfOneLane(code: KernelCode): KernelCode {
  const { func, signature, engine, layout } = code;
  if (hasGroups(code) || !unrollTested(func)) return code;
  return codeOf(func, signature, engine, layout, new Divergence(func, layout.interleaved));
}

function codeOf(
  func: Func,
  signature: KernelSignature,
  engine: EngineFeatures,
  layout: PrivateLayout,
  analyzed: Divergence,
): KernelCode {
  const callees = new Map<Func, KernelCode>();
  let divergence = analyzed;
  divergence.asTheyLie = recordsAsTheyLie(func, divergence, (access) => layout.elementBytes.has(access));
  if (joinNarrowAccesses(func, divergence)) {
    const { asTheyLie } = divergence;
    divergence = new Divergence(func, layout.interleaved);
    divergence.asTheyLie = asTheyLie;
  }
  let ownElements = ownElementStores(func, divergence);
  if (storeBack(func, ownElements)) {
    const { asTheyLie } = divergence;
    divergence = new Divergence(func, layout.interleaved);
    divergence.asTheyLie = asTheyLie;
    ownElements = ownElementStores(func, divergence);
  }
  const environment = new Set<Op>();
  for (const block of func.blocks)
    for (const inst of block.insts) if (isPrologueOp(inst.op)) environment.add(inst.op);
  const escaping = escapingValues(func, divergence);
  return {
    func,
    signature,
    layout,
    divergence,
    regions: regionsOf(func),
    uses: new Uses(func),
    engine,
    printfFormats: [],
    columns: goesAlongColumns(func, divergence),
    subGroups: usesSubGroups(func),
    collected: [],
    escaping,
    ownElements,
    leaving: new LeavingValues(escaping, divergence),
    environment,
    calleeCode: (callee) => {
      const code = callees.get(callee) ?? analyzeKernel(callee, signature, engine);
      callees.set(callee, code);
      return code;
    },
  };
}

/** Whether groups are run one by one, region after region. */
export function hasGroups(code: KernelCode): boolean {
  return code.subGroups || hasBarriers(code.func) || code.regions.list.length > 1;
}

function escapingValues(func: Func, divergence: Divergence): Set<Value> {
  const result = new Set<Value>();
  if (divergence.divergentLoops.size === 0) return result;
  for (const block of func.blocks) {
    const visit = (v: Value) => {
      if (divergence.escapes(v, block)) result.add(v);
    };
    for (const inst of block.insts) inst.operands.forEach(visit);
    block.terminator.operands.forEach(visit);
    for (const t of block.targets) t.arguments.forEach(visit);
  }
  return result;
}

/** The index of a printf call's format, the same one in every variant. */
export function printfIndex(code: KernelCode, inst: Inst): number {
  const format = inst.facts.format!;
  const known = code.printfFormats.indexOf(format);
  return known >= 0 ? known : code.printfFormats.push(format) - 1;
}
