// SPDX-License-Identifier: MIT
//
// Addresses that are not contiguous for certain but most of the time: an index that was clamped, wrapped or split into digits. A
// test at run time decides between one vector access and one per lane. It tests only the index, without its uniform addends, so
// that accesses with one index share the test.
import type { Divergence } from '../analyses/divergence';
import { constantAmount, constantOf } from '../ir/build';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';

export interface IndexedAddress {
  readonly index: Value;
  /** The required difference of the index from lane to lane. */
  readonly step: number;
}

const DEEPEST = 10;

/** The index of an address whose elements of `bytes` may be contiguous at run time. */
export function likelyContiguous(
  divergence: Divergence,
  address: Value,
  bytes: number,
  block: Block,
): IndexedAddress | undefined {
  let value = address;
  let scale = 1;
  for (let depth = 0; depth < DEEPEST && value.kind === 'inst'; depth++) {
    const [a, b] = value.operands as [Value, Value];
    const uniform = (v: Value) => divergence.strideAt(v, block) === 0;
    if (value.op === Op.Add && uniform(a)) value = b;
    else if (value.op === Op.Add && uniform(b)) value = a;
    else if (value.op === Op.Shl && constantAmount(b) !== undefined) {
      scale *= 2 ** constantAmount(b)!;
      value = a;
    } else break;
    // A uniform addend may be divergent as a loop live-out.
    if (divergence.isTemporallyDivergent(value, block)) return undefined;
  }
  if (value.kind !== 'inst' || bytes % scale !== 0) return undefined;
  if (!Number.isNaN(divergence.strideAt(value, block)) || !isComputed(divergence, value, DEEPEST))
    return undefined;
  return { index: value, step: bytes / scale };
}

/** The test at run time: whether an index grows by `step` from lane to lane. */
export interface RunTimeTest extends IndexedAddress {
  /** For a clamped index: the index before clamping. */
  readonly clamped?: ClampedIndex;
  readonly wrapped?: WrappedIndex;
}

/** An affine index that wraps around at a mask or a divisor that all work-items share. A constant mask is 2^n - 1. */
export interface WrappedIndex {
  readonly inst: Inst;
  /** The index before wrapping. */
  readonly inside: Value;
  readonly limit: Value;
}

export interface Bound {
  readonly op: Op.SMin | Op.SMax;
  readonly limit: Value;
}

/** An affine index within uniform bounds: it is contiguous if its first and last lane are within them. */
export interface ClampedIndex {
  readonly inside: Value;
  readonly bounds: readonly Bound[];
}

export function clampedIndex(
  divergence: Divergence,
  { index, step }: IndexedAddress,
  block: Block,
): ClampedIndex | undefined {
  const bounds: Bound[] = [];
  let value = index;
  while (value.kind === 'inst' && (value.op === Op.SMin || value.op === Op.SMax)) {
    const [a, b] = value.operands as [Value, Value];
    const limit =
      divergence.strideAt(b, block) === 0 ? b : divergence.strideAt(a, block) === 0 ? a : undefined;
    if (!limit) return undefined;
    bounds.push({ op: value.op, limit });
    value = limit === b ? a : b;
  }
  return bounds.length > 0 && step > 0 && divergence.strideAt(value, block) === step
    ? { inside: value, bounds }
    : undefined;
}

const WRAPPING = new Set([Op.And, Op.URem, Op.SRem]);

export function wrappedIndex(
  divergence: Divergence,
  { index, step }: IndexedAddress,
  block: Block,
): WrappedIndex | undefined {
  if (index.kind !== 'inst' || index.type !== Type.I32 || !WRAPPING.has(index.op) || step <= 0)
    return undefined;
  const [a, b] = index.operands as [Value, Value];
  const [inside, limit] = index.op === Op.And && divergence.strideAt(a, block) === 0 ? [b, a] : [a, b];
  if (divergence.strideAt(inside, block) !== step || divergence.strideAt(limit, block) !== 0)
    return undefined;
  const mask = index.op === Op.And ? constantOf(limit) : undefined;
  return mask === undefined || isAllOnes(Number(mask)) ? { inst: index, inside, limit } : undefined;
}

/** Whether a mask is 2^n - 1. */
const isAllOnes = (mask: number): boolean => (mask & (mask + 1)) === 0;

/** Whether a value is arithmetic on ids, without loaded values. */
function isComputed(divergence: Divergence, value: Value, depth: number): boolean {
  if (divergence.stride[value.id] !== undefined && !Number.isNaN(divergence.stride[value.id]!)) return true;
  if (value.kind !== 'inst' || depth === 0) return false;
  switch (value.op) {
    case Op.Add:
    case Op.Sub:
    case Op.Mul:
    case Op.UDiv:
    case Op.URem:
    case Op.SDiv:
    case Op.SRem:
    case Op.And:
    case Op.Or:
    case Op.Xor:
    case Op.Shl:
    case Op.LShr:
    case Op.AShr:
    case Op.SMin:
    case Op.SMax:
    case Op.UMin:
    case Op.UMax:
    case Op.UMulHi:
    case Op.SMulHi:
    case Op.SMulWide:
    case Op.UMulWide:
      return value.operands.every((o) => isComputed(divergence, o, depth - 1));
    case Op.Select:
      return value.operands.slice(1).every((o) => isComputed(divergence, o, depth - 1));
    default:
      return false;
  }
}
