// SPDX-License-Identifier: MIT
//
// Kernels with barriers: a function that runs one group, region after region. Loops over the group's work-items surround each
// region. Values that a work-item needs in later regions are stored in its tile's frame, group-uniform ones in locals.
import type { Steps } from '../../base/steps';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { Block } from '../ir/ir';
import type { Region } from '../regions/regions';
import type { KernelPlan } from '../vectorize/kernel-plan';
import { VectorPlan } from '../vectorize/plan';
import type { Callees } from './calls';
import { emitCollective } from './collective';
import { advanceGroup, countedLoop, groupSize, type RangeSizes, RUN, RUN_PARAMS, rangeSizes } from './range';
import { assignSlots, type Slots } from './slots';
import { WASM_TARGET } from './target';
import { heldAccess } from './value-types';
import { integers, SCRATCH_HEADER, Variant } from './variant';

const P = { dispatch: 0, local: 1, scratch: 2, gx: 3, gy: 4, gz: 5, sx: 6, sy: 7, sz: 8 } as const;
export const GROUP_PARAMS = 9;

export interface GroupFunction {
  readonly variant: Variant;
  /** Bytes of one tile's frame. */
  readonly frameBytes: number;
}

/** The tile of a variant. */
export interface GroupTile {
  readonly lanes: number;
  readonly rows: number;
  /** Whether the lanes of a tile are a sub-group. */
  readonly subGroups?: boolean;
  /** Whether the last tile of a row may be one of fewer work-items. */
  readonly partial?: boolean;
}

export function* groupFunction(
  code: KernelPlan,
  { lanes, rows, partial = false }: GroupTile,
  callees: Callees,
): Steps<GroupFunction> {
  const v = new Variant(new VectorPlan(code, lanes, rows, WASM_TARGET), {
    params: integers(GROUP_PARAMS),
    results: [],
    at: { dispatch: P.dispatch, local: P.local, scratch: P.scratch, group: [P.gx, P.gy, P.gz] },
    callees,
    partial,
  });
  const { f } = v.c;
  const frames = frameLayout(v);
  v.prologue();
  f.i32(0);
  f.set(v.next);
  // `next` chooses the region, whose code is after the end of the block with its label.
  const done = f.block();
  const again = f.loop();
  const labels = code.regions.list.map(() => f.block());
  f.get(v.next);
  f.brTable([...labels].reverse(), done);
  for (const [i, region] of code.regions.list.entries()) {
    f.end();
    // If no work-item chooses the next region, because all have reached an OpUnreachable, the group ends.
    f.i32(-1);
    f.set(v.next);
    const collective = code.regions.collectives[i];
    if (collective) emitCollective(v, collective, frames.slots, frames.at, frames.bytes, [P.sx, P.sy, P.sz]);
    yield* runRegion(v, region, frames, { lanes, rows, partial });
    saveShared(v, region, frames.slots);
    f.br(again);
  }
  f.end();
  f.end();
  return { variant: v, frameBytes: frames.bytes };
}

/** The tiles' frames, one after the other: the values that regions pass on, then private memory. */
interface Frames {
  readonly slots: Slots;
  readonly privateOffset: number;
  readonly bytes: number;
  /** The local with the address of the current tile's frame. */
  readonly at: number;
}

function frameLayout(v: Variant): Frames {
  const slots = assignSlots(v);
  const bytes = slots.bytes + Math.ceil(v.privateBytes / 16) * 16;
  return { slots, privateOffset: slots.bytes, bytes, at: v.c.f.local(ValType.I32) };
}

/** Runs a region for all tiles of the group. */
function* runRegion(
  v: Variant,
  region: Region,
  frames: Frames,
  { lanes, rows, partial }: GroupTile,
): Steps<void> {
  const { f } = v.c;
  const [x, y, z] = v.items;
  f.get(P.scratch);
  f.i32(SCRATCH_HEADER);
  f.op(Wasm.i32_add);
  f.set(frames.at);
  const columns = () => countedLoop(f, x, undefined, P.sx, lanes, () => runTile(v, region, frames), partial);
  yield* countedLoop(f, z, undefined, P.sz, 1, () => countedLoop(f, y, undefined, P.sy, rows, columns));
}

/** Runs a region for the tile whose frame is the current one, and goes to the next frame. */
function* runTile(v: Variant, region: Region, { slots, privateOffset, bytes, at }: Frames): Steps<void> {
  const { f } = v.c;
  if (bytes > 0) {
    f.get(at);
    f.i32(privateOffset);
    f.op(Wasm.i32_add);
    f.set(v.framePointer);
  }
  v.beginTile(P.sx);
  restore(v, region, slots, at);
  yield* v.region(region, {
    leave: ({ terminator }: Block) => {
      f.i32(terminator.facts.index ?? -1);
      f.set(v.next);
    },
  });
  save(v, region, slots, at);
  f.get(at);
  f.i32(bytes);
  f.op(Wasm.i32_add);
  f.set(at);
}

