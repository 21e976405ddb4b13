// SPDX-License-Identifier: MIT
//
// Which accesses of a block from one address may be made together: loads where the first of them is, stores where the last one is.
// Nothing that they move across touches the same memory.
import { type Block, type Func, type Inst, Op } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { isSeparate } from '../passes/memory-roots';

/** Accesses that are made together, in the order of the block. */
interface Group {
  readonly members: readonly Inst[];
}

export interface Grouping<G extends Group> {
  /** Whether a load or store may be part of a group; the same for all from one address. */
  isCandidate(access: Inst): boolean;
  /** Divides loads, or stores, from one address into groups. */
  divide(accesses: readonly Inst[], isStore: boolean): readonly G[];
}

/** The groups of a block, and whether they depend on the memory of arguments being separate. */
export function groupNeighbours<G extends Group>(func: Func, block: Block, grouping: Grouping<G>): G[] {
  const walk = new Walk(grouping, func.separate);
  const groups = walk.run(block);
  // Where a decision makes no difference in the end, there is nothing that launches have to compare.
  if (walk.hasAsked && !areSame(groups, new Walk(grouping, !func.separate).run(block))) isSeparate(func);
  return groups;
}

function areSame(a: readonly Group[], b: readonly Group[]): boolean {
  if (a.length !== b.length) return false;
  // A first member is in one group only.
  const byFirst = new Map(b.map((group) => [group.members[0]!, group.members]));
  return a.every(({ members }) => {
    const others = byFirst.get(members[0]!);
    return others?.length === members.length && members.every((m, i) => m === others[i]);
  });
}

/** The stores to one address, in the order of the block. */
class Stores {
  count = 0;
  /** By offset of a byte: which store was the last one to write it. */
  private readonly last = new Map<number, number>();

  add(store: Inst): void {
    for (const byte of bytesOfAccess(store)) this.last.set(byte, this.count);
    this.count++;
  }

  /** Whether an access from the same address touches what the stores from a number on write. */
  touches(access: Inst, from: number): boolean {
    if (from === this.count) return false;
    for (const byte of bytesOfAccess(access)) if ((this.last.get(byte) ?? -1) >= from) return true;
    return false;
  }
}

function* bytesOfAccess({ op, type, operands, facts: { offset = 0 } }: Inst): Generator<number> {
  const end = offset + bytesOf(op === Op.Store ? operands[1]!.type : type);
  for (let byte = offset; byte < end; byte++) yield byte;
}

/** Loads from one address, and what is certainly stored before the first of them: no pending stores, which may be made later. */
interface Run {
  readonly loads: Inst[];
  /** How many stores, or what else loads do not move across, come before the first load. */
  readonly passed: number;
  /** How many of them were stores to the run's own address. */
  readonly own: number;
}

class Walk<G extends Group> {
  hasAsked = false;
  private readonly groups: G[] = [];
  private readonly runs = new Map<number, Run>();
  private readonly storesOf = new Map<number, Stores>();
  private passed = 0;
  /** Candidates from one address with no other store between them, nor a load of what they write. No two write one byte. */
  private pending: Inst[] = [];
  /** How many stores to their address came before the pending ones. */
  private beforePending = 0;

  constructor(
    private readonly grouping: Grouping<G>,
    private readonly separate: boolean,
  ) {}

  run(block: Block): G[] {
    for (const inst of block.insts) {
      if (inst.op === Op.Load) this.load(inst);
      else if (inst.op === Op.Store) this.store(inst);
      else if (inst.op >= Op.AtomicLoad) {
        this.passed++;
        this.finishPending();
      }
    }
    this.finishPending();
    for (const { loads } of this.runs.values()) this.finish(loads, false);
    return this.groups;
  }

  private load(load: Inst): void {
    if (this.meetsPending(load) && !this.isUnwritten(load)) this.finishPending();
    if (!this.grouping.isCandidate(load)) return;
    const { id } = load.operands[0]!;
    const run = this.runs.get(id);
    if (run && this.movesToFirst(load, run)) run.loads.push(load);
    else {
      if (run) this.finish(run.loads, false);
      const own = this.storesOf.get(id)?.count ?? 0;
      const waiting = this.pending[0]?.operands[0]?.id === id ? own - this.beforePending : 0;
      this.runs.set(id, { loads: [load], passed: this.passed - waiting, own: own - waiting });
    }
  }

  private store(store: Inst): void {
    if (this.meetsPending(store) || !this.grouping.isCandidate(store)) this.finishPending();
    this.passed++;
    const { id } = store.operands[0]!;
    const own = this.storesOf.get(id) ?? new Stores();
    this.storesOf.set(id, own);
    if (this.grouping.isCandidate(store)) {
      if (this.pending.length === 0) this.beforePending = own.count;
      this.pending.push(store);
    }
    own.add(store);
  }

  /** Whether an access may touch what pending stores write. */
  private meetsPending(access: Inst): boolean {
    const [first] = this.pending;
    if (!first) return false;
    const [address] = access.operands as [Inst];
    return (
      first.operands[0] !== address || this.storesOf.get(address.id)!.touches(access, this.beforePending)
    );
  }

  /** Whether nothing since the first load of a run writes what a load reads. */
  private movesToFirst(load: Inst, { passed, own }: Run): boolean {
    const stores = this.storesOf.get(load.operands[0]!.id);
    const onlyOwn = this.passed - passed === (stores?.count ?? 0) - own;
    return (onlyOwn && !stores?.touches(load, own)) || this.isUnwritten(load);
  }

  private isUnwritten({ facts: { invariant } }: Inst): boolean {
    if (invariant !== 'ifSeparate') return invariant === true;
    this.hasAsked = true;
    return this.separate;
  }

  private finishPending(): void {
    if (this.pending.length > 0) this.finish(this.pending, true);
    this.pending = [];
  }

  private finish(accesses: readonly Inst[], isStore: boolean): void {
    this.groups.push(...this.grouping.divide(accesses, isStore));
  }
}
