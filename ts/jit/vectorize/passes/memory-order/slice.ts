// SPDX-License-Identifier: MIT
//
// What computes a structure that is stored in memory order (memory-order.ts): whether all components are computed alike, and what it costs
// to bring the rest into this order.
import type { Divergence } from '../../../analyses/divergence';
import { accessedBytes, accessedType } from '../../../ir/accesses';
import { type Block, type BlockParam, type Inst, Op, type Target, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import {
  type Conversion,
  conversionCost,
  costApart,
  costOfPartsApart,
  keyOf,
  type Permutation,
  permutationCost,
} from './conversions';
import type { Known, MissingComponents } from './missing-components';
import type { RecordAccess } from './structure-accesses';

/** The instructions that are taken for one store; a longer chain is cut, since each is followed by a recursive call. */
const MOST_TAKEN = 250;

/** The key of permutations that are one number of a structure, computed for each component. */
const REPEATED = 'repeated ';

/** Vectors of several blocks, which are in memory order together (carried-vectors.ts). */
export interface VectorGroup {
  /** Whether a block may use values of other blocks, or its parameters, as a vector in memory order. */
  accepts(values: readonly Value[], user: Block): boolean;
  /** The vector of which a block may use a component of another block, or a parameter of its own. */
  listWith(value: Value, user: Block): readonly Value[] | undefined;
  /** The blocks' parameters that are in memory order, with the component that each has. */
  readonly params: ReadonlyMap<BlockParam, number>;
  /** The jumps that pass them on. */
  readonly edges: readonly { readonly target: Target }[];
}

/** The backward slice of some stored structures, which computes all components alike. */
export class Slice {
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
    /** The vectors of several blocks of which this is one. */
    readonly group?: VectorGroup,
  ) {}

  /** The components that are stored, a bit for each, unless all are. */
  storedComponents: number | undefined;

  take(store: RecordAccess): boolean {
    return this.costOfStore(store) < 0;
  }

  /** What it costs more to store in memory order than apart; infinity if it cannot be done. */
  costOfStore(store: RecordAccess): number {
    const given = store.map((s) => (this.missing.has(s) ? undefined : s.operands[1]!));
    const others = this.missing.column(given, this.known());
    const values = given.map((v, k) => v ?? others.at(k));
    if (values.every((v) => v === values[0])) return Number.POSITIVE_INFINITY;
    this.count = values.length;
    const isStored = given.map((v) => v !== undefined);
    if (isStored.includes(false)) {
      // A value of another list may be computed after the store.
      if (store.some((s, k) => (this.own.get(values[k]!) ?? -1) >= this.own.get(s)!))
        return Number.POSITIVE_INFINITY;
      this.storedComponents = isStored.reduce((bits, is, k) => bits | (is ? 1 << k : 0), 0);
      for (const [k, s] of store.entries()) if (!isStored[k]) s.operands = s.operands.with(1, values[k]!);
    }
    const cost = others.cost + this.match(values, store, 1);
    store.forEach((s, k) => {
      this.components.set(s, k);
    });
    const apart =
      this.storedComponents === undefined ? this.costApart(store) : costOfPartsApart(this.storedComponents);
    return cost - apart;
  }

  /** The cost of values that `users` have as operands. */
  costOfValues(values: readonly Value[], users: readonly Inst[]): number {
    this.count = values.length;
    const cost = this.match(values, users, 0);
    users.forEach((user, k) => {
      this.components.set(user, k);
    });
    return cost;
  }

  /** Several blocks need not separate the bytes of words by shuffles. */
  private costApart(record: RecordAccess): number {
    if (this.group && accessedBytes(record[0]!) === 1) return 0;
    return costApart(accessedType(record[0]!), record.length);
  }

  /** Whether values are in memory order as one vector. Components of several vectors may each be in its place and need a permutation. */
  isOneList(values: readonly Value[]): boolean {
    const list = this.listOf.get(values[0]!);
    return list?.length === values.length && values.every((v, k) => v === list[k]);
  }

  private known(): Known {
    return {
      listOf: (v) => this.listOf.get(v) ?? this.loads.get(v as Inst) ?? this.group?.listWith(v, this.block),
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
    if (this.isOneList(values)) return 0;
    if (this.group?.accepts(values, this.block)) return 0;
    const isTaken = values.some((v) => this.components.has(v as Inst) || this.group?.listWith(v, this.block));
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
      const list = this.listOf.get(value) ?? record ?? this.group?.listWith(value, this.block);
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
      return isRecord ? -this.costApart(record) : Number.POSITIVE_INFINITY;
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
      if (components.some((v) => this.components.has(v))) return Number.POSITIVE_INFINITY;
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

/** Whether one value for all components is computed for each of them. */
export function isRepetition({ permutation }: Conversion): boolean {
  return permutation?.key.startsWith(REPEATED) === true;
}
