// SPDX-License-Identifier: MIT
//
// Sub-group operations. The lanes of a tile are a sub-group (ADR 16): their operations are done in registers, on the active
// lanes, and through the tile's frame where the source lanes are known only at run time. In the scalar variant a sub-group is one
// work-item.

import { invariant } from '../../base/invariant';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantOf } from '../ir/build';
import { Inst, Op, Type, type Value } from '../ir/ir';
import { COMBINE, identityOf } from '../ir/reductions';
import { JitError } from '../jit-error';
import type { Context } from './context';
import { activeMask, selectLanes } from './masks';
import { pushLane, scalarOperation } from './operations';
import { Extend } from './tables';
import { extractOf, heldAccess, isWide, replaceOf, splatOf, valTypeOf } from './value-types';

/** Space in a tile's frame through which lanes exchange values. */
export interface Exchange {
  /** Local with the frame's address. */
  readonly frame: number;
  readonly offset: number;
}

/** Bytes of that space: an element of any type for each lane. */
export const exchangeBytes = (lanes: number): number => lanes * 8;

/** Pushes a lane's number of the operation's type. */
type PushLane = (lane: number) => void;

export function emitSubGroup(c: Context, inst: Inst, exchange: Exchange): void {
  if (c.lanes === 1) {
    emitForOneLane(c, inst);
    return;
  }
  invariant(c.rows === 1, 'a sub-group is a row of work-items');
  switch (inst.op) {
    case Op.GroupAll:
    case Op.GroupAny:
      vote(c, inst);
      return;
    case Op.SubGroupBallot:
      ballot(c, inst);
      return;
    case Op.SubGroupElect:
      elect(c, inst);
      return;
    case Op.GroupReduce:
      reduce(c, inst);
      return;
    case Op.GroupScanInclusive:
    case Op.GroupScanExclusive:
      scan(c, inst);
      return;
    case Op.GroupBroadcast:
      if (c.isVector(inst)) shuffle(c, inst, exchange);
      else broadcast(c, inst, exchange);
      return;
    default:
      shuffle(c, inst, exchange);
  }
}

function emitForOneLane(c: Context, inst: Inst): void {
  const { f } = c;
  const value: Value | undefined = inst.operands[0];
  switch (inst.op) {
    case Op.GroupScanExclusive:
      c.constant(inst.type, identityOf(inst.facts.reduction!, inst.type));
      break;
    case Op.SubGroupBallot:
      if ((inst.facts.component ?? 0) === 0) c.scalar(value!, 0);
      else f.i32(0);
      break;
    case Op.SubGroupElect:
      f.i32(1);
      break;
    default:
      c.scalar(value!, 0);
  }
  f.set(c.registersOf(inst)[0]!);
}

// --- truth values

function vote(c: Context, inst: Inst): void {
  const { f, mask } = c;
  const all = inst.op === Op.GroupAll;
  for (let part = 0; part < c.lanes >> 2; part++) {
    c.vector(inst.operands[0]!, 0, part);
    if (all) f.op(Wasm.v128_not);
    if (mask) {
      f.get(mask[part]!);
      f.op(Wasm.v128_and);
    }
    if (part > 0) f.op(Wasm.v128_or);
  }
  f.op(Wasm.v128_any_true);
  if (all) f.op(Wasm.i32_eqz);
  f.set(c.registersOf(inst)[0]!);
}

function ballot(c: Context, inst: Inst): void {
  const { f, mask } = c;
  if ((inst.facts.component ?? 0) === 0)
    pushBits(c, (part) => {
      c.vector(inst.operands[0]!, 0, part);
      if (!mask) return;
      f.get(mask[part]!);
      f.op(Wasm.v128_and);
    });
  else f.i32(0);
  f.set(c.registersOf(inst)[0]!);
}

/** A bit for each lane of masks. */
function pushBits(c: Context, push: (part: number) => void): void {
  const { f } = c;
  for (let part = 0; part < c.lanes >> 2; part++) {
    push(part);
    f.op(Wasm.i32x4_bitmask);
    if (part === 0) continue;
    f.i32(part * 4);
    f.op(Wasm.i32_shl);
    f.op(Wasm.i32_or);
  }
}

/** The first active lane is elected. */
function elect(c: Context, inst: Inst): void {
  const { f, mask } = c;
  const registers = c.registersOf(inst);
  if (!mask) {
    registers.forEach((local, part) => {
      c.laneConstants(Type.I32, [part === 0 ? -1 : 0, 0, 0, 0]);
      f.set(local);
    });
    return;
  }
  c.withLocal(ValType.I32, (bits) => {
    pushBits(c, (part) => f.get(mask[part]!));
    f.set(bits);
    registers.forEach((local, part) => {
      // The lowest bit alone.
      f.get(bits);
      f.i32(0);
      f.get(bits);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32_and);
      f.op(Wasm.i32x4_splat);
      c.laneConstants(
        Type.I32,
        [0, 1, 2, 3].map((lane) => 1 << (part * 4 + lane)),
      );
      f.op(Wasm.v128_and);
      c.vectorConstant(Type.I32, 0);
      f.op(Wasm.i32x4_ne);
      f.set(local);
    });
  });
}

