// SPDX-License-Identifier: MIT
//
// Loads and stores. Inactive lanes may read: within a vector that has an active lane they stay within 16 elements of
// memory that is there, and the device keeps slack at the memory's ends; addresses that can be anywhere are replaced by a
// harmless one. Inactive lanes never write where their addresses say, for another worker may own the element.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { laneBase, type Pattern, patternOf } from '../vectorize/access';
import { clampedIndex, type IndexedAddress, likelyContiguous } from '../vectorize/contiguity';
import type { Context } from './context';
import { floatsToEightHalves } from './half';
import { allLanes, anyLane, forActiveLanes, maskOfRow } from './masks';
import { pushLane } from './operations';
import { emitPacked, pushPacked } from './packed';
import { Extend } from './tables';

/** What memory code must know beside the context. */
export interface MemoryPlan {
  /** Bytes of each element, where an access is to lane-interleaved private memory. */
  interleavedBytes(access: Inst): number | undefined;
  /** Local with the address of the work-items' private memory. */
  readonly framePointer: number;
  /** Whether inactive lanes of a store may write what is there already. */
  mayWriteBack(store: Inst): boolean;
  /** Local with an address that inactive lanes may read. */
  readonly harmless: number;
  /** Local with an address where 16 bytes may be written that nobody reads. */
  readonly dump: number;
}

export function scalarLoadOf(type: Type): Wasm {
  switch (type) {
    case Type.I8:
      return Wasm.i32_load8_u;
    case Type.I16:
    case Type.F16:
      return Wasm.i32_load16_u;
    case Type.I64:
      return Wasm.i64_load;
    case Type.F32:
      return Wasm.f32_load;
    case Type.F64:
      return Wasm.f64_load;
    default:
      return Wasm.i32_load;
  }
}

export function scalarStoreOf(type: Type): Wasm {
  switch (type) {
    case Type.I8:
      return Wasm.i32_store8;
    case Type.I16:
    case Type.F16:
      return Wasm.i32_store16;
    case Type.I64:
      return Wasm.i64_store;
    case Type.F32:
      return Wasm.f32_store;
    case Type.F64:
      return Wasm.f64_store;
    default:
      return Wasm.i32_store;
  }
}

const LOAD_LANE: Record<number, Wasm> = {
  1: Wasm.v128_load8_lane,
  2: Wasm.v128_load16_lane,
  4: Wasm.v128_load32_lane,
  8: Wasm.v128_load64_lane,
};
const STORE_LANE: Record<number, Wasm> = {
  1: Wasm.v128_store8_lane,
  2: Wasm.v128_store16_lane,
  4: Wasm.v128_store32_lane,
  8: Wasm.v128_store64_lane,
};

/** The constant part of an access: an offset that the instruction can hold, the rest added to the address. */
export function splitOffset(inst: Inst): number {
  return inst.facts.offset ?? 0;
}

/** How far behind lane 0's component what is accessed lies, where records are accessed as they lie. */
function distanceInRecords(c: Context, access: Inst): number {
  const component = c.divergence.asTheyLie.get(access) ?? 0;
  return component * (c.lanes - 1) * bytesOf(access.op === Op.Store ? access.operands[1]!.type : access.type);
}

/** Whether all lanes of some row may be inactive, and so its address anything. */
function mayBeIdle(c: Context, address: Value): boolean {
  return c.mask !== undefined && c.rowsOf(address) > 1;
}

/** Replaces the address on the stack by a harmless one if all lanes of the row are inactive. */
export function avoidIdleRow(c: Context, plan: MemoryPlan, row: number): void {
  c.f.get(plan.harmless);
  anyLane(c, maskOfRow(c, row));
  c.f.op(Wasm.select);
}

