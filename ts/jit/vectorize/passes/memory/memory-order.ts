// SPDX-License-Identifier: MIT
//
// Array-of-structures accesses in memory order. A kernel that computes each component of a float4, a half4 or a struct alike need
// not separate the components: the elements of a tile's work-items are loaded, computed with and stored in the order in which
// memory holds them. Of n components and l lanes, component k then holds the k-th l elements in memory, whichever work-items they
// belong to. Structures of 16 bytes at any addresses are accessed so, too, and those within larger structures: each is a vector. What is one number for a whole structure, or
// computed for each component in its own way, is brought into this order (Op.InMemoryOrder) where that costs less than to separate the
// components. Components that change places, or come from several structures, are permutations of vectors (Op.PermuteComponents), and
// so are those of which some are computed in another way: what each way leaves out is computed, too (missing-components.ts). Of vectors
// that are stored in part, whatever their other components would be is computed, and not stored.
import type { KernelSignature } from '../../../../base/kernel-abi';
import type { Divergence } from '../../../analyses/divergence';
import { type Block, type Func, type Inst, Op, type Type, type Value } from '../../../ir/ir';
import { storesNothing } from '../../../ir/memory-order';
import { isPure } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { isUnwritten, MemoryRoots } from '../../../passes/memory-roots';
import {
  type Conversion,
  conversionCost,
  costApart,
  costOfPartsApart,
  insertConversions,
  isConversion,
  keyOf,
  type Permutation,
  permutationCost,
  withoutConversions,
} from './into-memory-order';
import { type Known, MissingComponents } from './missing-components';

/** The largest structure, in bytes: sixteen of them span the distance within which inactive lanes may read. */
const LARGEST = 64;
/** The instructions that are taken for one store; a longer chain is cut, since each is followed by a recursive call. */
const MOST_TAKEN = 250;
/** Structures at any addresses are those of one vector. */
const VECTOR_BYTES = 16;
/** The components of these structures, in bytes. */
const LEAST_AT_ANY_ADDRESS = 4;

/** The key of permutations that are one number of a structure, computed for each component. */
const REPEATED = 'repeated ';

/** Accesses that cover a structure, one for each component. */
type RecordAccess = readonly Inst[];

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
  return divergence.strideAt(access.operands[0]!, block) === count * bytesOf(typeOf(access));
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

/**
 * Orders the code component by component, so that few vectors are live at once. A component's store then comes before another
 * component's loads, which gives the same only where structures are either identical or disjoint. Elsewhere stores stay after the
 * loads that precede them.
 */
function oneComponentAfterAnother(
  func: Func,
  block: Block,
  components: ReadonlyMap<Inst, number>,
  roots: () => MemoryRoots,
): void {
  const { insts } = block;
  const first = insts.findIndex((i) => components.has(i));
  const last = insts.findLastIndex((i) => components.has(i));
  const span = insts.slice(first, last + 1);
  if (span.some((i) => i.op >= Op.Load && !components.has(i))) return;
  const ordered: Inst[] = span.filter((i) => !components.has(i));
  const accessing = span.filter((i) => components.has(i));
  const stages = stagesOf(accessing);
  const byComponent = (list: readonly Inst[]) =>
    [...list].sort((a, b) => stages.get(a)! - stages.get(b)! || components.get(a)! - components.get(b)!);
  if (mayOverlapPartly(func, accessing, components, roots)) {
    for (const phase of phasesOf(accessing)) {
      ordered.push(...byComponent(phase.filter((i) => i.op !== Op.Store)));
      ordered.push(...phase.filter((i) => i.op === Op.Store));
    }
  } else ordered.push(...byComponent(accessing));
  insts.splice(first, span.length, ...ordered);
}

/**
 * How many permutations lead to each instruction: they need all components of what they permute. Accesses stay in the order of these
 * stages.
 */