// --- sums

/** Calls `use` with a function that pushes each lane's contribution: for inactive lanes the neutral element. */
function withContributions(c: Context, inst: Inst, use: (push: PushLane) => void): void {
  const { f, mask } = c;
  const value = inst.operands[0]!;
  if (!mask) {
    use((lane) => pushLane(c, value, 0, lane, Extend.None));
    return;
  }
  const { type } = inst;
  const own = Array.from({ length: c.perRow(type) }, (_, part) => {
    const local = c.allocate(ValType.V128);
    c.vector(value, 0, part);
    c.vectorConstant(type, identityOf(inst.facts.reduction!, type));
    activeMask(c, 0, part, type);
    selectLanes(c, type);
    f.set(local);
    return local;
  });
  use((lane) => pushLaneOf(c, own, type, lane));
  for (const local of own) c.release(local);
}

function pushLaneOf(c: Context, vectors: readonly number[], type: Type, lane: number): void {
  const per = c.perVector(type);
  c.f.get(vectors[Math.floor(lane / per)]!);
  c.f.lane(extractOf(type), lane % per);
}

/** Combines the values that two functions push. */
function combine(c: Context, inst: Inst, first: () => void, second: () => void): void {
  const value = inst.operands[0]!;
  const one = new Inst(inst.id, COMBINE[inst.facts.reduction!], inst.type, [value, value], {});
  scalarOperation(c, one, (i) => (i === 0 ? first() : second()));
}

function reduce(c: Context, inst: Inst): void {
  const { f } = c;
  const cluster = Math.min(clusterOf(inst) ?? c.lanes, c.lanes);
  withContributions(c, inst, (push) => {
    // As a balanced tree, to avoid a long dependency chain.
    const sum = (from: number, count: number): void => {
      if (count === 1) push(from);
      else
        combine(
          c,
          inst,
          () => sum(from, count / 2),
          () => sum(from + count / 2, count / 2),
        );
    };
    const registers = c.registersOf(inst);
    if (!c.isVector(inst)) {
      sum(0, c.lanes);
      f.set(registers[0]!);
      return;
    }
    const per = c.perVector(inst.type);
    for (let first = 0; first < c.lanes; first += cluster)
      c.withLocal(valTypeOf(inst.type), (total) => {
        sum(first, cluster);
        f.set(total);
        for (let lane = first; lane < first + cluster; lane++) {
          f.get(total);
          placeLane(c, registers[Math.floor(lane / per)]!, inst.type, lane % per);
        }
      });
  });
}

/** Inserts the number on the stack into a lane of a vector; the first lane's into all lanes. */
function placeLane(c: Context, vector: number, type: Type, lane: number): void {
  const { f } = c;
  if (lane === 0) {
    c.f.op(splatOf(type));
    f.set(vector);
    return;
  }
  c.withTop(valTypeOf(type), (number) => {
    f.get(vector);
    f.get(number);
    f.lane(replaceOf(type), lane);
    f.set(vector);
  });
}

function scan(c: Context, inst: Inst): void {
  const { f } = c;
  const { type } = inst;
  const per = c.perVector(type);
  withContributions(c, inst, (push) => {
    const registers = c.registersOf(inst);
    c.withLocal(valTypeOf(type), (sum) => {
      const exclusive = inst.op === Op.GroupScanExclusive;
      c.constant(type, identityOf(inst.facts.reduction!, type));
      f.set(sum);
      for (let lane = 0; lane < c.lanes; lane++) {
        const place = () => {
          f.get(sum);
          placeLane(c, registers[Math.floor(lane / per)]!, type, lane % per);
        };
        if (exclusive) place();
        combine(
          c,
          inst,
          () => f.get(sum),
          () => push(lane),
        );
        f.set(sum);
        if (!exclusive) place();
      }
    });
  });
}

/** The cluster size of an operation, if it is done in clusters. */
function clusterOf(inst: Inst): number | undefined {
  const operand = inst.operands[inst.op === Op.GroupReduce ? 1 : 2];
  if (!operand) return undefined;
  const constant = constantOf(operand);
  if (constant === undefined) throw new JitError('the size of a cluster of a sub-group must be constant');
  const size = Number(constant) >>> 0;
  if (size === 0 || (size & (size - 1)) !== 0)
    throw new JitError(`the size of a cluster of a sub-group must be a power of two, not ${size}`);
  return size;
}

// --- exchanges

function broadcast(c: Context, inst: Inst, exchange: Exchange): void {
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

function shuffle(c: Context, inst: Inst, exchange: Exchange): void {
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
  const own = () => c.laneNumbers(part);
  const limit = (most: number) => {
    c.vectorConstant(Type.I32, most);
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
