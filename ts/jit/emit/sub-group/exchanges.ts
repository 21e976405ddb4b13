// SPDX-License-Identifier: MIT
//
// Exchanges between the lanes of a sub-group: broadcasts, shuffles and rotations. They are permutations of vectors if the source
// lanes are constant, and go through the tile's frame otherwise.

import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { heldAccess, isWide } from '../value-types';
import { clusterOf, placeLane, pushLaneOf } from './lanes';

/** Space in a tile's frame through which lanes exchange values. */
export interface Exchange {
  /** Local with the frame's address. */
  readonly frame: number;
  readonly offset: number;
}

/** Bytes of that space: an element of any type for each lane. */
export const exchangeBytes = (lanes: number): number => lanes * 8;

export function broadcast(c: Context, inst: Inst, exchange: Exchange): void {
  const { f } = c;
  const [value, from] = inst.operands as [Value, Value];
  const lane = constantOf(from);
  if (lane !== undefined) pushLane(c, value, 0, Number(lane) & (c.lanes - 1), Extend.None);
  else if (!c.isVectorHere(value) && c.divergence.stride[value.id] === 0) c.scalar(value, 0);
  else {
    leave(c, value, exchange);
    pushTaken(c, value.type, exchange, () => {
      c.scalar(from, 0);
      f.i32(c.lanes - 1);
      f.op(Wasm.i32_and);
    });
  }
  f.set(c.registersOf(inst)[0]!);
}

/** Stores a value's lanes in the frame, where other lanes can load them. */
function leave(c: Context, value: Value, { frame, offset }: Exchange): void {
  for (let part = 0; part < c.perRow(value.type); part++) {
    c.f.get(frame);
    c.vector(value, 0, part);
    c.f.memory(Wasm.v128_store, offset + part * 16, 4);
  }
}

function pushTaken(c: Context, type: Type, { frame, offset }: Exchange, lane: () => void): void {
  const { f } = c;
  lane();
  f.i32(isWide(type) ? 3 : 2);
  f.op(Wasm.i32_shl);
  f.get(frame);
  f.op(Wasm.i32_add);
  f.memory(heldAccess(type).load, offset);
}

export function shuffle(c: Context, inst: Inst, exchange: Exchange): void {
  const { f } = c;
  const [value, by] = inst.operands as [Value, Value];
  const fixed = constantOf(by);
  const sources =
    fixed === undefined
      ? undefined
      : Array.from({ length: c.lanes }, (_, lane) => sourceOf(c, inst, lane, Number(fixed)));
  if (sources && permute(c, inst, sources)) return;
  const numbers = Array.from({ length: c.lanes >> 2 }, (_, part) => {
    const local = c.allocate(ValType.V128);
    pushSources(c, inst, part);
    f.set(local);
    return local;
  });
  leave(c, value, exchange);
  const registers = c.registersOf(inst);
  const per = c.perVector(inst.type);
  for (let lane = 0; lane < c.lanes; lane++) {
    pushTaken(c, inst.type, exchange, () => pushLaneOf(c, numbers, Type.I32, lane));
    placeLane(c, registers[Math.floor(lane / per)]!, inst.type, lane % per);
  }
  for (const local of numbers) c.release(local);
}

/** The source lane of a lane. A source outside the sub-group is undefined; here it wraps around. */
function sourceOf(c: Context, inst: Inst, lane: number, by: number): number {
  const last = c.lanes - 1;
  switch (inst.op) {
    case Op.SubGroupShuffleXor:
      return (lane ^ by) & last;
    case Op.SubGroupShuffleUp:
      return (lane - by) & last;
    case Op.SubGroupShuffleDown:
      return (lane + by) & last;
    case Op.SubGroupRotate: {
      const round = Math.min(clusterOf(inst) ?? c.lanes, c.lanes) - 1;
      return (lane & ~round) | ((lane + by) & round);
    }
    default:
      return by & last;
  }
}

/** The same at run time, for four lanes. */
function pushSources(c: Context, inst: Inst, part: number): void {
  const { f } = c;
  const by = inst.operands[1]!;
  const own = () => c.constants.laneNumbers(part);
  const limit = (most: number) => {
    c.constants.splat(Type.I32, most);
    f.op(Wasm.v128_and);
  };
  switch (inst.op) {
    case Op.SubGroupShuffleXor:
      own();
      c.vector(by, 0, part);
      f.op(Wasm.v128_xor);
      break;
    case Op.SubGroupShuffleUp:
      own();
      c.vector(by, 0, part);
      f.op(Wasm.i32x4_sub);
      break;
    case Op.SubGroupShuffleDown:
      own();
      c.vector(by, 0, part);
      f.op(Wasm.i32x4_add);
      break;
    case Op.SubGroupRotate: {
      const round = Math.min(clusterOf(inst) ?? c.lanes, c.lanes) - 1;
      own();
      c.vector(by, 0, part);
      f.op(Wasm.i32x4_add);
      limit(round);
      own();
      limit(~round);
      f.op(Wasm.v128_or);
      break;
    }
    default:
      c.vector(by, 0, part);
  }
  limit(c.lanes - 1);
}

/** Emits a constant permutation in which each result vector depends on at most two source vectors; returns whether it did. */
function permute(c: Context, inst: Inst, sources: readonly number[]): boolean {
  const { f } = c;
  const per = c.perVector(inst.type);
  const bytes = 16 / per;
  const plans = Array.from({ length: c.perRow(inst.type) }, (_, part) => {
    const wanted = sources.slice(part * per, (part + 1) * per);
    const parts = [...new Set(wanted.map((lane) => Math.floor(lane / per)))];
    const at = wanted.flatMap((lane) => {
      const first = parts.indexOf(Math.floor(lane / per)) * 16 + (lane % per) * bytes;
      return Array.from({ length: bytes }, (_, byte) => first + byte);
    });
    return { parts, at };
  });
  if (plans.some(({ parts }) => parts.length > 2)) return false;
  const registers = c.registersOf(inst);
  plans.forEach(({ parts, at }, part) => {
    c.vector(inst.operands[0]!, 0, parts[0]!);
    c.vector(inst.operands[0]!, 0, parts[1] ?? parts[0]!);
    f.shuffle(at);
    f.set(registers[part]!);
  });
  return true;
}
