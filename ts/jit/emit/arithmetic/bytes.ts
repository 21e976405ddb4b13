// SPDX-License-Identifier: MIT
//
// Op.Bytes: operations on the four bytes of each number, sixteen bytes at a time. Scalars are done as vectors, too.
import { emit } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { BytesOp } from '../../ir/bytes';
import { operandsOf } from '../../ir/bytes';
import { type Inst, Type } from '../../ir/ir';
import type { Context } from '../context';
import { selectPacked } from '../control/masks';
import { bitsOfBytes } from './bit-counts';

const ONE_INSTRUCTION: { readonly [K in BytesOp]?: Wasm } = {
  eq: Wasm.i8x16_eq,
  slt: Wasm.i8x16_lt_s,
  ult: Wasm.i8x16_lt_u,
  add: Wasm.i8x16_add,
  sub: Wasm.i8x16_sub,
  smin: Wasm.i8x16_min_s,
  smax: Wasm.i8x16_max_s,
  umin: Wasm.i8x16_min_u,
  umax: Wasm.i8x16_max_u,
  upairs: Wasm.i16x8_extadd_pairwise_i8x16_u,
  uhalves: Wasm.i32x4_extadd_pairwise_i16x8_s,
  hdot: Wasm.i32x4_dot_i16x8_s,
};

/** One vector of the result. */
export function vectorBytes(c: Context, { operands, facts }: Inst, row: number, part: number): void {
  emitBytes(c, facts.bytes!, (i) => c.vector(operands[i]!, row, part));
}

/** The result for a number; `push` leaves an operand on the stack. */
export function scalarBytes(c: Context, { facts }: Inst, push: (index: number) => void): void {
  emitBytes(c, facts.bytes!, (i) => {
    push(i);
    c.f.op(Wasm.i32x4_splat);
  });
  c.f.lane(Wasm.i32x4_extract_lane, 0);
}

/** `push` leaves a vector on the stack, once for each operand. */
function emitBytes(c: Context, op: BytesOp, push: (index: number) => void): void {
  const { f } = c;
  if (op === 'udot') {
    product(c, push);
    return;
  }
  if (op === 'select') {
    for (const i of [1, 2, 0]) push(i);
    selectPacked(c, 8);
    return;
  }
  if (op === 'popcount') {
    emit(
      f,
      bitsOfBytes(c, () => push(0)),
    );
    return;
  }
  for (let i = 0; i < operandsOf(op); i++) push(i);
  const simple = ONE_INSTRUCTION[op];
  if (simple !== undefined) {
    f.op(simple);
    return;
  }
  f.op(Wasm.i16x8_extadd_pairwise_i8x16_s);
  f.op(Wasm.i32x4_extadd_pairwise_i16x8_s);
}

/** The bytes at even places and those at odd ones, as positive numbers of 16 bits. */
function product(c: Context, push: (index: number) => void): void {
  const { f } = c;
  const temps = [0, 1].map((i) => {
    const temp = c.allocate(ValType.V128);
    push(i);
    f.set(temp);
    return temp;
  });
  for (const temp of temps) {
    f.get(temp);
    c.constants.splat(Type.I32, 0x00ff00ff);
    f.op(Wasm.v128_and);
  }
  f.op(Wasm.i32x4_dot_i16x8_s);
  for (const temp of temps) {
    f.get(temp);
    f.i32(8);
    f.op(Wasm.i16x8_shr_u);
  }
  f.op(Wasm.i32x4_dot_i16x8_s);
  f.op(Wasm.i32x4_add);
  for (const temp of temps) c.release(temp);
}
