// SPDX-License-Identifier: MIT
//
// The addresses of lanes, one after the other: for accesses that are made lane by lane.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Inst, Type } from '../ir/ir';
import { type MemoryPlan, pushLowAddress, splitOffset } from './addresses';
import type { Context } from './context';
import { activeMask, selectLanes } from './masks';

/**
 * Has `push` push the addresses of the lanes of a part one after the other. Inactive lanes get the address in the local `instead`, if
 * it is given.
 */
export function withPushedAddresses(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number | undefined,
  use: (push: (lane: number) => void, offset: number) => void,
): void {
  if (access.operands[0]!.type === Type.I64) {
    withWideAddresses(c, plan, access, row, part, instead, use);
    return;
  }
  withLaneAddresses(c, plan, access, row, part, instead, (addresses, offset) => {
    const pair = c.allocate(ValType.I64);
    use((lane) => pushOfPair(c, addresses, lane, pair), offset);
    c.release(pair);
  });
}

/** As `withPushedAddresses`, but in any order, and a lane's address any number of times. */
export function withAnyLane(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number,
  use: (push: (lane: number) => void, offset: number) => void,
): void {
  if (access.operands[0]!.type === Type.I64) {
    withWideAddresses(c, plan, access, row, part, instead, use);
    return;
  }
  withLaneAddresses(c, plan, access, row, part, instead, (addresses, offset) =>
    use((lane) => {
      c.f.get(addresses);
      c.f.lane(Wasm.i32x4_extract_lane, lane);
    }, offset),
  );
}

/** The same for addresses of 64 bits: those of four lanes are two vectors. */
function withWideAddresses(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number | undefined,
  use: (push: (lane: number) => void, offset: number) => void,
): void {
  const { f } = c;
  const address = access.operands[0]!;
  const replaced = instead !== undefined && c.mask !== undefined;
  const offset = splitOffset(access);
  const isAdded = offset < 0 || (replaced && offset > 0);
  const halves = [0, 1].map((half) => {
    const local = c.allocate(ValType.V128);
    c.vector(address, row, part * 2 + half);
    if (isAdded) {
      c.constants.splat(Type.I64, BigInt(offset));
      f.op(Wasm.i64x2_add);
    }
    if (replaced) {
      pushLowAddress(c, address, instead);
      f.op(Wasm.i64x2_splat);
      const isShared = instead === plan.safeReadAddress && c.isSharedByRows(address);
      activeMask(c, row, part * 2 + half, Type.I64, isShared);
      selectLanes(c, Type.I64);
    }
    f.set(local);
    return local;
  });
  const push = (lane: number) => {
    f.get(halves[lane >> 1]!);
    f.lane(Wasm.i64x2_extract_lane, lane & 1);
  };
  use(push, isAdded ? 0 : offset);
  for (const local of halves) c.release(local);
}

/** Leaves a vector of lanes' addresses in a local; inactive lanes get the address in the local `instead`, if it is given. */
function withLaneAddresses(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number | undefined,
  use: (local: number, offset: number) => void,
): void {
  const { f } = c;
  const address = access.operands[0]!;
  const element = c.plan.interleavedBytes(access);
  let offset = splitOffset(access);
  c.withLocal(ValType.V128, (local) => {
    c.vector(address, row, part);
    if (element !== undefined) {
      const copies = c.lanes * c.rows;
      c.constants.splat(Type.I32, copies);
      f.op(Wasm.i32x4_mul);
      f.get(plan.framePointer);
      f.op(Wasm.i32x4_splat);
      f.op(Wasm.i32x4_add);
      c.constants.lanes(
        Type.I32,
        [0, 1, 2, 3].map((l) => (row * c.lanes + part * 4 + l) * element),
      );
      f.op(Wasm.i32x4_add);
      offset *= copies;
    }
    const replaced = instead !== undefined && c.mask !== undefined;
    if (offset < 0 || (replaced && offset > 0)) {
      c.constants.splat(Type.I32, offset);
      f.op(Wasm.i32x4_add);
      offset = 0;
    }
    if (replaced) {
      f.get(instead);
      f.op(Wasm.i32x4_splat);
      activeMask(c, row, part, Type.I32, instead === plan.safeReadAddress && c.isSharedByRows(address));
      selectLanes(c, Type.I32);
    }
    f.set(local);
    use(local, offset);
  });
}

/**
 * Lane `l` of a vector, where lanes are extracted one after the other. They are extracted in pairs: on x86-64 only one execution
 * unit extracts lanes other than the first, and it also inserts elements into vectors.
 */
function pushOfPair(c: Context, vector: number, l: number, pair: number): void {
  const { f } = c;
  if ((l & 1) === 0) {
    f.get(vector);
    f.lane(Wasm.i64x2_extract_lane, l >> 1);
    f.tee(pair);
  } else {
    f.get(pair);
    f.i64(32n);
    f.op(Wasm.i64_shr_u);
  }
  f.op(Wasm.i32_wrap_i64);
}
