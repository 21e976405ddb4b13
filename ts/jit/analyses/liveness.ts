// SPDX-License-Identifier: MIT
import { isPrologueOp } from '../ir/build';
import type { Block, Func, Value } from '../ir/ir';

function isLeaf(value: Value): boolean {
  return value.kind === 'inst' && isPrologueOp(value.op);
}

/** A set of the values that are live at the start of some block. */
export type LiveSet = Int32Array;

/**
 * The live-in values of each block, without leaves (constants, the environment). Sets of bits: a long loop with many invariants
 * has all of them live in each block.
 */
export class LiveIn {
  /** The values that are live at the start of any block; their positions are their bits. */
  readonly values: readonly Value[];
  private readonly sets = new Map<Block, LiveSet>();
  /** By value id: its bit, or -1. */
  private readonly bits: Int32Array;

  constructor(func: Func) {
    const values: Value[] = [];
    this.bits = new Int32Array(func.idBound).fill(-1);
    const used = new Map<Block, number[]>();
    for (const block of func.blocks) {
      const mine: number[] = [];
      const use = (operands: readonly Value[]): void => {
        for (const v of operands) {
          if (v.block === block || isLeaf(v)) continue;
          if (this.bits[v.id] === -1) this.bits[v.id] = values.push(v) - 1;
          mine.push(this.bits[v.id]!);
        }
      };
      for (const inst of block.insts) use(inst.operands);
      use(block.terminator.operands);
      for (const target of block.targets) use(target.arguments);
      used.set(block, mine);
    }
    this.values = values;
    for (const [block, mine] of used) {
      const set = this.emptySet();
      for (const bit of mine) set[bit >> 5]! |= 1 << (bit & 31);
      this.sets.set(block, set);
    }
    this.propagate(func);
  }

  private propagate(func: Func): void {
    const defined = new Map<Block, number[]>();
    this.values.forEach((value, bit) => {
      const list = defined.get(value.block);
      if (list) list.push(bit);
      else defined.set(value.block, [bit]);
    });
    const arriving = this.emptySet();
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = func.blocks.length - 1; i >= 0; i--) {
        const block = func.blocks[i]!;
        this.addAfter(block, arriving.fill(0));
        for (const bit of defined.get(block) ?? []) arriving[bit >> 5]! &= ~(1 << (bit & 31));
        const mine = this.sets.get(block)!;
        for (let word = 0; word < mine.length; word++) {
          const now = mine[word]! | arriving[word]!;
          if (now === mine[word]) continue;
          mine[word] = now;
          changed = true;
        }
      }
    }
  }

  emptySet(): LiveSet {
    return new Int32Array((this.values.length + 31) >> 5);
  }

  /** The position of a value in the sets; -1 where it is live at the start of no block. */
  bitOf(value: Value): number {
    return this.bits[value.id]!;
  }

  at(block: Block): LiveSet {
    return this.sets.get(block)!;
  }

  /** Whether a value is live at the start of a block. */
  has(value: Value, block: Block): boolean {
    const bit = this.bitOf(value);
    return bit >= 0 && (this.at(block)[bit >> 5]! & (1 << (bit & 31))) !== 0;
  }

  /** Adds what is live at the start of a block's successors to a set. */
  addAfter(block: Block, set: LiveSet): void {
    for (const { block: to } of block.targets) {
      const other = this.at(to);
      for (let word = 0; word < set.length; word++) set[word]! |= other[word]!;
    }
  }
}

/** The number of elements that two sets have in common. */
export function sizeOfCommon(set: LiveSet, other: LiveSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word++) {
    let bits = set[word]! & other[word]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return size;
}
