// SPDX-License-Identifier: MIT
//
// What became of a kernel's loops and memory accesses, in words for its author: `ANYCL_DEBUG=jit`.
import type { PrivatizedArgument } from '../../base/kernel-abi';
import type { Divergence } from '../analyses/divergence';
import { type Func, type Inst, Op } from '../ir/ir';
import { patternOf } from './access';
import type { KernelPlan } from './kernel-plan';
import type { Choice, Tile } from './tile';

const MOST_REMARKS = 40;

export function remarksOn(
  { func, divergence, signature, columnMajor }: KernelPlan,
  choice: Choice,
  privatized: readonly PrivatizedArgument[],
): string[] {
  const remarks = vectorRemarks(func, divergence, choice, choice.reasons);
  if (func.interchanged)
    remarks.push(
      `${signature.name}: x and y are interchanged, as neighbours along y access neighbouring elements`,
    );
  if (columnMajor)
    remarks.push(
      `${signature.name}: run in squares, as neighbours along y access neighbouring elements; with get_global_id(0) in their place they would be vectors`,
    );
  for (const { argument } of privatized)
    remarks.push(
      `${signature.name}: atomics on '${signature.arguments[argument]!.name}' are privatized by each worker where no other argument reaches its memory`,
    );
  return remarks;
}

function vectorRemarks(func: Func, divergence: Divergence, tile: Tile, reasons: readonly string[]): string[] {
  const remarks = [
    tile.lanes === 1
      ? `${func.name}: one work-item at a time`
      : `${func.name}: ${tile.lanes} work-items per vector${tile.rows > 1 ? `, ${tile.rows} rows at once` : ''}`,
    ...reasons.map((r) => `${func.name}: ${r}`),
  ];
  if (tile.lanes === 1) return remarks;
  for (const loop of divergence.divergentLoops.keys())
    remarks.push(
      `${place(func, loop.header.terminator)}: work-items leave this loop in different iterations; a vector iterates until its last one has left`,
    );
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (inst.op !== Op.Load && inst.op !== Op.Store) continue;
      const what = inst.op === Op.Load ? 'read' : 'write';
      const pattern = patternOf(divergence, inst, block);
      if (pattern === 'strided')
        remarks.push(
          `${place(func, inst)}: neighbouring work-items ${what} memory ${divergence.strideAt(inst.operands[0]!, block)} bytes apart; side by side it would be one vector`,
        );
      else if (pattern === 'scattered' && inst.facts.space !== 'private')
        remarks.push(
          `${place(func, inst)}: each work-item ${what}s its own place; contiguous only if a test at run time says so`,
        );
    }
  const distinct = [...new Set(remarks)];
  return distinct.length > MOST_REMARKS
    ? [...distinct.slice(0, MOST_REMARKS), `${func.name}: ${distinct.length - MOST_REMARKS} more remarks`]
    : distinct;
}

function place(func: Func, inst: Inst): string {
  const at = inst.position;
  return at ? `${at.file}:${at.line}:${at.column}` : func.name;
}
