// SPDX-License-Identifier: MIT
//
// Array-of-structures accesses in memory order. A kernel that computes each component of a float4, a half4 or a struct alike need
// not separate the components: the elements of a tile's work-items are loaded, computed with and stored in the order in which
// memory holds them. Of n components and l lanes, component k then holds the k-th l elements in memory, whichever work-items they
// belong to. Structures of 16 bytes at any addresses are accessed so, too, and those within larger structures: each is a vector.
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
import { oneComponentAfterAnother } from './component-order';
import { type Conversion, insertConversions, isConversion, keyOf, withoutConversions } from './conversions';
import { MissingComponents } from './missing-components';
import { isRepetition, Slice } from './slice';
import { recordsOf } from './structure-accesses';

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
  let known: MemoryRoots | undefined;
  const roots = () => {
    known ??= new MemoryRoots(func, signature);
    return known;
  };
  const slices: Slice[] = [];
  const reverted = withoutAdded(func);
  for (const block of func.blocks) {
    for (const inst of block.insts) if (inst.op === Op.Load || inst.op === Op.Store) unmark(inst);
    if (!storesStructure(block, divergence)) continue;
    const own = new Map<Value, number>(block.insts.map((inst, i) => [inst, i]));
    const missing = new MissingComponents(func, block, own);
    const { loads, stores } = recordsOf(block, divergence, isElsewhere, missing);
    if (loads.size === 0 || stores.length === 0) continue;
    for (const store of stores) {
      const slice = new Slice(block, own, divergence, loads, missing);
      if (slice.take(store)) slices.push(slice);
    }
  }
  const byBlock = new Map<Block, Map<Inst, number>>();
  const kept = withoutOtherUsers(func, slices);
  for (const slice of kept) {
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
  for (const [block, components] of byBlock) {
    for (const { missing } of kept.filter((slice) => slice.block === block)) missing.insert(components);
    const conversions = kept.filter((slice) => slice.block === block).flatMap((slice) => slice.conversions);
    insertConversions(func, block, conversions);
    // What was computed once for all components is behind the code that is ordered.
    if (conversions.some(isRepetition)) removeDeadCode(func);
    for (const inst of block.insts) if (isConversion(inst)) components.set(inst, inst.facts.memoryOrder!);
    oneComponentAfterAnother(func, block, components, roots);
  }
  return reverted || byBlock.size > 0;
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

/** The slices whose values have no user that expects one work-item per lane. */
function withoutOtherUsers(func: Func, slices: readonly Slice[]): readonly Slice[] {
  let left = slices;
  while (left.length > 0) {
    const components = new Map<Inst, number>();
    const spoilt = new Set<Value>();
    const takenWith = new Map<Inst, string>();
    for (const slice of left) {
      for (const [inst, k] of slice.components) {
        if ((components.get(inst) ?? k) !== k) spoilt.add(inst);
        components.set(inst, k);
      }
      // One of two structures' instructions, such as `max(x, 3)`, has the operands of one of them.
      for (const list of slice.taken) {
        const key = keyOf(list);
        for (const inst of list) {
          if ((takenWith.get(inst) ?? key) !== key) spoilt.add(inst);
          takenWith.set(inst, key);
        }
      }
    }
    const permuting = new Map<Inst, Set<number>>();
    for (const { conversions } of left)
      for (const { users, operand, permutation } of conversions)
        if (permutation)
          for (const user of users) permuting.set(user, (permuting.get(user) ?? new Set()).add(operand));
    const use = (value: Value, user: Inst | undefined, index: number) => {
      const k = components.get(value as Inst);
      if (k === undefined || spoilt.has(value)) return;
      const isAddress = index === 0 && (user?.op === Op.Load || user?.op === Op.Store);
      if (!user || isAddress) spoilt.add(value);
      else if (components.get(user) !== k && !permuting.get(user)?.has(index)) spoilt.add(value);
    };
    const replaced = replacedBy(func, left, permuting);
    for (const inst of components.keys())
      if (left.some(({ missing }) => missing.has(inst)))
        for (let i = 0; i < inst.operands.length; i++) use(inst.operands[i]!, inst, i);
    for (const block of func.blocks) {
      for (const inst of block.insts)
        if (!replaced.has(inst))
          for (let i = 0; i < inst.operands.length; i++) use(inst.operands[i]!, inst, i);
      for (const o of block.terminator.operands) use(o, undefined, 0);
      for (const target of block.targets) for (const a of target.arguments) use(a, undefined, 0);
    }
    // What is brought into memory order has its usual order before.
    for (const { conversions } of left)
      for (const conversion of conversions)
        for (const v of convertedBy(conversion)) if (components.has(v as Inst)) spoilt.add(v);
    if (spoilt.size === 0) break;
    left = left.filter(
      (slice) =>
        ![...slice.components.keys()].some((inst) => spoilt.has(inst)) &&
        !slice.conversions.some((conversion) => convertedBy(conversion).some((v) => spoilt.has(v))),
    );
  }
  return left;
}

/** What is computed for each component instead, and has no other users. */
function replacedBy(
  func: Func,
  slices: readonly Slice[],
  permuting: ReadonlyMap<Inst, ReadonlySet<number>>,
): ReadonlySet<Inst> {
  const replaced = new Set<Inst>();
  const repeated = new Set<Value>();
  for (const { conversions } of slices)
    for (const conversion of conversions) if (isRepetition(conversion)) repeated.add(conversion.values[0]!);
  if (repeated.size === 0) return replaced;
  for (const block of new Set(slices.map((slice) => slice.block))) {
    const used = new Set<Value>();
    for (const other of func.blocks) {
      for (const o of other.terminator.operands) used.add(o);
      for (const target of other.targets) for (const a of target.arguments) used.add(a);
      if (other !== block) for (const { operands } of other.insts) for (const o of operands) used.add(o);
    }
    for (const inst of [...block.insts].reverse()) {
      if (repeated.has(inst) && !used.has(inst)) {
        replaced.add(inst);
        continue;
      }
      for (const [i, o] of inst.operands.entries()) if (!permuting.get(inst)?.has(i)) used.add(o);
    }
  }
  return replaced;
}

/** What is in its usual order before. */
function convertedBy({ values, permutation }: Conversion): readonly Value[] {
  return permutation ? (permutation.converted ?? []) : values;
}