function stagesOf(insts: readonly Inst[]): ReadonlyMap<Inst, number> {
  const stages = new Map<Inst, number>();
  let ofAccesses = 0;
  for (const inst of insts) {
    const isAccess = inst.op === Op.Load || inst.op === Op.Store;
    let stage = isAccess ? ofAccesses : 0;
    for (const operand of inst.operands) stage = Math.max(stage, stages.get(operand as Inst) ?? 0);
    if (inst.op === Op.PermuteComponents) stage++;
    if (isAccess) ofAccesses = stage;
    stages.set(inst, stage);
  }
  return stages;
}

/** Divides instructions before each load that follows a store. */
function phasesOf(insts: readonly Inst[]): Inst[][] {
  const phases: Inst[][] = [[]];
  let stored = false;
  for (const inst of insts) {
    if (inst.op === Op.Load && stored) {
      phases.push([]);
      stored = false;
    }
    stored ||= inst.op === Op.Store;
    phases.at(-1)!.push(inst);
  }
  return phases;
}

/** A structure that is accessed: its first component, and where that is. */
interface Structure {
  readonly first: Inst;
  readonly start: number;
  bytes: number;
}

/** Whether a structure that is stored may overlap another one without being the same. */
function mayOverlapPartly(
  func: Func,
  accessing: readonly Inst[],
  components: ReadonlyMap<Inst, number>,
  roots: () => MemoryRoots,
): boolean {
  const structures = new Map<string, Structure>();
  for (const inst of accessing) {
    if (inst.op !== Op.Load && inst.op !== Op.Store) continue;
    const size = bytesOf(inst.op === Op.Store ? inst.operands[1]!.type : inst.type);
    const start = offsetOf(inst) - components.get(inst)! * size;
    const key = `${inst.op} ${inst.operands[0]!.id} ${start}`;
    const known = structures.get(key);
    if (known) known.bytes += size;
    else structures.set(key, { first: inst, start, bytes: size });
  }
  const all = [...structures.values()];
  return all.some(
    (a) => a.first.op === Op.Store && all.some((b) => a !== b && !areIdenticalOrDisjoint(func, a, b, roots)),
  );
}

function areIdenticalOrDisjoint(func: Func, a: Structure, b: Structure, roots: () => MemoryRoots): boolean {
  if (b.first.facts.invariant === true) return true;
  // A component of others is of other work-items' structures.
  const isSameForm = a.bytes === b.bytes && bytesOf(typeOf(a.first)) === bytesOf(typeOf(b.first));
  if (a.first.operands[0] === b.first.operands[0])
    return (
      (a.start === b.start && isSameForm) || a.start + a.bytes <= b.start || b.start + b.bytes <= a.start
    );
  const isAligned = ({ first, bytes }: Structure) => (first.facts.align ?? 1) >= bytes;
  if (isSameForm && isAligned(a) && isAligned(b)) return true;
  if (isUnwritten(func, b.first)) return true;
  return !roots().mayAlias(roots().access(a.first), roots().access(b.first));
}

/** The backward slice of some stored structures, which computes all components alike. */
class Slice {
  readonly components = new Map<Inst, number>();
  /** What is brought into memory order. */
  readonly conversions: Conversion[] = [];
  /** The number of components. */
  count = 0;
  /** The instructions that were taken, in this order: one for each component. */
  readonly taken: (readonly Inst[])[] = [];
  /** By value, the list in which it was taken. */
  private readonly listOf = new Map<Value, readonly Inst[]>();
  /** What was taken once and cost more than to convert it: a second try would double with each shared operand. */
  private readonly refused = new Set<string>();

  constructor(
    readonly block: Block,
    /** The block's instructions, with their places. */
    private readonly own: ReadonlyMap<Value, number>,
    private readonly divergence: Divergence,
    private readonly loads: ReadonlyMap<Inst, RecordAccess>,
    readonly missing: MissingComponents,
  ) {}

  /** The components that are stored, a bit for each, unless all are. */
  storedComponents: number | undefined;

