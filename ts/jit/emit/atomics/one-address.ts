// SPDX-License-Identifier: MIT
//
// Atomics of all lanes on one address are done as one, with the combined operands of the lanes. The old value that each lane
// would have seen, had they come one after the other, follows from the one old value and the operands of the lanes before it.

import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, type Rmw, Type, type Value } from '../../ir/ir';
import { identityOf } from '../../ir/reductions';
import type { Context } from '../context';
import { activeMask, selectLanes } from '../control/masks';

/** The operation that combines two vectors of operands. */
const COMBINE: Partial<Record<Rmw, Wasm>> = {
  add: Wasm.i32x4_add,
  sub: Wasm.i32x4_add,
  and: Wasm.v128_and,
  or: Wasm.v128_or,
  xor: Wasm.v128_xor,
  smin: Wasm.i32x4_min_s,
  smax: Wasm.i32x4_max_s,
  umin: Wasm.i32x4_min_u,
  umax: Wasm.i32x4_max_u,
};

/** Whether `emitOnOneAddress` supports the instruction. */
export function isOnOneAddress(c: Context, inst: Inst, resultUsed: boolean): boolean {
  if (c.lanes === 1 || inst.op !== Op.AtomicRmw) return false;
  if (isCount(inst, resultUsed)) return true;
  const address = inst.operands[0]!;
  if (c.isVectorHere(address) || c.variesAlongX(address) || c.rowsOf(address) > 1) return false;
  return isCombined(inst, resultUsed);
}

/** Whether `emitOnOneAddress` supports the operation. */
export function isCombined({ op, type, facts: { rmw } }: Inst, resultUsed: boolean): boolean {
  if (op !== Op.AtomicRmw || type !== Type.I32) return false;
  return resultUsed ? rmw === 'add' || rmw === 'sub' : COMBINE[rmw!] !== undefined;
}

/** One of a run that counts: adds 1 for each active lane. */
const isCount = ({ type, operands }: Inst, resultUsed: boolean): boolean => {
  const [address] = operands as [Value];
  return type === Type.I64 && !resultUsed && address.kind === 'inst' && address.op === Op.Counters;
};

/**
 * `once` performs the operation with the operand in the first local, and leaves the old value in the second. `registers`: the
 * locals of the result, if it is used.
 */
export function emitOnOneAddress(
  c: Context,
  inst: Inst,
  registers: readonly number[],
  once: (operand: number, old: number) => void,
): void {
  const { f } = c;
  if (inst.type === Type.I64) {
    c.withLocal(ValType.I64, (operand) =>
      c.withLocal(ValType.I64, (old) => {
        pushActiveLanes(c);
        f.set(operand);
        once(operand, old);
      }),
    );
    return;
  }
  c.withLocal(ValType.I32, (operand) =>
    c.withLocal(ValType.I32, (old) => {
      if (registers.length === 0) {
        combine(c, inst);
        f.set(operand);
        once(operand, old);
        return;
      }
      const sums = registers.map(() => c.allocate(ValType.V128));
      sums.forEach((sum, i) => {
        prefixSums(c, inst, i, sum, registers[i]!);
        f.get(sum);
        f.lane(Wasm.i32x4_extract_lane, 3);
        if (i > 0) {
          f.get(operand);
          f.op(Wasm.i32_add);
        }
        f.set(operand);
      });
      once(operand, old);
      const [vector, scalar] =
        inst.facts.rmw === 'add' ? [Wasm.i32x4_add, Wasm.i32_add] : [Wasm.i32x4_sub, Wasm.i32_sub];
      sums.forEach((sum, i) => {
        f.get(old);
        f.op(Wasm.i32x4_splat);
        f.get(registers[i]!);
        f.op(vector);
        f.set(registers[i]!);
        if (i === sums.length - 1) return;
        f.get(old);
        f.get(sum);
        f.lane(Wasm.i32x4_extract_lane, 3);
        f.op(scalar);
        f.set(old);
      });
      for (const sum of sums) c.release(sum);
    }),
  );
}

/** Pushes the number of active lanes, as an i64. */
function pushActiveLanes(c: Context): void {
  const { f, mask, lanes, rows } = c;
  if (!mask) {
    f.i64(BigInt(lanes * rows));
    return;
  }
  mask.forEach((local, i) => {
    f.get(local);
    f.op(Wasm.i32x4_bitmask);
    f.op(Wasm.i32_popcnt);
    if (i > 0) f.op(Wasm.i32_add);
  });
  f.op(Wasm.i64_extend_i32_u);
}

/** Pushes one vector of operands, with the neutral element in inactive lanes. */
function pushOperands(c: Context, inst: Inst, i: number): void {
  const parts = c.lanes >> 2;
  const [row, part] = [Math.floor(i / parts), i % parts];
  const neutral = neutralOf(inst.facts.rmw!);
  c.vector(inst.operands[1]!, row, part);
  if (!c.mask) return;
  if (neutral === 0) {
    activeMask(c, row, part, Type.I32);
    c.f.op(Wasm.v128_and);
    return;
  }
  c.constants.splat(Type.I32, neutral);
  activeMask(c, row, part, Type.I32);
  selectLanes(c, Type.I32);
}

function neutralOf(rmw: Rmw): number {
  return rmw === 'sub' || rmw === 'xchg' ? 0 : Number(identityOf(rmw, Type.I32));
}

/** Pushes the combined operands of all active lanes. */
function combine(c: Context, inst: Inst): void {
  const { f } = c;
  const code = COMBINE[inst.facts.rmw!]!;
  c.withLocal(ValType.V128, (all) => {
    for (let i = 0; i < (c.lanes >> 2) * c.rows; i++) {
      pushOperands(c, inst, i);
      if (i > 0) {
        f.get(all);
        f.op(code);
      }
      f.set(all);
    }
    for (const half of [8, 4]) {
      for (let n = 0; n < 3; n++) f.get(all);
      f.shuffle(Array.from({ length: 16 }, (_, b) => (b + half) % 16));
      f.op(code);
      f.set(all);
    }
    f.get(all);
    f.lane(Wasm.i32x4_extract_lane, 0);
  });
}

/** Prefix sums of a vector's operands: inclusive in `sum`, exclusive in `before`. */
function prefixSums(c: Context, inst: Inst, i: number, sum: number, before: number): void {
  const { f } = c;
  pushOperands(c, inst, i);
  f.tee(before);
  f.set(sum);
  for (const bytes of [4, 8]) {
    f.get(sum);
    c.constants.splat(Type.I32, 0);
    f.get(sum);
    f.shuffle(Array.from({ length: 16 }, (_, b) => (b < bytes ? b : 16 + b - bytes)));
    f.op(Wasm.i32x4_add);
    f.set(sum);
  }
  f.get(sum);
  f.get(before);
  f.op(Wasm.i32x4_sub);
  f.set(before);
}
