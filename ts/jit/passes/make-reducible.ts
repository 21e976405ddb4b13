// SPDX-License-Identifier: MIT
//
// Makes loops with several entries reducible, such as those of a goto into a loop or Duff's device. All jumps to the entries go
// to a new block, the loop's header, with the number of the entry, and the header dispatches. Other code is unchanged.
import { components } from '../../base/components';
import { addBlock, addParam, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, predecessors, reversePostorder } from '../ir/cfg';
import { type Block, type Func, Op, Target, Type } from '../ir/ir';
import { passThroughMemory } from './through-memory';

export function makeReducible(func: Func): boolean {
  if (isReducible(dominatorsOf(func))) return false;
  func.blocks = reversePostorder(func);
  const leaves = new Leaves(func);
  const body = new Set(func.blocks);
  body.delete(func.entry);
  giveHeaders(func, leaves, body, predecessors(func.blocks));
  func.blocks = reversePostorder(func);
  passThroughMemory(func, leaves);
  return true;
}

/** Gives every loop among the blocks one header, then the loops inside of it. `preds` stays true. */
function giveHeaders(
  func: Func,
  leaves: Leaves,
  among: ReadonlySet<Block>,
  preds: Map<Block, readonly Block[]>,
): void {
  for (const loop of loopsAmong(among)) {
    const entries = [...loop].filter((block) => preds.get(block)!.some((p) => !loop.has(p)));
    if (entries.length > 1) dispatch(func, leaves, entries, preds);
    else loop.delete(entries[0]!);
    giveHeaders(func, leaves, loop, preds);
  }
}

/** Lets all jumps to the entries go through a new block. */
function dispatch(
  func: Func,
  leaves: Leaves,
  entries: readonly Block[],
  preds: Map<Block, readonly Block[]>,
): void {
  const sources = new Set(entries.flatMap((entry) => preds.get(entry)!));
  const header = addBlock(func);
  const which = addParam(func, header, Type.I32);
  const own = entries.map((entry) => entry.params.map((p) => addParam(func, header, p.type)));
  for (const source of sources)
    for (const target of source.targets) {
      const entry = entries.indexOf(target.block);
      if (entry < 0) continue;
      const given = target.arguments;
      target.arguments = [
        leaves.i32(entry),
        ...own.flatMap((params, i) => (i === entry ? given : params.map((p) => leaves.undef(p.type)))),
      ];
      target.block = header;
    }
  const cases = entries.slice(1).map((_, i) => BigInt(i + 1));
  const { position } = entries[0]!.terminator;
  header.terminator = makeInst(func, header, Op.Switch, Type.Void, [which], { cases }, position);
  header.targets = entries.map((block, i) => new Target(block, own[i]));
  preds.set(header, [...sources]);
  for (const entry of entries) preds.set(entry, [header]);
}

/** The strongly connected components that contain a cycle. */
function loopsAmong(among: ReadonlySet<Block>): Set<Block>[] {
  const successors = ({ targets }: Block) =>
    targets.map(({ block }) => block).filter((block) => among.has(block));
  return components(among, successors)
    .filter((members) => members.length > 1 || members[0]!.targets.some((t) => t.block === members[0]))
    .map((members) => new Set(members));
}