  take(store: RecordAccess): boolean {
    const given = store.map((s) => (this.missing.has(s) ? undefined : s.operands[1]!));
    const others = this.missing.column(given, this.known());
    const values = given.map((v, k) => v ?? others.at(k));
    if (values.every((v) => v === values[0])) return false;
    this.count = values.length;
    const isStored = given.map((v) => v !== undefined);
    if (isStored.includes(false)) {
      // A value of another list may be computed after the store.
      if (store.some((s, k) => (this.own.get(values[k]!) ?? -1) >= this.own.get(s)!)) return false;
      this.storedComponents = isStored.reduce((bits, is, k) => bits | (is ? 1 << k : 0), 0);
      for (const [k, s] of store.entries()) if (!isStored[k]) s.operands = s.operands.with(1, values[k]!);
    }
    const cost = others.cost + this.match(values, store, 1);
    store.forEach((s, k) => {
      this.components.set(s, k);
    });
    const apart =
      this.storedComponents === undefined
        ? costApart(values[0]!.type, this.count)
        : costOfPartsApart(this.storedComponents);
    return cost < apart;
  }

  private known(): Known {
    return {
      listOf: (v) => this.listOf.get(v) ?? this.loads.get(v as Inst),
      isShared: (v) => this.isShared(v),
      isAlike,
    };
  }

  /**
   * Takes what computes the values, or brings it into memory order. Returns what that costs more than to separate the components of
   * structures that are loaded; infinity if it cannot be done.
   */
  private match(values: readonly Value[], users: readonly Inst[], operand: number): number {
    const first = values[0]!;
    if (values.every((v) => v === first) && this.isShared(first)) return 0;
    const list = this.listOf.get(first);
    if (list?.every((v, k) => v === values[k])) return 0;
    const isTaken = values.some((v) => this.components.has(v as Inst));
    const key = keyOf(values);
    const usual = this.inUsualOrder(values);
    const converting = isTaken ? Number.POSITIVE_INFINITY : this.costOfConversion(usual, users);
    const permuting = converting === 0 ? undefined : this.permutationOf(values, users);
    const cost = Math.min(converting, permuting?.cost ?? Number.POSITIVE_INFINITY);
    const mayTake = !isTaken && this.taken.length < MOST_TAKEN && !this.refused.has(key);
    if (cost !== 0 && mayTake && values.every((v) => v === first) && this.isOfStructures(first)) {
      const { taken, conversions } = this.state();
      const { components, cost: ofMore } = this.missing.repeat(first, this.count);
      const matched = ofMore + this.matchAlike(components);
      // Apart, the components of what it is computed of have to be separated.
      if (matched < cost + costApart(first.type, this.count)) {
        const permutation: Permutation = {
          lists: [components],
          converted: undefined,
          order: values.map((_, k) => k),
          key: `${REPEATED}${first.id}`,
        };
        this.conversions.push({ values, key: permutation.key, users, operand, permutation });
        return matched;
      }
      this.forget(taken, conversions);
    }
    if (cost !== 0 && mayTake && this.areAlike(values)) {
      const { taken, conversions } = this.state();
      const matched = this.matchAlike(values);
      if (matched < cost) return matched;
      // What was taken for it is not needed.
      this.forget(taken, conversions);
      this.refused.add(key);
    } else if (cost !== 0 && mayTake) {
      const { taken, conversions } = this.state();
      const filled = this.matchFilled(values, users, operand);
      if (filled < cost) return filled;
      this.forget(taken, conversions);
      this.refused.add(key);
    }
    if (permuting && permuting.cost < converting) {
      for (const record of permuting.records) this.takeList(record);
      const { permutation } = permuting;
      this.conversions.push({ values, key: permutation.key, users, operand, permutation });
    } else if (converting < Number.POSITIVE_INFINITY)
      this.conversions.push({ values: usual, key: keyOf(usual), users, operand });
    return cost;
  }

