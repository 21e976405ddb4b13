// SPDX-License-Identifier: MIT
//
// Global value numbering by hashing over the dominator tree, loads included: a load is replaced by the value of an earlier load
// or store of the same place if nothing in between may have written it.
import type { KernelSignature } from '../../base/kernel-abi';
import { type Dominators, dominatorsOf } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../ir/ir';
import { isCommutative, isPure, Replacements } from '../ir/rewrite';
import { bytesOf } from '../ir/types';
import { type Access, type Aliasing, isSeparate, MemoryRoots } from './memory-roots';

/** The most known places of memory at a time. */
const MAX_AVAILABLE = 128;
/** The most blocks between a join and its dominator that are searched for writes. */
const MAX_BETWEEN = 8;
/** Bytes. */
const WORD = 4;

interface Available {
  readonly access: Access;
  readonly value: Value;
  /** A store may have changed it, if the memory of arguments overlaps. */
  readonly ifSeparate: boolean;
}

/** Known contents of memory, by place. */
type Memory = Map<Place, Available>;

export function numberValues(func: Func, signature: KernelSignature): boolean {
  return new Numbering(func, new MemoryRoots(func, signature)).run();
}

class Numbering {
  private readonly dominators: Dominators;
  private readonly replaced: Replacements;
  /** By hash: the candidates that may compute the same value. */
  private readonly table = new Map<number, Inst[]>();
  /** The lists of the table that grew, so that they can be shortened after a subtree. */
  private readonly undo: Inst[][] = [];
  private changed = false;

  constructor(
    private readonly func: Func,
    private readonly roots: MemoryRoots,
  ) {
    this.dominators = dominatorsOf(func);
    this.replaced = new Replacements(func);
  }

