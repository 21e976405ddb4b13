// SPDX-License-Identifier: MIT
//
// Whether the low 16 bits of a number of 32 bits will be packed (vectorize/packing.ts): whether all that computes them begins with
// neighbouring elements.
import type { Divergence } from '../../analyses/divergence';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { isComparison, packableWidth } from '../packing';

export class PackedHalves {
  private readonly known = new Map<Value, boolean>();

  constructor(private readonly divergence: Divergence) {}

  has(v: Value): boolean {
    // What all work-items share is a splat.
    if (!Number.isNaN(this.divergence.stride[v.id]!)) return true;
    let known = this.known.get(v);
    if (known === undefined) {
      // Numbers that loops compute from themselves are not.
      this.known.set(v, false);
      known = v.kind === 'inst' && this.isPacked(v);
      this.known.set(v, known);
    }
    return known;
  }

  private isPacked(v: Inst): boolean {
    const { op, type, operands } = v;
    if (type === Type.I32) return operands.length > 0 && op !== Op.Load && operands.every((o) => this.has(o));
    const isNarrow = type === Type.I8 || type === Type.I16 || isComparison(op);
    if (!isNarrow || packableWidth(v.block, v, this.divergence) === undefined) return false;
    return op === Op.Load || operands.every((o) => this.has(o));
  }
}
