// SPDX-License-Identifier: MIT
//
// The passes of each stage of the JIT (pipeline.ts), in their order, with the reason for the place of each.
import { DIVERGENCE } from './analyses/divergence';
import { PRIVATE_LAYOUT } from './analyses/private-memory';
import { USES } from './analyses/uses';
import { Op } from './ir/ir';
import { loadSeldom } from './load-seldom';
import type { Pass } from './pass';
import { annotateMemory } from './passes/annotate-memory';
import { carryStores } from './passes/carry-stores';
import { contract } from './passes/contract';
import { countBits } from './passes/count-bits';
import { removeDeadCode } from './passes/dead-code';
import { doubleByAdding } from './passes/double-by-adding';
import { hoistInvariants } from './passes/hoist-invariants';
import { convertBranches, convertNarrowBranches } from './passes/if-conversion';
import { makeReducible } from './passes/make-reducible';
import { markIndexes } from './passes/mark-indexes';
import { mem2reg } from './passes/mem2reg';
import { MemoryRoots } from './passes/memory-roots';
import { markNeverNaN } from './passes/nan-analysis';
import { narrowIntegers } from './passes/narrow-integers';
import { narrowParams } from './passes/narrow-params';
import { privatizeAtomics } from './passes/privatize-atomics';
import { promoteAccumulators } from './passes/promote-accumulators';
import { returnEarly } from './passes/return-early';
import { rotateLoops } from './passes/rotate-loops';
import { selectExtremes } from './passes/select-extremes';
import { simplify } from './passes/simplify';
import { simplifyCfg } from './passes/simplify-cfg';
import { splitWindows } from './passes/split-windows';
import { hasCountedLoops, unrollLoops } from './passes/unroll';
import { numberValues } from './passes/value-numbering';
import { widenHalves } from './passes/widen-halves';
import { cutLongRegions } from './regions/cuts';
import { hasBarriers, splitAtBarriers } from './regions/split';
import { multipliesManyElements, takesManyElements } from './vectorize/many-elements';
import { OWN_ELEMENTS } from './vectorize/own-elements';
import { factorSelects } from './vectorize/passes/control/factor-selects';
import { flattenSwitches } from './vectorize/passes/control/flatten-switches';
import { threadJumps } from './vectorize/passes/control/jump-threading';
import { lowerSwitches } from './vectorize/passes/control/lower-switches';
import { sumIntervals } from './vectorize/passes/control/sum-intervals';
import { interchange } from './vectorize/passes/loops/interchange';
import { packByteLoops } from './vectorize/passes/loops/pack-byte-loops';
import { reduceElements } from './vectorize/passes/loops/reduce-elements';
import { selectLoads } from './vectorize/passes/loops/select-loads';
import { shapeByteLoops } from './vectorize/passes/loops/shape-byte-loops';
import {
  keepOrder,
  orderBlocks,
  singleLatches,
  singleLatchesOfRegions,
} from './vectorize/passes/loops/single-latches';
import { skipElements } from './vectorize/passes/loops/skip-elements';
import { splitLoopsAtIds } from './vectorize/passes/loops/split-loops-at-ids';
import { reduceStrength } from './vectorize/passes/loops/strength-reduction';
import { unrollBytes } from './vectorize/passes/loops/unroll-bytes';
import { unrollStreams } from './vectorize/passes/loops/unroll-streams';
import { unrollTested } from './vectorize/passes/loops/unroll-tested';
import { indexByBytes } from './vectorize/passes/memory/index-by-bytes';
import { joinNarrowAccesses } from './vectorize/passes/memory/join-narrow';
import { reassociateAddresses } from './vectorize/passes/memory/reassociate-addresses';
import { repeatLoads } from './vectorize/passes/memory/repeat-loads';
import { storeBack } from './vectorize/passes/memory/store-back';
import { completeVectors } from './vectorize/passes/memory-order/complete-vectors';
import { accessInMemoryOrder } from './vectorize/passes/memory-order/memory-order';
import { compareExtended } from './vectorize/passes/narrow/compare-extended';
import { narrowArithmetic } from './vectorize/passes/narrow/narrow';
import { truncateLongs } from './vectorize/passes/narrow/truncated-longs';
import { pairProducts } from './vectorize/passes/products/pair-products';
import { shiftProducts } from './vectorize/passes/products/shifted-products';
import { widenMultiplications } from './vectorize/passes/products/widening-multiplication';
import { multiplyByReciprocals } from './vectorize/passes/quotients/multiply-by-reciprocals';
import { shareQuotients } from './vectorize/passes/quotients/share-quotients';
import { shortenQuotients } from './vectorize/passes/quotients/short-quotients';
import { splitAtQuotients } from './vectorize/passes/quotients/split-at-quotients';
import { combineBytes } from './vectorize/passes/words/combine-bytes';
import { countWords } from './vectorize/passes/words/count-words';
import { moveFieldsAtAmounts } from './vectorize/passes/words/fields-at-amounts';
import { lookUpConstants } from './vectorize/passes/words/look-up-constants';
import { mergeShifts } from './vectorize/passes/words/merge-shifts';
import { permuteBytes } from './vectorize/passes/words/permute-bytes';
import { splitWords } from './vectorize/passes/words/split-words';
import { sumBytes } from './vectorize/passes/words/sum-bytes';
import { tabulateBits } from './vectorize/passes/words/tabulate-bits';
import { keepWordsWhole } from './vectorize/passes/words/whole-words';

