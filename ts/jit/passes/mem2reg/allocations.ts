// SPDX-License-Identifier: MIT
//
// The private allocations of a function, their accesses, and the segments that accesses divide them into.

import { constantOf } from '../../ir/build';
import { type Func, type Inst, type InstFacts, Op, type Type, type Value } from '../../ir/ir';
import { bytesOf, integerOfBits } from '../../ir/types';

/** An allocation of more segments stays in memory. */
export const MAX_SEGMENTS = 512;

export interface Segment {
  readonly offset: number;
  readonly size: number;
  type: Type;
  /** Number among all variables. */
  variable: number;
}

export class Allocation {
  /** Boundaries of accesses, as offsets. */
  readonly cuts = new Set<number>();
  readonly accesses: { offset: number; size: number; type: Type }[] = [];
  escapes = false;
  segments: Segment[] = [];

  constructor(
    readonly inst: Inst,
    readonly size: number,
  ) {}

  cut(offset: number, size: number): void {
    if (offset < 0 || offset + size > this.size) this.escapes = true;
    this.cuts.add(offset);
    this.cuts.add(offset + size);
  }

  /** Index of the segment that starts at `offset`. */
  segmentAt(offset: number): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** An address: an allocation and an offset in it. */
export interface Root {
  readonly allocation: Allocation;
  readonly offset: number;
}

/** The root if its allocation becomes values. */
export const promoted = (root: Root | undefined): Root | undefined =>
  root && !root.allocation.escapes ? root : undefined;

/** Finds the allocations' addresses and accesses, and the reasons for which an allocation must stay in memory. */
export function collect(func: Func, roots: (Root | undefined)[]): Allocation[] {
  const allocations: Allocation[] = [];
  for (const inst of func.entry.insts)
    if (inst.op === Op.PrivateAlloca) {
      const allocation = new Allocation(inst, inst.facts.size!);
      allocations.push(allocation);
      roots[inst.id] = { allocation, offset: 0 };
    }
  if (allocations.length === 0) return allocations;
  const leak = (value: Value) => {
    const root = roots[value.id];
    if (root) root.allocation.escapes = true;
  };
  for (const block of func.blocks) {
    for (const inst of block.insts) {
      const root = inst.operands.length > 0 ? roots[inst.operands[0]!.id] : undefined;
      switch (inst.op) {
        case Op.Add: {
          const by = constantOf(inst.operands[1]!);
          if (root && by !== undefined)
            roots[inst.id] = { allocation: root.allocation, offset: root.offset + Number(by) };
          else for (const operand of inst.operands) leak(operand);
          break;
        }
        case Op.Load:
          if (root) access(root, inst.facts, inst.type);
          break;
        case Op.Store:
          leak(inst.operands[1]!);
          if (root) access(root, inst.facts, inst.operands[1]!.type);
          break;
        case Op.Copy:
          for (const operand of inst.operands) {
            const r = roots[operand.id];
            if (r) r.allocation.cut(r.offset, inst.facts.size!);
          }
          break;
        default:
          for (const operand of inst.operands) leak(operand);
      }
    }
    for (const operand of block.terminator.operands) leak(operand);
    for (const target of block.targets) for (const arg of target.arguments) leak(arg);
  }
  return allocations;
}

function access(root: Root, facts: InstFacts, type: Type): void {
  const offset = root.offset + (facts.offset ?? 0);
  root.allocation.cut(offset, bytesOf(type));
  root.allocation.accesses.push({ offset, size: bytesOf(type), type });
}

export const isScalarSize = (size: number) => size === 1 || size === 2 || size === 4 || size === 8;

/** Divides an allocation at its cuts. It stays in memory if an access would cover a part of a segment. */
export function makeSegments(a: Allocation): void {
  const cuts = [...a.cuts].sort((x, y) => x - y);
  if (cuts.length > MAX_SEGMENTS) {
    a.escapes = true;
    return;
  }
  const types = new Map<number, Type>();
  for (const { offset, size, type } of a.accesses) types.set(offset * 16 + size, type);
  const covered = [...a.accesses];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const offset = cuts[i]!;
    const size = cuts[i + 1]! - offset;
    if (!isScalarSize(size)) {
      // A gap between accesses belongs to no segment.
      if (covered.some((c) => c.offset < offset + size && c.offset + c.size > offset)) a.escapes = true;
      continue;
    }
    const type = types.get(offset * 16 + size) ?? integerOfBits(size * 8)!;
    a.segments.push({ offset, size, type, variable: 0 });
  }
}
