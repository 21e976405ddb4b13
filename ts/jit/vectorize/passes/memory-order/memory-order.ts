// SPDX-License-Identifier: MIT
//
// Array-of-structures accesses in memory order. A kernel that computes each component of a float4, a half4 or a struct alike need
// not separate the components: the elements of a tile's work-items are loaded, computed with and stored in the order in which
// memory holds them. Of n components and l lanes, component k then holds the k-th l elements in memory, whichever work-items they
// belong to. Structures of 16 bytes at any addresses are accessed in this way too, and so are those within larger structures: each is a vector.
//
// What is one number for a whole structure, or computed for each component in its own way, is brought into this order
// (Op.InMemoryOrder) where that costs less than to separate the components. Components that change places, or come from several
// structures, are permutations of vectors (Op.PermuteComponents), and so are those of which some are computed in another way: what each
// way leaves out is computed, too (missing-components.ts). Of vectors that are stored in part, whatever their other components would
// be is computed, and not stored.
//
// structure-accesses.ts finds the accesses, slice.ts what computes a structure, conversions.ts brings values into this order, and
// component-order.ts orders the code.
import type { KernelSignature } from '../../../../base/kernel-abi';
import type { Divergence } from '../../../analyses/divergence';
import { accessedBytes } from '../../../ir/accesses';
import { type Block, type Func, type Inst, Op, type Value } from '../../../ir/ir';
import { storesNothing } from '../../../ir/memory-order';
import { removeDeadCode } from '../../../passes/dead-code';
import { MemoryRoots } from '../../../passes/memory-roots';
import { hasBarriers } from '../../../regions/split';
import { type BlockContext, CarriedVectors } from './carried-vectors';
import { oneComponentAfterAnother } from './component-order';
import { insertConversions, isConversion, withoutConversions } from './conversions';
import { MissingComponents } from './missing-components';
import { withoutOtherUsers } from './other-users';
import { isRepetition, Slice } from './slice';
import { type RecordAccess, type Records, recordsOf } from './structure-accesses';

/**
 * Marks the loads and stores to be done in memory order with the component that each accesses (`facts.memoryOrder`), and orders
 * them component by component. Returns whether there are any. `isElsewhere`: whether an access is to interleaved private memory,
 * which has its own order.
 */
export function accessInMemoryOrder(
  func: Func,
  signature: KernelSignature,
  divergence: Divergence,
  isElsewhere: (access: Inst) => boolean,
): boolean {
  const reverted = withoutAdded(func);
  for (const block of func.blocks)
    for (const inst of block.insts) if (inst.op === Op.Load || inst.op === Op.Store) unmark(inst);
  const chosen = choose(func, divergence, storedStructures(func, divergence, isElsewhere));
  const byBlock = markAccesses(chosen.slices, divergence);
  insertAdded(func, chosen, byBlock);
  let known: MemoryRoots | undefined;
  const roots = () => {
    known ??= new MemoryRoots(func, signature);
    return known;
  };
  for (const [block, components] of byBlock) {
    for (const inst of block.insts) if (isConversion(inst)) components.set(inst, inst.facts.memoryOrder!);
    oneComponentAfterAnother(func, block, components, roots);
  }
  return reverted || byBlock.size > 0;
}

/** A structure that a block stores. */
interface StoredStructure {
  readonly context: BlockContext;
  readonly store: RecordAccess;
  /** If other blocks compute it, in memory order, too. */
  readonly group?: CarriedVectors;
}

function storedStructures(
  func: Func,
  divergence: Divergence,
  isElsewhere: (access: Inst) => boolean,
): StoredStructure[] {
  const contexts = new Map<Block, BlockContext>();
  const contextOf = (block: Block): BlockContext => {
    const known = contexts.get(block) ?? newContext(func, block, divergence, isElsewhere);
    contexts.set(block, known);
    return known;
  };
  const passesOn = passesOnVectors(func, divergence);
  const found: StoredStructure[] = [];
  for (const block of func.blocks) {
    if (!storesStructure(block, divergence)) continue;
    const context = newContext(func, block, divergence, isElsewhere);
    for (const store of context.stores) {
      const isWhole = !store.some((s) => context.missing.has(s));
      const group = passesOn && isWhole ? new CarriedVectors(func, divergence, contextOf) : undefined;
      const isTaken = group?.take(block, store);
      if (!isTaken) group?.removeCopies(false);
      found.push({ context, store, ...(isTaken && { group }) });
    }
  }
  return found;
}

/** What is in memory order: slices of blocks, and the groups that some of them are in. */
interface Chosen {
  readonly slices: readonly Slice[];
  readonly groups: readonly CarriedVectors[];
}

