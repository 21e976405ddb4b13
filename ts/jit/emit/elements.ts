// SPDX-License-Identifier: MIT
//
// Op.CountUntil: a condition on sixteen consecutive elements of one work-item. Elements of n bytes are n vectors, and a condition is one
// vector of bytes.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { constantOf } from '../ir/build';
import { ELEMENTS } from '../ir/elements';
import { type ElementStep, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import type { Context } from './context';
import { packedInstruction } from './packed';
import { LOWER_WORDS } from './shuffles';
import { vectorInstruction } from './tables';

const SHIFTS: Partial<Record<Op, readonly [words: Wasm, longs: Wasm]>> = {
  [Op.Shl]: [Wasm.i32x4_shl, Wasm.i64x2_shl],
  [Op.LShr]: [Wasm.i32x4_shr_u, Wasm.i64x2_shr_u],
};
/** By the bits of the narrow elements: what widens the lower half of a vector, and the upper one. */
const WIDENING = {
  8: {
    signed: [Wasm.i16x8_extend_low_i8x16_s, Wasm.i16x8_extend_high_i8x16_s],
    unsigned: [Wasm.i16x8_extend_low_i8x16_u, Wasm.i16x8_extend_high_i8x16_u],
  },
  16: {
    signed: [Wasm.i32x4_extend_low_i16x8_s, Wasm.i32x4_extend_high_i16x8_s],
    unsigned: [Wasm.i32x4_extend_low_i16x8_u, Wasm.i32x4_extend_high_i16x8_u],
  },
} as const;
const VECTOR = 16;

/** Leaves the number of elements before the first one for which the condition holds; sixteen if there is none. */
export function countUntil(c: Context, inst: Inst): void {
  const { f } = c;
  new Steps(c, inst).condition(inst.facts.elements!.steps.length - 1);
  f.op(Wasm.i8x16_bitmask);
  f.i32(1 << ELEMENTS);
  f.op(Wasm.i32_or);
  f.op(Wasm.i32_ctz);
}

class Steps {
  private readonly steps: readonly ElementStep[];

  constructor(
    private readonly c: Context,
    private readonly inst: Inst,
  ) {
    this.steps = inst.facts.elements!.steps;
  }

  /** A vector of sixteen bytes, ones where the condition holds. */
  condition(at: number): void {
    const { f } = this.c;
    const step = this.steps[at]!;
    if (step.is !== 'computed') throw new Error('elements of conditions');
    const from = this.typeOf(step.of[0]!);
    if (from !== Type.I1) {
      this.comparison(at, 0, bytesOf(from));
      return;
    }
    for (const operand of step.of) this.condition(operand);
    f.op(vectorInstruction(Op[step.op], Type.I1)!.code);
  }

  /** The masks of some of a comparison's vectors, as one vector. */
  private comparison(at: number, first: number, count: number): void {
    const { f } = this.c;
    if (count === 1) {
      this.vector(at, first);
      return;
    }
    const half = count / 2;
    this.comparison(at, first, half);
    this.comparison(at, first + half, half);
    const { of } = this.steps[at] as ElementStep & { is: 'computed' };
    const bytes = bytesOf(this.typeOf(of[0]!)) / half;
    if (bytes === 8) f.shuffle(LOWER_WORDS);
    else f.op(bytes === 4 ? Wasm.i16x8_narrow_i32x4_s : Wasm.i8x16_narrow_i16x8_s);
  }

  /** One vector of the result of a step, of a comparison in the width of its operands. */
  private vector(at: number, part: number): void {
    const { c, inst } = this;
    const { f } = c;
    const step = this.steps[at]!;
    const type = Type[step.type];
    if (step.is === 'loaded') {
      const offset = step.offset + part * VECTOR;
      c.scalar(inst.operands[step.operand]!, 0);
      if (offset < 0) {
        f.i32(offset);
        f.op(Wasm.i32_add);
      }
      f.memory(Wasm.v128_load, Math.max(0, offset));
      return;
    }
    if (step.is === 'given') {
      this.given(inst.operands[step.operand]!, type);
      return;
    }
    const op = Op[step.op];
    const from = this.typeOf(step.of[0]!);
    if (op === Op.ZExt || op === Op.SExt) {
      this.extended(step.of[0]!, op === Op.SExt, part, bytesOf(type) / bytesOf(from));
      return;
    }
    for (const operand of step.of) this.vector(operand, part);
    if (step.by !== undefined) f.i32(step.by);
    f.op(instructionFor(op, from));
  }

  /** A part of elements in twice or four times their width. */
  private extended(at: number, signed: boolean, part: number, times: number): void {
    const { f } = this.c;
    const isHigh = (part & 1) === 1;
    if (times === 2) this.vector(at, part >> 1);
    else this.extended(at, signed, part >> 1, 2);
    const [low, high] =
      WIDENING[this.typeOf(at) === Type.I8 && times === 2 ? 8 : 16][signed ? 'signed' : 'unsigned'];
    f.op(isHigh ? high : low);
  }

  private given(value: Value, type: Type): void {
    const { c } = this;
    const bytes = bytesOf(type);
    if (bytes >= 4) {
      c.vector(value, 0, 0);
      return;
    }
    const bits = constantOf(value);
    if (bits !== undefined) {
      c.constants.splat(Type.I32, repeated(Number(bits), bytes));
      return;
    }
    c.invariants.push(`elements ${value.id}`, ValType.V128, value, () => {
      c.scalar(value, 0);
      c.f.op(bytes === 1 ? Wasm.i8x16_splat : Wasm.i16x8_splat);
    });
  }

  private typeOf(at: number): Type {
    return Type[this.steps[at]!.type];
  }
}

function instructionFor(op: Op, type: Type): Wasm {
  if (op === Op.SToF) return Wasm.f32x4_convert_i32x4_s;
  if (op === Op.UToF) return Wasm.f32x4_convert_i32x4_u;
  if (type === Type.I8 || type === Type.I16) return packedInstruction(op, type === Type.I8 ? 8 : 16)!;
  return SHIFTS[op]?.[type === Type.I64 ? 1 : 0] ?? vectorInstruction(op, type)!.code;
}

/** A number of 8 or 16 bits in all places of 32. */
function repeated(bits: number, bytes: number): number {
  return bytes === 1 ? Math.imul(bits & 0xff, 0x01010101) : Math.imul(bits & 0xffff, 0x00010001);
}
