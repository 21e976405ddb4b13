// SPDX-License-Identifier: MIT
//
// Bytes of a number in another order, such as its bytes in reverse or the components of a pixel exchanged: shifts, masks and ors of whole
// bytes become one permutation (Op.PermuteBytes).
import { Scratch } from '../../../../base/table';
import type { Divergence } from '../../../analyses/divergence';
import { constantAmount, constantOf } from '../../../ir/build';
import { orderOf } from '../../../ir/byte-order';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { bitsOf, bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';

/** The least number of operations that a permutation replaces. */
const LEAST_REPLACED = 3;
/** The most operations from a result to the number whose bytes it has. */
const DEEPEST = 16;

/** A byte of a number: where it comes from, the lowest byte being 0; undefined for a byte of zeros. */
type Origin = { readonly value: Value; readonly byte: number } | undefined;

const ROOTS = new Set([Op.Or, Op.Xor, Op.Add]);
const ZEROS = new Scratch();
const TYPES = new Set([Type.I16, Type.I32, Type.I64]);

/** Returns whether it changed the function. Numbers that all work-items share are left as they are. */
export function permuteBytes(func: Func, divergence: Divergence): boolean {
  const zeros = zeroBytesIn(func);
  if (!zeros) return false;
  let changed = false;
  for (const block of func.blocks) {
    const inside = new Set<Value>();
    for (let at = block.insts.length - 1; at >= 0; at--) {
      const inst = block.insts[at]!;
      if (!ROOTS.has(inst.op) || !TYPES.has(inst.type) || inside.has(inst)) continue;
      if (!Number.isNaN(divergence.stride[inst.id]!)) continue;
      const [a, b] = inst.operands as [Value, Value];
      if (!mayJoin(inst.op, inst.type, zeros[a.id]!, zeros[b.id]!)) continue;
      const tree = new Tree(inst);
      const source = tree.source();
      if (!source || tree.operations.size < LEAST_REPLACED) continue;
      for (const operation of tree.operations) inside.add(operation);
      inst.op = Op.PermuteBytes;
      inst.operands = [source];
      inst.facts = { order: orderOf(tree.bytes.map((origin) => origin?.byte)) };
      changed = true;
    }
  }
  if (changed) removeDeadCode(func);
  return changed;
}

/**
 * By value id, which bytes of a number may be zeros because operations have moved others away from there, as bits: those that `Tree` finds
 * and perhaps more. Most sums and ors have no such operands, which this tells without a tree. Undefined if no number has such bytes.
 */
function zeroBytesIn(func: Func): Int32Array | undefined {
  let zeros: Int32Array | undefined;
  const of = (value: Value): number => zeros?.[value.id] ?? 0;
  // Each value comes after its operands.
  for (const block of func.blocks)
    for (const inst of block.insts) {
      const bits = zeroBytesOf(inst, of);
      if (bits === 0) continue;
      zeros ??= ZEROS.zeros(func.idBound);
      zeros[inst.id] = bits;
    }
  return zeros;
}

function zeroBytesOf({ op, type, operands }: Inst, of: (value: Value) => number): number {
  const [a, b] = operands as readonly [Value, Value];
  switch (op) {
    case Op.Shl:
    case Op.LShr:
    case Op.Rotl: {
      const by = constantAmount(b);
      if (by === undefined || by % 8 !== 0) return 0;
      return movedBits(op, of(a), by / 8, bytesOf(type));
    }
    case Op.ZExt:
    case Op.Trunc:
      return (of(a) | ~allBytes(a.type)) & allBytes(type);
    case Op.And: {
      const mask = constantOf(b);
      return mask === undefined ? 0 : of(a) | zeroBytesOfMask(mask, bytesOf(type));
    }
    case Op.Or:
      return of(a) & of(b);
    case Op.Xor:
    case Op.Add:
      return mayJoin(op, type, of(a), of(b)) ? of(a) & of(b) : 0;
    default:
      return 0;
  }
}

/** Whether an operation may put bytes of its operands side by side, of which these bytes may be zeros. */
function mayJoin(op: Op, type: Type, a: number, b: number): boolean {
  // An operand without zeros leaves no place for bytes of the other one.
  return op === Op.Or ? a !== 0 && b !== 0 : (a | b) === allBytes(type);
}

/** The bits of bytes that are shifted or rotated by `by` of `size` bytes: shifts add zeros. */
function movedBits(op: Op, bits: number, by: number, size: number): number {
  const all = (1 << size) - 1;
  if (op === Op.Rotl) return ((bits << by) | (bits >> (size - by))) & all;
  return op === Op.Shl ? ~(~bits << by) & all : ~((~bits & all) >> by) & all;
}

/** A bit for each byte of a type. */
const allBytes = (type: Type): number => (1 << bytesOf(type)) - 1;

/** The bytes of a mask that are zeros, as bits. */
function zeroBytesOfMask(mask: number | bigint, size: number): number {
  const bits = BigInt.asUintN(64, BigInt(mask));
  let zeros = 0;
  for (let byte = 0; byte < size; byte++) if (((bits >> BigInt(8 * byte)) & 0xffn) === 0n) zeros |= 1 << byte;
  return zeros;
}

/** The operations that only move bytes, from a result on. */
class Tree {
  readonly operations = new Set<Inst>();
  readonly bytes: readonly Origin[];

  constructor(private readonly root: Inst) {
    this.bytes = this.originsOf(root, 0);
  }

  /** The only number whose bytes the result has, where it is of the result's type. */
  source(): Value | undefined {
    const values = new Set(this.bytes.flatMap((origin) => (origin ? [origin.value] : [])));
    const [value] = values;
    if (values.size !== 1 || value === this.root || value!.type !== this.root.type) return undefined;
    return constantOf(value!) === undefined ? value : undefined;
  }

  private originsOf(v: Value, depth: number): Origin[] {
    const own = (byte: number): Origin => ({ value: v, byte });
    const itself = Array.from({ length: bytesOf(v.type) }, (_, byte) => own(byte));
    if (v.kind !== 'inst' || depth > DEEPEST) return itself;
    const moved = this.moved(v, depth, own);
    if (moved) this.operations.add(v);
    return moved ?? itself;
  }

  /** The origins of an operation's bytes; `own` are those that it computes. Undefined if it does not move whole bytes. */
  private moved(v: Inst, depth: number, own: (byte: number) => Origin): Origin[] | undefined {
    const [a, b] = v.operands as [Value, Value];
    const size = bytesOf(v.type);
    const of = (operand: Value) => this.originsOf(operand, depth + 1);
    const all = (originAt: (byte: number) => Origin) =>
      Array.from({ length: size }, (_, byte) => originAt(byte));
    switch (v.op) {
      case Op.Shl:
      case Op.LShr:
      case Op.Rotl: {
        const by = constantAmount(b);
        if (by === undefined || by % 8 !== 0) return undefined;
        const origins = of(a);
        const step = by / 8;
        if (v.op === Op.Rotl) return all((byte) => origins[(byte - step + size) % size]);
        return all((byte) => origins[v.op === Op.Shl ? byte - step : byte + step]);
      }
      case Op.ZExt:
      case Op.Trunc: {
        // Bytes of a number of another type are not taken from it.
        if (bitsOf(a.type) < 8 || bitsOf(v.type) < 8 || bitsOf(a.type) > bitsOf(this.root.type))
          return undefined;
        const origins = of(a);
        return all((byte) => origins[byte]);
      }
      case Op.And: {
        const mask = constantOf(b);
        if (mask === undefined) return undefined;
        const bits = BigInt.asUintN(64, BigInt(mask));
        const origins = of(a);
        return all((byte) => {
          const part = (bits >> BigInt(8 * byte)) & 0xffn;
          return part === 0xffn ? origins[byte] : part === 0n || !origins[byte] ? undefined : own(byte);
        });
      }
      case Op.Or:
      case Op.Xor:
      case Op.Add: {
        const [x, y] = [of(a), of(b)];
        // A sum of bytes that overlap may carry.
        if (v.op !== Op.Or && x.some((origin, byte) => origin && y[byte])) return undefined;
        return all((byte) => {
          const [p, q] = [x[byte], y[byte]];
          if (!p || !q) return p ?? q;
          return p.value === q.value && p.byte === q.byte ? p : own(byte);
        });
      }
      default:
        return undefined;
    }
  }
}
