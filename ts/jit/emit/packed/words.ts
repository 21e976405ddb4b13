// SPDX-License-Identifier: MIT
//
// Vectors of 32-bit words that become packed values (operations.ts): what narrows them, and which byte of them is kept.
import { emit } from '../../../wasm/expressions';
import { Wasm } from '../../../wasm/opcodes';
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { permute, ZERO } from '../arithmetic/shuffles';
import { unclampedInteger } from '../arithmetic/vector-conversions';
import type { Context } from '../context';

/** A byte of words that is neither the lowest nor the highest: its shift and truncation are one permutation. */
export function byteOfWord(c: Context, { op, operands }: Inst): { word: Value; byte: number } | undefined {
  const [source] = operands as [Value];
  if (op !== Op.Trunc || source.type !== Type.I32 || source.kind !== 'inst' || !c.isInline(source))
    return undefined;
  if (source.op !== Op.LShr && source.op !== Op.AShr) return undefined;
  const [word, amount] = source.operands as [Value, Value];
  const by = constantAmount(amount);
  if ((by !== 8 && by !== 16) || !c.isVectorHere(word) || c.rowsOf(word) !== c.rowsOf(source))
    return undefined;
  return { word, byte: by / 8 };
}

/** One byte of each lane's word. */
export function pickBytes(
  c: Context,
  { word, byte }: { word: Value; byte: number },
  row: number,
  group: number,
): void {
  const parts = Math.min(4, c.lanes >> 2);
  for (let part = 0; part < parts; part++) {
    c.vector(word, row, group * 4 + part);
    permute(
      c,
      Uint8Array.from({ length: 16 }, (_, i) => (i >> 2 === part ? (i & 3) * 4 + byte : ZERO)),
    );
    if (part > 0) c.f.op(Wasm.v128_or);
  }
}

/** Vectors of 32 bits, and the instructions that narrow them to sixteen bits and these to eight. */
interface Words {
  readonly codes: readonly [toHalves: Wasm, toBytes: Wasm];
  push(part: number): void;
}

const SIGNED_BYTES = [Wasm.i16x8_narrow_i32x4_s, Wasm.i8x16_narrow_i16x8_s] as const;
const UNSIGNED_BYTES = [Wasm.i16x8_narrow_i32x4_s, Wasm.i8x16_narrow_i16x8_u] as const;
const UNSIGNED_HALVES = [Wasm.i16x8_narrow_i32x4_u, Wasm.i8x16_narrow_i16x8_u] as const;

/**
 * Narrowing saturates: it clamps the numbers that conversions from floats and clamps would clamp, and what only keeps low bits has
 * to mask them before, unless the number is known to fit.
 */
export function wordsOf(c: Context, inst: Inst, width: PackedWidth, row: number): Words {
  const { f } = c;
  const saturating = (signed: boolean) =>
    signed ? SIGNED_BYTES : width === 16 ? UNSIGNED_HALVES : UNSIGNED_BYTES;
  if (inst.op !== Op.Trunc)
    return {
      codes: saturating(inst.op === Op.FToS),
      push: (part) => emit(f, unclampedInteger(c, inst, row, part)),
    };
  const number = (value: Value, signed: boolean): Words => ({
    codes: saturating(signed),
    push: (part) => c.vector(value, row, part),
  });
  const [source] = inst.operands as [Value];
  const clamp =
    source.type === Type.I32 && c.isInline(source) ? clampTo(c, source as Inst, width) : undefined;
  if (clamp && c.rowsOf(clamp.number) === c.rowsOf(source)) return number(clamp.number, clamp.signed);
  if (source.type === Type.I32 && inst.facts.noUnsignedWrap) return number(source, false);
  if (source.type === Type.I32 && inst.facts.noSignedWrap) return number(source, true);
  return {
    codes: UNSIGNED_HALVES,
    push(part) {
      c.evaluator.vector(inst, row, part);
      c.constants.splat(Type.I32, 2 ** width - 1);
      f.op(Wasm.v128_and);
    },
  };
}

interface Clamp {
  readonly number: Value;
  readonly signed: boolean;
}

/** The number that a value clamps to the range of a width, in either order. */
function clampTo(c: Context, outer: Inst, width: PackedWidth): Clamp | undefined {
  const [inner, limit] = outer.operands as [Value, Value];
  if (inner.kind !== 'inst' || inner.op !== (outer.op === Op.SMax ? Op.SMin : Op.SMax)) return undefined;
  if (outer.op !== Op.SMax && outer.op !== Op.SMin) return undefined;
  if (!c.isInline(inner) || c.rowsOf(inner) !== c.rowsOf(outer)) return undefined;
  const ends = [constantOf(limit), constantOf(inner.operands[1]!)];
  const [low, high] = outer.op === Op.SMax ? ends : ends.reverse();
  for (const signed of [false, true]) {
    const least = signed ? -(2 ** (width - 1)) : 0;
    if (low === least && high === least + 2 ** width - 1) return { number: inner.operands[0]!, signed };
  }
  return undefined;
}
