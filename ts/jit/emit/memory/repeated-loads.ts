// SPDX-License-Identifier: MIT
//
// Loads of which several neighbours read one element (vectorize/repeated.ts): the 16 bytes from lane 0's element on, of which a
// permutation gives each lane its own. The number's low bits and the lanes' distances say which. Where there is a mask, the 16 bytes are the
// same for all lanes.
import { type Expr, emit, i8x16, i16x8, i32, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { Inst, Repetition, Value } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import { DECIDING_BITS } from '../../vectorize/plan';
import { ZERO } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { packedSplat } from '../packed/values';
import { VECTOR_BYTES } from '../target';
import { avoidIdleRow, type MemoryPlan, scalarLoadOf } from './addresses';

/** The load for one work-item. */
export function loadRepeatedScalar(c: Context, inst: Inst, row: number): void {
  pushAddress(c, inst, row, () => c.scalar(inst.operands[1]!, row));
  c.f.memory(scalarLoadOf(inst.type), inst.facts.offset ?? 0);
}

/** The vectors of a row, whose lanes have `laneBytes`: those of an element, or more, of which the upper ones are zeros. */
export function loadRepeated(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  laneBytes: number,
  into: readonly number[],
): void {
  const { f } = c;
  const [base, number] = inst.operands as [Value, Value];
  const { shift, mask, scale } = inst.facts.repeated!;
  const offset = inst.facts.offset ?? 0;
  const stride = c.divergence.strideAt(number, c.block);
  const perVector = (VECTOR_BYTES / laneBytes) * stride;
  // If vectors begin alike, one address and one permutation serve all.
  const mayBeIdle = c.mask !== undefined && c.rowsOf(inst) > 1;
  const isAlike = perVector % (2 ** shift * ((mask ?? 0) + 1)) === 0;
  c.withLocal(ValType.I32, (first) =>
    c.withLocal(ValType.I32, (address) =>
      c.withLocal(ValType.V128, (order) => {
        c.scalar(number, row);
        f.set(first);
        into.forEach((local, vector) => {
          if (vector === 0 || !isAlike) {
            const start = i32.add(first, i32.const(vector * perVector));
            if (mask === undefined) pushAddress(c, inst, row, () => emit(f, start));
            else c.scalar(base, row);
            if (mayBeIdle) {
              f.i32(offset);
              f.op(Wasm.i32_add);
              avoidIdleRow(c, plan, row, base);
            }
            f.set(address);
            emit(
              f,
              placesOf(c, start, stride, { ...inst.facts.repeated!, bytes: bytesOf(inst.type), laneBytes }),
            );
            f.set(order);
          }
          const later = isAlike && mask === undefined ? ((vector * perVector) / 2 ** shift) * scale : 0;
          f.get(address);
          f.memory(Wasm.v128_load, (mayBeIdle ? 0 : offset) + later);
          f.get(order);
          f.op(c.relaxedSimd ? Wasm.i8x16_relaxed_swizzle : Wasm.i8x16_swizzle);
          f.set(local);
        });
      }),
    ),
  );
}

/** Leaves the address for a number. */
function pushAddress(c: Context, { operands, facts }: Inst, row: number, push: () => void): void {
  const { f } = c;
  const { shift, mask, scale } = facts.repeated!;
  c.scalar(operands[0]!, row);
  push();
  f.i32(shift);
  f.op(Wasm.i32_shr_s);
  if (mask !== undefined) {
    f.i32(mask);
    f.op(Wasm.i32_and);
  }
  if (scale > 1) {
    f.i32(Math.log2(scale));
    f.op(Wasm.i32_shl);
  }
  f.op(Wasm.i32_add);
}

interface Shape extends Repetition {
  readonly bytes: number;
  readonly laneBytes: number;
}

/** For each byte of a vector its place in the 16 bytes, or that it is zero. `start`: the first lane's number. */
function placesOf(
  c: Context,
  start: Expr<'i32'>,
  stride: number,
  { shift, mask, scale, bytes, laneBytes }: Shape,
): Expr<'v128'> {
  const bits = Math.min(shift, DECIDING_BITS);
  const low = i32.and(start, i32.const(2 ** shift - 1));
  const byLane = (numberOf: (lane: number, byte: number) => number): Expr<'v128'> => {
    const table = Uint8Array.from({ length: VECTOR_BYTES }, (_, i) =>
      numberOf(Math.floor(i / laneBytes), i % laneBytes),
    );
    return () => c.constants.bytes(table);
  };
  // Only numbers close to the next element's first one reach it within a vector.
  const near =
    mask !== undefined
      ? start
      : shift > bits
        ? aboveZero(c, i32.sub(low, i32.const(2 ** shift - 2 ** bits)))
        : low;
  const splat: Expr<'v128'> = (f) => {
    emit(f, near);
    f.op(Wasm.i8x16_splat);
  };
  const numbers = i8x16.add(
    splat,
    byLane((lane) => lane * stride),
  );
  const elements = v128.and(i16x8.shr_u(numbers, i32.const(bits)), packedSplat(c, 8, mask ?? 0xff >> bits));
  const places = scale > 1 ? i16x8.shl(elements, i32.const(Math.log2(scale))) : elements;
  return laneBytes === 1
    ? places
    : v128.or(
        places,
        byLane((_, byte) => (byte < bytes ? byte : ZERO)),
      );
}

/** A number, or 0 if it is negative. */
function aboveZero(c: Context, number: Expr<'i32'>): Expr<'i32'> {
  return c.bind(ValType.I32, number, (x) => i32.and(x, i32.xor(i32.shr_s(x, i32.const(31)), i32.const(-1))));
}
