// SPDX-License-Identifier: MIT
//
// Copies of memory by work-items and by whole groups.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import type { Inst, Value } from '../../ir/ir';
import { pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { forActiveLanes } from '../control/masks';
import { valTypeOf } from '../value-types';

/** By the size of an element in bytes: the load and the store of it. */
const ACCESSES: Readonly<Record<number, readonly [load: Wasm, store: Wasm] | undefined>> = {
  1: [Wasm.i32_load8_u, Wasm.i32_store8],
  2: [Wasm.i32_load16_u, Wasm.i32_store16],
  4: [Wasm.i32_load, Wasm.i32_store],
  8: [Wasm.i64_load, Wasm.i64_store],
  16: [Wasm.v128_load, Wasm.v128_store],
};

const WIDTHS = [16, 8, 4, 2, 1] as const;

/** Up to this many bytes a copy is a few loads and stores; a memory.copy takes as long as a dozen of them. */
const MOST_INLINE = 96;

/** Copies `size` bytes for each active work-item. */
export function emitCopy(c: Context, inst: Inst): void {
  const size = inst.facts.size!;
  const one = (row: number, lane: number) => {
    const push = (operand: 0 | 1) => pushLane(c, inst.operands[operand]!, row, lane, Extend.None);
    if (size <= MOST_INLINE) {
      c.withLocal(valTypeOf(inst.operands[0]!.type), (to) =>
        c.withLocal(valTypeOf(inst.operands[1]!.type), (from) => {
          push(0);
          c.f.set(to);
          push(1);
          c.f.set(from);
          copyBytes(c, size, to, from);
        }),
      );
      return;
    }
    push(0);
    push(1);
    c.f.i32(size);
    c.f.withZeros(Wasm.memory_copy, 2);
  };
  if (c.lanes > 1) {
    forActiveLanes(c, one);
    return;
  }
  for (let row = 0; row < c.rows; row++) one(row, 0);
}

/** The widest accesses first. Source and target overlap entirely or not at all (SPIR-V, OpCopyMemory). */
function copyBytes(c: Context, size: number, to: number, from: number): void {
  for (let offset = 0; offset < size; ) {
    const width = WIDTHS.find((w) => offset + w <= size)!;
    const [load, store] = ACCESSES[width]!;
    c.f.get(to);
    c.f.get(from);
    c.f.memory(load, offset);
    c.f.memory(store, offset);
    offset += width;
  }
}

/**
 * A copy by the whole work-group, with a stride on one side. The group's first work-item performs it: no work-item may access
 * its target until the group has waited for it.
 */
export function emitGroupCopy(c: Context, inst: Inst): void {
  const { f } = c;
  const [to, from, count, stride, own] = inst.operands as [Value, Value, Value, Value, Value];
  const push = (operand: Value) => pushLane(c, operand, 0, 0, Extend.None);
  const out = f.block();
  push(own);
  f.brIf(out);
  if (constantOf(stride) === 1) {
    for (const operand of [to, from, count]) push(operand);
    f.i32(inst.facts.size!);
    f.op(Wasm.i32_mul);
    f.withZeros(Wasm.memory_copy, 2);
  } else {
    const locals = [to, from, count, stride].map((operand) => {
      const local = c.allocate(valTypeOf(operand.type));
      push(operand);
      f.set(local);
      return local;
    });
    copyElements(c, inst.facts.size!, inst.facts.gather!, locals as [number, number, number, number]);
    for (const local of locals) c.release(local);
  }
  f.end();
}

/** Copies elements one after the other. `gather`: the stride is the source's. Changes the given locals. */
function copyElements(
  c: Context,
  size: number,
  gather: boolean,
  [to, from, count, stride]: readonly [number, number, number, number],
): void {
  const { f } = c;
  const advance = (pointer: number, strided: boolean) => {
    const isWide = f.typeOfLocal(pointer) === ValType.I64;
    f.get(pointer);
    if (strided) f.get(stride);
    else f.i32(size);
    if (isWide) f.op(Wasm.i64_extend_i32_u);
    f.op(isWide ? Wasm.i64_add : Wasm.i32_add);
    f.set(pointer);
  };
  f.get(stride);
  f.i32(size);
  f.op(Wasm.i32_mul);
  f.set(stride);
  const done = f.block();
  const again = f.loop();
  f.get(count);
  f.op(Wasm.i32_eqz);
  f.brIf(done);
  f.get(to);
  f.get(from);
  const access = ACCESSES[size];
  if (access) {
    f.memory(access[0], 0);
    f.memory(access[1], 0);
  } else {
    f.i32(size);
    f.withZeros(Wasm.memory_copy, 2);
  }
  advance(to, !gather);
  advance(from, gather);
  f.get(count);
  f.i32(1);
  f.op(Wasm.i32_sub);
  f.set(count);
  f.br(again);
  f.end();
  f.end();
}
