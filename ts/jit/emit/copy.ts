// SPDX-License-Identifier: MIT
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { Inst } from '../ir/ir';
import type { Context } from './context';
import { forActiveLanes } from './masks';
import { pushLane } from './operations';
import { Extend } from './tables';

/** Copies `size` bytes for each active work-item. */
export function emitCopy(c: Context, inst: Inst): void {
  const one = (row: number, lane: number) => {
    pushLane(c, inst.operands[0]!, row, lane, Extend.None);
    pushLane(c, inst.operands[1]!, row, lane, Extend.None);
    c.f.i32(inst.facts.size!);
    c.f.withZeros(Wasm.memory_copy, 2);
  };
  if (c.lanes > 1) {
    forActiveLanes(c, one);
    return;
  }
  for (let row = 0; row < c.rows; row++) one(row, 0);
}

/**
 * A copy by all work-items together, with a stride on one side. Each vector of work-items that comes along makes it whole:
 * until the group waits for it, nobody may touch what it writes.
 */
export function emitGroupCopy(c: Context, inst: Inst): void {
  const { f } = c;
  const [to, from, count, stride] = inst.operands.map((o) => {
    const local = c.allocate(ValType.I32);
    pushLane(c, o, 0, 0, Extend.None);
    f.set(local);
    return local;
  }) as [number, number, number, number];
  const size = inst.facts.size!;
  const out = f.block();
  const again = f.loop();
  f.get(count);
  f.op(Wasm.i32_eqz);
  f.brIf(out);
  f.get(to);
  f.get(from);
  f.i32(size);
  f.withZeros(Wasm.memory_copy, 2);
  for (const [pointer, strided] of [
    [to, !inst.facts.gather],
    [from, inst.facts.gather === true],
  ] as const) {
    f.get(pointer);
    if (strided) {
      f.get(stride);
      f.i32(size);
      f.op(Wasm.i32_mul);
    } else f.i32(size);
    f.op(Wasm.i32_add);
    f.set(pointer);
  }
  f.get(count);
  f.i32(1);
  f.op(Wasm.i32_sub);
  f.set(count);
  f.br(again);
  f.end();
  f.end();
  for (const l of [to, from, count, stride]) c.release(l);
}