  /** Whether a value is computed in this block of a structure's components, in few steps. */
  private isOfStructures(value: Value, steps = 4): value is Inst {
    if (value.kind !== 'inst' || !this.own.has(value) || !this.missing.mayCompute(value)) return false;
    return value.operands.some(
      (o) =>
        this.loads.has(o as Inst) || this.listOf.has(o) || (steps > 1 && this.isOfStructures(o, steps - 1)),
    );
  }

  /**
   * Values that are components of structures in memory order, whichever, and those that all work-items share; with the structures to
   * load for it. Undefined if there are others.
   */
  private permutationOf(
    values: readonly Value[],
    users: readonly Inst[],
  ): { cost: number; permutation: Permutation; records: readonly RecordAccess[] } | undefined {
    const { count } = this;
    const lists: (readonly Value[])[] = [];
    const records: RecordAccess[] = [];
    const order: number[] = [];
    const fromLists = values.filter((v) => !this.isShared(v));
    for (const value of new Set(fromLists)) {
      const record = this.loads.get(value as Inst);
      const list = this.listOf.get(value) ?? record;
      if (list?.length !== count) return undefined;
      if (lists.includes(list)) continue;
      lists.push(list);
      if (list === record && !this.listOf.has(value)) records.push(record);
    }
    if (lists.length === 0) return undefined;
    const shared = values.filter((v) => this.isShared(v));
    const converted = shared.length > 0 ? values.map((v) => (this.isShared(v) ? v : shared[0]!)) : undefined;
    for (const [k, value] of values.entries()) {
      const at = lists.findIndex((list) => list.includes(value));
      order.push(at < 0 ? lists.length * count + k : at * count + lists[at]!.indexOf(value));
    }
    const first = this.firstOf(users);
    if ([...lists, converted ?? []].some((list) => list.some((v) => (this.own.get(v) ?? -1) >= first)))
      return undefined;
    const permutation: Permutation = {
      lists,
      converted,
      order,
      key: `${order.join()} of ${[...lists, converted ?? []].map(keyOf).join(' and ')}`,
    };
    const isKnown = this.conversions.some((known) => known.key === permutation.key);
    const cost = isKnown ? 0 : permutationCost(values, permutation, (v) => this.isShared(v));
    const loading = records.reduce((sum, record) => sum - costApart(record[0]!.type, count), 0);
    return { cost: cost + loading, permutation, records };
  }

  private firstOf(users: readonly Inst[]): number {
    return Math.min(...users.map((user) => this.own.get(user)!));
  }

  /** What is missing has no usual order, and may be any other value. */
  private inUsualOrder(values: readonly Value[]): readonly Value[] {
    const other = values.find((v) => !this.missing.has(v));
    return other ? values.map((v) => (this.missing.has(v) ? other : v)) : values;
  }

  private costOfConversion(values: readonly Value[], users: readonly Inst[]): number {
    const first = this.firstOf(users);
    // All values are needed for the first component.
    if (values.some((v) => (this.own.get(v) ?? -1) >= first)) return Number.POSITIVE_INFINITY;
    if (values.some((v) => this.missing.has(v))) return Number.POSITIVE_INFINITY;
    const key = keyOf(values);
    if (this.conversions.some((known) => known.key === key)) return 0;
    return conversionCost(values, (v) => this.isShared(v));
  }

  private isShared(value: Value): boolean {
    if (this.missing.has(value)) return false;
    return this.divergence.strideAt(value, this.block) === 0;
  }

  private areAlike(values: readonly Value[]): values is readonly Inst[] {
    return (
      values.every((v) => v.kind === 'inst' && this.own.has(v) && isAlike(v, values[0] as Inst)) &&
      new Set(values).size === values.length
    );
  }

