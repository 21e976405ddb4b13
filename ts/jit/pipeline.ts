// SPDX-License-Identifier: MIT
//
// The whole order of the JIT: which passes run one after another, and when decisions are made. `compileKernel` compiles a kernel
// from the front end's IR to WebAssembly.
import type { AccessSummary } from '../base/access-summary';
import type { CheckTable } from '../base/checks';
import type { CounterTable } from '../base/coverage';
import { type KernelBinary, type KernelSignature, subGroupSizeOf } from '../base/kernel-abi';
import { finish, type Steps } from '../base/steps';
import { Analyses } from './analyses/analyses';
import { DIVERGENCE } from './analyses/divergence';
import { costPerItem, launchFacts } from './analyses/launch-facts';
import { PRIVATE_LAYOUT } from './analyses/private-memory';
import type { MemoryNames } from './checks/table';
import type { JitOptions, KernelTrace } from './compiled';
import { emitSteps } from './emit/module';
import { WASM_TARGET } from './emit/target';
import { type Func, type Inst, Op } from './ir/ir';
import { print } from './ir/print';
import { calleesOf } from './ir/rewrite';
import { verify } from './ir/verify';
import { type Pass, type PassContext, passSteps, runPasses } from './pass';
import { annotateMemory } from './passes/annotate-memory';
import { contract } from './passes/contract';
import { removeDeadCode } from './passes/dead-code';
import { doubleByAdding } from './passes/double-by-adding';
import { hoistInvariants } from './passes/hoist-invariants';
import { convertBranches, convertNarrowBranches } from './passes/if-conversion';
import { makeReducible } from './passes/make-reducible';
import { markIndexes } from './passes/mark-indexes';
import { mem2reg } from './passes/mem2reg';
import { markNeverNaN } from './passes/nan-analysis';
import { narrowIntegers } from './passes/narrow-integers';
import { narrowParams } from './passes/narrow-params';
import { privatizeAtomics, privatizedArguments } from './passes/privatize-atomics';
import { rotateLoops } from './passes/rotate-loops';
import { selectExtremes } from './passes/select-extremes';
import { type ConstantMemory, simplify } from './passes/simplify';
import { simplifyCfg } from './passes/simplify-cfg';
import { hasCountedLoops, unrollLoops } from './passes/unroll';
import { numberValues } from './passes/value-numbering';
import { widenHalves } from './passes/widen-halves';
import { cutLongRegions } from './regions/cuts';
import { splitAtBarriers } from './regions/split';
import { accessGroups } from './vectorize/access';
import { BLOCK_SIDE } from './vectorize/column-major';
import { type KernelPlan, planKernel } from './vectorize/kernel-plan';
import { takesManyElements } from './vectorize/many-elements';
import { OWN_ELEMENTS } from './vectorize/own-elements';
import { flattenSwitches } from './vectorize/passes/flatten-switches';
import { joinNarrowAccesses } from './vectorize/passes/join-narrow';
import { threadJumps } from './vectorize/passes/jump-threading';
import { lowerSwitches } from './vectorize/passes/lower-switches';
import { accessInMemoryOrder } from './vectorize/passes/memory-order';
import { narrowArithmetic } from './vectorize/passes/narrow';
import { packByteLoops } from './vectorize/passes/pack-byte-loops';
import { permuteBytes } from './vectorize/passes/permute-bytes';
import { reassociateAddresses } from './vectorize/passes/reassociate-addresses';
import { reduceElements } from './vectorize/passes/reduce-elements';
import { shareQuotients } from './vectorize/passes/share-quotients';
import { shiftProducts } from './vectorize/passes/shifted-products';
import { shortenQuotients } from './vectorize/passes/short-quotients';
import {
  keepOrder,
  orderBlocks,
  singleLatches,
  singleLatchesOfRegions,
} from './vectorize/passes/single-latches';
import { skipElements } from './vectorize/passes/skip-elements';
import { storeBack } from './vectorize/passes/store-back';
import { reduceStrength } from './vectorize/passes/strength-reduction';
import { unrollBytes } from './vectorize/passes/unroll-bytes';
import { unrollStreams } from './vectorize/passes/unroll-streams';
import { unrollTested } from './vectorize/passes/unroll-tested';
import { widenMultiplications } from './vectorize/passes/widening-multiplication';
import { VectorPlan } from './vectorize/plan';
import { printPlan } from './vectorize/print-plan';
import { remarksOn } from './vectorize/remarks';
import { runsByGroups, usesSubGroups } from './vectorize/sub-groups';
import { type Choice, chooseTile, type Tile } from './vectorize/tile';

