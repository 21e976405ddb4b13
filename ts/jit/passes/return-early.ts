// SPDX-License-Identifier: MIT
//
// A kernel whose work is under a guard returns early where the guard fails, as if it were written like this:
//
//     if (i < n) { … } return;   becomes   if (!(i < n)) return; … return;
//
// Then the two paths do not join, and tiles that pass the guard run in a loop of their own (emit/control/unmasked-copies.ts).
import { addBlock, isPrologueOp, makeInst } from '../ir/build';
import { predecessors } from '../ir/cfg';
import { type Block, type Func, Op, Type } from '../ir/ir';
import { isPure } from '../ir/rewrite';

/** Returns whether it changed the function. */
export function returnEarly(func: Func): boolean {
  const guard = startOf(func);
  if (guard.terminator.op !== Op.Branch) return false;
  // What has effects, or reads memory, is not done again to test the next tile.
  if (!guard.insts.every(({ op }) => isPure(op) || isPrologueOp(op))) return false;
  const failing = guard.targets.find(({ block }) => isEnd(block));
  if (!failing || predecessors(func.blocks).get(failing.block)!.length === 1) return false;
  const { position } = failing.block.terminator;
  const end = addBlock(func);
  end.terminator = makeInst(func, end, Op.Return, Type.Void, [], {}, position);
  failing.block = end;
  return true;
}

/** The block with the code that comes first: before it are only arguments and ids. */
function startOf({ blocks }: Func): Block {
  const [entry] = blocks as [Block];
  const isPrologue = entry.terminator.op === Op.Jump && entry.insts.every(({ op }) => isPrologueOp(op));
  return isPrologue ? entry.targets[0]!.block : entry;
}

const isEnd = ({ insts, params, terminator }: Block): boolean =>
  insts.length === 0 &&
  params.length === 0 &&
  terminator.op === Op.Return &&
  terminator.operands.length === 0;
