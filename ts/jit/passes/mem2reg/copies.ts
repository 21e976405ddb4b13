// SPDX-License-Identifier: MIT
//
// Copies between private allocations: both sides are divided at the same places, and a copy becomes loads and stores of segments.

import { makeInst } from '../../ir/build';
import { type Func, type Inst, Op, Type } from '../../ir/ir';
import { isScalarSize, MAX_SEGMENTS, promoted, type Root } from './allocations';

/** A copy of `size` bytes between allocations; undefined for other memory. */
interface CopyRoots {
  readonly a: Root | undefined;
  readonly b: Root | undefined;
  readonly size: number;
}

/** Divides both sides of each copy at the same places, into scalars. Returns whether there are copies. */
export function cutCopies(func: Func, roots: (Root | undefined)[]): boolean {
  const copies: CopyRoots[] = [];
  for (const block of func.blocks)
    for (const inst of block.insts)
      if (inst.op === Op.Copy) {
        const [a, b] = inst.operands.map((v) => roots[v.id]);
        if (a || b) copies.push({ a, b, size: inst.facts.size! });
      }
  // Cuts of copies that start at other remainders of words divide words again, as into three bytes and one.
  for (let again = true; again; ) {
    propagateCuts(copies);
    again = false;
    for (const { a, b, size } of copies)
      for (const root of [a, b])
        if (root && !root.allocation.escapes && splitCopied(root, size)) again = true;
  }
  return copies.length > 0;
}

/**
 * Memory that is only copied has no type: it is split into words, and their remainders into smaller scalars. Returns whether there were
 * new cuts.
 */
function splitCopied(root: Root, size: number): boolean {
  const { cuts } = root.allocation;
  const before = cuts.size;
  const within = (): number[] =>
    [...cuts].filter((c) => c >= root.offset && c <= root.offset + size).sort((x, y) => x - y);
  const ranges = within();
  for (let i = 0; i + 1 < ranges.length; i++)
    if (!isScalarSize(ranges[i + 1]! - ranges[i]!))
      for (let at = ranges[i]! + 4 - (ranges[i]! & 3); at < ranges[i + 1]!; at += 4) cuts.add(at);
  const pieces = within();
  for (let i = 0; i + 1 < pieces.length; i++)
    if (!isScalarSize(pieces[i + 1]! - pieces[i]!)) cuts.add(pieces[i]! + (pieces[i]! & 1 ? 1 : 2));
  if (cuts.size > MAX_SEGMENTS) root.allocation.escapes = true;
  return cuts.size > before;
}

/** Adds the cuts of each side of a copy to the other side, until no copy adds any. */
function propagateCuts(copies: readonly CopyRoots[]): void {
  for (let again = true; again; ) {
    again = false;
    for (const { a, b, size } of copies) {
      if (!a || !b) continue;
      if (addCuts(a, b, size)) again = true;
      if (addCuts(b, a, size)) again = true;
    }
  }
}

/** Adds the cuts of `from` to `to`. Returns whether there were new ones. */
function addCuts(from: Root, to: Root, size: number): boolean {
  let added = false;
  for (const cut of from.allocation.cuts) {
    if (cut < from.offset || cut > from.offset + size) continue;
    const there = cut - from.offset + to.offset;
    if (!to.allocation.cuts.has(there)) {
      to.allocation.cuts.add(there);
      added = true;
    }
  }
  return added;
}

/** Copies from and to promoted allocations become loads and stores of their segments. */
export function expandCopies(func: Func, roots: (Root | undefined)[]): void {
  for (const block of func.blocks) {
    if (!block.insts.some((inst) => inst.op === Op.Copy)) continue;
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const [to, from] = inst.operands;
      const target = inst.op === Op.Copy ? promoted(roots[to!.id]) : undefined;
      const source = inst.op === Op.Copy ? promoted(roots[from!.id]) : undefined;
      const guide = target ?? source;
      if (!guide) {
        insts.push(inst);
        continue;
      }
      const size = inst.facts.size!;
      const loads: { at: number; load: Inst }[] = [];
      for (let i = guide.allocation.segmentAt(guide.offset); i < guide.allocation.segments.length; i++) {
        const segment = guide.allocation.segments[i]!;
        const at = segment.offset - guide.offset;
        if (at >= size) break;
        const load = makeInst(
          func,
          block,
          Op.Load,
          segment.type,
          [from!],
          { offset: at, align: 1, space: 'generic', isCopied: true },
          inst.position,
        );
        insts.push(load);
        loads.push({ at, load });
      }
      for (const { at, load } of loads)
        insts.push(
          makeInst(
            func,
            block,
            Op.Store,
            Type.Void,
            [to!, load],
            { offset: at, align: 1, space: 'generic', isCopied: true },
            inst.position,
          ),
        );
    }
    block.insts = insts;
  }
}
