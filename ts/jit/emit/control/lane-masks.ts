// SPDX-License-Identifier: MIT
//
// The masks of a region's code: which lanes of the tile are active in a block. A block that all lanes of another block reach
// shares its mask; the plan says which block owns it.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Block, Type, type Value } from '../../ir/ir';
import type { Context } from '../context';

export class LaneMasks {
  /** By owner; undefined means all lanes. */
  private masks = new Map<Block, number[] | undefined>();
  /** Owners of masks that certainly have an active lane. */
  private nonEmpty = new Set<Block>();

  constructor(private readonly c: Context) {}

  of(owner: Block): number[] | undefined {
    return this.masks.get(owner);
  }

  set(owner: Block, mask: number[] | undefined): void {
    this.masks.set(owner, mask);
  }

  forget(owner: Block): void {
    this.masks.delete(owner);
  }

  isNonEmpty(owner: Block): boolean {
    return this.nonEmpty.has(owner);
  }

  markNonEmpty(owner: Block): void {
    this.nonEmpty.add(owner);
  }

  /** Saves the current state; calling the result restores it, for code that is emitted a second time. */
  remember(): () => void {
    const masks = new Map(this.masks);
    const nonEmpty = new Set(this.nonEmpty);
    return () => {
      this.masks = masks;
      this.nonEmpty = nonEmpty;
    };
  }

  /** The locals of an owner's mask. */
  make(owner: Block): number[] {
    const known = this.masks.get(owner);
    if (known) return known;
    const { c } = this;
    const made = Array.from({ length: c.rows * (c.lanes >> 2) }, () => c.f.local(ValType.V128));
    this.masks.set(owner, made);
    return made;
  }

  copy(from: readonly number[] | undefined, to: readonly number[]): void {
    const { c } = this;
    to.forEach((local, i) => {
      if (from && from[i] === local) return;
      if (from) c.f.get(from[i]!);
      else c.constants.splat(Type.I32, -1);
      c.f.set(local);
    });
  }

  /** Adds the lanes of one mask to another. */
  add(mask: number[] | undefined, into: number[]): void {
    const { c } = this;
    if (!mask) {
      this.copy(undefined, into);
      return;
    }
    into.forEach((local, i) => {
      c.f.get(local);
      c.f.get(mask[i]!);
      c.f.op(Wasm.v128_or);
      c.f.set(local);
    });
  }

  /** Splits the lanes of `mask` by a condition: lanes where it is true belong to side 0, the others to side 1. */
  split(
    condition: Value,
    mask: readonly number[] | undefined,
    sides: readonly { readonly index: number; readonly locals: readonly number[] }[],
  ): void {
    const { c } = this;
    const { f } = c;
    const perRow = c.lanes >> 2;
    for (let i = 0; i < c.rows * perRow; i++) {
      const row = Math.floor(i / perRow);
      c.withLocal(ValType.V128, (bit) => {
        c.vector(condition, row, i % perRow);
        f.set(bit);
        for (const side of sides) {
          const local = side.locals[i]!;
          if (side.index === 0) {
            f.get(bit);
            if (mask) {
              f.get(mask[i]!);
              f.op(Wasm.v128_and);
            }
          } else if (mask) {
            f.get(mask[i]!);
            f.get(bit);
            f.op(Wasm.v128_andnot);
          } else {
            f.get(bit);
            f.op(Wasm.v128_not);
          }
          f.set(local);
        }
      });
    }
  }
}