// --- scalar passes: Func -> Func, one work-item's view ---

const cleanUp: Pass = { name: 'simplify-cfg', run: simplifyCfg };
const registers: Pass = { name: 'mem2reg', needs: [Op.PrivateAlloca], run: (func) => mem2reg(func) };
/** Narrowing comes first, so that identities are found at the narrow width. */
const arithmetic: readonly Pass[] = [
  { name: 'narrow-params', needs: [Op.Trunc], run: narrowParams },
  { name: 'narrow-integers', needs: [Op.Trunc], run: narrowIntegers },
  { name: 'simplify', run: (func, { constants }) => simplify(func, constants) },
];
const dead: Pass = { name: 'dead-code', run: removeDeadCode };
const deadButAccesses: Pass = {
  name: 'dead-code',
  run: (func, { signature }) => loadSeldom().removeDeadButAccesses(func, signature),
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
const hoist: Pass = { name: 'hoist-invariants', run: hoistInvariants };
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
export const CHECK_PASSES: readonly Pass[] = [
  deadButAccesses,
  { name: 'make-reducible', run: makeReducible },
  { name: 'mem2reg', run: (func) => mem2reg(func, true) },
  deadButAccesses,
];

/** The source's accesses are clamped once they are simple. */
export const ROBUST_PASSES: readonly Pass[] = [
  dead,
  { name: 'make-reducible', run: makeReducible },
  cleanUp,
  registers,
  ...arithmetic,
  cleanUp,
  dead,
];
export const CLAMP_PASSES: readonly Pass[] = [
  {
    name: 'clamp-accesses',
    run: (func, { signature }) => loadSeldom().clampAccesses(func, signature),
  },
];

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
  // Before loops are copied or rotated.
  { name: 'count-bits', needs: [Op.And], run: countBits, followedBy: [cleanUp] },
  // Windows of a constant size are unrolled then.
  { name: 'split-windows', needs: [Op.SMin, Op.SMax], run: splitWindows, followedBy: [dead] },
  // Removes redundant code before it is copied; other redundancy is removed below.
  { ...memory, when: hasCountedLoops },
  { ...common, when: hasCountedLoops },
  unroll(3),
  { name: 'rotate-loops', run: rotateLoops, followedBy: [cleanUp] },
  memory,
  common,
  { name: 'if-conversion', needs: [Op.Branch], run: convertBranches, followedBy: [cleanUp, ...arithmetic] },
  { name: 'widen-halves', needs: [Op.FConvert], run: widenHalves, followedBy: [dead] },
  hoist,
  ...arithmetic,
  common,
  // Addresses are invariant, and equal ones are one value.
  {
    name: 'promote-accumulators',
    needs: [Op.Store],
    run: (func, { signature }) => promoteAccumulators(func, () => new MemoryRoots(func, signature)),
    followedBy: [registers, hoist, ...arithmetic, common],
  },
  {
    name: 'carry-stores',
    needs: [Op.Store],
    run: (func, { signature }) => carryStores(func, () => new MemoryRoots(func, signature)),
    followedBy: [...arithmetic, common],
  },
  dead,
  cleanUp,
  {
    name: 'contract',
    needs: [Op.FAdd, Op.FSub],
    run: (func, { fuse }) => fuse && contract(func),
    followedBy: [dead],
  },
  { name: 'nan-analysis', needs: [Op.FMin, Op.FMax], run: markNeverNaN },
  { name: 'select-extremes', needs: [Op.Select], run: selectExtremes, followedBy: [dead] },
  { name: 'double-by-adding', needs: [Op.FMul], run: doubleByAdding },
  {
    name: 'privatize-atomics',
    needs: [Op.AtomicRmw],
    run: (func, { signature }) => privatizeAtomics(func, signature),
  },
  { name: 'mark-indexes', run: markIndexes },
];

