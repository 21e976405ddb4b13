// SPDX-License-Identifier: MIT
//
// Loads of which several neighbours read one element, such as `a[i / 2]`, `bits[i >> 3]` or `uv[x & ~1]`, or that go through a few
// elements again and again, `pattern[x & 7]`: the elements of all lanes of a vector are within 16 bytes, from lane 0's on or from the first
// of them, and their distances follow from an affine number's low bits.
import type { Divergence } from '../analyses/divergence';
import { constantAmount, constantOf } from '../ir/build';
import { type Block, type Inst, Op, type Repetition, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';

/** An address: the sum of `(number >> shift & mask) * scale` and of these addends, each shifted left. */
export interface RepeatedAddress extends Repetition {
  readonly number: Value;
  readonly addends: readonly Addend[];
}

/** A number that all lanes share, shifted left. */
export interface Addend {
  readonly value: Value;
  readonly by: number;
}

const DEEPEST = 10;
const VECTOR_BYTES = 16;
const BYTE_BITS = 8;
/** The numbers that a byte holds. */
const LARGEST = 255;
/** Higher bits of a number decide nothing within a vector (emit/memory/repeated-loads.ts). */
export const DECIDING_BITS = 7;

const TYPES = new Set([Type.I8, Type.I16, Type.I32, Type.F32]);

/** The address of a load, if its elements are repeated. */
export function repeatedAddress(
  divergence: Divergence,
  load: Inst,
  block: Block,
): RepeatedAddress | undefined {
  const { type, operands } = load;
  const [address] = operands as [Value];
  if (!isPlainLoad(load) || !TYPES.has(type)) return undefined;
  if (!Number.isNaN(divergence.strideAt(address, block))) return undefined;
  const divergent = divergentPart(divergence, address, block);
  if (!divergent) return undefined;
  const { value, by, addends } = divergent;
  const index = shiftedNumber(value);
  if (!index || by > 4) return undefined;
  const { number, shift, mask } = index;
  const scale = 2 ** (by + index.by);
  const stride = divergence.strideAt(number, block);
  if (mask !== undefined) {
    const bytes = bytesOf(type);
    const isRepeated =
      !Number.isNaN(stride) && stride !== 0 && !divergence.isTemporallyDivergent(number, block);
    const fits = scale >= bytes && mask * scale + bytes <= VECTOR_BYTES;
    return isRepeated && fits ? { number, shift, mask, scale, addends } : undefined;
  }
  const isAffine = stride > 0 && !divergence.isTemporallyDivergent(number, block);
  return isAffine && isWithinVector(stride, shift, scale, bytesOf(type))
    ? { number, shift, scale, addends }
    : undefined;
}

/** Whether an instruction is a load from an address of 32 bits, of memory that work-items share, as it was in the source. */
export function isPlainLoad({ op, type, facts, operands }: Inst): boolean {
  return (
    op === Op.Load &&
    type !== Type.I1 &&
    operands[0]!.type === Type.I32 &&
    !facts.volatile &&
    facts.memoryOrder === undefined &&
    !facts.repeated &&
    !facts.byteIndex &&
    (facts.offset ?? 0) >= 0 &&
    (facts.space === 'global' || facts.space === 'constant' || facts.space === 'local')
  );
}

/** Of an address what differs between lanes, shifted left by this many bits, and what does not. */
export function divergentPart(
  divergence: Divergence,
  address: Value,
  block: Block,
): { value: Value; by: number; addends: Addend[] } | undefined {
  const addends: Addend[] = [];
  const isUniform = (v: Value) => divergence.strideAt(v, block) === 0;
  let value = address;
  let by = 0;
  for (let depth = 0; depth < DEEPEST && value.kind === 'inst'; depth++) {
    const [a, b] = value.operands as [Value, Value];
    if (value.op === Op.Add && (isUniform(a) || isUniform(b))) {
      addends.push({ value: isUniform(a) ? a : b, by });
      value = isUniform(a) ? b : a;
    } else if (value.op === Op.Shl && constantAmount(b) !== undefined) {
      by += constantAmount(b)!;
      value = a;
    } else break;
    if (value.type !== Type.I32 || divergence.isTemporallyDivergent(value, block)) return undefined;
  }
  return { value, by, addends };
}

interface ShiftedNumber {
  readonly number: Value;
  readonly shift: number;
  readonly mask?: number;
  readonly by: number;
}

/** A number shifted right, with the sign or for ids, and shifted left `by` again; or some of its lowest eight bits. */
function shiftedNumber(v: Value): ShiftedNumber | undefined {
  if (v.kind !== 'inst') return undefined;
  const [number, other] = v.operands as [Value, Value];
  if (v.op === Op.And) {
    const mask = Number(constantOf(other) ?? 0);
    if (mask > 0) return lowBits(number, mask);
    const shift = 31 - Math.clz32(mask & -mask);
    return mask < 0 && mask === -(2 ** shift) && shift > 0 ? { number, shift, by: shift } : undefined;
  }
  if (v.op !== Op.AShr && v.op !== Op.LShr) return undefined;
  const shift = constantAmount(other);
  if (!shift || number.type !== Type.I32) return undefined;
  if (v.op === Op.LShr) return isId(number) ? { number, shift, by: 0 } : undefined;
  return { number: divided(number, shift), shift, by: 0 };
}

/** The lowest bits of a number, or those from a bit on, if a byte has them. */
function lowBits(v: Value, mask: number): ShiftedNumber | undefined {
  if ((mask & (mask + 1)) !== 0) return undefined;
  const isShifted = v.kind === 'inst' && (v.op === Op.LShr || v.op === Op.AShr);
  const amount = isShifted ? constantAmount(v.operands[1]!) : undefined;
  const shift = amount ?? 0;
  if (mask << shift >= 2 ** BYTE_BITS || shift >= BYTE_BITS) return undefined;
  return { number: amount === undefined ? v : (v as Inst).operands[0]!, shift, mask, by: 0 };
}

/** Of `x + (x < 0 ? 2^shift - 1 : 0)`, as a division has it, an id x: those from 2^31 on, as negative numbers, have no elements. */
function divided(number: Value, shift: number): Value {
  if (number.kind !== 'inst' || number.op !== Op.Add) return number;
  const [x, correction] = number.operands as [Value, Value];
  if (!isId(x) || correction.kind !== 'inst' || correction.op !== Op.LShr) return number;
  const [sign, by] = correction.operands as [Value, Value];
  if (constantAmount(by) !== 32 - shift || sign.kind !== 'inst' || sign.op !== Op.AShr) return number;
  return sign.operands[0] === x && constantAmount(sign.operands[1]!) === 31 ? x : number;
}

const isId = (v: Value): boolean => v.kind === 'inst' && v.op >= Op.GlobalId && v.op <= Op.SubGroupLocalId;

/** Whether a vector of the most lanes reads within 16 bytes, at whole elements, and its numbers fit bytes. */
function isWithinVector(stride: number, shift: number, scale: number, bytes: number): boolean {
  const bits = Math.min(shift, DECIDING_BITS);
  const last = 2 ** bits - 1 + (VECTOR_BYTES / bytes - 1) * stride;
  return scale >= bytes && last < LARGEST && (last >> bits) * scale + bytes <= VECTOR_BYTES;
}
