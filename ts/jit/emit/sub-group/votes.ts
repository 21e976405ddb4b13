// SPDX-License-Identifier: MIT
//
// Votes of a sub-group: all, any, ballots, and the election of one lane.

import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, Type } from '../../ir/ir';
import type { Context } from '../context';

export function vote(c: Context, inst: Inst): void {
  const { f, mask } = c;
  const all = inst.op === Op.GroupAll;
  for (let part = 0; part < c.lanes >> 2; part++) {
    c.vector(inst.operands[0]!, 0, part);
    if (all) f.op(Wasm.v128_not);
    if (mask) {
      f.get(mask[part]!);
      f.op(Wasm.v128_and);
    }
    if (part > 0) f.op(Wasm.v128_or);
  }
  f.op(Wasm.v128_any_true);
  if (all) f.op(Wasm.i32_eqz);
  f.set(c.registersOf(inst)[0]!);
}

export function ballot(c: Context, inst: Inst): void {
  const { f, mask } = c;
  if ((inst.facts.component ?? 0) === 0)
    pushBits(c, (part) => {
      c.vector(inst.operands[0]!, 0, part);
      if (!mask) return;
      f.get(mask[part]!);
      f.op(Wasm.v128_and);
    });
  else f.i32(0);
  f.set(c.registersOf(inst)[0]!);
}

/** A bit for each lane of masks. */
function pushBits(c: Context, push: (part: number) => void): void {
  const { f } = c;
  for (let part = 0; part < c.lanes >> 2; part++) {
    push(part);
    f.op(Wasm.i32x4_bitmask);
    if (part === 0) continue;
    f.i32(part * 4);
    f.op(Wasm.i32_shl);
    f.op(Wasm.i32_or);
  }
}

/** The first active lane is elected. */
export function elect(c: Context, inst: Inst): void {
  const { f, mask } = c;
  const registers = c.registersOf(inst);
  if (!mask) {
    registers.forEach((local, part) => {
      c.constants.lanes(Type.I32, [part === 0 ? -1 : 0, 0, 0, 0]);
      f.set(local);
    });
    return;
  }
  c.withLocal(ValType.I32, (bits) => {
    pushBits(c, (part) => f.get(mask[part]!));
    f.set(bits);
    registers.forEach((local, part) => {
      // The lowest bit alone.
      f.get(bits);
      f.i32(0);
      f.get(bits);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32x4_splat);
      c.constants.lanes(
        Type.I32,
        [0, 1, 2, 3].map((lane) => 1 << (part * 4 + lane)),
      );
      f.op(Wasm.v128_and);
      c.constants.splat(Type.I32, 0);
      f.op(Wasm.i32x4_ne);
      f.set(local);
    });
  });
}