const seldomUsed = () => require('./seldom') as typeof import('./seldom');

/** The input of the compilation. */
export interface Compilation {
  /** The kernel as the front end created it. Compilation changes it, so it must not be used again. */
  readonly func: Func;
  readonly signature: KernelSignature;
  /** For checked runs. */
  readonly names?: MemoryNames;
  readonly counters?: CounterTable;
  readonly constants?: ConstantMemory;
  readonly options: JitOptions;
  readonly trace?: KernelTrace;
}

/** Compiles a kernel. */
export const compileKernel = (compilation: Compilation): KernelBinary => finish(kernelSteps(compilation));

/** Compiles a kernel in steps: the passes, and what follows them. */
export function* kernelSteps(compilation: Compilation): Steps<KernelBinary> {
  const finishFor = yield* preparationSteps(compilation);
  yield;
  return finishFor(compilation.options);
}

/**
 * Runs the steps that do not depend on the tile, and returns a function for the others, which may be called more than once, for
 * tiles of several lanes, or for one lane: both change the kernel.
 */
export const prepareKernel = (compilation: Compilation): FinishKernel =>
  finish(preparationSteps(compilation));

type FinishKernel = (options: Pick<JitOptions, 'lanes' | 'rows' | 'localSize'>) => KernelBinary;

function* preparationSteps(compilation: Compilation): Steps<FinishKernel> {
  const { func, signature, constants, options, trace = {} } = compilation;
  const { engine, zeroed, mostRegions } = options;
  func.separate = options.separate === true;
  const context: PassContext = {
    signature,
    fuse: engine.relaxedSimd,
    ...(constants && { constants }),
    ...(mostRegions !== undefined && { mostRegions }),
  };

  // 0. Checked runs and robust access: checks or bounds for each access, before any pass moves or removes one.
  const guards = yield* guardSteps(compilation, context, trace);

  // 1. Scalar passes: reduce the operations of one work-item.
  yield* scalarSteps(func, context, trace);
  trace.stage?.('ir', textOf(func));
  const facts = launchFacts(func);
  const privatized = privatizedArguments(func, signature);
  const zeroesLocal = zeroed?.local === true && hasLocalMemory(signature);

  // 2. Preparation: the control flow that vectorization requires, narrow arithmetic, strength reduction of addresses, regions
  //    between barriers. Then vector passes: wider and fewer operations. Functions that are called out of line go through the
  //    same passes, although they run one work-item at a time.
  const analyses = new Analyses(func);
  yield* passSteps([...PREPARE_PASSES, ...VECTOR_PASSES], analyses, context, trace);
  const callees = new Map<Func, KernelPlan>();
  for (const callee of calleesOf(func)) {
    const own = new Analyses(callee);
    yield* passSteps([...PREPARE_PASSES, ...VECTOR_PASSES], own, context, trace);
    callees.set(callee, planKernel(own, { signature, engine, callees }));
  }

  return (tileOptions) => {
    // 3. The tile: how many work-items go into a vector, and how many rows of them into one pass of the code.
    const isChecked = guards.checks !== undefined;
    const tile = chooseTile(func, analyses.get(DIVERGENCE), {
      engine,
      ...tileOptions,
      ...(isChecked ? ONE_ITEM : {}),
      ...groupConstraints(func, signature),
    });
    if (tile.lanes > 1) runPasses(SEVERAL_LANES_PASSES, analyses, context, trace);
    else if (!runsByGroups(func) && !isChecked) runPasses(ONE_LANE_PASSES, analyses, context, trace);
    trace.stage?.('ir-vectorized', textOf(func));

    // 4. The plan: every decision that the emitter follows.
    const plan = planKernel(analyses, { signature, engine, wide: tile.wide, callees, zeroesLocal });
    trace.stage?.('plan', printPlan(new VectorPlan(plan, tile.lanes, tile.rows, WASM_TARGET)));

    // 5. Emission, when a launch requests a module: most launches need one of four.
    return binaryOf(compilation, { plan, tile, facts, privatized, guards });
  };
}

