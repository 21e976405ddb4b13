// SPDX-License-Identifier: MIT
//
// Dead-code elimination: removes instructions and block parameters on which no effect depends, and stores to private memory that
// is never read, and of padding without contents.
import { blankTable, Scratch } from '../../base/table';
import { isUndefined } from '../ir/build';
import { edgesWithArguments, reversePostorder } from '../ir/cfg';
import { type Block, type BlockParam, type Func, type Inst, Op, type Target, type Value } from '../ir/ir';
import { isRemovable } from '../ir/rewrite';
import { privatePadding } from './private-padding';

const LIVE = new Scratch();
const PLACES = new Scratch();

export const removeDeadCode = (func: Func): boolean => removeDeadBut(func);

/** `keeps`: further instructions that stay. */
export function removeDeadBut(func: Func, keeps?: (inst: Inst) => boolean): boolean {
  const live = LIVE.zeros(func.idBound);
  const work: Value[] = [];
  const mark = (value: Value) => {
    if (live[value.id]) return;
    live[value.id] = 1;
    work.push(value);
  };
  const incoming = edgesWithArguments(func);
  const places = placesOfParams(func);
  const unread = unreadAllocations(func);
  const padding = privatePadding(func);
  for (const block of func.blocks) {
    for (const inst of block.insts)
      if ((!isRemovable(inst) && !isDeadStore(inst, unread) && !padding?.isStore(inst)) || keeps?.(inst))
        mark(inst);
    for (const operand of block.terminator.operands) mark(operand);
  }
  for (let value = work.pop(); value; value = work.pop()) {
    if (value.kind === 'inst') {
      const { operands } = value;
      for (let i = 0; i < operands.length; i++) mark(operands[i]!);
      if (padding) for (const store of padding.storesReadBy(value)) mark(store);
    } else {
      const at = places[value.id]!;
      for (const target of incoming.get(value.block) ?? []) mark(target.arguments[at]!);
    }
  }
  let changed = false;
  for (const block of func.blocks) {
    const { insts } = block;
    let kept = 0;
    for (const inst of insts) if (live[inst.id]) insts[kept++] = inst;
    if (kept < insts.length) {
      insts.length = kept;
      changed = true;
    }
    if (block.params.length > 0 && dropParams(block, incoming.get(block) ?? [], live)) changed = true;
  }
  return changed;
}

/** By a parameter's id: its place in its block's list. A block may have hundreds. */
function placesOfParams(func: Func): Int32Array {
  const places = PLACES.zeros(func.idBound);
  for (const { params } of func.blocks)
    for (let at = 0; at < params.length; at++) places[params[at]!.id] = at;
  return places;
}

function dropParams(block: Block, edges: readonly Target[], live: Int32Array): boolean {
  const { params } = block;
  const isLive = (param: BlockParam) => live[param.id] === 1;
  if (params.every(isLive)) return false;
  for (const edge of edges) edge.arguments = edge.arguments.filter((_, at) => isLive(params[at]!));
  block.params = params.filter(isLive);
  return true;
}

/** By value id: the allocation that a value points into, for allocations that are never read. */
type Unread = readonly (Inst | undefined)[];

/** Allocations whose address is used, perhaps plus constants or indices, only as the address of stores. */
function unreadAllocations(func: Func): Unread | undefined {
  const allocations = func.entry.insts.filter((inst) => inst.op === Op.PrivateAlloca);
  if (allocations.length === 0) return undefined;
  const root = blankTable<Inst>(func.idBound);
  for (const inst of allocations) root[inst.id] = inst;
  const read = new Set<Inst>();
  const leak = (value: Value) => {
    const from = root[value.id];
    if (from) read.add(from);
  };
  // Not as blocks are listed: a block may come before the one that computes its addresses.
  for (const block of reversePostorder(func)) {
    for (const inst of block.insts) {
      const { op, operands } = inst;
      if (op === Op.Add) {
        const [a, b] = [root[operands[0]!.id], root[operands[1]!.id]];
        if ((a === undefined) !== (b === undefined)) {
          root[inst.id] = a ?? b;
          continue;
        }
      }
      for (let at = op === Op.Store || op === Op.Copy ? 1 : 0; at < operands.length; at++)
        leak(operands[at]!);
    }
    for (const operand of block.terminator.operands) leak(operand);
    for (const target of block.targets) for (const arg of target.arguments) leak(arg);
  }
  return read.size === allocations.length
    ? undefined
    : root.map((from) => (from && read.has(from) ? undefined : from));
}

function isDeadStore(inst: Inst, unread: Unread | undefined): boolean {
  if (inst.op !== Op.Store && inst.op !== Op.Copy) return false;
  // The padding of a struct that was made of its members.
  if (inst.facts.isPadding && isUndefined(inst.operands[1]!)) return true;
  if (!unread) return false;
  return unread[inst.operands[0]!.id] !== undefined;
}