/** The passes for a library function before its calls copy it: valid for any arguments. */
export const BODY_PASSES: readonly Pass[] = [
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
const branches: Pass = { name: 'lower-switches', needs: [Op.Switch], run: lowerSwitches };
/** Those of work-groups, and of sub-groups with them. */
const GROUP_OPERATIONS: readonly Op[] = [
  Op.Barrier,
  Op.GroupAll,
  Op.GroupAny,
  Op.GroupBroadcast,
  Op.GroupReduce,
  Op.GroupScanInclusive,
  Op.GroupScanExclusive,
];
const oneLatch: readonly Pass[] = [order, { name: 'single-latches', run: singleLatches }, order];
/** Before all others that depend on which work-items are lanes. */
export const RANGE_PASSES: readonly Pass[] = [
  { name: 'interchange', needs: [Op.GlobalId], run: interchange },
];

export const PREPARE_PASSES: readonly Pass[] = [
  // Two-way branches only, one latch for each loop that belongs to no inner loop.
  order,
  {
    name: 'flatten-switches',
    needs: [Op.Switch],
    run: (func, _, analyses) => flattenSwitches(func, analyses.get(DIVERGENCE)),
    followedBy: [cleanUp, dead],
  },
  branches,
  { name: 'jump-threading', needs: [Op.Branch], run: threadJumps },
  { name: 'return-early', needs: [Op.Branch], run: returnEarly, followedBy: [cleanUp] },
  ...oneLatch,
  {
    name: 'look-up-constants',
    needs: [Op.ProgramBase],
    run: (func, { constants }, analyses) =>
      lookUpConstants(func, analyses.get(DIVERGENCE), constants, 'bytes'),
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants) }],
  },
  // Narrow arithmetic, and strength reduction of addresses.
  {
    name: 'compare-extended',
    needs: [Op.ZExt],
    run: (func, _, analyses) => compareExtended(func, () => analyses.get(DIVERGENCE)),
  },
  {
    name: 'short-quotients',
    needs: [Op.UMulHi, Op.SMulHi],
    run: (func, _, analyses) => shortenQuotients(func, () => analyses.get(DIVERGENCE)),
  },
  { name: 'narrow', run: (func, _, analyses) => narrowArithmetic(func, () => analyses.get(DIVERGENCE)) },
  {
    name: 'if-conversion-narrow',
    needs: [Op.Branch],
    run: convertNarrowBranches,
    followedBy: [cleanUp, ...oneLatch],
  },
  { name: 'share-quotients', needs: [Op.SRem, Op.URem], run: shareQuotients },
  { name: 'reassociate-addresses', run: reassociateAddresses },
  { name: 'strength-reduction', run: reduceStrength },
  dead,
  // A group-wide operation ends its block: regions begin and end with blocks.
  { name: 'split-at-barriers', needs: GROUP_OPERATIONS, run: splitAtBarriers },
  // Some loops have another header then.
  {
    name: 'cut-long-regions',
    needs: GROUP_OPERATIONS,
    run: (func, { mostRegions }) => cutLongRegions(func, mostRegions),
    followedBy: [branches, ...oneLatch],
  },
  { name: 'single-latches-of-regions', needs: GROUP_OPERATIONS, run: singleLatchesOfRegions },
  // From here on, blocks are listed after their dominators.
  { name: 'keep-order', run: keepOrder },
];