/** What was added to a kernel's accesses. */
interface Guards {
  readonly checks?: CheckTable;
  readonly accesses?: AccessSummary;
}

/** Adds the checks of checked runs, or the bounds of robust access. */
function* guardSteps(
  { func, signature, names, options: { checks, robust, coverage } }: Compilation,
  context: PassContext,
  trace: KernelTrace,
): Steps<Guards> {
  if (checks && names) {
    yield* passSteps(CHECK_PASSES, new Analyses(func), context, trace);
    const { addChecks, summarizeAccesses } = seldomUsed();
    const summarized = summarizeAccesses(func, signature, names, true);
    const accesses = summarized?.summary;
    const countsTraffic = coverage === 'memory';
    const hasPatterns = accesses?.byPattern !== undefined;
    const table = addChecks(func, signature, names, checks, countsTraffic, summarized?.indexes, hasPatterns);
    if (trace.check) verify(func, 'checks');
    return { checks: table, ...(accesses ? { accesses } : {}) };
  }
  if (!robust || checks) return {};
  yield* passSteps(ROBUST_PASSES, new Analyses(func), context, trace);
  const summarized = names && seldomUsed().summarizeAccesses(func, signature, names, false);
  yield* passSteps([CLAMP], new Analyses(func), context, trace);
  return summarized ? { accesses: summarized.summary } : {};
}

interface Planned {
  readonly plan: KernelPlan;
  readonly tile: Choice;
  readonly facts: ReturnType<typeof launchFacts>;
  readonly privatized: ReturnType<typeof privatizedArguments>;
  readonly guards: Guards;
}

/** The kernel as launches see it. */
function binaryOf(
  { signature, counters }: Compilation,
  { plan, tile, facts, privatized, guards }: Planned,
): KernelBinary {
  const isChecked = guards.checks !== undefined;
  const usualSize = isChecked ? CHECKED_SIZE : preferredLocalSize(tile, plan.columnMajor);
  return {
    signature,
    moduleSteps: (kind, atomics = 'shared') =>
      emitSteps(atomics === 'shared' ? plan : { ...plan, privatized }, tile.lanes, tile.rows, kind),
    module(kind, atomics) {
      return finish(this.moduleSteps(kind, atomics));
    },
    privatized,
    lanes: tile.lanes,
    rows: tile.rows,
    localBytes: signature.staticLocalBytes,
    preferredLocalSize: signature.requiredLocalSize ?? usualSize,
    bounded: facts.bounded && !isChecked,
    // Checked groups are alike, if none is smaller than others.
    groupsUnobservable: facts.groupsUnobservable && !isChecked,
    ...(dependsOnSeparate(plan, tile) ? { dependsOnSeparate: true } : {}),
    ...(tile.wide ? { wide: true } : {}),
    costPerItem: costPerItem(facts, tile.lanes),
    printfFormats: plan.printfFormats,
    ...guards,
    ...(counters ? { counters } : {}),
    remarks: () => remarksOn(plan, tile, privatized),
  };
}

