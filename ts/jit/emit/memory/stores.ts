// SPDX-License-Identifier: MIT
//
// Stores. Inactive lanes never write to their own addresses, because another worker may own the element.
import { emit } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { storesNothing } from '../../ir/memory-order';
import { bytesOf } from '../../ir/types';
import type { PackedWidth, RunTimeTest } from '../../vectorize/plan';
import { floatsToEightHalves } from '../arithmetic/half';
import { pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import {
  activeMask,
  allLanes,
  anyLane,
  forActiveLanes,
  maskOfRow,
  selectLanes,
  selectPacked,
} from '../control/masks';
import { pushPackedMask, widenAgain } from '../packed/masks';
import { isLowBytes, pushEightBytes } from '../packed/narrowing';
import { pushPacked } from '../packed/values';
import { seed, storeVectors } from '../pairs';
import { VECTOR_BYTES } from '../target';
import {
  holdVector,
  laneOffset,
  type MemoryPlan,
  mayBeIdle,
  pushLaneAddress,
  type SoleRange,
  STORE_LANE,
  scalarStoreOf,
  splitOffset,
  withRowAddress,
} from './addresses';
import { contiguityTest } from './contiguity-tests';
import { withAnyLane, withPushedAddresses } from './lane-addresses';
import { storeReversed } from './reversed-stores';
import { storeStructures } from './structures';

export function emitStore(c: Context, plan: MemoryPlan, inst: Inst): void {
  const [address, value] = inst.operands as [Value, Value];
  if (c.lanes === 1) {
    if (storesNothing(inst)) return;
    storeOneValue(c, plan, inst, (row) => c.scalar(value, row));
    return;
  }
  const { pattern, test } = c.plan.accessOf(inst);
  const isUniform = pattern === 'uniform';
  if (pattern === 'contiguous') storeContiguous(c, plan, inst);
  else if (pattern === 'structures') storeStructures(c, plan, inst);
  // All lanes write to one address: the last lane's value remains.
  else if (isUniform && !c.mask && c.rowsOf(address) === c.rows)
    storeOneValue(c, plan, inst, (row) => pushLane(c, value, row, c.lanes - 1, Extend.None));
  else if (isUniform && !c.isVectorHere(value) && c.divergence.stride[value.id] === 0 && c.rows === 1)
    storeOneValue(c, plan, inst, () => c.scalar(value, 0));
  else if (pattern === 'strided' && !c.mask && isReversed(c, address, value)) storeReversed(c, plan, inst);
  else if (test && !c.mask && c.rows === 1) storeLikelyContiguous(c, plan, inst, test);
  else scatter(c, plan, inst);
}

/** Stores one value for each row. */
function storeOneValue(c: Context, plan: MemoryPlan, inst: Inst, push: (row: number) => void): void {
  const { f } = c;
  const code = scalarStoreOf(inst.operands[1]!.type);
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, inst, row, (address, offset) => {
      f.get(address);
      push(row);
      f.memory(code, offset);
    });
}

/** Whether neighbouring lanes store words, longer elements or packed ones next to each other, the last lane first. */
function isReversed(c: Context, address: Value, value: Value): boolean {
  const bytes = bytesOf(value.type);
  return (
    isAsInMemory(c, value) && c.divergence.strideAt(address, c.block) === -bytes && c.isVectorHere(value)
  );
}

/** Stores one unmasked row by vectors where a test at run time finds its elements next to each other, and by lanes elsewhere. */
function storeLikelyContiguous(c: Context, plan: MemoryPlan, inst: Inst, likely: RunTimeTest): void {
  const { f } = c;
  const [address, value] = inst.operands as [Value, Value];
  const held = [holdVector(c, value)];
  const { isLate, test, pushAddress } = contiguityTest(c, inst, likely);
  if (!isLate) held.push(holdVector(c, address));
  c.withLocal(ValType.I32, (first) => {
    test(0, first);
    f.if_(true);
    pushAddress(0, first);
    f.set(first);
    storeRow(c, { value, row: 0, address: first, offset: splitOffset(inst) }, false);
  });
  f.else_();
  scatter(c, plan, inst);
  f.end();
  for (const release of held) release();
}

/** How a contiguous store leaves the elements of inactive lanes as they are. */
type Masking =
  | 'none'
  | 'blend'
  | 'blend rows with lanes'
  | 'blend in launches that alone write'
  /** A vector for each lane, inactive ones to the sink: cheaper than a branch. */
  | 'by lane'
  | 'by lane unless all are active';

