// SPDX-License-Identifier: MIT
import type { Block, Func } from '../ir/ir';

/** The blocks that an edge leads back to: every cycle has one. */
export function loopHeaders({ entry }: Func): ReadonlySet<Block> {
  const headers = new Set<Block>();
  const open = new Set<Block>([entry]);
  const seen = new Set<Block>([entry]);
  const stack = [{ block: entry, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const target = top.block.targets[top.next++]?.block;
    if (!target) {
      open.delete(top.block);
      stack.pop();
    } else if (open.has(target)) headers.add(target);
    else if (!seen.has(target)) {
      seen.add(target);
      open.add(target);
      stack.push({ block: target, next: 0 });
    }
  }
  return headers;
}
