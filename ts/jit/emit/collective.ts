// SPDX-License-Identifier: MIT
//
// Operations of the whole group on values of all its work-items, done once per group between two regions. Operands that are not constants and results
// are in the slots that hold values between regions. Work-items are visited in the order of their linear ids (a kernel with scans
// is compiled with tiles of one row).
import { invariant } from '../../base/invariant';
import { type FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { isConstant } from '../ir/build';
import { Inst, Op, Type, type Value } from '../ir/ir';
import { COMBINE, identityOf } from '../ir/reductions';
import { scalarOperation } from './arithmetic/operations';
import type { Context } from './context';
import type { Slots } from './slots';
import { heldAccess, isWide, valTypeOf } from './value-types';
import { SCRATCH_HEADER, type Variant } from './variant';

interface Site {
  readonly v: Variant;
  readonly slots: Slots;
  /** Local with the address of the tile's frame. */
  readonly frame: number;
  readonly frameBytes: number;
  /** Locals with the group's size. */
  readonly size: readonly number[];
}

export function emitCollective(
  v: Variant,
  inst: Inst,
  slots: Slots,
  frame: number,
  frameBytes: number,
  size: readonly number[],
): void {
  const { c } = v;
  const { f } = c;
  const result = slots.of.get(inst);
  if (!result) return;
  const site: Site = { v, slots, frame, frameBytes, size };
  const value = inst.operands[0]!;
  if (inst.op === Op.GroupBroadcast) {
    broadcast(site, inst);
    f.set(result.home!);
    return;
  }
  const scan = inst.op === Op.GroupScanInclusive || inst.op === Op.GroupScanExclusive;
  const op =
    inst.op === Op.GroupAll ? Op.And : inst.op === Op.GroupAny ? Op.Or : COMBINE[inst.facts.reduction!];
  const combined = new Inst(inst.id, op, inst.type, [value, value], {});
  c.withLocal(valTypeOf(inst.type), (sum) => {
    if (inst.op === Op.GroupAll || inst.op === Op.GroupAny) f.i32(inst.op === Op.GroupAll ? 1 : 0);
    else c.constant(inst.type, identityOf(inst.facts.reduction!, inst.type));
    f.set(sum);
    forItems(site, (row, lane) => {
      if (inst.op === Op.GroupScanExclusive) storeLane(site, inst, row, lane, sum);
      scalarOperation(c, combined, (i) => {
        if (i === 0) f.get(sum);
        else loadLane(site, value, row, lane);
      });
      f.set(sum);
      if (inst.op === Op.GroupScanInclusive) storeLane(site, inst, row, lane, sum);
    });
    if (scan) return;
    f.get(sum);
    f.set(result.home!);
  });
}

function toFirstFrame({ v, frame }: Site): void {
  const { f } = v.c;
  f.get(v.at.scratch);
  f.i32(SCRATCH_HEADER);
  f.op(Wasm.i32_add);
  f.set(frame);
}

/** Emits `body` for each work-item of a tile, in a loop over the group's tiles. */
function forItems(site: Site, body: (row: number, lane: number) => void): void {
  const { v, size } = site;
  const { c } = v;
  const { f } = c;
  const all = (only: (lane: number, emit: () => void) => void) => {
    for (let row = 0; row < c.rows; row++)
      for (let lane = 0; lane < c.lanes; lane++) only(lane, () => body(row, lane));
  };
  if (!v.active) {
    forTiles(site, () => all((_, emit) => emit()));
    return;
  }
  // The number of remaining work-items in the row.
  c.withLocal(ValType.I32, (left) => {
    f.get(size[0]!);
    f.set(left);
    forTiles(site, () => {
      all((lane, emit) => {
        f.get(left);
        f.i32(lane);
        f.op(Wasm.i32_gt_s);
        f.if_();
        emit();
        f.end();
      });
      f.get(left);
      f.i32(c.lanes);
      f.op(Wasm.i32_sub);
      f.tee(left);
      f.get(size[0]!);
      f.get(left);
      f.i32(0);
      f.op(Wasm.i32_gt_s);
      f.op(Wasm.select);
      f.set(left);
    });
  });
}

/** Pushes the number of tiles along a dimension, including a partial last one. */
function tilesAlong(f: FunctionBuilder, size: number, by: number): void {
  f.get(size);
  f.i32(by - 1);
  f.op(Wasm.i32_add);
  f.i32(by);
  f.op(Wasm.i32_div_u);
}

/** Emits `body` in a loop over the frames of the group's tiles. */
function forTiles(site: Site, body: () => void): void {
  const { v, frame, frameBytes, size } = site;
  const { c } = v;
  const { f } = c;
  toFirstFrame(site);
  c.withLocal(ValType.I32, (left) => {
    tiles(site);
    f.set(left);
    const again = f.loop();
    body();
    f.get(frame);
    f.i32(frameBytes);
    f.op(Wasm.i32_add);
    f.set(frame);
    f.get(left);
    f.i32(1);
    f.op(Wasm.i32_sub);
    f.tee(left);
    f.brIf(again);
    f.end();
  });

  function tiles(at: Site): void {
    tilesAlong(f, size[0]!, at.v.c.lanes);
    tilesAlong(f, size[1]!, at.v.c.rows);
    f.op(Wasm.i32_mul);
    f.get(size[2]!);
    f.op(Wasm.i32_mul);
  }
}

function laneBytes(type: Type): number {
  return isWide(type) ? 8 : 4;
}

/** Offset of a work-item's element in the frame. */
function elementOffset(c: Context, value: Value, offset: number, row: number, lane: number): number {
  const ownRow = c.rowsOf(value) > 1 ? row : 0;
  return c.isVector(value) ? offset + (ownRow * c.lanes + lane) * laneBytes(value.type) : offset + ownRow * 8;
}

/** Leaves one work-item's value on the stack. */
function loadLane(site: Site, value: Value, row: number, lane: number): void {
  const { c } = site.v;
  const { f } = c;
  if (isConstant(value)) {
    c.scalar(value, row);
    return;
  }
  const slot = site.slots.of.get(value);
  invariant(slot, 'an operand of a group operation has no slot');
  if (slot.offset === undefined) {
    f.get(slot.home!);
    return;
  }
  f.get(site.frame);
  f.memory(heldAccess(value.type).load, elementOffset(c, value, slot.offset, row, lane));
  if (value.type === Type.I1 && c.isVector(value)) {
    // A mask's lane.
    f.i32(1);
    f.op(Wasm.i32_and);
  }
  const stride = c.isVector(value) ? 0 : c.divergence.stride[value.id]!;
  if (stride === 0 || lane === 0) return;
  c.constant(value.type, value.type === Type.I64 ? BigInt(stride * lane) : stride * lane);
  f.op(value.type === Type.I64 ? Wasm.i64_add : Wasm.i32_add);
}

function storeLane(site: Site, result: Inst, row: number, lane: number, from: number): void {
  const { c } = site.v;
  const slot = site.slots.of.get(result)!;
  c.f.get(site.frame);
  c.f.get(from);
  c.f.memory(heldAccess(result.type).store, elementOffset(c, result, slot.offset!, row, lane));
}

/** Leaves the value of the work-item with the given local ids on the stack. */
function broadcast(site: Site, inst: Inst): void {
  const { v, frame, frameBytes, size, slots } = site;
  const { c } = v;
  const { f } = c;
  const value = inst.operands[0]!;
  const slot = slots.of.get(value);
  if (slot?.offset === undefined) {
    loadLane(site, value, 0, 0);
    return;
  }
  const id = (d: number) => {
    const operand = inst.operands[1 + d];
    if (!operand) {
      f.i32(0);
      return;
    }
    loadLane(site, operand, 0, 0);
    if (operand.type === Type.I64) f.op(Wasm.i32_wrap_i64);
  };
  // All work-items pass the same ids, so the first one's are read.
  toFirstFrame(site);
  // Tile: (z * tiles along y + y / rows) * tiles along x + x / lanes
  id(2);
  tilesAlong(f, size[1]!, c.rows);
  f.op(Wasm.i32_mul);
  id(1);
  f.i32(c.rows);
  f.op(Wasm.i32_div_u);
  f.op(Wasm.i32_add);
  tilesAlong(f, size[0]!, c.lanes);
  f.op(Wasm.i32_mul);
  id(0);
  f.i32(c.lanes);
  f.op(Wasm.i32_div_u);
  f.op(Wasm.i32_add);
  f.i32(frameBytes);
  f.op(Wasm.i32_mul);
  f.get(v.at.scratch);
  f.op(Wasm.i32_add);
  f.i32(SCRATCH_HEADER);
  f.op(Wasm.i32_add);
  f.set(frame);
  const vector = c.isVector(value);
  f.get(frame);
  if (c.rowsOf(value) > 1) {
    id(1);
    f.i32(c.rows);
    f.op(Wasm.i32_rem_u);
    f.i32(vector ? c.lanes * laneBytes(value.type) : 8);
    f.op(Wasm.i32_mul);
    f.op(Wasm.i32_add);
  }
  const lane = () => {
    id(0);
    f.i32(c.lanes);
    f.op(Wasm.i32_rem_u);
  };
  if (vector) {
    lane();
    f.i32(laneBytes(value.type));
    f.op(Wasm.i32_mul);
    f.op(Wasm.i32_add);
  }
  f.memory(heldAccess(value.type).load, slot.offset);
  if (value.type === Type.I1 && vector) {
    f.i32(1);
    f.op(Wasm.i32_and);
  }
  // A tile of one work-item has no other lane to which a stride leads.
  const stride = vector || c.lanes === 1 ? 0 : c.divergence.stride[value.id]!;
  if (stride === 0) return;
  lane();
  f.i32(stride);
  f.op(Wasm.i32_mul);
  if (value.type === Type.I64) f.op(Wasm.i64_extend_i32_s);
  f.op(value.type === Type.I64 ? Wasm.i64_add : Wasm.i32_add);
}
