// SPDX-License-Identifier: MIT
//
// Which values in memory order (memory-order.ts) are used in their usual order, too, so that they cannot be in the other one.
import { type Func, type Inst, Op, type Target, type Value } from '../../../ir/ir';
import { type Conversion, keyOf } from './conversions';
import { isRepetition, type Slice } from './slice';

/** The slices whose values have no user that expects one work-item per lane. */
export function withoutOtherUsers(func: Func, slices: readonly Slice[]): readonly Slice[] {
  let left = slices;
  while (left.length > 0) {
    const components = new Map<Value, number>();
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
    const groups = new Set(left.flatMap(({ group }) => group ?? []));
    const passed = new Set<Target>();
    for (const { params, edges } of groups) {
      for (const [param, k] of params) {
        if ((components.get(param) ?? k) !== k) spoilt.add(param);
        components.set(param, k);
      }
      for (const { target } of edges) passed.add(target);
    }
    const permuting = new Map<Inst, Set<number>>();
    for (const { conversions } of left)
      for (const { users, operand, permutation } of conversions)
        if (permutation)
          for (const user of users) permuting.set(user, (permuting.get(user) ?? new Set()).add(operand));
    const use = (value: Value, user: Inst | undefined, index: number) => {
      const k = components.get(value);
      if (k === undefined || spoilt.has(value)) return;
      const isAddress = index === 0 && (user?.op === Op.Load || user?.op === Op.Store);
      if (!user || isAddress) spoilt.add(value);
      else if (components.get(user) !== k && !permuting.get(user)?.has(index)) spoilt.add(value);
    };
    const replaced = replacedBy(func, left, permuting);
    for (const inst of components.keys())
      if (inst.kind === 'inst' && left.some(({ missing }) => missing.has(inst)))
        for (let i = 0; i < inst.operands.length; i++) use(inst.operands[i]!, inst, i);
    for (const block of func.blocks) {
      for (const inst of block.insts)
        if (!replaced.has(inst))
          for (let i = 0; i < inst.operands.length; i++) use(inst.operands[i]!, inst, i);
      for (const o of block.terminator.operands) use(o, undefined, 0);
      for (const target of block.targets)
        for (const [i, a] of target.arguments.entries())
          if (!passed.has(target) || !components.has(target.block.params[i]!)) use(a, undefined, 0);
    }
    // What is brought into memory order has its usual order before.
    for (const { conversions } of left)
      for (const conversion of conversions)
        for (const v of convertedBy(conversion)) if (components.has(v)) spoilt.add(v);
    if (spoilt.size === 0) break;
    const isSpoilt = (slice: Slice) =>
      [...slice.components.keys()].some((inst) => spoilt.has(inst)) ||
      slice.conversions.some((conversion) => convertedBy(conversion).some((v) => spoilt.has(v)));
    const lost = new Set(left.filter(isSpoilt).map(({ group }) => group));
    for (const group of groups)
      if ([...group.params.keys()].some((param) => spoilt.has(param))) lost.add(group);
    // The slices of vectors that blocks pass on need each other.
    left = left.filter((slice) => !isSpoilt(slice) && !(slice.group && lost.has(slice.group)));
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
