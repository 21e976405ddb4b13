// SPDX-License-Identifier: MIT
//
// The addresses of lanes, one after the other: for accesses that are made lane by lane.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Type } from '../../ir/ir';
import type { Context } from '../context';
import { activeMask, selectLanes } from '../control/masks';
import { SINK_BYTES } from '../pairs';
import { VECTOR_BYTES } from '../target';
import { extractOf, splatOf } from '../value-types';
import { type MemoryPlan, pushLowAddress, splitOffset } from './addresses';

/** The lanes of a part. */
const LANES = 4;
/** The largest offset at which the write sink has room for a vector. */
const LARGEST_IN_SINK = SINK_BYTES - VECTOR_BYTES;

/** Pushes one of four lanes' addresses. */
type PushLane = (lane: number) => void;

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
  use: (push: PushLane, offset: number) => void,
): void {
  const { type } = access.operands[0]!;
  withVectors(c, plan, access, row, part, instead, (vectors, offset) => {
    if (type === Type.I64) {
      use(pushOf(c, type, vectors), offset);
      return;
    }
    const pair = c.allocate(ValType.I64);
    use((lane) => pushOfPair(c, vectors[0]!, lane, pair), offset);
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
  use: (push: PushLane, offset: number) => void,
): void {
  withVectors(c, plan, access, row, part, instead, (vectors, offset) =>
    use(pushOf(c, access.operands[0]!.type, vectors), offset),
  );
}

function pushOf(c: Context, type: Type, vectors: readonly number[]): PushLane {
  const per = c.perVector(type);
  return (lane) => {
    c.f.get(vectors[Math.floor(lane / per)]!);
    c.f.lane(extractOf(type), lane % per);
  };
}

/**
 * Leaves four lanes' addresses in locals: in one vector, or in two where they have 64 bits. Inactive lanes get the address in the local
 * `instead`, if it is given.
 */
function withVectors(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number | undefined,
  use: (vectors: readonly number[], offset: number) => void,
): void {
  const { f } = c;
  const address = access.operands[0]!;
  const { type } = address;
  const element = c.plan.interleavedBytes(access);
  const add = type === Type.I64 ? Wasm.i64x2_add : Wasm.i32x4_add;
  const offset = splitOffset(access) * (element === undefined ? 1 : c.lanes * c.rows);
  const replaced = instead !== undefined && c.mask !== undefined;
  const isAdded = offset < 0 || (replaced && offset > (instead === plan.writeSink ? LARGEST_IN_SINK : 0));
  const count = LANES / c.perVector(type);
  const vectors = Array.from({ length: count }, (_, i) => {
    const local = c.allocate(ValType.V128);
    const at = part * count + i;
    c.vector(address, row, at);
    if (element !== undefined) interleave(c, plan, element, row, part);
    if (isAdded) {
      c.constants.splat(type, type === Type.I64 ? BigInt(offset) : offset);
      f.op(add);
    }
    if (replaced) {
      pushLowAddress(c, address, instead);
      f.op(splatOf(type));
      activeMask(c, row, at, type, instead === plan.safeReadAddress && c.isSharedByRows(address));
      selectLanes(c, type);
    }
    f.set(local);
    return local;
  });
  use(vectors, isAdded ? 0 : offset);
  for (const local of vectors) c.release(local);
}

/** Makes addresses of interleaved private memory of the offsets on the stack, which all work-items share. */
function interleave(c: Context, plan: MemoryPlan, element: number, row: number, part: number): void {
  const { f } = c;
  c.constants.splat(Type.I32, c.lanes * c.rows);
  f.op(Wasm.i32x4_mul);
  f.get(plan.framePointer);
  f.op(Wasm.i32x4_splat);
  f.op(Wasm.i32x4_add);
  c.constants.lanes(
    Type.I32,
    Array.from({ length: LANES }, (_, l) => (row * c.lanes + part * LANES + l) * element),
  );
  f.op(Wasm.i32x4_add);
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
