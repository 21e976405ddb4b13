// SPDX-License-Identifier: MIT
//
// The variables that a block has captured: its pointers come from these, so reports can name them.
import { constantOf } from '../ir/build';
import { type Func, Op, type Value } from '../ir/ir';

export class Captured {
  private readonly loaded = new Map<Value, string>();

  /** @param names by offset from the first argument. Call it before loads are changed. */
  constructor(func: Func, names: ReadonlyMap<number, string>) {
    if (names.size === 0) return;
    for (const { insts } of func.blocks)
      for (const inst of insts) {
        if (inst.op !== Op.Load) continue;
        const offset = offsetOf(inst.operands[0]!);
        const name = offset === undefined ? undefined : names.get(offset + (inst.facts.offset ?? 0));
        if (name) this.loaded.set(inst, name);
      }
  }

  /** The variable that a pointer is derived from, if it is one. */
  nameOf(pointer: Value): string | undefined {
    const known = this.loaded.get(pointer);
    if (known || this.loaded.size === 0 || pointer.kind !== 'inst') return known;
    if (pointer.op !== Op.Add && pointer.op !== Op.Sub) return undefined;
    // An index may have been captured as well: the pointer is on the left.
    return this.nameOf(pointer.operands[0]!);
  }
}

/** The distance of an address from the first argument; undefined where it is not known. */
function offsetOf(address: Value): number | undefined {
  if (address.kind !== 'inst') return undefined;
  if (address.op === Op.Argument) return address.facts.index === 0 ? 0 : undefined;
  if (address.op !== Op.Add) return undefined;
  const [base, more] = [offsetOf(address.operands[0]!), constantOf(address.operands[1]!)];
  return base === undefined || more === undefined ? undefined : base + Number(more);
}
