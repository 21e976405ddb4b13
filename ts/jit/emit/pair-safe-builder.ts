// SPDX-License-Identifier: MIT
//
// Avoids the code that V8 14.6 miscompiles when it combines pairs of vectors into vectors of 256 bits (ADR 39):
//
// - A pair of widening instructions (low and high) reads one vector of 128 bits. If that vector is half of a pair, and all its other
//   uses are paired, V8 does not extract it: it reads the lower half instead of the upper one, or aborts. A use that is not paired
//   makes V8 extract it. That use costs nothing, as its result is dropped.
// - If a shuffle copies one lane of a loaded vector to all lanes, V8 repeats the load at the shuffle, after any stores in between.
//   It does not do so if the lane is extracted and splatted.
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';

const WIDENINGS: ReadonlySet<Wasm> = new Set([
  Wasm.i16x8_extend_low_i8x16_s,
  Wasm.i16x8_extend_high_i8x16_s,
  Wasm.i16x8_extend_low_i8x16_u,
  Wasm.i16x8_extend_high_i8x16_u,
  Wasm.i32x4_extend_low_i16x8_s,
  Wasm.i32x4_extend_high_i16x8_s,
  Wasm.i32x4_extend_low_i16x8_u,
  Wasm.i32x4_extend_high_i16x8_u,
  Wasm.i64x2_extend_low_i32x4_s,
  Wasm.i64x2_extend_high_i32x4_s,
  Wasm.i64x2_extend_low_i32x4_u,
  Wasm.i64x2_extend_high_i32x4_u,
]);
const WIDENING_PRODUCTS: ReadonlySet<Wasm> = new Set([
  Wasm.i16x8_extmul_low_i8x16_s,
  Wasm.i16x8_extmul_high_i8x16_s,
  Wasm.i16x8_extmul_low_i8x16_u,
  Wasm.i16x8_extmul_high_i8x16_u,
  Wasm.i32x4_extmul_low_i16x8_s,
  Wasm.i32x4_extmul_high_i16x8_s,
  Wasm.i32x4_extmul_low_i16x8_u,
  Wasm.i32x4_extmul_high_i16x8_u,
  Wasm.i64x2_extmul_low_i32x4_s,
  Wasm.i64x2_extmul_high_i32x4_s,
  Wasm.i64x2_extmul_low_i32x4_u,
  Wasm.i64x2_extmul_high_i32x4_u,
]);

export class PairSafeBuilder extends FunctionBuilder {
  /** Locals that hold the operands of an instruction. */
  private readonly operands: number[] = [];

  override op(code: Wasm): void {
    if (WIDENINGS.has(code)) {
      const operand = this.operand(0);
      this.set(operand);
      this.makeExtracted(operand);
      this.get(operand);
    } else if (WIDENING_PRODUCTS.has(code)) {
      const [left, right] = [this.operand(0), this.operand(1)];
      this.set(right);
      this.set(left);
      this.makeExtracted(left);
      this.makeExtracted(right);
      this.get(left);
      this.get(right);
    }
    super.op(code);
  }

  override shuffle(lanes: Uint8Array | readonly number[]): void {
    const splat = splatOf(lanes);
    if (splat === undefined) {
      super.shuffle(lanes);
      return;
    }
    const { bytes, lane } = splat;
    const [left, right] = [this.operand(0), this.operand(1)];
    this.set(right);
    this.set(left);
    this.get(lane * bytes < 16 ? left : right);
    this.lane(bytes === 8 ? Wasm.i64x2_extract_lane : Wasm.i32x4_extract_lane, lane % (16 / bytes));
    this.op(bytes === 8 ? Wasm.i64x2_splat : Wasm.i32x4_splat);
  }

  private operand(index: number): number {
    this.operands[index] ??= this.local(ValType.V128);
    return this.operands[index]!;
  }

  /** Adds a use that V8 does not pair. */
  private makeExtracted(vector: number): void {
    this.get(vector);
    this.lane(Wasm.i32x4_extract_lane, 0);
    this.op(Wasm.drop);
  }
}

/** The lane of 4 or 8 bytes that a shuffle copies to all lanes, counted from the left operand's first; undefined for other shuffles. */
function splatOf(lanes: Uint8Array | readonly number[]): { bytes: 4 | 8; lane: number } | undefined {
  for (const bytes of [4, 8] as const) {
    const first = lanes[0]!;
    if (first % bytes !== 0) continue;
    if (Array.from(lanes).every((byte, i) => byte === first + (i % bytes)))
      return { bytes, lane: first / bytes };
  }
  return undefined;
}
