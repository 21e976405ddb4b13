// SPDX-License-Identifier: MIT
//
// Addresses of loads and stores: of a row, of each lane, and of all lanes at once where they are contiguous.

import { READABLE_BEYOND } from '../../../base/kernel-abi';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { accessedBytes } from '../../ir/accesses';
import { type Inst, Type, type Value } from '../../ir/ir';
import { pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { anyLane, maskOfRow } from '../control/masks';
import { valTypeOf } from '../value-types';

/** The state for memory accesses besides the context. */
export interface MemoryPlan {
  /** Local with the address of the work-items' private memory. */
  readonly framePointer: number;
  /** Whether inactive lanes of a store may write back the old contents. */
  mayWriteBack(store: Inst): boolean;
  /** Where they may do so in launches that alone write a store's argument. */
  soleRange(store: Inst): SoleRange | undefined;
  /** Local with an address that inactive lanes may read. */
  readonly safeReadAddress: number;
  /** Local with the address of the write sink, SINK_BYTES that nobody reads: the target of inactive lanes' stores. */
  readonly writeSink: number;
  /** Whether privatized atomics access the worker's copy. */
  readonly privatized: boolean;
}

/** Locals with the start and the end of the memory that a launch alone writes. */
export interface SoleRange {
  readonly start: number;
  readonly end: number;
}

/** The instructions for one value in memory: narrow integers, halves and truth values are in 32 bits. */
const SCALAR_ACCESSES: Partial<Record<Type, { readonly load: Wasm; readonly store: Wasm }>> = {
  [Type.I8]: { load: Wasm.i32_load8_u, store: Wasm.i32_store8 },
  [Type.I16]: { load: Wasm.i32_load16_u, store: Wasm.i32_store16 },
  [Type.F16]: { load: Wasm.i32_load16_u, store: Wasm.i32_store16 },
  [Type.I64]: { load: Wasm.i64_load, store: Wasm.i64_store },
  [Type.F32]: { load: Wasm.f32_load, store: Wasm.f32_store },
  [Type.F64]: { load: Wasm.f64_load, store: Wasm.f64_store },
};
const WORD_ACCESS = { load: Wasm.i32_load, store: Wasm.i32_store };

export const scalarLoadOf = (type: Type): Wasm => (SCALAR_ACCESSES[type] ?? WORD_ACCESS).load;
export const scalarStoreOf = (type: Type): Wasm => (SCALAR_ACCESSES[type] ?? WORD_ACCESS).store;

export const LOAD_LANE: Record<number, Wasm> = {
  1: Wasm.v128_load8_lane,
  2: Wasm.v128_load16_lane,
  4: Wasm.v128_load32_lane,
  8: Wasm.v128_load64_lane,
};

export const STORE_LANE: Record<number, Wasm> = {
  1: Wasm.v128_store8_lane,
  2: Wasm.v128_store16_lane,
  4: Wasm.v128_store32_lane,
  8: Wasm.v128_store64_lane,
};

/** The constant part of an access: the offset in the instruction; the remainder is added to the address. */
export function splitOffset(inst: Inst): number {
  return inst.facts.offset ?? 0;
}

/** The distance in bytes from lane 0's component to the accessed element, for array-of-structures accesses in memory order. */
function distanceInRecords(c: Context, access: Inst): number {
  const component = access.facts.memoryOrder ?? 0;
  return component * (c.lanes - 1) * accessedBytes(access);
}

/** Whether all lanes of some row may be inactive, so that the row's address may be arbitrary. */
export function mayBeIdle(c: Context, address: Value): boolean {
  return c.mask !== undefined && c.rowsOf(address) > 1;
}

/** Adds a number of bytes to the address on the stack, which has the type of the value. */
export function moveAddress(c: Context, { type }: Value, bytes: number): void {
  if (type === Type.I64) {
    c.f.i64(BigInt(bytes));
    c.f.op(Wasm.i64_add);
  } else {
    c.f.i32(bytes);
    c.f.op(Wasm.i32_add);
  }
}

/** Pushes one of the device's own addresses, which are below 4 GB, as one of the value's type. */
export function pushLowAddress(c: Context, { type }: Value, local: number): void {
  c.f.get(local);
  if (type === Type.I64) c.f.op(Wasm.i64_extend_i32_u);
}

/** Replaces the address on the stack by a safe one if all lanes of the row are inactive. */
export function avoidIdleRow(c: Context, plan: MemoryPlan, row: number, address: Value): void {
  pushLowAddress(c, address, plan.safeReadAddress);
  anyLane(c, maskOfRow(c, row));
  c.f.op(Wasm.select);
}

/** As `withRowAddress`, but safe to read even if all lanes of the row are inactive. */
export function withReadableRow(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  use: (local: number, offset: number) => void,
): void {
  const { f } = c;
  withRowAddress(c, plan, access, row, (address, offset) => {
    const [value] = access.operands as [Value];
    if (!mayBeIdle(c, value)) {
      use(address, offset);
      return;
    }
    c.withLocal(valTypeOf(value.type), (readable) => {
      f.get(address);
      moveAddress(c, value, offset);
      avoidIdleRow(c, plan, row, value);
      f.set(readable);
      use(readable, 0);
    });
  });
}

/** Leaves the address of one row (of lane 0) in a local for `use`. */
export function withRowAddress(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  use: (local: number, offset: number) => void,
): void {
  const { f } = c;
  const address = access.operands[0]!;
  const element = c.plan.interleavedBytes(access);
  const offset = splitOffset(access) + distanceInRecords(c, access);
  if (element !== undefined) {
    const copies = c.lanes * c.rows;
    c.withLocal(ValType.I32, (local) => {
      c.scalar(address, row);
      f.i32(copies);
      f.op(Wasm.i32_mul);
      f.get(plan.framePointer);
      f.op(Wasm.i32_add);
      const at = offset * copies + row * c.lanes * element;
      if (at < 0) {
        f.i32(at);
        f.op(Wasm.i32_add);
      }
      f.set(local);
      use(local, Math.max(at, 0));
    });
    return;
  }
  const known = c.registers[address.id];
  if (known && offset >= 0) {
    use(known[known.length > 1 ? row : 0]!, offset);
    return;
  }
  c.withLocal(valTypeOf(address.type), (local) => {
    c.scalar(address, row);
    if (offset < 0) moveAddress(c, address, offset);
    f.set(local);
    use(local, Math.max(offset, 0));
  });
}

/** Whether the lanes' addresses are close enough for inactive lanes to read theirs. */
export function isNear(c: Context, address: Value): boolean {
  const stride = c.divergence.stride[address.id]!;
  return !c.mask || Math.abs(stride) * c.lanes <= READABLE_BEYOND;
}

/** Evaluates a value into locals if its evaluation was deferred to its use; returns a function that releases them. */
export function holdVector(c: Context, value: Value): () => void {
  if (!c.isInline(value)) return () => {};
  const { f } = c;
  const locals = c.allocateFor(value);
  const inst = value as Inst;
  const width = c.plan.packed.get(value.id);
  if (width) {
    const perRow = c.plan.packedVectors(width);
    locals.forEach((local, i) => {
      c.evaluator.packed(inst, width, Math.floor(i / perRow), i % perRow);
      f.set(local);
    });
  } else if (c.isVector(value)) {
    const perRow = c.perRow(value.type);
    locals.forEach((local, i) => {
      c.evaluator.vector(inst, Math.floor(i / perRow), i % perRow);
      f.set(local);
    });
  } else
    locals.forEach((local, row) => {
      c.evaluator.scalar(inst, row);
      f.set(local);
    });
  c.registers[value.id] = locals;
  return () => {
    for (const l of locals) c.release(l);
    c.registers[value.id] = undefined;
  };
}

/** The memory offset to use with `pushLaneAddress`. */
export function laneOffset(c: Context, access: Inst): number {
  const offset = splitOffset(access);
  const element = c.plan.interleavedBytes(access);
  return Math.max(0, element !== undefined ? offset * c.lanes * c.rows : offset);
}

/** Leaves one lane's address on the stack, without the memory offset. */
export function pushLaneAddress(c: Context, plan: MemoryPlan, access: Inst, row: number, lane: number): void {
  const { f } = c;
  const element = c.plan.interleavedBytes(access);
  const address = access.operands[0]!;
  const parts = element === undefined && c.isInline(address) ? c.plan.laneBases.get(address) : undefined;
  if (parts) {
    pushLane(c, parts.base, row, lane, Extend.None);
    c.scalar(parts.offset, row);
    f.op(Wasm.i32_add);
  } else pushLane(c, address, row, lane, Extend.None);
  if (element !== undefined) {
    f.i32(c.lanes * c.rows);
    f.op(Wasm.i32_mul);
    f.get(plan.framePointer);
    f.op(Wasm.i32_add);
    f.i32((row * c.lanes + lane) * element + Math.min(0, splitOffset(access)) * c.lanes * c.rows);
    f.op(Wasm.i32_add);
  } else if (splitOffset(access) < 0) moveAddress(c, address, splitOffset(access));
}
