// SPDX-License-Identifier: MIT
//
// Which private allocations can be interleaved by work-items, so that an access at one index by all lanes is one vector. That
// needs every use to be an access with elements of one size, through arithmetic only: an address that is stored, compared or
// passed on must be a real one, and such an allocation is contiguous per work-item.
import { accessedBytes } from '../ir/accesses';
import { type Func, type Inst, Op, type Value } from '../ir/ir';
import type { Analysis } from './analyses';

/** The alignment of each work-item's frame. The address of an allocation that needs more is rounded up at run time. */
const FRAME_ALIGN = 16;

export interface PrivateLayout {
  /** Byte offset of each allocation: in the interleaved area (to be multiplied by the lanes), or in the linear frame. */
  readonly offsets: ReadonlyMap<Inst, number>;
  /** The interleaved allocations. */
  readonly interleaved: ReadonlySet<Inst>;
  /** Bytes of one element, for each access to interleaved memory. */
  readonly elementBytes: ReadonlyMap<Inst, number>;
  readonly interleavedBytes: number;
  readonly linearBytes: number;
}

interface Use {
  readonly inst: Inst;
  readonly operand: number;
}

export const PRIVATE_LAYOUT: Analysis<PrivateLayout> = {
  name: 'private layout',
  compute: layoutPrivateMemory,
};

function layoutPrivateMemory(func: Func): PrivateLayout {
  const allocations: Inst[] = [];
  for (const { insts } of func.blocks)
    for (const inst of insts) if (inst.op === Op.PrivateAlloca) allocations.push(inst);
  const offsets = new Map<Inst, number>();
  const interleaved = new Set<Inst>();
  const elementBytes = new Map<Inst, number>();
  let interleavedBytes = 0;
  let linearBytes = 0;
  if (allocations.length > 0) {
    const { uses, flows } = usesOf(func);
    for (const allocation of allocations) {
      const accesses = accessesOf(allocation, uses, flows);
      const size = allocation.facts.size!;
      if (accesses && accesses.length > 0) {
        const bytes = accessBytes(accesses[0]!);
        interleavedBytes = align(interleavedBytes, FRAME_ALIGN);
        offsets.set(allocation, interleavedBytes);
        interleavedBytes += align(size, bytes);
        interleaved.add(allocation);
        for (const access of accesses) elementBytes.set(access, bytes);
      } else {
        linearBytes = align(linearBytes, FRAME_ALIGN);
        offsets.set(allocation, linearBytes);
        linearBytes += size + roundingOf(allocation);
      }
    }
  }
  return {
    offsets,
    interleaved,
    elementBytes,
    interleavedBytes: align(interleavedBytes, FRAME_ALIGN),
    linearBytes: align(linearBytes, FRAME_ALIGN),
  };
}

/** Padding before a contiguous allocation whose alignment exceeds that of a frame, so that its address can be rounded up. */
export function roundingOf(allocation: Inst): number {
  return Math.max(allocation.facts.align! - FRAME_ALIGN, 0);
}

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}

function accessBytes(access: Inst): number {
  return accessedBytes(access);
}

/** All accesses through an allocation's addresses; undefined if one of them needs a real address. */
function accessesOf(
  allocation: Inst,
  uses: Map<Value, Use[]>,
  flows: Map<Value, Value[]>,
): Inst[] | undefined {
  const accesses: Inst[] = [];
  const seen = new Set<Value>([allocation]);
  const work: Value[] = [allocation];
  while (work.length > 0) {
    const value = work.pop()!;
    // A block parameter could merge different allocations; these stay contiguous.
    if ((flows.get(value)?.length ?? 0) > 0) return undefined;
    for (const { inst, operand } of uses.get(value) ?? []) {
      if (inst.op === Op.Load || (inst.op === Op.Store && operand === 0)) {
        if (inst.facts.space !== 'private' || inst.facts.volatile) return undefined;
        // In memory order its lanes are neighbouring elements of one work-item: a later pass must not change that.
        if (inst.facts.memoryOrder !== undefined) return undefined;
        const bytes = accessBytes(inst);
        if ((inst.facts.align ?? 1) < bytes || (inst.facts.offset ?? 0) % bytes !== 0) return undefined;
        if (accesses.length > 0 && bytes !== accessBytes(accesses[0]!)) return undefined;
        accesses.push(inst);
      } else if (inst.op === Op.Add) {
        if (!seen.has(inst)) {
          seen.add(inst);
          work.push(inst);
        }
      } else return undefined;
    }
  }
  return accesses;
}

function usesOf(func: Func): { uses: Map<Value, Use[]>; flows: Map<Value, Value[]> } {
  const uses = new Map<Value, Use[]>();
  const flows = new Map<Value, Value[]>();
  const add = <K, V>(map: Map<K, V[]>, key: K, value: V) => {
    const list = map.get(key);
    if (list) list.push(value);
    else map.set(key, [value]);
  };
  for (const block of func.blocks) {
    for (const inst of [...block.insts, block.terminator])
      for (let at = 0; at < inst.operands.length; at++) add(uses, inst.operands[at]!, { inst, operand: at });
    for (const { block: to, arguments: args } of block.targets)
      for (let at = 0; at < args.length; at++) add(flows, args[at]!, to.params[at]!);
  }
  return { uses, flows };
}