  private matchAlike(values: readonly Inst[]): number {
    this.takeList(values);
    if (values[0]!.op === Op.Load) {
      const record = this.loads.get(values[0]!);
      const isRecord = record?.length === values.length && values.every((v, k) => record[k] === v);
      return isRecord ? -costApart(values[0]!.type, values.length) : Number.POSITIVE_INFINITY;
    }
    if (!isPure(values[0]!.op) || values[0]!.operands.length === 0) return Number.POSITIVE_INFINITY;
    let cost = 0;
    for (let i = 0; i < values[0]!.operands.length && cost < Number.POSITIVE_INFINITY; i++)
      cost += this.match(
        values.map((v) => v.operands[i]!),
        values,
        i,
      );
    return cost;
  }

  /**
   * Values of which some are computed alike, others in another way or not at all. All components of each way are computed, and what is
   * needed is put together. Returns infinity if that cannot be done.
   */
  private matchFilled(values: readonly Value[], users: readonly Inst[], operand: number): number {
    const ways = this.waysOf(values);
    if (ways.length === 0) return Number.POSITIVE_INFINITY;
    let cost = 0;
    for (const way of ways) {
      const { components, cost: ofMissing } = this.missing.fill(way, this.known());
      cost += ofMissing + this.matchAlike(components);
      if (cost === Number.POSITIVE_INFINITY) return cost;
    }
    const permuting = this.permutationOf(values, users);
    if (!permuting) return Number.POSITIVE_INFINITY;
    for (const record of permuting.records) this.takeList(record);
    const { permutation } = permuting;
    this.conversions.push({ values, key: permutation.key, users, operand, permutation });
    return cost + permuting.cost;
  }

  /** What is neither in memory order nor shared, by how it is computed: for each way, the values at their places. */
  private waysOf(values: readonly Value[]): (Inst | undefined)[][] {
    const ways: (Inst | undefined)[][] = [];
    for (const [k, value] of values.entries()) {
      if (this.isShared(value) || this.listOf.has(value) || this.loads.has(value as Inst)) continue;
      if (value.kind !== 'inst' || !this.own.has(value) || !this.missing.mayCompute(value)) return [];
      const known = ways.find((way) => isAlike(way.find((v) => v !== undefined)!, value));
      // A value that is there twice is permuted.
      if (known?.includes(value)) continue;
      const way: (Inst | undefined)[] = known ?? values.map(() => undefined);
      way[k] = value;
      if (!known) ways.push(way);
    }
    const isMost = (way: readonly (Inst | undefined)[]) =>
      way.filter((v) => v !== undefined).length * 2 >= this.count;
    return ways.every(isMost) ? ways : [];
  }

  private takeList(values: readonly Inst[]): void {
    this.taken.push(values);
    values.forEach((v, k) => {
      this.components.set(v, k);
      this.listOf.set(v, values);
    });
  }

  private state(): { taken: number; conversions: number } {
    return { taken: this.taken.length, conversions: this.conversions.length };
  }

  /** Undoes what was taken since. */
  private forget(taken: number, conversions: number): void {
    for (const list of this.taken.splice(taken))
      for (const inst of list) {
        this.components.delete(inst);
        this.listOf.delete(inst);
      }
    this.conversions.length = conversions;
  }
}

