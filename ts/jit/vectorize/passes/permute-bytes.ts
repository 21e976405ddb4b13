// SPDX-License-Identifier: MIT
//
// Bytes of a number in another order, such as its bytes in reverse or the components of a pixel exchanged: shifts, masks and ors of whole
// bytes become one permutation (Op.PermuteBytes).
import type { Divergence } from '../../analyses/divergence';
import { constantAmount, constantOf } from '../../ir/build';
import { orderOf } from '../../ir/byte-order';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { bitsOf, bytesOf } from '../../ir/types';
import { removeDeadCode } from '../../passes/dead-code';

/** The least number of operations that a permutation replaces. */
const LEAST_REPLACED = 3;
/** The most operations from a result to the number whose bytes it has. */
const DEEPEST = 16;

/** A byte of a number: where it comes from, the lowest byte being 0; undefined for a byte of zeros. */
type Origin = { readonly value: Value; readonly byte: number } | undefined;

const ROOTS = new Set([Op.Or, Op.Xor, Op.Add]);
const TYPES = new Set([Type.I16, Type.I32, Type.I64]);

/** Returns whether it changed the function. Numbers that all work-items share are left as they are. */
export function permuteBytes(func: Func, divergence: Divergence): boolean {
  let changed = false;
  for (const block of func.blocks) {
    const inside = new Set<Value>();
    for (const inst of [...block.insts].reverse()) {
      if (!ROOTS.has(inst.op) || !TYPES.has(inst.type) || inside.has(inst)) continue;
      if (!Number.isNaN(divergence.stride[inst.id]!)) continue;
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
