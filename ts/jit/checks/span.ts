// SPDX-License-Identifier: MIT
//
// Which bytes a load or store accesses, and which of them one check covers.

import { SAFE_BYTES } from '../../base/checks';
import { accessedType } from '../ir/accesses';
import type { Inst } from '../ir/ir';
import { bytesOf } from '../ir/types';

/** The bytes that one check covers: neighbouring accesses through one address, such as the components of a vector. */
export interface Span {
  readonly first: number;
  readonly count: number;
  readonly offset: number;
  readonly size: number;
}

export function bytesAt(inst: Inst): { offset: number; size: number } {
  const type = accessedType(inst);
  return { offset: inst.facts.offset ?? 0, size: bytesOf(type) };
}

/** The accesses from `at` on that are next to each other in the block and in memory. */
export function spanAt(insts: readonly Inst[], at: number): Span {
  const first = insts[at]!;
  const { offset, size } = bytesAt(first);
  let end = offset + size;
  let count = 1;
  for (let next = insts[at + 1]; next; next = insts[at + count]) {
    if (next.op !== first.op || next.operands[0] !== first.operands[0]) break;
    if (next.facts.isPadding !== first.facts.isPadding) break;
    const bytes = bytesAt(next);
    if (bytes.offset !== end || end + bytes.size - offset > SAFE_BYTES) break;
    end += bytes.size;
    count++;
  }
  return { first: at, count, offset, size: end - offset };
}
