// SPDX-License-Identifier: MIT
//
// Words that are put together from bytes or halves of separate vectors, as stores of a uchar4 do: shuffles that interleave
// vectors bring each work-item's components together, instead of extensions, shifts and ors.
import { constantAmount, constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { bitsOf } from '../../ir/types';
import type { Context } from '../context';

type Width = 8 | 16;

/** A word's parts, from its lowest bits on: packed values of `width` bits, or constants. */
interface Parts {
  readonly width: Width;
  readonly parts: readonly (Value | number)[];
}

/** Interleave the elements of the lower halves of two vectors, or of the upper halves, by the bytes of an element. */
const interleaving = (bytes: number, upper: boolean): number[] =>
  Array.from({ length: 16 }, (_, i) => {
    const element = (upper ? 8 / bytes : 0) + Math.floor(i / (2 * bytes));
    return element * bytes + (i % bytes) + (i % (2 * bytes) < bytes ? 0 : 16);
  });

/** The parts of a sum of shifted extensions, all of which are evaluated where the sum is; undefined if it is anything else. */
export function partsOf(c: Context, word: Inst): Parts | undefined {
  if (word.op !== Op.Or || (word.type !== Type.I16 && word.type !== Type.I32)) return undefined;
  const bits = bitsOf(word.type);
  const placed = new Map<number, Value>();
  let constant = 0;
  let width: Width | undefined;
  const collect = (v: Value, shift: number): boolean => {
    const number = constantOf(v);
    if (number !== undefined) {
      if (shift < bits) constant |= Number(number) << shift;
      return true;
    }
    if (v.kind !== 'inst' || (v !== word && !c.isInline(v)) || c.rowsOf(v) !== c.rowsOf(word)) return false;
    const [a, b] = v.operands as [Value, Value];
    if (v.op === Op.Or) return collect(a, shift) && collect(b, shift);
    if (v.op === Op.Shl) {
      const by = constantAmount(b);
      return by !== undefined && collect(a, shift + by);
    }
    if (v.op !== Op.ZExt || a.type === Type.I1) return false;
    const own = c.plan.packed.get(a.id);
    if (!own || own !== bitsOf(a.type) || (width ?? own) !== own || c.rowsOf(a) !== c.rowsOf(word))
      return false;
    if (!c.isVector(a) || shift % own !== 0 || shift >= bits || placed.has(shift / own)) return false;
    width = own;
    placed.set(shift / own, a);
    return true;
  };
  if (!collect(word, 0) || !width || placed.size < 2) return undefined;
  const size = width;
  const rest = Array.from({ length: bits / size }, (_, k) => (constant >>> (k * size)) & (2 ** size - 1));
  // A constant beside a value in one part would have to be added to it.
  if (rest.some((n, k) => n !== 0 && placed.has(k))) return undefined;
  return { width: size, parts: rest.map((n, k) => placed.get(k) ?? n) };
}

/** One vector of the word: of four lanes of 32 bits, or of eight of 16. `pushPart` leaves one vector of a packed value on the stack. */
export function pushInterleaved(
  c: Context,
  { width, parts }: Parts,
  part: number,
  pushPart: (value: Value, width: Width, group: number) => void,
): void {
  // Lanes of the result in a vector of parts, and so the vector and the half or quarter of it that the result is made from.
  const vectors = parts.length;
  const group = Math.floor(part / vectors);
  const place = part % vectors;
  const push = (k: number) => {
    const value = parts[k]!;
    if (typeof value === 'number')
      c.constants.splat(Type.I32, Math.imul(value, width === 8 ? 0x1010101 : 0x10001));
    else pushPart(value, width, group);
  };
  const bytes = width / 8;
  if (vectors === 2) {
    push(0);
    push(1);
    c.f.shuffle(interleaving(bytes, place === 1));
    return;
  }
  for (const pair of [0, 2]) {
    push(pair);
    push(pair + 1);
    c.f.shuffle(interleaving(bytes, place >= 2));
  }
  c.f.shuffle(interleaving(2 * bytes, (place & 1) === 1));
}