function isAlike(a: Inst, b: Inst): boolean {
  if (a.op !== b.op || a.type !== b.type || a.operands.length !== b.operands.length) return false;
  return a.op === Op.Load || a.facts === b.facts || JSON.stringify(a.facts) === JSON.stringify(b.facts);
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

/** Whether one value for all components is computed for each of them. */
function isRepetition({ permutation }: Conversion): boolean {
  return permutation !== undefined && permutation.key.startsWith(REPEATED);
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

const typeOf = (access: Inst): Type => (access.op === Op.Store ? access.operands[1]! : access).type;

interface Records {
  /** By each load of a structure. */
  readonly loads: ReadonlyMap<Inst, RecordAccess>;
  readonly stores: readonly RecordAccess[];
}

/** Accesses to whole structures without other accesses between them. */
function recordsOf(
  block: Block,
  divergence: Divergence,
  isElsewhere: (access: Inst) => boolean,
  missing: MissingComponents,
): Records {
  const loads = new Map<Inst, RecordAccess>();
  const stores: RecordAccess[] = [];
  let reading = new Map<Value, Inst[]>();
  let writing: Inst[] = [];
  const strideOf = (access: Inst) => divergence.strideAt(access.operands[0]!, block);
  const endReading = () => {
    for (const list of reading.values())
      for (const record of recordsAmong(list, strideOf(list[0]!), missing))
        for (const load of record) loads.set(load, record);
    if (reading.size > 0) reading = new Map();
  };
  const endWriting = () => {
    if (writing.length === 0) return;
    const records = recordsAmong(writing, strideOf(writing[0]!), missing);
    const stored = records.flat().filter((store) => !missing.has(store));
    // The second of two stores to one address takes effect.
    if (stored.length === writing.length && areDisjoint(records)) stores.push(...records);
    writing = [];
  };
  for (const inst of block.insts) {
    if (inst.op < Op.Load) continue;
    if (inst.op === Op.Load) {
      endWriting();
      if (!isCandidate(inst)) continue;
      const list = reading.get(inst.operands[0]!);
      if (list) list.push(inst);
      else reading.set(inst.operands[0]!, [inst]);
    } else if (inst.op === Op.Store) {
      endReading();
      if (writing.length > 0 && writing[0]!.operands[0] !== inst.operands[0]) endWriting();
      if (isCandidate(inst)) writing.push(inst);
      else endWriting();
    } else {
      endReading();
      endWriting();
    }
  }
  endReading();
  endWriting();
  return { loads, stores };

  function isCandidate(access: Inst): boolean {
    const stride = strideOf(access);
    const isNear = stride > 0 && stride <= LARGEST;
    return (
      !access.facts.volatile &&
      (isNear || (Number.isNaN(stride) && bytesOf(typeOf(access)) >= LEAST_AT_ANY_ADDRESS)) &&
      !isElsewhere(access)
    );
  }
}

/** Whether each of structures in ascending order ends before the next one. */
function areDisjoint(records: readonly RecordAccess[]): boolean {
  return records.every((record, i) => {
    const last = record.at(-1)!;
    const next = records[i + 1]?.[0];
    return !next || offsetOf(last) + bytesOf(typeOf(last)) <= offsetOf(next);
  });
}

const offsetOf = ({ facts }: Inst): number => facts.offset ?? 0;

/**
 * Splits accesses from one address into structures without gaps, whose size is the distance between neighbouring work-items, or that of a
 * vector where the distance is several of these. `missing` adds accesses to vectors that are accessed in part.
 */
function recordsAmong(accesses: readonly Inst[], stride: number, missing: MissingComponents): RecordAccess[] {
  const sorted = [...accesses].sort((a, b) => offsetOf(a) - offsetOf(b));
  const records: RecordAccess[] = [];
  for (let i = 0; i < sorted.length; ) {
    const first = sorted[i]!;
    const size = bytesOf(typeOf(first));
    const isOfVectors = stride > VECTOR_BYTES && stride % VECTOR_BYTES === 0 && size >= LEAST_AT_ANY_ADDRESS;
    const whole = Number.isNaN(stride) || isOfVectors ? VECTOR_BYTES : stride;
    const record = sorted.slice(i, i + whole / size);
    const isWhole =
      record.length > 1 &&
      record.length * size === whole &&
      record.every((r, k) => typeOf(r) === typeOf(first) && offsetOf(r) === offsetOf(first) + k * size);
    const filled = isWhole || whole !== VECTOR_BYTES ? undefined : missing.fillRecord(sorted, i);
    if (isWhole) records.push(record);
    else if (filled) records.push(filled.record);
    i += isWhole ? record.length : (filled?.of ?? 1);
  }
  return records;
}
