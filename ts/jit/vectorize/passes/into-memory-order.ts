// SPDX-License-Identifier: MIT
//
// Values that are brought into memory order (memory-order.ts): one number for all components of a structure, or a number of its own for
// each. Costs are in shuffles for four work-items.
import { makeInst } from '../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { mapUses } from '../../ir/rewrite';
import { bytesOf } from '../../ir/types';

export interface Conversion {
  /** Of the components. */
  readonly values: readonly Value[];
  /** The values' `keyOf`. */
  readonly key: string;
  /** What uses them, as which operand. */
  readonly users: readonly Inst[];
  readonly operand: number;
}

const isWide = (type: Type): boolean => bytesOf(type) === 8;

/** The cost of separating the components of structures that are loaded, or of putting those together that are stored. */
export function costApart(type: Type, count: number): number {
  // Four lanes are loaded one by one, or four vectors are transposed.
  if (isWide(type) || count % 4 !== 0) return count === 2 ? (isWide(type) ? 8 : 2) : 4 * count;
  return 2 * count;
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

function isConvertible(type: Type): boolean {
  return type === Type.I1 || type === Type.I32 || type === Type.F32 || isWide(type);
}

/** Inserts conversions before the first use by their users, which then use them. */
export function insertConversions(func: Func, block: Block, conversions: readonly Conversion[]): void {
  if (conversions.length === 0) return;
  const byValues = new Map<string, readonly Inst[]>();
  /** By user: what it uses instead, by operand. */
  const uses = new Map<Inst, Map<number, { readonly made: readonly Inst[]; readonly component: number }>>();
  for (const { values, key, users, operand } of conversions) {
    const made =
      byValues.get(key) ??
      values.map((v, k) => makeInst(func, block, Op.InMemoryOrder, v.type, values, { memoryOrder: k }));
    byValues.set(key, made);
    for (const [component, user] of users.entries()) {
      const byOperand = uses.get(user) ?? new Map();
      uses.set(user, byOperand.set(operand, { made, component }));
    }
  }
  const insts: Inst[] = [];
  const inserted = new Set<readonly Inst[]>();
  for (const inst of block.insts) {
    for (const [operand, { made, component }] of uses.get(inst) ?? []) {
      if (!inserted.has(made)) insts.push(...made);
      inserted.add(made);
      inst.operands = inst.operands.map((o, i) => (i === operand ? made[component]! : o));
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
      v.kind === 'inst' && isConversion(v) ? sourceOf(v.operands[v.facts.memoryOrder!]!) : v;
    mapUses(block, sourceOf);
    block.insts = block.insts.filter((inst) => !isConversion(inst));
  }
  return found;
}

const isConversion = ({ op }: Inst): boolean => op === Op.InMemoryOrder;