/** The structures that can be in memory order, and for which it costs less. */
function choose(func: Func, divergence: Divergence, stored: readonly StoredStructure[]): Chosen {
  const groups = new Set(stored.flatMap(({ group }) => group ?? []));
  /** The groups of which slices are left; the others leave nothing. */
  const groupsOf = (slices: readonly Slice[]) => {
    const left = new Set(slices.map(({ group }) => group));
    for (const group of groups) if (!left.has(group)) group.removeCopies(false);
    return left;
  };
  const ofGroups = withoutOtherUsers(
    func,
    [...groups].flatMap((group) => group.slices),
  );
  const possible = groupsOf(ofGroups);
  const slices = [...ofGroups];
  for (const { context, store, group } of stored) {
    if ((group && possible.has(group)) || context.loads.size === 0) continue;
    const slice = new Slice(context.block, context.own, divergence, context.loads, context.missing);
    if (slice.take(store)) slices.push(slice);
  }
  const kept = withoutOtherUsers(func, slices);
  const left = groupsOf(kept);
  return { slices: kept, groups: [...groups].filter((group) => left.has(group)) };
}

/** Says of each access which component it is. Returns the components that each block has in memory order. */
function markAccesses(slices: readonly Slice[], divergence: Divergence): Map<Block, Map<Inst, number>> {
  const byBlock = new Map<Block, Map<Inst, number>>();
  for (const slice of slices) {
    const components = byBlock.get(slice.block) ?? new Map<Inst, number>();
    byBlock.set(slice.block, components);
    for (const [inst, component] of slice.components) {
      components.set(inst, component);
      if (inst.op === Op.Load || inst.op === Op.Store) {
        const storedComponents = inst.op === Op.Store ? slice.storedComponents : undefined;
        const ofStructures = storedComponents !== undefined || !isOneRun(inst, slice, divergence);
        inst.facts = {
          ...inst.facts,
          memoryOrder: component,
          ...(ofStructures && { ofStructures }),
          ...(storedComponents !== undefined && { storedComponents }),
        };
      }
    }
  }
  return byBlock;
}

/** Inserts what is missing and what brings values into memory order. */
function insertAdded(
  func: Func,
  { slices, groups }: Chosen,
  byBlock: ReadonlyMap<Block, Map<Inst, number>>,
): void {
  for (const [block, components] of byBlock) {
    const ofBlock = slices.filter((slice) => slice.block === block);
    for (const { missing } of ofBlock) missing.insert(components);
    insertConversions(
      func,
      block,
      ofBlock.flatMap((slice) => slice.conversions),
    );
    for (const group of groups) group.removeCopies(true, block);
  }
  // What was computed once for all components is behind the code that is ordered.
  if (slices.some(({ conversions }) => conversions.some(isRepetition))) removeDeadCode(func);
}

function newContext(
  func: Func,
  block: Block,
  divergence: Divergence,
  isElsewhere: (access: Inst) => boolean,
): BlockContext & Records {
  const own = new Map<Value, number>(block.insts.map((inst, i) => [inst, i]));
  const missing = new MissingComponents(func, block, own);
  return { block, own, missing, ...recordsOf(block, divergence, isElsewhere, missing) };
}

/** Whether blocks may pass vectors on, in a function whose values do not cross barriers. */
function passesOnVectors(func: Func, divergence: Divergence): boolean {
  const isVector = (v: Value) => Number.isNaN(divergence.stride[v.id]);
  return func.blocks.some(({ params }) => params.filter(isVector).length > 1) && !hasBarriers(func);
}

/** Whether the structures of neighbouring work-items are next to each other. */
function isOneRun(access: Inst, { block, count }: Slice, divergence: Divergence): boolean {
  return divergence.strideAt(access.operands[0]!, block) === count * accessedBytes(access);
}

/** Whether a block may store a whole structure: a cheap test, which most blocks fail. */
function storesStructure({ insts }: Block, divergence: Divergence): boolean {
  let stores = 0;
  for (const { op, operands } of insts)
    if (op === Op.Store && divergence.stride[operands[0]!.id] !== 0) stores++;
  return stores > 1;
}

/** Takes out what an earlier run has added. Returns whether there is any. */
function withoutAdded(func: Func): boolean {
  let found = false;
  for (const block of func.blocks) {
    if (!block.insts.some(storesNothing)) continue;
    block.insts = block.insts.filter((inst) => !storesNothing(inst));
    found = true;
  }
  if (withoutConversions(func)) found = true;
  // Components that were only computed for these are other users of what they are computed of.
  if (found) removeDeadCode(func);
  return found;
}

/** The pass may run again after loops are unrolled, and earlier marks need not hold for the copies. */
function unmark(inst: Inst): void {
  if (inst.facts.memoryOrder === undefined) return;
  const { memoryOrder: _, ofStructures: __, storedComponents: ___, ...facts } = inst.facts;
  inst.facts = facts;
}