/** Keeps the values that are the same for all work-items in their locals. */
function saveShared({ c }: Variant, region: Region, slots: Slots): void {
  for (const value of region.provides) {
    const { home } = slots.of.get(value)!;
    if (home === undefined) continue;
    c.f.get(c.registers[value.id]![0]!);
    c.f.set(home);
  }
}

function restore(v: Variant, region: Region, slots: Slots, frame: number): void {
  const { c } = v;
  const { f } = c;
  for (const value of region.needs) {
    const slot = slots.of.get(value)!;
    const registers = c.registers[value.id]!;
    const liveOut = c.liveOuts[value.id] ?? [];
    if (slot.home !== undefined) {
      f.get(slot.home);
      f.set(registers[0]!);
      liveOut.forEach((local, i) => {
        c.vectorInside(value, 0, i % c.perRow(value.type));
        f.set(local);
      });
      continue;
    }
    liveOut.forEach((local, i) => {
      f.get(frame);
      f.memory(Wasm.v128_load, slot.liveOut! + i * 16, 4);
      f.set(local);
    });
    const vector = c.isVector(value);
    registers.forEach((local, i) => {
      f.get(frame);
      if (vector) f.memory(Wasm.v128_load, slot.offset! + i * 16, 4);
      else f.memory(heldAccess(value.type).load, slot.offset! + i * 8);
      f.set(local);
    });
  }
}

function save(v: Variant, region: Region, slots: Slots, frame: number): void {
  const { c } = v;
  const { f } = c;
  for (const value of region.provides) {
    const slot = slots.of.get(value)!;
    if (slot.offset === undefined) continue;
    c.liveOuts[value.id]?.forEach((local, i) => {
      f.get(frame);
      f.get(local);
      f.memory(Wasm.v128_store, slot.liveOut! + i * 16, 4);
    });
    const vector = c.isVector(value);
    c.registers[value.id]!.forEach((local, i) => {
      f.get(frame);
      f.get(local);
      if (vector) f.memory(Wasm.v128_store, slot.offset! + i * 16, 4);
      else f.memory(heldAccess(value.type).store, slot.offset! + i * 8);
    });
  }
}

/** A variant, and its tile. A group's sizes must be multiples of the tile's unless the variant allows partial tiles. */
export interface Choice extends GroupTile {
  readonly index: number;
}

/** `run` of a kernel that runs group by group: chooses the first variant whose tile fits the group; the last one fits every group. */
export function groupDriver(choices: readonly Choice[], zeroesLocal: boolean): FunctionBuilder {
  const f = new FunctionBuilder(integers(RUN_PARAMS));
  const { dispatch, count, local, scratch } = RUN;
  const sizes = rangeSizes(f);
  const i32 = () => f.local(ValType.I32);
  const group = [i32(), i32(), i32()];
  const size = [i32(), i32(), i32()];
  const temp = i32();
  const out = f.block();
  const again = f.loop();
  f.get(count);
  f.op(Wasm.i32_eqz);
  f.brIf(out);
  for (const d of [0, 1, 2]) {
    f.get(RUN.group[d]!);
    f.set(group[d]!);
    groupSize(f, sizes, d, group[d]!, undefined, temp);
    f.set(size[d]!);
  }
  f.get(count);
  f.i32(1);
  f.op(Wasm.i32_sub);
  f.set(count);
  advanceGroup(f, sizes);
  if (zeroesLocal) {
    f.get(local);
    f.i32(0);
    f.get(scratch);
    f.get(local);
    f.op(Wasm.i32_sub);
    f.withZeros(Wasm.memory_fill, 1);
  }
  for (const [i, { index, lanes, rows, subGroups, partial }] of choices.entries()) {
    const call = () => {
      for (const p of [dispatch, local, scratch, ...group, ...size]) f.get(p);
      f.call(index);
      f.br(again);
    };
    if (i === choices.length - 1) {
      call();
      continue;
    }
    if (subGroups) holdsSubGroups(f, sizes, lanes);
    if (!partial) {
      f.get(size[0]!);
      f.i32(lanes - 1);
      f.op(Wasm.i32_and);
      f.get(size[1]!);
      f.i32(rows - 1);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32_or);
      f.op(Wasm.i32_eqz);
      if (subGroups) f.op(Wasm.i32_and);
    }
    f.if_();
    call();
    f.end();
  }
  f.end();
  f.end();
  return f;
}

/** Pushes whether work-groups of the ND-range consist of sub-groups of this size: subGroupSizeFor at run time. */
function holdsSubGroups(f: FunctionBuilder, { local: [x, y, z] }: RangeSizes, lanes: number): void {
  f.get(x);
  f.i32(lanes - 1);
  f.op(Wasm.i32_and);
  f.op(Wasm.i32_eqz);
  f.get(y);
  f.get(z);
  f.op(Wasm.i32_mul);
  f.i32(1);
  f.op(Wasm.i32_eq);
  f.op(Wasm.i32_or);
}