function maskingOf(c: Context, plan: MemoryPlan, inst: Inst): Masking {
  if (!c.mask) return 'none';
  const { space, memoryOrder } = inst.facts;
  const isOwn = c.plan.interleavedBytes(inst) !== undefined || space === 'local' || space === 'private';
  // One worker runs the whole group, so no other thread writes its local memory meanwhile.
  if (isOwn && bytesOf(inst.operands[1]!.type) >= 4 && memoryOrder === undefined)
    return mayBeIdle(c, inst.operands[0]!) ? 'blend rows with lanes' : 'blend';
  if (plan.mayWriteBack(inst)) return 'blend';
  if (memoryOrder !== undefined && isVectorEach(c, inst)) return 'by lane';
  return plan.soleRange(inst) ? 'blend in launches that alone write' : 'by lane unless all are active';
}

function storeContiguous(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const store = (row: number, blend: boolean) =>
    withRowAddress(c, plan, inst, row, (address, offset) =>
      storeRow(c, { value, row, address, offset }, blend),
    );
  const forRows = (use: (row: number) => void) => {
    for (let row = 0; row < c.rows; row++) use(row);
  };
  switch (maskingOf(c, plan, inst)) {
    case 'none':
      forRows((row) => store(row, false));
      return;
    case 'blend':
      forRows((row) => store(row, true));
      return;
    case 'blend rows with lanes':
      forRows((row) => {
        anyLane(c, maskOfRow(c, row));
        f.if_();
        store(row, true);
        f.end();
      });
      return;
    case 'blend in launches that alone write': {
      const release = holdVector(c, value);
      const end = f.block();
      const lanes = f.block();
      const blend = f.block();
      pushIsSole(c, plan, inst, plan.soleRange(inst)!);
      f.brIf(blend, true);
      allLanes(c, c.mask!);
      f.op(Wasm.i32_eqz);
      f.brIf(lanes);
      f.end();
      forRows((row) => store(row, true));
      f.br(end);
      f.end();
      widenAgain(c, c.mask!);
      scatter(c, plan, inst);
      f.end();
      release();
      return;
    }
    case 'by lane': {
      const release = holdVector(c, value);
      scatterInMemoryOrder(c, plan, inst, inst.facts.memoryOrder!);
      release();
      return;
    }
    case 'by lane unless all are active': {
      // The value may be an expression; both paths need it.
      const release = holdVector(c, value);
      allLanes(c, c.mask!);
      f.if_(true);
      forRows((row) => store(row, false));
      f.else_();
      widenAgain(c, c.mask!);
      const component = inst.facts.memoryOrder;
      if (component === undefined) scatter(c, plan, inst);
      else scatterInMemoryOrder(c, plan, inst, component);
      f.end();
      release();
    }
  }
}

/** Leaves 1 on the stack if a launch alone writes the vectors that a store accesses. */
function pushIsSole(c: Context, plan: MemoryPlan, inst: Inst, range: SoleRange): void {
  const { f } = c;
  const bytes = c.lanes * bytesOf(inst.operands[1]!.type);
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, inst, row, (address, offset) => {
      const pushEnd = (end: number) => {
        f.get(address);
        if (end === 0) return;
        f.i32(end);
        f.op(Wasm.i32_add);
      };
      pushEnd(offset);
      f.get(range.start);
      f.op(Wasm.i32_ge_u);
      pushEnd(offset + bytes);
      f.get(range.end);
      f.op(Wasm.i32_le_u);
      f.op(Wasm.i32_and);
      if (row > 0) f.op(Wasm.i32_and);
    });
}

/** Stores in memory order for the active lanes only: the components of one lane may be in the vectors of several "components". */
function scatterInMemoryOrder(c: Context, plan: MemoryPlan, inst: Inst, component: number): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const bytes = bytesOf(value.type);
  const count = c.divergence.strideAt(inst.operands[0]!, c.block) / bytes;
  const heldAddress = holdVector(c, inst.operands[0]!);
  const start = { ...inst, facts: { offset: splitOffset(inst) - component * bytes } } as Inst;
  for (let row = 0; row < c.rows; row++)
    for (let part = 0; part < c.lanes >> 2; part++) {
      const pieces = [0, 1, 2, 3].map((lane) => piecesOf(c, value.type, component, part * 4 + lane, count));
      if (pieces.every((list) => list.length === 0)) continue;
      withAnyLane(c, plan, start, row, part, plan.writeSink, (push, offset) => {
        for (const [lane, list] of pieces.entries())
          for (const piece of list) {
            push(lane);
            c.vector(value, row, piece.vector);
            const at = offset + piece.first * bytes;
            if (piece.bytes === VECTOR_BYTES) f.memory(Wasm.v128_store, at);
            else f.memoryLane(STORE_LANE[piece.bytes]!, at, piece.place);
          }
      });
    }
  heldAddress();
}