  run(): boolean {
    const { dominators } = this;
    const stack: { block: Block; next: number; mark: number; memory: Memory }[] = [];
    const enter = (block: Block, inherited: Memory | undefined) => {
      const memory: Memory = inherited && this.keepsMemory(block) ? new Map(inherited) : new Map();
      const mark = this.undo.length;
      this.block(block, memory);
      stack.push({ block, next: 0, mark, memory });
    };
    enter(this.func.entry, undefined);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = dominators.childrenOf(top.block)[top.next++];
      if (child) enter(child, top.memory);
      else {
        while (this.undo.length > top.mark) this.undo.pop()!.pop();
        stack.pop();
      }
    }
    this.replaced.apply(this.func);
    return this.changed;
  }

  /** Whether known contents of memory are the same at the start of a block as at the end of its dominator. */
  private keepsMemory(block: Block): boolean {
    const { preds } = this.dominators;
    const direct = preds.get(block)!;
    if (direct.length === 1) return true;
    const dominator = this.dominators.idomOf(block);
    const between = new Set<Block>();
    const work = [...direct];
    for (let at = work.pop(); at; at = work.pop()) {
      if (at === dominator || between.has(at)) continue;
      if (between.size === MAX_BETWEEN || !at.insts.every(keepsContents)) return false;
      between.add(at);
      work.push(...preds.get(at)!);
    }
    return true;
  }

  private block(block: Block, memory: Memory): void {
    let kept = 0;
    /** Stores of the value that memory already has. */
    const unneeded = new Set<Inst>();
    for (const inst of block.insts) {
      this.replaced.operandsOf(inst);
      const same = this.visit(inst, memory);
      if (same && same !== inst) {
        this.replaced.set(inst, same);
        this.changed = true;
        continue;
      }
      if (same) unneeded.add(inst);
      block.insts[kept++] = inst;
    }
    block.insts.length = kept;
    if (unneeded.size === 0) return;
    for (const store of storesOfWords(block, unneeded)) unneeded.delete(store);
    if (unneeded.size === 0) return;
    block.insts = block.insts.filter((inst) => !unneeded.has(inst));
    this.changed = true;
  }

  /** The earlier value that an instruction repeats; the instruction itself if it has no effect; undefined for all others. */
  private visit(inst: Inst, memory: Memory): Value | undefined {
    const { op } = inst;
    if (isPure(op)) {
      // Each allocation is a separate object.
      return op === Op.PrivateAlloca || op === Op.Undef ? undefined : this.lookUp(inst);
    }
    switch (op) {
      case Op.Load: {
        if (inst.facts.volatile) return undefined;
        const { invariant } = inst.facts;
        if (invariant === true) return this.lookUp(inst);
        const key = placeKey(inst, inst);
        const known = this.known(memory, key) ?? (invariant && this.sameIfSeparate(inst));
        if (known) return known;
        this.remember(memory, key, { access: this.roots.access(inst), value: inst, ifSeparate: false });
        return undefined;
      }
      case Op.Store: {
        const stored = inst.operands[1]!;
        if (!inst.facts.volatile && this.hasValue(memory, placeKey(inst, stored), stored)) return inst;
        const access = this.roots.access(inst);
        this.kill(memory, (known) => this.roots.aliasing(known, access));
        if (!inst.facts.volatile) {
          const value = inst.operands[1]!;
          this.remember(memory, placeKey(inst, value), { access, value, ifSeparate: false });
        }
        return undefined;
      }
      case Op.AtomicStore:
      case Op.AtomicRmw:
      case Op.AtomicCmpXchg: {
        const access = this.roots.access(inst);
        // Unless it is relaxed, it may acquire what others have written, as a fence does.
        const acquires = op !== Op.AtomicStore && inst.facts.relaxed !== true;
        this.kill(memory, (known) =>
          acquires && known.space !== 'private' ? 'maybe' : this.roots.aliasing(known, access),
        );
        return undefined;
      }
      case Op.Copy: {
        const root = this.roots.rootOf(inst.operands[0]!);
        this.kill(memory, (known) => this.roots.aliasing(known, { root, space: 'generic' }));
        return undefined;
      }
      case Op.AtomicLoad:
      case Op.Fence:
      case Op.Barrier:
      case Op.AsyncCopy:
        // Other work-items' writes become visible; private memory is not shared.
        this.kill(memory, (known) => (known.space !== 'private' ? 'maybe' : 'never'));
        return undefined;
      default:
        return undefined;
    }
  }

  private lookUp(inst: Inst): Value | undefined {
    const hash = hashOf(inst);
    let list = this.table.get(hash);
    if (list) {
      const same = list.find((known) => isSame(known, inst));
      if (same) {
        keepCommonFacts(same, inst);
        return same;
      }
      list.push(inst);
    } else {
      list = [inst];
      this.table.set(hash, list);
    }
    this.undo.push(list);
    return undefined;
  }

  private remember(memory: Memory, key: Place, available: Available): void {
    if (memory.size >= MAX_AVAILABLE) memory.delete(memory.keys().next().value!);
    memory.set(key, available);
  }

  private kill(memory: Memory, touches: (access: Access) => Aliasing): void {
    memory.forEach((known, key) => {
      const aliasing = touches(known.access);
      if (aliasing === 'maybe') memory.delete(key);
      else if (aliasing === 'if overlapping' && !known.ifSeparate)
        memory.set(key, { access: known.access, value: known.value, ifSeparate: true });
    });
  }

  /** What a place of memory has. */
  private known(memory: Memory, key: Place): Value | undefined {
    const known = memory.get(key);
    return known && (!known.ifSeparate || isSeparate(this.func)) ? known.value : undefined;
  }

  private hasValue(memory: Memory, key: Place, value: Value): boolean {
    return memory.get(key)?.value === value && this.known(memory, key) === value;
  }

  /** The earlier load that a load repeats, if the memory of arguments is separate. */
  private sameIfSeparate(load: Inst): Value | undefined {
    const same = this.lookUp(load);
    return same && isSeparate(this.func) ? same : undefined;
  }
}

/**
 * Of stores without effect, those of bytes and shorts that with others make up a word of which something changes, such as a pixel whose channels
 * are exchanged: one store of the word takes less than the stores of what changes.
 */