/** Runs the scalar passes on a function, and on the functions that it still calls afterwards. */
export const optimize = (func: Func, context: PassContext, trace: KernelTrace = {}): void =>
  finish(scalarSteps(func, context, trace));

function* scalarSteps(func: Func, context: PassContext, trace: KernelTrace): Steps<void> {
  yield* passSteps(SCALAR_PASSES, new Analyses(func), context, trace);
  for (const callee of calleesOf(func)) yield* passSteps(SCALAR_PASSES, new Analyses(callee), context, trace);
}

/** Simplifies a library function that a kernel calls many times (frontend/library-bodies.ts). */
export function simplifyBody(body: Func, context: PassContext, trace: KernelTrace = {}): void {
  runPasses(BODY_PASSES, new Analyses(body), context, trace.check ? { check: true } : {});
}

// --- scalar passes: Func -> Func, one work-item's view ---

const cleanUp: Pass = { name: 'simplify-cfg', run: simplifyCfg };
const registers: Pass = { name: 'mem2reg', run: (func) => mem2reg(func) };
/** Narrowing comes first, so that identities are found at the narrow width. */
const arithmetic: readonly Pass[] = [
  { name: 'narrow-params', run: narrowParams },
  { name: 'narrow-integers', run: narrowIntegers },
  { name: 'simplify', run: (func, { constants }) => simplify(func, constants) },
];
const dead: Pass = { name: 'dead-code', run: removeDeadCode };
const deadButAccesses: Pass = {
  name: 'dead-code',
  run: (func, { signature }) => seldomUsed().removeDeadButAccesses(func, signature),
};
// Address spaces, restrict, unwritten memory: value numbering and hoisting rely on them.
const memory: Pass = {
  name: 'annotate-memory',
  run: (func, { signature }) => annotateMemory(func, signature),
};
const common: Pass = {
  name: 'value-numbering',
  run: (func, { signature }) => numberValues(func, signature),
};
// The copies' conditions fold, and arrays that the counter indexed become values.
const afterCopies: readonly Pass[] = [
  cleanUp,
  registers,
  ...arithmetic,
  cleanUp,
  { ...registers, followedBy: arithmetic },
  dead,
];
/** Inner loops first, then the loops around them, while there is something to unroll. */
function unroll(times: number): Pass {
  const again = times > 1 ? [unroll(times - 1)] : [];
  return { name: 'unroll', run: unrollLoops, followedBy: [...afterCopies, ...again] };
}

/** The form that checks rely on: loops with one header, private variables as values. No pass here replaces undefined values. */
const CHECK_PASSES: readonly Pass[] = [
  deadButAccesses,
  { name: 'make-reducible', run: makeReducible },
  { name: 'mem2reg', run: (func) => mem2reg(func, true) },
  deadButAccesses,
];

/** The source's accesses are clamped once they are simple. */
const ROBUST_PASSES: readonly Pass[] = [
  dead,
  { name: 'make-reducible', run: makeReducible },
  cleanUp,
  registers,
  ...arithmetic,
  cleanUp,
  dead,
];
const CLAMP: Pass = {
  name: 'clamp-accesses',
  run: (func, { signature }) => seldomUsed().clampAccesses(func, signature),
};

