// SPDX-License-Identifier: MIT
//
// Makes loops with several entries reducible, such as those of a goto into a loop or Duff's device. All jumps to the entries go
// to a new block, the loop's header, with the number of the entry, and the header dispatches. Other code is unchanged.
import { addBlock, addParam, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, isReducible, predecessors, reversePostorder } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { mapUses } from '../ir/rewrite';
import { bytesOf } from '../ir/types';

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

/** The strongly connected components that contain a cycle, by Tarjan's algorithm. */
function loopsAmong(among: ReadonlySet<Block>): Set<Block>[] {
  const index = new Map<Block, number>();
  const low = new Map<Block, number>();
  const open: Block[] = [];
  const isOpen = new Set<Block>();
  const loops: Set<Block>[] = [];
  const enter = (block: Block) => {
    index.set(block, index.size);
    low.set(block, index.get(block)!);
    open.push(block);
    isOpen.add(block);
    return { block, next: 0 };
  };
  const lower = (block: Block, to: number) => low.set(block, Math.min(low.get(block)!, to));
  const close = (block: Block) => {
    if (low.get(block) !== index.get(block)) return;
    const members = new Set(open.splice(open.lastIndexOf(block)));
    for (const member of members) isOpen.delete(member);
    if (members.size > 1 || block.targets.some((t) => t.block === block)) loops.push(members);
  };
  for (const root of among) {
    if (index.has(root)) continue;
    const stack = [enter(root)];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const to = top.block.targets[top.next++]?.block;
      if (to) {
        if (!among.has(to)) continue;
        if (!index.has(to)) stack.push(enter(to));
        else if (isOpen.has(to)) lower(top.block, index.get(to)!);
        continue;
      }
      stack.pop();
      close(top.block);
      const parent = stack[stack.length - 1];
      if (parent) lower(parent.block, low.get(top.block)!);
    }
  }
  return loops;
}

/** Values whose definition no longer dominates a use are demoted to private memory, which `mem2reg` promotes again. */
function passThroughMemory(func: Func, leaves: Leaves): void {
  const dominators = dominatorsOf(func);
  const broken = new Set<Value>();
  const elsewhere = new Map<Value, Set<Block>>();
  for (const block of func.blocks)
    mapUses(block, (value) => {
      if (value.block === block) return value;
      if (!dominators.dominates(value.block, block)) broken.add(value);
      const users = elsewhere.get(value);
      if (users) users.add(block);
      else elsewhere.set(value, new Set([block]));
      return value;
    });
  for (const value of broken) throughMemory(func, leaves, value, elsewhere.get(value)!);
}

/** `users`: the blocks other than the value's own that use it. */
function throughMemory(func: Func, leaves: Leaves, value: Value, users: ReadonlySet<Block>): void {
  const { type, block: home } = value;
  const truth = type === Type.I1;
  const stored = truth ? Type.I8 : type;
  const size = bytesOf(stored);
  const at = leaves.alloca(size, size);
  const facts = { space: 'private', align: size, offset: 0 } as const;
  const held = truth ? makeInst(func, home, Op.ZExt, Type.I8, [value]) : value;
  const store = makeInst(func, home, Op.Store, Type.Void, [at, held], { ...facts });
  const position = value.kind === 'param' ? 0 : home.insts.indexOf(value) + 1;
  home.insts.splice(position, 0, ...(held.kind === 'inst' && truth ? [held, store] : [store]));
  for (const block of users) {
    let read: Inst[] = [];
    mapUses(block, (used) => {
      if (used !== value) return used;
      if (read.length === 0) {
        const load = makeInst(func, block, Op.Load, stored, [at], facts);
        const zero = leaves.constant(Type.I8, 0);
        read = truth ? [load, makeInst(func, block, Op.Ne, Type.I1, [load, zero])] : [load];
      }
      return read[read.length - 1]!;
    });
    block.insts.unshift(...read);
  }
}