function storesOfWords(block: Block, unneeded: ReadonlySet<Inst>): Inst[] {
  const kept: Inst[] = [];
  const addresses = new Set([...unneeded].map(({ operands }) => operands[0]!));
  for (const address of addresses) {
    const stores = block.insts.filter(
      ({ op, operands, facts }) =>
        op === Op.Store &&
        operands[0] === address &&
        bytesOf(operands[1]!.type) < WORD &&
        facts.space !== 'private',
    );
    for (const word of wordsOf(stores))
      if (!word.every((store) => unneeded.has(store)))
        kept.push(...word.filter((store) => unneeded.has(store)));
  }
  return kept;
}

/** Divides stores from one address into those of neighbouring elements, of a word at most. */
function wordsOf(stores: readonly Inst[]): Inst[][] {
  const words: Inst[][] = [];
  const offsetOf = ({ facts: { offset = 0 } }: Inst) => offset;
  let start = 0;
  let end = Number.NaN;
  for (const store of stores.toSorted((a, b) => offsetOf(a) - offsetOf(b))) {
    const offset = offsetOf(store);
    if (offset === end && offset < start + WORD) words.at(-1)!.push(store);
    else {
      words.push([store]);
      start = offset;
    }
    end = offset + bytesOf(store.operands[1]!.type);
  }
  return words;
}

/** Whether memory certainly has the same contents after an instruction. */
function keepsContents({ op, facts }: Inst): boolean {
  return isPure(op) || (op === Op.Load && !facts.volatile);
}

/** Equal for instructions that are the same. */
function hashOf({ op, type, operands, facts }: Inst): number {
  let hash = op * 16 + type;
  // A sum: the same for both orders of a commutative operation's operands. Mixed ids, or 3 + 6 would collide with 4 + 5.
  for (let i = 0; i < operands.length; i++) {
    const mixed = Math.imul(operands[i]!.id, 0x9e3779b1);
    hash += Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  }
  if (operands.length > 0) return hash | 0;
  // Times 2^20, so that fractions differ too.
  const leaf = Number(facts.bits ?? facts.offset ?? facts.index ?? 0) * 1048576;
  return (hash + Math.imul(leaf ^ (leaf / 4294967296), 0x9e3779b1)) | 0;
}

/** Whether two pure instructions, or two loads of memory that is never written, have the same value. */
function isSame(a: Inst, b: Inst): boolean {
  if (a.op !== b.op || a.type !== b.type || a.operands.length !== b.operands.length) return false;
  const [x, y] = [a.operands, b.operands];
  for (let i = 0; i < x.length; i++) {
    if (x[i] === y[i]) continue;
    if (!isCommutative(a.op) || x[0] !== y[1] || x[1] !== y[0]) return false;
    break;
  }
  if (a.op === Op.Load) return (a.facts.offset ?? 0) === (b.facts.offset ?? 0);
  const [f, g] = [a.facts, b.facts];
  if (x.length === 0) {
    const same =
      Object.is(f.bits, g.bits) &&
      f.index === g.index &&
      f.offset === g.offset &&
      f.dimension === g.dimension;
    if (!same) return false;
  }
  if (f.bytes !== g.bytes) return false;
  return f.fast === g.fast || JSON.stringify(f.fast) === JSON.stringify(g.fast);
}

/** Of two operations of which one remains: one side of a branch may say that a sum does not wrap, and is computed on both now. */
function keepCommonFacts(kept: Inst, { facts }: Inst): void {
  if (kept.facts.noWrap && !facts.noWrap) kept.facts = { ...kept.facts, noWrap: false };
}

/** An address, an offset and a type: as a number where they fit, because texts take longer to make and compare. */
type Place = number | string;

const SMALL_OFFSET = 2 ** 23;
const MOST_IDS = 2 ** 24;

function placeKey({ operands: [address], facts: { offset = 0 } }: Inst, { type }: Value): Place {
  const { id } = address!;
  if (id >= MOST_IDS || offset < -SMALL_OFFSET || offset >= SMALL_OFFSET) return `${id} ${offset} ${type}`;
  return (id * 16 + type) * 2 * SMALL_OFFSET + offset + SMALL_OFFSET;
}