/** Whether the structure of a lane is a vector: as many stores as without a mask. */
function isVectorEach(c: Context, inst: Inst): boolean {
  const [address, { type }] = inst.operands as [Value, Value];
  return holdsWholeVectors(c, type) && c.divergence.strideAt(address, c.block) === VECTOR_BYTES;
}

/** Whether vectors hold as many elements as memory does: narrow elements have 32 bits each. */
function holdsWholeVectors(c: Context, type: Type): boolean {
  return bytesOf(type) * c.perVector(type) === VECTOR_BYTES;
}

/** Neighbouring elements of one lane's structure that one instruction stores. */
interface Piece {
  /** Which of the structure's elements is the first one. */
  readonly first: number;
  readonly bytes: number;
  readonly vector: number;
  /** Where it is in the vector, in pieces. */
  readonly place: number;
}

/** What the vectors of a component have of a lane's structure of `count` elements: in pieces of whole vectors, halves of them or elements. */
function piecesOf(c: Context, type: Type, component: number, lane: number, count: number): Piece[] {
  const per = c.perVector(type);
  const bytes = bytesOf(type);
  const lengths = holdsWholeVectors(c, type) ? [per, per >> 1, 1] : [1];
  const before = lane * count - component * c.lanes;
  const end = Math.min(count, c.lanes - before);
  const pieces: Piece[] = [];
  for (let first = Math.max(0, -before); first < end; ) {
    const at = before + first;
    const length = lengths.find((l) => at % l === 0 && first + l <= end)!;
    const place = ((at % per) * VECTOR_BYTES) / per / (length * bytes);
    pieces.push({ first, bytes: length * bytes, vector: Math.floor(at / per), place });
    first += length;
  }
  return pieces;
}

/** A contiguous store of one row of a value. */
interface RowStore {
  readonly value: Value;
  readonly row: number;
  /** Local with the address of lane 0. */
  readonly address: number;
  readonly offset: number;
}

/** Whether whole vectors have a value's elements as memory has them: words, and narrow elements that are packed. */
export function isAsInMemory(c: Context, value: Value): boolean {
  return bytesOf(value.type) >= 4 || (value.type !== Type.F16 && c.plan.packed.has(value.id));
}

/** The width of a value in packed form: of one that is packed, and of one that all lanes share, if that fills vectors. */
function packedWidthOf(c: Context, value: Value): PackedWidth | undefined {
  const width = c.plan.packed.get(value.id);
  if (width || c.isVectorHere(value) || c.divergence.stride[value.id] !== 0) return width;
  const own = value.type === Type.I8 ? 8 : value.type === Type.I16 ? 16 : undefined;
  return own && !c.plan.isHalfVector(own) ? own : undefined;
}

/** Stores a row. With `blend`, inactive lanes write back the old contents. */
function storeRow(c: Context, store: RowStore, blend: boolean): void {
  const { value } = store;
  const width = packedWidthOf(c, value);
  if (bytesOf(value.type) >= 4) storeWords(c, store, blend);
  else if (isRounding(c, value)) storeRounded(c, store, value.operands[0]!, blend);
  else if (width && value.type !== Type.F16) storePacked(c, store, width, blend);
  else if (isLowBytes(c, value)) storeLowBytes(c, store, value, blend);
  else storeNarrowed(c, store, blend);
}

function storeWords(c: Context, { value, row, address, offset }: RowStore, blend: boolean): void {
  const { f } = c;
  storeVectors(c, address, offset, c.perRow(value.type), (part) => {
    c.vector(value, row, part);
    if (!blend) return;
    f.get(address);
    f.memory(Wasm.v128_load, offset + part * VECTOR_BYTES);
    activeMask(c, row, part, value.type);
    selectLanes(c, value.type);
  });
}

/** Floats that the store rounds to halves, eight at a time. */
function storeRounded(c: Context, { row, address, offset }: RowStore, floats: Value, blend: boolean): void {
  const { f } = c;
  for (let part = 0; part < c.lanes >> 2; part += 2)
    c.withLocal(ValType.V128, (low) =>
      c.withLocal(ValType.V128, (high) => {
        c.vector(floats, row, part);
        f.set(low);
        c.vector(floats, row, part + 1);
        f.set(high);
        f.get(address);
        emit(f, floatsToEightHalves(c, low, high));
        if (blend) blendNarrow(c, { row, address, offset: offset + part * 8 }, part, 2);
        f.memory(Wasm.v128_store, offset + part * 8);
      }),
    );
}