export const SCALAR_PASSES: readonly Pass[] = [
  // Unused results of library functions, such as most of a texel: other passes need not see them.
  dead,
  // All later passes rely on loops with one header.
  { name: 'make-reducible', run: makeReducible },
  // Merges the blocks at inlined calls.
  cleanUp,
  // Promotes variables to values, after which most of an unoptimized module's code folds.
  registers,
  ...arithmetic,
  cleanUp,
  dead,
  // Removes redundant code before it is copied; other redundancy is removed below.
  { ...memory, when: hasCountedLoops },
  { ...common, when: hasCountedLoops },
  unroll(3),
  { name: 'rotate-loops', run: rotateLoops, followedBy: [cleanUp] },
  memory,
  common,
  { name: 'if-conversion', run: convertBranches, followedBy: [cleanUp, ...arithmetic] },
  { name: 'widen-halves', run: widenHalves, followedBy: [dead] },
  { name: 'hoist-invariants', run: hoistInvariants },
  ...arithmetic,
  common,
  dead,
  cleanUp,
  { name: 'contract', run: (func, { fuse }) => fuse && contract(func), followedBy: [dead] },
  { name: 'nan-analysis', run: markNeverNaN },
  { name: 'select-extremes', run: selectExtremes, followedBy: [dead] },
  { name: 'double-by-adding', run: doubleByAdding },
  { name: 'privatize-atomics', run: (func, { signature }) => privatizeAtomics(func, signature) },
  { name: 'mark-indexes', run: markIndexes },
];

/** The passes for a library function before its calls copy it: valid for any arguments. */
const BODY_PASSES: readonly Pass[] = [
  cleanUp,
  registers,
  ...arithmetic,
  cleanUp,
  dead,
  common,
  dead,
  cleanUp,
];

// --- preparation: the form that vectorization wants ---

const order: Pass = { name: 'order-blocks', run: orderBlocks };
const oneLatch: readonly Pass[] = [order, { name: 'single-latches', run: singleLatches }, order];
export const PREPARE_PASSES: readonly Pass[] = [
  // Two-way branches only, one latch for each loop that belongs to no inner loop.
  order,
  {
    name: 'flatten-switches',
    run: (func, _, analyses) =>
      func.blocks.some(({ terminator }) => terminator.op === Op.Switch) &&
      flattenSwitches(func, analyses.get(DIVERGENCE)),
    followedBy: [cleanUp, dead],
  },
  { name: 'lower-switches', run: lowerSwitches },
  { name: 'jump-threading', run: threadJumps },
  ...oneLatch,
  // Narrow arithmetic, and strength reduction of addresses.
  { name: 'short-quotients', run: shortenQuotients },
  { name: 'narrow', run: (func, _, analyses) => narrowArithmetic(func, () => analyses.get(DIVERGENCE)) },
  { name: 'if-conversion-narrow', run: convertNarrowBranches, followedBy: [cleanUp, ...oneLatch] },
  { name: 'share-quotients', run: shareQuotients },
  { name: 'reassociate-addresses', run: reassociateAddresses },
  { name: 'strength-reduction', run: reduceStrength },
  dead,
  // A group-wide operation ends its block: regions begin and end with blocks.
  { name: 'split-at-barriers', run: splitAtBarriers },
  // Some loops have another header then.
  {
    name: 'cut-long-regions',
    run: (func, { mostRegions }) => cutLongRegions(func, mostRegions),
    followedBy: [{ name: 'lower-switches', run: lowerSwitches }, ...oneLatch],
  },
  { name: 'single-latches-of-regions', run: singleLatchesOfRegions },
  // From here on, blocks are listed after their dominators.
  { name: 'keep-order', run: keepOrder },
];

// --- vector passes: they use the divergence of values ---

