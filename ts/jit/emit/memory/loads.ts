// SPDX-License-Identifier: MIT
//
// Loads. Inactive lanes may read: in a vector with an active lane they stay within 16 elements of valid memory, and the device
// keeps slack at the memory's ends. Addresses that may be arbitrary are replaced by the safe read address.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Type } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import { LOWER_HALVES, LOWER_WORDS, REVERSED_LONGS, REVERSED_WORDS } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { loadApart } from '../packed/strides';
import { VECTOR_BYTES } from '../target';
import { splatOf } from '../value-types';
import {
  avoidIdleRow,
  holdVector,
  isNear,
  LOAD_LANE,
  laneOffset,
  type MemoryPlan,
  mayBeIdle,
  moveAddress,
  pushLaneAddress,
  scalarLoadOf,
  splitOffset,
  withReadableRow,
} from './addresses';
import { pushAddressByByte, withAddressesByByte } from './byte-indexes';
import { contiguityTest } from './contiguity-tests';
import { withPushedAddresses } from './lane-addresses';
import { loadRepeated, loadRepeatedScalar } from './repeated-loads';
import { loadStructures } from './structures';
import { loadOfTriples } from './triples';

export function emitLoad(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const { type } = inst;
  if (type <= Type.I16 || type === Type.F16) c.zeroExtended.add(inst.id);
  const registers = c.registersOf(inst);
  if (inst.facts.repeated) {
    emitRepeatedLoad(c, plan, inst);
    return;
  }
  if (!c.isVector(inst)) {
    if (inst.facts.byteIndex) {
      registers.forEach((local, row) => {
        pushAddressByByte(c, inst, row);
        f.memory(scalarLoadOf(type), inst.facts.offset ?? 0);
        f.set(local);
      });
      return;
    }
    for (let row = 0; row < registers.length; row++)
      withReadableRow(c, plan, inst, row, (address, offset) => {
        f.get(address);
        if (c.plan.isBroadcast(inst))
          f.memory(bytesOf(type) === 8 ? Wasm.v128_load64_splat : Wasm.v128_load32_splat, offset);
        else f.memory(scalarLoadOf(type), offset);
        f.set(registers[row]!);
      });
    return;
  }
  const width = c.plan.packed.get(inst.id);
  const { pattern, triples } = c.plan.accessOf(inst);
  if (width) {
    const perRow = c.plan.packedVectors(width);
    if (pattern === 'scattered') {
      for (let row = 0; row < c.rowsOf(inst); row++)
        gather(c, plan, inst, row, registers.slice(row * perRow, (row + 1) * perRow), width / 8);
      return;
    }
    for (let row = 0; row < c.rowsOf(inst); row++)
      withReadableRow(c, plan, inst, row, (address, offset) => {
        const into = registers.slice(row * perRow, (row + 1) * perRow);
        if (pattern === 'strided') loadApart(c, inst, width, { address, offset }, into);
        else if (!c.plan.isHalfVector(width)) loadContiguous(c, Type.I32, address, offset, into);
        else {
          f.get(address);
          f.memory(Wasm.v128_load64_zero, offset);
          f.set(into[0]!);
        }
      });
    return;
  }
  const perRow = c.perRow(type);
  for (let row = 0; row < c.rowsOf(inst); row++) {
    const into = registers.slice(row * perRow, (row + 1) * perRow);
    if (pattern === 'contiguous')
      withReadableRow(c, plan, inst, row, (address, offset) =>
        loadContiguous(c, type, address, offset, into),
      );
    else if (pattern === 'structures') loadStructures(c, plan, inst, row, into);
    else if (pattern === 'uniform') {
      // Volatile accesses, and private memory that is not interleaved: one access per lane.
      into.forEach((local) => {
        withReadableRow(c, plan, inst, row, (address, offset) => {
          f.get(address);
          f.memory(scalarLoadOf(type), offset);
        });
        c.f.op(splatOf(type));
        f.set(local);
      });
    } else if (triples && isNear(c, inst.operands[0]!)) loadOfTriples(c, plan, inst, row, into);
    else if (pattern === 'strided' && isNear(c, inst.operands[0]!)) loadStrided(c, plan, inst, row, into);
    else loadLikelyContiguous(c, plan, inst, row, into);
  }
}