/** A packed value, unchanged. */
function storePacked(
  c: Context,
  { value, row, address, offset }: RowStore,
  width: PackedWidth,
  blend: boolean,
): void {
  const { f } = c;
  if (c.plan.isHalfVector(width)) {
    f.get(address);
    pushPacked(c, value, width, row, 0);
    if (blend) {
      f.get(address);
      f.memory(Wasm.v128_load64_zero, offset);
      blendPacked(c, width, row, 0);
    }
    f.memoryLane(Wasm.v128_store64_lane, offset, 0);
    return;
  }
  storeVectors(c, address, offset, c.plan.packedVectors(width), (group) => {
    pushPacked(c, value, width, row, group);
    if (!blend) return;
    f.get(address);
    f.memory(Wasm.v128_load, offset + group * VECTOR_BYTES);
    blendPacked(c, width, row, group);
  });
}

/** Of the two packed vectors on the stack, the first one's active lanes, and the second one's others. */
function blendPacked(c: Context, width: PackedWidth, row: number, group: number): void {
  pushPackedMask(c, c.mask!, width, row, group);
  selectPacked(c, width);
}

/** The low bytes of packed halves, eight at a time. */
function storeLowBytes(c: Context, { row, address, offset }: RowStore, bytes: Inst, blend: boolean): void {
  for (let group = 0; group < c.lanes >> 3; group++) {
    c.f.get(address);
    pushEightBytes(c, bytes, row, group);
    if (blend) blendNarrow(c, { row, address, offset: offset + group * 8 }, group * 2, 1);
    c.f.memoryLane(Wasm.v128_store64_lane, offset + group * 8, 0);
  }
}

/** The low halves or bytes of lanes of 32 bits: of four lanes at a time, of eight where there are eight. */
function storeNarrowed(c: Context, { value, row, address, offset }: RowStore, blend: boolean): void {
  const { f } = c;
  const bytes = bytesOf(value.type);
  const pushLow = (part: number) => {
    if (value.type === Type.F16) c.vector(value, row, part);
    else c.vectorExtended(value, row, part, Extend.Zero);
  };
  for (let part = 0; part < c.lanes >> 2; part += 2) {
    const pair = part + 1 < c.lanes >> 2;
    f.get(address);
    pushLow(part);
    if (pair) pushLow(part + 1);
    else c.constants.splat(Type.I32, 0);
    f.op(Wasm.i16x8_narrow_i32x4_u);
    if (bytes === 1) {
      c.constants.splat(Type.I32, 0);
      f.op(Wasm.i8x16_narrow_i16x8_u);
    }
    const at = offset + part * 4 * bytes;
    if (blend) blendNarrow(c, { row, address, offset: at }, part, bytes);
    if (bytes === 2 && pair) f.memory(Wasm.v128_store, at);
    else if (bytes === 1 && !pair) f.memoryLane(Wasm.v128_store32_lane, at, 0);
    else f.memoryLane(Wasm.v128_store64_lane, at, 0);
  }
}

/**
 * Of the elements on the stack, of eight lanes from a vector of 32 bits on, or of four where there are no more, those of active lanes; of
 * those in memory, the others.
 */
function blendNarrow(
  c: Context,
  { row, address, offset }: Omit<RowStore, 'value'>,
  part: number,
  bytes: number,
): void {
  const { f } = c;
  const mask = maskOfRow(c, row);
  const pair = part + 1 < mask.length;
  f.get(address);
  if (pair) f.memory(bytes === 2 ? Wasm.v128_load : Wasm.v128_load64_zero, offset);
  else f.memory(bytes === 2 ? Wasm.v128_load64_zero : Wasm.v128_load32_zero, offset);
  f.get(mask[part]!);
  f.get(mask[pair ? part + 1 : part]!);
  f.op(Wasm.i16x8_narrow_i32x4_s);
  if (bytes === 1) {
    c.constants.splat(Type.I32, 0);
    f.op(Wasm.i8x16_narrow_i16x8_s);
  }
  selectPacked(c, bytes === 1 ? 8 : 16);
}

/** Whether a value is a conversion of eight or more floats to halves without other users. */
function isRounding(c: Context, value: Value): value is Inst {
  return (
    value.kind === 'inst' &&
    value.op === Op.FConvert &&
    value.type === Type.F16 &&
    c.isInline(value) &&
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
  seed(c, plan.writeSink, value);
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
    // Storing all lanes, inactive ones to the sink, costs less than unpredictable branches.
    for (let row = 0; row < c.rows; row++)
      for (let part = 0; part < c.lanes >> 2; part++)
        withPushedAddresses(c, plan, inst, row, part, plan.writeSink, (push, offset) => {
          for (let lane = 0; lane < 4; lane++) {
            push(lane);
            put(row, part * 4 + lane, offset);
          }
        });
  } else
    forActiveLanes(c, (row, lane) => {
      pushLaneAddress(c, plan, inst, row, lane);
      put(row, lane, laneOffset(c, inst));
    });
  heldAddress();
  held();
}
