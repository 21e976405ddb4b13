// SPDX-License-Identifier: MIT
//
// Values that are brought into memory order (memory-order.ts): one number for all components of a structure, a number of its own for
// each, or components that are in this order but elsewhere in their structures. Costs are in shuffles for four work-items.
import { makeInst } from '../../../ir/build';
import { orderOf } from '../../../ir/byte-order';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { componentOf } from '../../../ir/memory-order';
import { mapUses } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';

export interface Conversion {
  /** Of the components. */
  readonly values: readonly Value[];
  /** The values' `keyOf`. */
  readonly key: string;
  /** What uses them, as which operand. */
  readonly users: readonly Inst[];
  readonly operand: number;
  /** How they are made of components that are in memory order. */
  readonly permutation?: Permutation;
}

/** Components of structures in other places. */
export interface Permutation {
  /** The structures' components, in memory order. */
  readonly lists: readonly (readonly Value[])[];
  /** A further list of what all work-items share. */
  readonly converted: readonly Value[] | undefined;
  /** For each component, the place among those of all lists. */
  readonly order: readonly number[];
  /** Equal keys are equal permutations. */
  readonly key: string;
}

const isWide = (type: Type): boolean => bytesOf(type) === 8;

/** The cost of separating the components of structures that are loaded, or of putting those together that are stored. */
export function costApart(type: Type, count: number): number {
  // Four lanes are loaded one by one, or four vectors are transposed.
  if (isWide(type) || count % 4 !== 0) return count === 2 ? (isWide(type) ? 8 : 2) : 4 * count;
  return 2 * count;
}

/** What it costs more to store components of four words one by one than two at a time. `stored`: a bit for each. */
export function costOfPartsApart(stored: number): number {
  const pairs = [0, 2].filter((k) => ((stored >> k) & 3) === 3);
  return 4 * pairs.length;
}

/** The cost of bringing values into memory order; infinity if that is not possible. `isShared`: whether all work-items have one value. */
export function conversionCost(values: readonly Value[], isShared: (v: Value) => boolean): number {
  const { type } = values[0]!;
  if (values.some((v) => v.type !== type) || !isConvertible(type)) return Number.POSITIVE_INFINITY;
  const count = values.length;
  const vectors = isWide(type) ? 2 * count : count;
  if (values.every((v) => v === values[0])) return vectors;
  const isWhole = count % (isWide(type) ? 2 : 4) === 0;
  if (values.every(isShared)) return isWhole || count === 2 ? 0 : Number.POSITIVE_INFINITY;
  if (isWhole) return isWide(type) ? vectors : 2 * vectors;
  return count === 2 ? vectors : Number.POSITIVE_INFINITY;
}

/** The cost of putting components of structures together; infinity if a vector does not have whole structures. */
export function permutationCost(
  values: readonly Value[],
  { lists, converted }: Permutation,
  isShared: (v: Value) => boolean,
): number {
  const { type } = values[0]!;
  const count = values.length;
  const isWhole = (isWide(type) ? 2 : 4) % count === 0;
  if (!isWhole || values.some((v) => v.type !== type) || !isConvertible(type))
    return Number.POSITIVE_INFINITY;
  const ofLists = lists.length + (converted ? 1 : 0);
  const vectors = isWide(type) ? 2 * count : count;
  return vectors * Math.max(1, ofLists - 1) + (converted ? conversionCost(converted, isShared) : 0);
}

function isConvertible(type: Type): boolean {
  return type === Type.I1 || type === Type.I32 || type === Type.F32 || isWide(type);
}

/** Values in memory order. */
interface Converted {
  readonly made: readonly Inst[];
  /** What they are permuted of. */
  readonly of?: Converted | undefined;
  /** They need not be inserted. */
  readonly isThere?: boolean;
}

/** Inserts conversions before the first use by their users, which then use them. */
export function insertConversions(func: Func, block: Block, conversions: readonly Conversion[]): void {
  if (conversions.length === 0) return;
  const byKey = new Map<string, Converted>();
  const once = (key: string, make: () => Converted): Converted => {
    const known = byKey.get(key) ?? make();
    byKey.set(key, known);
    return known;
  };
  const convert = (values: readonly Value[]): Converted =>
    once(keyOf(values), () => ({
      made: values.map((v, k) => makeInst(func, block, Op.InMemoryOrder, v.type, values, { memoryOrder: k })),
    }));
  const permute = (values: readonly Value[], { lists, converted, order, key }: Permutation): Converted =>
    once(key, () => {
      const [list] = lists;
      if (lists.length === 1 && order.every((place, k) => place === k))
        return { made: list as readonly Inst[], isThere: true };
      const of = converted && convert(converted);
      const operands = [...lists.flat(), ...(of?.made ?? [])];
      const made = values.map((v, k) =>
        makeInst(func, block, Op.PermuteComponents, v.type, operands, {
          order: orderOf(order),
          memoryOrder: k,
        }),
      );
      return { made, of };
    });
  /** By user: what it uses instead, by operand. */
  const uses = new Map<Inst, Map<number, { readonly instead: Converted; readonly component: number }>>();
  for (const { values, users, operand, permutation } of conversions) {
    const instead = permutation ? permute(values, permutation) : convert(values);
    for (const [component, user] of users.entries()) {
      const byOperand = uses.get(user) ?? new Map();
      uses.set(user, byOperand.set(operand, { instead, component }));
    }
  }
  const insts: Inst[] = [];
  const inserted = new Set<Converted>();
  const insert = (one: Converted) => {
    if (inserted.has(one)) return;
    inserted.add(one);
    if (one.isThere) return;
    if (one.of) insert(one.of);
    insts.push(...one.made);
  };
  for (const inst of block.insts) {
    for (const [operand, { instead, component }] of uses.get(inst) ?? []) {
      insert(instead);
      inst.operands = inst.operands.map((o, i) => (i === operand ? instead.made[component]! : o));
    }
    insts.push(inst);
  }
  block.insts = insts;
}

/** Equal keys are equal values. */
export const keyOf = (values: readonly Value[]): string => values.map((v) => v.id).join();

/** Takes the conversions of an earlier run out of the code. Returns whether there are any. */
export function withoutConversions(func: Func): boolean {
  let found = false;
  for (const block of func.blocks) {
    if (!block.insts.some(isConversion)) continue;
    found = true;
    const sourceOf = (v: Value): Value =>
      v.kind === 'inst' && isConversion(v) ? sourceOf(componentOf(v)!) : v;
    mapUses(block, sourceOf);
    block.insts = block.insts.filter((inst) => !isConversion(inst));
  }
  return found;
}

export function isConversion({ op }: Inst): boolean {
  return op === Op.InMemoryOrder || op === Op.PermuteComponents;
}