// These passes do not change private memory.
const preserves = [PRIVATE_LAYOUT];
/** Wider and fewer accesses. */
const accesses: readonly Pass[] = [
  {
    name: 'memory-order',
    run: (func, { signature }, analyses) => {
      const { elementBytes } = analyses.get(PRIVATE_LAYOUT);
      return accessInMemoryOrder(func, signature, analyses.get(DIVERGENCE), (access) =>
        elementBytes.has(access),
      );
    },
    preserves: [PRIVATE_LAYOUT, DIVERGENCE],
  },
  {
    name: 'join-narrow',
    run: (func, _, analyses) => joinNarrowAccesses(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  {
    name: 'permute-bytes',
    run: (func, _, analyses) => permuteBytes(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  { name: 'store-back', run: (func, _, analyses) => storeBack(func, analyses.get(OWN_ELEMENTS)), preserves },
];

export const VECTOR_PASSES: readonly Pass[] = [
  {
    name: 'pack-byte-loops',
    run: (func, _, analyses) => packByteLoops(func, analyses.get(DIVERGENCE)),
    preserves,
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves }],
  },
  {
    name: 'unroll-bytes',
    run: (func, _, analyses) => unrollBytes(func, analyses.get(DIVERGENCE)),
    preserves,
    // The copies' conditions on what the iteration before has computed.
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves }],
  },
  {
    name: 'unroll-streams',
    // Not those that one lane runs by many elements: the tile decides.
    run: (func, _, analyses) => {
      const divergence = analyses.get(DIVERGENCE);
      return unrollStreams(func, divergence, (loop) => takesManyElements(func, loop, divergence));
    },
    preserves,
  },
  {
    name: 'widening-multiplication',
    run: (func, _, analyses) => widenMultiplications(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  {
    name: 'shift-products',
    run: (func, _, analyses) => shiftProducts(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  ...accesses,
];

/** Passes that pay only where several work-items run at a time, on what has been left for one. */
export const SEVERAL_LANES_PASSES: readonly Pass[] = [
  {
    name: 'unroll-streams',
    run: (func, _, analyses) => {
      const divergence = analyses.get(DIVERGENCE);
      return unrollStreams(func, divergence, (loop) => !takesManyElements(func, loop, divergence));
    },
    preserves,
    followedBy: accesses,
  },
];

/** Passes that pay only where one work-item runs at a time. */
export const ONE_LANE_PASSES: readonly Pass[] = [
  {
    name: 'skip-elements',
    run: skipElements,
    preserves,
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves }],
  },
  { name: 'reduce-elements', run: reduceElements, preserves },
  { name: 'unroll-tested', run: unrollTested, preserves, followedBy: accesses },
];

// --- decisions about the kernel as a whole ---

/** A checked kernel's tile, unless it uses sub-groups. */
const ONE_ITEM = { lanes: 1, rows: 1 } as const;
/** Checks do more when a group begins than plain code does. */
const CHECKED_SIZE = [256, 4, 1] as const;

function hasLocalMemory({ staticLocalBytes, arguments: args }: KernelSignature): boolean {
  return staticLocalBytes > 0 || args.some(({ kind }) => kind === 'local');
}

/** The constraints of a kernel's group operations on its tiles. */
function groupConstraints(func: Func, signature: KernelSignature): { lanes?: number; rows?: number } {
  if (usesSubGroups(func)) return { lanes: subGroupSizeOf(signature), rows: 1 };
  return func.blocks.some((b) => b.insts.some(isScan)) ? { rows: 1 } : {};
}

/** Scans visit work-items in the order of their linear ids: row by row. */
function isScan(inst: Inst): boolean {
  return inst.op === Op.GroupScanInclusive || inst.op === Op.GroupScanExclusive;
}

/** Whether the code depends on arguments being separate. Accesses are grouped only when code is emitted. */
function dependsOnSeparate({ func, divergence }: KernelPlan, { lanes }: Tile): boolean {
  const maybe = lanes > 1 && func.blocks.some((b) => b.insts.some((i) => i.facts.invariant === 'ifSeparate'));
  if (maybe) for (const block of func.blocks) accessGroups(func, block, divergence, () => true);
  return func.dependsOnSeparate;
}

/** Long rows, so that remainders are rare, and as many rows as a tile has; or square blocks. */
function preferredLocalSize(tile: Tile, columnMajor: boolean): readonly [number, number, number] {
  return columnMajor ? [BLOCK_SIDE, BLOCK_SIDE, 1] : [64, tile.rows, 1];
}

function textOf(func: Func): string {
  return [func, ...calleesOf(func)].map((f) => print(f)).join('\n');
}