// --- vector passes: they use the divergence of values ---

// These passes do not change private memory.
const preserves = [PRIVATE_LAYOUT];
/** Wider and fewer accesses. */
const accesses: readonly Pass[] = [
  {
    name: 'complete-vectors',
    needs: [Op.Store],
    run: (func, { signature, lanes = 8 }, analyses) =>
      lanes > 1 && completeVectors(func, signature, analyses.get(DIVERGENCE), () => analyses.get(USES)),
    preserves,
  },
  {
    name: 'memory-order',
    run: (func, { signature }, analyses) => {
      const { elementBytes } = analyses.get(PRIVATE_LAYOUT);
      return accessInMemoryOrder(func, signature, analyses.get(DIVERGENCE), (access) =>
        elementBytes.has(access),
      );
    },
    preserves,
  },
  {
    name: 'join-narrow',
    run: (func, _, analyses) => joinNarrowAccesses(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  { name: 'whole-words', needs: [Op.Or], run: keepWordsWhole, preserves },
  // It also takes what moves whole bytes, where other bits move as well.
  {
    name: 'tabulate-bits',
    needs: [Op.Shl, Op.LShr, Op.Mul],
    run: (func, _, analyses) => tabulateBits(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'permute-bytes',
    needs: [Op.Shl, Op.LShr, Op.Rotl, Op.And, Op.ZExt, Op.Trunc],
    run: (func, _, analyses) => permuteBytes(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  { name: 'store-back', run: (func, _, analyses) => storeBack(func, analyses.get(OWN_ELEMENTS)), preserves },
];

export const VECTOR_PASSES: readonly Pass[] = [
  {
    name: 'shape-byte-loops',
    run: (func, _, analyses) => shapeByteLoops(func, analyses.get(DIVERGENCE)),
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants) }],
  },
  {
    name: 'pack-byte-loops',
    // Not those that one lane runs by many elements: the tile decides.
    run: (func, _, analyses) => {
      const divergence = analyses.get(DIVERGENCE);
      return packByteLoops(func, divergence, (loop) => !multipliesManyElements(func, loop, divergence));
    },
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
    needs: [Op.Mul],
    run: (func, _, analyses) => widenMultiplications(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  {
    name: 'truncated-longs',
    needs: [Op.Trunc],
    run: (func, _, analyses) => truncateLongs(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'shift-products',
    needs: [Op.Mul],
    run: (func, _, analyses) => shiftProducts(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  ...accesses,
];

/** Passes that pay only where several work-items run at a time, on what has been left for one. */
export const SEVERAL_LANES_PASSES: readonly Pass[] = [
  {
    name: 'look-up-words',
    needs: [Op.ProgramBase],
    run: (func, { constants }, analyses) =>
      lookUpConstants(func, analyses.get(DIVERGENCE), constants, 'words'),
    preserves,
  },
  {
    name: 'split-at-quotients',
    needs: [Op.SDiv, Op.UDiv, Op.SRem, Op.URem, Op.LShr, Op.AShr, Op.And, Op.UMulHi],
    // Not blocks between which regions end.
    when: (func) => !hasBarriers(func),
    run: (func, { lanes = 8, rows = 1 }, analyses) =>
      splitAtQuotients(func, analyses.get(DIVERGENCE), { lanes, rows }),
    followedBy: [
      { name: 'simplify', run: (func, { constants }) => simplify(func, constants) },
      dead,
      cleanUp,
      ...oneLatch,
    ],
  },
  {
    name: 'pack-byte-loops',
    run: (func, _, analyses) => {
      const divergence = analyses.get(DIVERGENCE);
      return packByteLoops(func, divergence, (loop) => multipliesManyElements(func, loop, divergence));
    },
    preserves,
    followedBy: [
      { name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves },
      ...accesses,
    ],
  },
  {
    name: 'split-loops-at-ids',
    run: (func, _, analyses) => splitLoopsAtIds(func, analyses.get(DIVERGENCE)),
    preserves,
    followedBy: [
      { name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves },
      { ...dead, preserves },
      // Not blocks between which regions end.
      { ...cleanUp, when: (func) => !hasBarriers(func), preserves },
      ...oneLatch,
    ],
  },
  {
    name: 'unroll-streams',
    run: (func, _, analyses) => {
      const divergence = analyses.get(DIVERGENCE);
      return unrollStreams(func, divergence, (loop) => !takesManyElements(func, loop, divergence));
    },
    preserves,
    followedBy: accesses,
  },
  {
    name: 'multiply-by-reciprocals',
    needs: [Op.FDiv],
    run: (func, { fusedMultiplyAdd }, analyses) =>
      fusedMultiplyAdd === true && multiplyByReciprocals(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  {
    name: 'sum-intervals',
    needs: [Op.Select],
    run: (func, _, analyses) => sumIntervals(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'factor-selects',
    needs: [Op.Select],
    run: (func, _, analyses) => factorSelects(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'combine-bytes',
    needs: [Op.ZExt],
    // The bytes of sixteen lanes are as dense if they are packed, and stay packed between loads and stores.
    run: (func, { lanes = 8 }, analyses) =>
      lanes <= 8 && combineBytes(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves }],
  },
  {
    name: 'count-words',
    needs: [Op.PopCount, Op.Clz, Op.Ctz],
    run: (func, _, analyses) => countWords(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
    followedBy: [
      { name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves },
      { ...dead, preserves },
    ],
  },
  // Before pair-products, which would take some of the bytes.
  {
    name: 'sum-bytes',
    needs: [Op.LShr, Op.PopCount],
    run: (func, _, analyses) => sumBytes(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'pair-products',
    needs: [Op.Add, Op.Sub],
    run: (func, { lanes = 8 }, analyses) =>
      pairProducts(func, analyses.get(DIVERGENCE), analyses.get(USES), lanes),
    preserves,
  },
  {
    name: 'repeat-loads',
    needs: [Op.Load],
    run: (func, _, analyses) => repeatLoads(func, analyses.get(DIVERGENCE)),
    preserves,
  },
  {
    name: 'index-by-bytes',
    needs: [Op.Load],
    run: (func, { lanes = 8 }, analyses) =>
      indexByBytes(func, analyses.get(DIVERGENCE), analyses.get(USES), lanes),
    preserves,
  },
  {
    name: 'split-words',
    needs: [Op.Or],
    run: (func, { lanes = 8 }, analyses) =>
      lanes >= 8 && splitWords(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
  },
  {
    name: 'fields-at-amounts',
    needs: [Op.LShr, Op.AShr],
    run: (func, _, analyses) => moveFieldsAtAmounts(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
    followedBy: [{ ...dead, preserves }],
  },
  // Last, as other passes recognize the fields of words.
  {
    name: 'merge-shifts',
    needs: [Op.Shl, Op.LShr],
    run: (func, _, analyses) => mergeShifts(func, analyses.get(DIVERGENCE), analyses.get(USES)),
    preserves,
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
  {
    name: 'reduce-elements',
    run: reduceElements,
    preserves,
    followedBy: [{ name: 'simplify', run: (func, { constants }) => simplify(func, constants), preserves }],
  },
  // Loops with a branch less are unrolled.
  {
    name: 'select-loads',
    needs: [Op.Branch],
    run: selectLoads,
    preserves,
    followedBy: [cleanUp, ...oneLatch],
  },
  { name: 'unroll-tested', run: unrollTested, preserves, followedBy: accesses },
];