/** As `withRowAddress`, for reading also where all lanes of the row are inactive. */
function withReadableRow(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  use: (local: number, offset: number) => void,
): void {
  const { f } = c;
  withRowAddress(c, plan, access, row, (address, offset) => {
    if (!mayBeIdle(c, access.operands[0]!)) {
      use(address, offset);
      return;
    }
    c.withLocal(ValType.I32, (readable) => {
      f.get(address);
      f.i32(offset);
      f.op(Wasm.i32_add);
      avoidIdleRow(c, plan, row);
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
  const element = plan.interleavedBytes(access);
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
  c.withLocal(ValType.I32, (local) => {
    c.scalar(address, row);
    if (offset < 0) {
      f.i32(offset);
      f.op(Wasm.i32_add);
    }
    f.set(local);
    use(local, Math.max(offset, 0));
  });
}

/** Leaves a vector of lanes' addresses in a local; inactive lanes get the one in the local `instead`, if there is one. */
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
  const element = plan.interleavedBytes(access);
  let offset = splitOffset(access);
  c.withLocal(ValType.V128, (local) => {
    c.vector(address, row, part);
    if (element !== undefined) {
      const copies = c.lanes * c.rows;
      c.vectorConstant(Type.I32, copies);
      f.op(Wasm.i32x4_mul);
      f.get(plan.framePointer);
      f.op(Wasm.i32x4_splat);
      f.op(Wasm.i32x4_add);
      c.laneConstants(
        Type.I32,
        [0, 1, 2, 3].map((l) => (row * c.lanes + part * 4 + l) * element),
      );
      f.op(Wasm.i32x4_add);
      offset *= copies;
    }
    const replaced = instead !== undefined && c.mask !== undefined;
    if (offset < 0 || (replaced && offset > 0)) {
      c.vectorConstant(Type.I32, offset);
      f.op(Wasm.i32x4_add);
      offset = 0;
    }
    if (replaced) {
      f.get(instead);
      f.op(Wasm.i32x4_splat);
      c.activeMask(row, part, Type.I32, instead === plan.harmless && c.isSharedByRows(address));
      c.selectLanes(Type.I32);
    }
    f.set(local);
    use(local, offset);
  });
}

/** How the lanes' elements lie: in interleaved memory those of one index lie side by side, and no others do. */
function patternHere(c: Context, plan: MemoryPlan, access: Inst): Pattern {
  const pattern = patternOf(c.divergence, access, c.block);
  if (plan.interleavedBytes(access) === undefined) return pattern;
  return pattern === 'uniform' ? 'contiguous' : 'scattered';
}

export function emitLoad(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const { type } = inst;
  if (type <= Type.I16 || type === Type.F16) c.zeroExtended.add(inst.id);
  const registers = c.registersOf(inst);
  if (!c.isVector(inst)) {
    for (let row = 0; row < registers.length; row++)
      withReadableRow(c, plan, inst, row, (address, offset) => {
        f.get(address);
        if (c.splatted.has(inst.id))
          f.memory(bytesOf(type) === 8 ? Wasm.v128_load64_splat : Wasm.v128_load32_splat, offset);
        else f.memory(scalarLoadOf(type), offset);
        f.set(registers[row]!);
      });
    return;
  }
  const width = c.packed.get(inst.id);
  if (width) {
    const perRow = (c.lanes * width) >> 7;
    for (let row = 0; row < c.rowsOf(inst); row++)
      withReadableRow(c, plan, inst, row, (address, offset) =>
        loadContiguous(c, Type.I32, address, offset, registers.slice(row * perRow, (row + 1) * perRow)),
      );
    return;
  }
  const pattern = patternHere(c, plan, inst);
  const perRow = c.perRow(type);
  for (let row = 0; row < c.rowsOf(inst); row++) {
    const into = registers.slice(row * perRow, (row + 1) * perRow);
    if (pattern === 'contiguous')
      withReadableRow(c, plan, inst, row, (address, offset) =>
        loadContiguous(c, type, address, offset, into),
      );
    else if (pattern === 'uniform') {
      // Volatile, or private memory that is not interleaved: each lane for itself.
      into.forEach((local) => {
        withReadableRow(c, plan, inst, row, (address, offset) => {
          f.get(address);
          f.memory(scalarLoadOf(type), offset);
        });
        c.splat(type);
        f.set(local);
      });
    } else if (pattern === 'strided' && isNear(c, inst.operands[0]!)) loadStrided(c, plan, inst, row, into);
    else loadLikelyContiguous(c, plan, inst, row, into);
  }
}

function isAtHand(c: Context, value: Value): boolean {
  return c.registers[value.id] !== undefined || constantOf(value) !== undefined;
}

/** The index where it is still at hand, else the address itself. */
function testable(c: Context, likely: IndexedAddress, access: Inst): IndexedAddress {
  if (c.registers[likely.index.id]) return likely;
  const type = access.op === Op.Store ? access.operands[1]!.type : access.type;
  return { index: access.operands[0]!, step: bytesOf(type) };
}

/** Leaves 1 on the stack if the lanes of a row access consecutive elements. */
function testContiguity(c: Context, likely: IndexedAddress, access: Inst, row: number): void {
  const { f } = c;
  const clamped = clampedIndex(c.divergence, likely, c.block);
  if (clamped && isAtHand(c, clamped.inside) && clamped.bounds.every((b) => isAtHand(c, b.limit))) {
    clamped.bounds.forEach(({ op, limit }, i) => {
      c.scalar(clamped.inside, row);
      if (op === Op.SMin) {
        f.i32((c.lanes - 1) * likely.step);
        f.op(Wasm.i32_add);
      }
      c.scalar(limit, row);
      f.op(op === Op.SMin ? Wasm.i32_le_s : Wasm.i32_ge_s);
      if (i > 0) f.op(Wasm.i32_and);
    });
    return;
  }
  const { index, step } = testable(c, likely, access);
  for (let part = 0; part < c.lanes >> 2; part++) {
    c.vector(index, row, part);
    c.vector(index, row, 0);
    f.lane(Wasm.i32x4_extract_lane, 0);
    f.op(Wasm.i32x4_splat);
    c.laneConstants(
      Type.I32,
      [0, 1, 2, 3].map((l) => (part * 4 + l) * step),
    );
    f.op(Wasm.i32x4_add);
    f.op(Wasm.i32x4_eq);
    if (part > 0) f.op(Wasm.v128_and);
  }
  f.op(Wasm.i32x4_all_true);
}

function loadLikelyContiguous(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  into: readonly number[],
): void {
  const { f } = c;
  const address = inst.operands[0]!;
  const likely =
    plan.interleavedBytes(inst) === undefined && splitOffset(inst) >= 0
      ? likelyContiguous(c.divergence, address, bytesOf(inst.type), c.block)
      : undefined;
  if (!likely) {
    gather(c, plan, inst, row, into);
    return;
  }
  const held = holdVector(c, address);
  testContiguity(c, likely, inst, row);
  f.if_(true);
  c.withLocal(ValType.I32, (first) => {
    c.vector(address, row, 0);
    f.lane(Wasm.i32x4_extract_lane, 0);
    const idle = mayBeIdle(c, address);
    if (idle) {
      f.i32(splitOffset(inst));
      f.op(Wasm.i32_add);
      avoidIdleRow(c, plan, row);
    }
    f.set(first);
    loadContiguous(c, inst.type, first, idle ? 0 : splitOffset(inst), into);
  });
  f.else_();
  gather(c, plan, inst, row, into);
  f.end();
  held();
}

/** Whether the lanes' addresses lie close enough together for inactive ones to be read. */
function isNear(c: Context, address: Value): boolean {
  const stride = c.divergence.stride[address.id]!;
  return !c.mask || Math.abs(stride) * c.lanes <= 1024;
}

export function loadContiguous(
  c: Context,
  type: Type,
  address: number,
  offset: number,
  into: readonly number[],
): void {
  const { f } = c;
  const bytes = bytesOf(type);
  for (let part = 0; part < into.length; part++) {
    f.get(address);
    if (bytes >= 4) f.memory(Wasm.v128_load, offset + part * 16);
    else if (bytes === 2) f.memory(Wasm.v128_load16x4_u, offset + part * 8);
    else {
      f.memory(Wasm.v128_load32_zero, offset + part * 4);
      f.op(Wasm.i16x8_extend_low_i8x16_u);
      f.op(Wasm.i32x4_extend_low_i16x8_u);
    }
    f.set(into[part]!);
  }
}

function loadStrided(c: Context, plan: MemoryPlan, inst: Inst, row: number, into: readonly number[]): void {
  const { f } = c;
  const { type } = inst;
  const stride = c.divergence.stride[inst.operands[0]!.id]!;
  const bytes = bytesOf(type);
  const per = c.perVector(type);
  withReadableRow(c, plan, inst, row, (address, offset) => {
    into.forEach((local, part) => {
      c.vectorConstant(Type.I32, 0);
      f.set(local);
      for (let l = 0; l < per; l++) {
        const at = offset + (part * per + l) * stride;
        f.get(address);
        if (at < 0) {
          f.i32(at);
          f.op(Wasm.i32_add);
        }
        f.get(local);
        f.memoryLane(LOAD_LANE[bytes]!, Math.max(at, 0), (l * 16) / per / bytes);
        f.set(local);
      }
    });
  });
}

function gather(c: Context, plan: MemoryPlan, inst: Inst, row: number, into: readonly number[]): void {
  const { f } = c;
  const bytes = bytesOf(inst.type);
  const wide = bytes === 8;
  const address = inst.operands[0]!;
  if (
    !c.mask &&
    plan.interleavedBytes(inst) === undefined &&
    c.deferred.has(address.id) &&
    laneBase(c.divergence, address, c.block)
  ) {
    gatherFromBases(c, plan, inst, row, into);
    return;
  }
  for (let part = 0; part < c.lanes >> 2; part++)
    withLaneAddresses(c, plan, inst, row, part, plan.harmless, (addresses, offset) => {
      const pair = c.allocate(ValType.I64);
      for (let l = 0; l < 4; l++) {
        const local = into[wide ? part * 2 + (l >> 1) : part]!;
        pushOfPair(c, addresses, l, pair);
        const first = wide ? (l & 1) === 0 : l === 0;
        if (first && bytes >= 4) f.memory(wide ? Wasm.v128_load64_zero : Wasm.v128_load32_zero, offset);
        else {
          if (first) c.vectorConstant(Type.I32, 0);
          else f.get(local);
          f.memoryLane(LOAD_LANE[bytes]!, offset, wide ? l & 1 : (l * 4) / bytes);
        }
        f.set(local);
      }
      c.release(pair);
    });
}

/**
 * Lane `l` of a vector, where lanes are taken one after the other: two at a time, as on x86-64 taking out any lane but
 * the first goes through the one unit that puts elements into vectors, too.
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

function gatherFromBases(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  into: readonly number[],
): void {
  const { f } = c;
  const bytes = bytesOf(inst.type);
  const per = c.perVector(inst.type);
  const offset = laneOffset(c, plan, inst);
  into.forEach((local, part) => {
    for (let l = 0; l < per; l++) {
      pushLaneAddress(c, plan, inst, row, part * per + l);
      if (l === 0 && bytes >= 4)
        f.memory(bytes === 8 ? Wasm.v128_load64_zero : Wasm.v128_load32_zero, offset);
      else {
        if (l === 0) c.vectorConstant(Type.I32, 0);
        else f.get(local);
        f.memoryLane(LOAD_LANE[bytes]!, offset, (l * 16) / per / bytes);
      }
      f.set(local);
    }
  });
}

export function emitStore(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const { type } = value;
  const code = scalarStoreOf(type);
  if (c.lanes === 1) {
    for (let row = 0; row < c.rows; row++)
      withRowAddress(c, plan, inst, row, (address, offset) => {
        f.get(address);
        c.scalar(value, row);
        f.memory(code, offset);
      });
    return;
  }
  const interleaved = plan.interleavedBytes(inst) !== undefined;
  const pattern = patternHere(c, plan, inst);
  if (pattern === 'contiguous') {
    storeContiguous(c, plan, inst);
    return;
  }
  if (pattern === 'uniform' && !c.mask && c.rowsOf(inst.operands[0]!) === c.rows) {
    // All lanes write one place: the last one stays.
    for (let row = 0; row < c.rows; row++)
      withRowAddress(c, plan, inst, row, (address, offset) => {
        f.get(address);
        pushLane(c, value, row, c.lanes - 1, Extend.None);
        f.memory(code, offset);
      });
    return;
  }
  if (
    pattern === 'uniform' &&
    !c.isVectorHere(value) &&
    c.divergence.stride[value.id] === 0 &&
    c.rows === 1
  ) {
    withRowAddress(c, plan, inst, 0, (address, offset) => {
      f.get(address);
      c.scalar(value, 0);
      f.memory(code, offset);
    });
    return;
  }
  const likely =
    !c.mask && !interleaved && splitOffset(inst) >= 0
      ? likelyContiguous(c.divergence, inst.operands[0]!, bytesOf(type), c.block)
      : undefined;
  if (!likely || c.rows > 1) {
    scatter(c, plan, inst);
    return;
  }
  const held = [holdVector(c, value), holdVector(c, inst.operands[0]!)];
  testContiguity(c, likely, inst, 0);
  f.if_(true);
  c.withLocal(ValType.I32, (first) => {
    c.vector(inst.operands[0]!, 0, 0);
    f.lane(Wasm.i32x4_extract_lane, 0);
    f.set(first);
    storeRow(c, value, 0, first, splitOffset(inst), false);
  });
  f.else_();
  scatter(c, plan, inst);
  f.end();
  for (const release of held) release();
}

function storeContiguous(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const interleaved = plan.interleavedBytes(inst) !== undefined;
  const own = interleaved || inst.facts.space === 'local' || inst.facts.space === 'private';
  const rows = Array.from({ length: c.rows }, (_, row) => row);
  const wholeRows = (blend: boolean) => {
    for (const row of rows)
      withRowAddress(c, plan, inst, row, (address, offset) =>
        storeRow(c, value, row, address, offset, blend),
      );
  };
  const activeRows = () => {
    for (const row of rows) {
      anyLane(c, maskOfRow(c, row));
      f.if_();
      withRowAddress(c, plan, inst, row, (address, offset) => storeRow(c, value, row, address, offset, true));
      f.end();
    }
  };
  if (!c.mask) {
    wholeRows(false);
    return;
  }
  // One worker runs the whole group: nobody else can write its local memory meanwhile.
  const inRecords = c.divergence.asTheyLie.get(inst);
  if (own && bytesOf(value.type) >= 4 && inRecords === undefined) {
    if (mayBeIdle(c, inst.operands[0]!)) activeRows();
    else wholeRows(true);
    return;
  }
  if (plan.mayWriteBack(inst)) {
    wholeRows(true);
    return;
  }
  // The value may be an expression; both paths need it.
  const held = holdVector(c, value);
  allLanes(c, c.mask);
  f.if_(true);
  wholeRows(false);
  f.else_();
  if (inRecords === undefined) scatter(c, plan, inst);
  else scatterFromRecords(c, plan, inst, inRecords);
  f.end();
  held();
}

/** Stores what lies in records for the active lanes alone: a lane's components may be in several "components". */
function scatterFromRecords(c: Context, plan: MemoryPlan, inst: Inst, component: number): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const bytes = bytesOf(value.type);
  const per = c.perVector(value.type);
  const count = c.divergence.strideAt(inst.operands[0]!, c.block) / bytes;
  const first = component * c.lanes;
  const heldAddress = holdVector(c, inst.operands[0]!);
  const start = { ...inst, facts: { offset: splitOffset(inst) - component * bytes } } as Inst;
  for (let row = 0; row < c.rows; row++)
    for (let part = 0; part < c.lanes >> 2; part++) {
      const elements = [0, 1, 2, 3].map((lane) =>
        Array.from({ length: count }, (_, k) => ({ k, at: (part * 4 + lane) * count + k - first })).filter(
          ({ at }) => at >= 0 && at < c.lanes,
        ),
      );
      if (elements.every((list) => list.length === 0)) continue;
      withLaneAddresses(c, plan, start, row, part, plan.dump, (addresses, offset) => {
        for (const [lane, list] of elements.entries())
          for (const { k, at } of list) {
            f.get(addresses);
            f.lane(Wasm.i32x4_extract_lane, lane);
            c.vector(value, row, Math.floor(at / per));
            f.memoryLane(STORE_LANE[bytes]!, offset + k * bytes, ((at % per) * 16) / per / bytes);
          }
      });
    }
  heldAddress();
}

/** Makes sure that a value that is evaluated on use is in locals; returns what undoes it. */
export function holdVector(c: Context, value: Value): () => void {
  if (!c.deferred.has(value.id)) return () => {};
  const { f } = c;
  const locals = c.allocateFor(value);
  const inst = value as Inst;
  const width = c.packed.get(value.id);
  if (width) {
    const perRow = (c.lanes * width) >> 7;
    locals.forEach((local, i) => {
      emitPacked(c, inst, width, Math.floor(i / perRow), i % perRow);
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
  c.deferred.delete(value.id);
  c.registers[value.id] = locals;
  return () => {
    for (const l of locals) c.release(l);
    c.registers[value.id] = undefined;
    c.deferred.add(value.id);
  };
}

function storeRow(
  c: Context,
  value: Value,
  row: number,
  address: number,
  offset: number,
  blend: boolean,
): void {
  const { f } = c;
  const bytes = bytesOf(value.type);
  if (bytes >= 4) {
    for (let part = 0; part < c.perRow(value.type); part++) {
      f.get(address);
      c.vector(value, row, part);
      if (blend) {
        f.get(address);
        f.memory(Wasm.v128_load, offset + part * 16);
        c.activeMask(row, part, value.type);
        c.selectLanes(value.type);
      }
      f.memory(Wasm.v128_store, offset + part * 16);
    }
    return;
  }
  if (isRounding(c, value)) {
    const [rounded] = value.operands as [Value];
    for (let part = 0; part < c.lanes >> 2; part += 2)
      c.withLocal(ValType.V128, (low) =>
        c.withLocal(ValType.V128, (high) => {
          c.vector(rounded, row, part);
          f.set(low);
          c.vector(rounded, row, part + 1);
          f.set(high);
          f.get(address);
          floatsToEightHalves(c, low, high);
          f.memory(Wasm.v128_store, offset + part * 8);
        }),
      );
    return;
  }
  const width = c.packed.get(value.id);
  if (width && value.type !== Type.F16) {
    for (let group = 0; group < (c.lanes * width) >> 7; group++) {
      f.get(address);
      pushPacked(c, value, width, row, group);
      f.memory(Wasm.v128_store, offset + group * 16);
    }
    return;
  }
  const truncated = (part: number) => {
    if (value.type === Type.F16) c.vector(value, row, part);
    else c.vectorExtended(value, row, part, Extend.Zero);
  };
  // Four lanes' low halves or bytes next to each other, eight where there are eight.
  for (let part = 0; part < c.lanes >> 2; part += 2) {
    const pair = part + 1 < c.lanes >> 2;
    f.get(address);
    truncated(part);
    if (pair) truncated(part + 1);
    else c.vectorConstant(Type.I32, 0);
    f.op(Wasm.i16x8_narrow_i32x4_u);
    if (bytes === 1) {
      c.vectorConstant(Type.I32, 0);
      f.op(Wasm.i8x16_narrow_i16x8_u);
    }
    const at = offset + part * 4 * bytes;
    if (bytes === 2 && pair) f.memory(Wasm.v128_store, at);
    else if (bytes === 1 && !pair) f.memoryLane(Wasm.v128_store32_lane, at, 0);
    else f.memoryLane(Wasm.v128_store64_lane, at, 0);
  }
}

/** Whether a value is a conversion of eight or more floats to halves that nobody else needs. */
function isRounding(c: Context, value: Value): value is Inst {
  return (
    value.kind === 'inst' &&
    value.op === Op.FConvert &&
    value.type === Type.F16 &&
    c.deferred.has(value.id) &&
    c.lanes >= 8 &&
    value.operands[0]!.type === Type.F32 &&
    c.isVectorHere(value.operands[0]!)
  );
}

function scatter(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const bytes = bytesOf(value.type);
  const per = c.perVector(value.type);
  const held = holdVector(c, value);
  const heldAddress = holdVector(c, inst.operands[0]!);
  const vectorValue = c.isVectorHere(value);
  const put = (row: number, lane: number, offset: number) => {
    if (vectorValue) {
      c.vector(value, row, Math.floor(lane / per));
      f.memoryLane(STORE_LANE[bytes]!, offset, ((lane % per) * 16) / per / bytes);
    } else {
      pushLane(c, value, row, lane, Extend.None);
      f.memory(scalarStoreOf(value.type), offset);
    }
  };
  if (c.mask) {
    // Writing all lanes, some of them to nowhere, costs less than branches that nobody can predict.
    for (let row = 0; row < c.rows; row++)
      for (let part = 0; part < c.lanes >> 2; part++)
        withLaneAddresses(c, plan, inst, row, part, plan.dump, (addresses, offset) => {
          const pair = c.allocate(ValType.I64);
          for (let lane = 0; lane < 4; lane++) {
            pushOfPair(c, addresses, lane, pair);
            put(row, part * 4 + lane, offset);
          }
          c.release(pair);
        });
  } else
    forActiveLanes(c, (row, lane) => {
      pushLaneAddress(c, plan, inst, row, lane);
      put(row, lane, laneOffset(c, plan, inst));
    });
  heldAddress();
  held();
}

/** The memory offset to use with `pushLaneAddress`. */
export function laneOffset(c: Context, plan: MemoryPlan, access: Inst): number {
  const offset = splitOffset(access);
  const element = plan.interleavedBytes(access);
  return Math.max(0, element !== undefined ? offset * c.lanes * c.rows : offset);
}

/** Leaves one lane's address on the stack, but for the memory offset. */
export function pushLaneAddress(c: Context, plan: MemoryPlan, access: Inst, row: number, lane: number): void {
  const { f } = c;
  const element = plan.interleavedBytes(access);
  const address = access.operands[0]!;
  const parts =
    element === undefined && c.deferred.has(address.id)
      ? laneBase(c.divergence, address, c.block)
      : undefined;
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
  } else if (splitOffset(access) < 0) {
    f.i32(splitOffset(access));
    f.op(Wasm.i32_add);
  }
}
