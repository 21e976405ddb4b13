// SPDX-License-Identifier: MIT
//
// The low bits of numbers of 32 bits that all lanes share or that grow from lane to lane, such as `i & 7`: computed packed, as nothing but
// low bits decides them.
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import type { Context } from '../context';
import { VECTOR_BYTES } from '../target';
import { packedInstruction } from './instructions';
import { packedConstant } from './values';

const OF_LOW_BITS = new Set([Op.Add, Op.Sub, Op.And, Op.Or, Op.Xor]);

/** Whether the low bits of a number follow from those of scalars, by operations that are evaluated here. */
export function isOfScalars(c: Context, v: Value): boolean {
  if (v.type !== Type.I32) return false;
  if (!c.isVectorHere(v)) return true;
  if (v.kind !== 'inst' || !c.isInline(v)) return false;
  const [a, b] = v.operands as [Value, Value];
  if (v.op === Op.Shl) return constantAmount(b) !== undefined && isOfScalars(c, a);
  return OF_LOW_BITS.has(v.op) && isOfScalars(c, a) && isOfScalars(c, b);
}

/** Leaves one vector of the low bits of such a number. */
export function pushLowBits(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  const bits = constantOf(v);
  if (bits !== undefined) {
    packedConstant(c, width, Number(bits));
    return;
  }
  if (!c.isVectorHere(v)) {
    pushScalars(c, v, width, row, group);
    return;
  }
  const { op, operands } = v as Inst;
  const [a, b] = operands as [Value, Value];
  if (op !== Op.Shl) {
    pushLowBits(c, a, width, row, group);
    pushLowBits(c, b, width, row, group);
    f.op(packedInstruction(op, width)!);
    return;
  }
  const by = constantAmount(b)!;
  if (by >= width) {
    packedConstant(c, width, 0);
    return;
  }
  pushLowBits(c, a, width, row, group);
  f.i32(by);
  f.op(Wasm.i16x8_shl);
  if (width === 16) return;
  packedConstant(c, width, 0xff << by);
  f.op(Wasm.v128_and);
}

function pushScalars(c: Context, v: Value, width: PackedWidth, row: number, group: number): void {
  const { f } = c;
  const stride = c.divergence.stride[v.id]!;
  c.scalar(v, row);
  f.op(width === 8 ? Wasm.i8x16_splat : Wasm.i16x8_splat);
  if (stride === 0) return;
  const bytes = width / 8;
  const lanes = VECTOR_BYTES / bytes;
  const distances = new Uint8Array(VECTOR_BYTES);
  for (let i = 0; i < VECTOR_BYTES; i++) {
    const distance = (group * lanes + Math.floor(i / bytes)) * stride;
    distances[i] = distance >> ((i % bytes) * 8);
  }
  c.constants.bytes(distances);
  f.op(width === 8 ? Wasm.i8x16_add : Wasm.i16x8_add);
}