function emitRepeatedLoad(c: Context, plan: MemoryPlan, inst: Inst): void {
  const registers = c.registersOf(inst);
  if (!c.isVector(inst)) {
    registers.forEach((local, row) => {
      loadRepeatedScalar(c, inst, row);
      c.f.set(local);
    });
    return;
  }
  const width = c.plan.packed.get(inst.id);
  const perRow = width ? c.plan.packedVectors(width) : c.perRow(inst.type);
  const laneBytes = width ? width / 8 : 4;
  for (let row = 0; row < c.rowsOf(inst); row++)
    loadRepeated(c, plan, inst, row, laneBytes, registers.slice(row * perRow, (row + 1) * perRow));
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
  const { test: likely } = c.plan.accessOf(inst);
  if (!likely) {
    gather(c, plan, inst, row, into);
    return;
  }
  const { isLate, test, pushAddress } = contiguityTest(c, inst, likely);
  let held = isLate ? undefined : holdVector(c, address);
  c.withLocal(ValType.I32, (first) => {
    test(row, first);
    f.if_(true);
    pushAddress(row, first);
    const idle = mayBeIdle(c, address);
    if (idle) {
      f.i32(splitOffset(inst));
      f.op(Wasm.i32_add);
      avoidIdleRow(c, plan, row, address);
    }
    f.set(first);
    loadContiguous(c, inst.type, first, idle ? 0 : splitOffset(inst), into);
  });
  f.else_();
  held ??= holdVector(c, address);
  gather(c, plan, inst, row, into);
  f.end();
  held();
}

function loadContiguous(
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
    const load = (at: number) => {
      f.get(address);
      if (at < 0) moveAddress(c, inst.operands[0]!, at);
      f.memory(Wasm.v128_load, Math.max(at, 0));
    };
    if (stride === -bytes && bytes >= 4) {
      into.forEach((local, part) => {
        load(offset + (part * per + per - 1) * stride);
        f.tee(local);
        f.get(local);
        f.shuffle(bytes === 4 ? REVERSED_WORDS : REVERSED_LONGS);
        f.set(local);
      });
      return;
    }
    if (stride === 2 * bytes && bytes >= 4) {
      into.forEach((local, part) => {
        load(offset + part * 32);
        load(offset + part * 32 + 16);
        f.shuffle(bytes === 4 ? LOWER_WORDS : LOWER_HALVES);
        f.set(local);
      });
      return;
    }
    into.forEach((local, part) => {
      c.constants.splat(Type.I32, 0);
      f.set(local);
      for (let l = 0; l < per; l++) {
        const at = offset + (part * per + l) * stride;
        f.get(address);
        if (at < 0) moveAddress(c, inst.operands[0]!, at);
        f.get(local);
        f.memoryLane(LOAD_LANE[bytes]!, Math.max(at, 0), (l * 16) / per / bytes);
        f.set(local);
      }
    });
  });
}

/** Loads lane by lane, to lanes of `laneBytes`, usually those of 32 bits or of longer elements. */
function gather(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  into: readonly number[],
  laneBytes = VECTOR_BYTES / c.perVector(inst.type),
): void {
  const address = inst.operands[0]!;
  const perVector = VECTOR_BYTES / laneBytes;
  const load = (lane: number, offset: number) =>
    loadLane(c, inst.type, offset, lane % perVector, laneBytes, into[Math.floor(lane / perVector)]!);
  if (inst.facts.byteIndex) {
    withAddressesByByte(c, plan, inst, row, (push) => {
      for (let lane = 0; lane < c.lanes; lane++) {
        push(lane);
        load(lane, inst.facts.offset ?? 0);
      }
    });
    return;
  }
  if (
    !c.mask &&
    c.plan.interleavedBytes(inst) === undefined &&
    c.isInline(address) &&
    c.plan.laneBases.has(address)
  ) {
    const offset = laneOffset(c, inst);
    for (let lane = 0; lane < c.lanes; lane++) {
      pushLaneAddress(c, plan, inst, row, lane);
      load(lane, offset);
    }
    return;
  }
  for (let part = 0; part < c.lanes >> 2; part++)
    withPushedAddresses(c, plan, inst, row, part, plan.safeReadAddress, (push, offset) => {
      for (let l = 0; l < 4; l++) {
        push(l);
        load(part * 4 + l, offset);
      }
    });
}

/** Loads one lane of a vector from the address on the stack. Lane 0 is the first: it clears the others. */
function loadLane(
  c: Context,
  type: Type,
  offset: number,
  lane: number,
  laneBytes: number,
  local: number,
): void {
  const { f } = c;
  const bytes = bytesOf(type);
  if (lane === 0 && bytes >= 4) f.memory(bytes === 8 ? Wasm.v128_load64_zero : Wasm.v128_load32_zero, offset);
  else {
    if (lane === 0) c.constants.splat(Type.I32, 0);
    else f.get(local);
    f.memoryLane(LOAD_LANE[bytes]!, offset, (lane * laneBytes) / bytes);
  }
  f.set(local);
}
