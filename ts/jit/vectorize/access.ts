// SPDX-License-Identifier: MIT
//
// The kind of a vector's memory access, and which accesses to neighbouring components (of a float4, of a struct) can be grouped:
// one row of 16 bytes per lane, transposed in registers.
import type { Divergence } from '../analyses/divergence';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { isUnwritten } from '../passes/memory-roots';

export type Pattern =
  /** One address for all lanes. */
  | 'uniform'
  /** Consecutive elements, without gaps. */
  | 'contiguous'
  /** A constant distance from lane to lane. */
  | 'strided'
  /** Any addresses. */
  | 'scattered';

export function patternOf(divergence: Divergence, access: Inst, block: Block): Pattern {
  if (access.facts.memoryOrder !== undefined) return 'contiguous';
  const stride = divergence.strideAt(access.operands[0]!, block);
  if (Number.isNaN(stride)) return 'scattered';
  if (stride === 0) return 'uniform';
  const type = access.op === Op.Store ? access.operands[1]!.type : access.type;
  return stride === bytesOf(type) ? 'contiguous' : 'strided';
}

export const isScattered = (pattern: Pattern): boolean => pattern === 'scattered' || pattern === 'strided';

export interface LaneBase {
  readonly base: Value;
  readonly offset: Value;
}

/**
 * An address that is the sum of a vector from before the loop, whose lanes V8 keeps in registers, and of a uniform value.
 */
export function laneBase(divergence: Divergence, address: Value, block: Block): LaneBase | undefined {
  if (address.kind !== 'inst' || address.op !== Op.Add || address.type !== Type.I32) return undefined;
  const [base, offset] = address.operands as [Value, Value];
  const { flow } = divergence;
  return Number.isNaN(divergence.stride[base.id]!) &&
    !divergence.isTemporallyDivergent(base, block) &&
    flow.loopOf(base.block) !== flow.loopOf(block) &&
    divergence.strideAt(offset, block) === 0
    ? { base, offset }
    : undefined;
}

/** Bytes of a pixel without alpha. */
export const TRIPLE = 3;

/** Whether neighbouring work-items access bytes three apart. */
export function isOfTriples(divergence: Divergence, access: Inst, block: Block): boolean {
  const type = access.op === Op.Store ? access.operands[1]!.type : access.type;
  return (
    type === Type.I8 &&
    !access.facts.volatile &&
    access.facts.space !== 'private' &&
    divergence.strideAt(access.operands[0]!, block) === TRIPLE
  );
}

/** The largest distance in elements at which narrow elements of neighbouring work-items are taken out of whole vectors. */
const MOST_APART = 4;

/** Whether neighbouring work-items access bytes or halves that are a few elements apart, so that whole vectors have them. */
export function isNearlyPacked(divergence: Divergence, access: Inst, block: Block): boolean {
  const type = access.op === Op.Store ? access.operands[1]!.type : access.type;
  const stride = divergence.strideAt(access.operands[0]!, block);
  const bytes = bytesOf(type);
  return (
    (type === Type.I8 || type === Type.I16) &&
    !access.facts.volatile &&
    access.facts.space !== 'private' &&
    access.facts.memoryOrder === undefined &&
    stride > bytes &&
    stride <= MOST_APART * bytes
  );
}

/** Accesses to 32-bit components within 16 bytes from one address; or stores to three consecutive bytes. */
export interface AccessGroup {
  readonly members: readonly Inst[];
  /** Byte offset of the first component; members are at most 12 bytes after it. */
  readonly offset: number;
}

function isWord(type: Type): boolean {
  return type === Type.I32 || type === Type.F32;
}

/** Groups the loads of a block (by their first member, where they are performed) and the stores (by their last). */
export function accessGroups(
  func: Func,
  block: Block,
  divergence: Divergence,
  isGroupable: (access: Inst) => boolean,
): Map<Inst, AccessGroup> {
  const result = new Map<Inst, AccessGroup>();
  /** Loads that no store can alias may move before stores, and do not separate stores. */
  const invariant = new Map<number, Inst[]>();
  const moves = new MovableLoads(func);
  let loads = new Map<number, Inst[]>();
  let stores = new Map<number, Inst[]>();
  const finish = (candidates: Map<number, Inst[]>, store: boolean) => {
    for (const members of candidates.values()) {
      const triples = store && members.every((m) => isOfTriples(divergence, m, block));
      const words = members.every((m) => isWord(m.op === Op.Store ? m.operands[1]!.type : m.type));
      for (const group of triples ? wholeTriples(members) : words ? windows(members, store) : []) {
        const order = group.members;
        result.set(store ? order[order.length - 1]! : order[0]!, group);
      }
    }
  };
  const flushLoads = () => {
    if (loads.size > 0) finish(loads, false);
    loads = new Map();
  };
  const flushStores = () => {
    if (stores.size > 0) finish(stores, true);
    stores = new Map();
  };
  for (const inst of block.insts) {
    if (inst.op === Op.Load) {
      if (stores.size > 0 && !isUnwritten(func, inst)) flushStores();
      if (!inst.facts.volatile && isWord(inst.type) && isGroupable(inst) && isApart(inst))
        append(moves.takes(inst) ? invariant : loads, inst);
    } else if (inst.op === Op.Store) {
      moves.pass();
      flushLoads();
      const ofTriples = isOfTriples(divergence, inst, block);
      if (!inst.facts.volatile && (isWord(inst.operands[1]!.type) || ofTriples) && isGroupable(inst)) {
        // Only directly consecutive stores are grouped.
        const key = inst.operands[0]!.id;
        if (stores.size > 0 && !stores.has(key)) flushStores();
        if (isApart(inst)) append(stores, inst);
      } else flushStores();
    } else if (inst.op >= Op.AtomicLoad) {
      moves.pass();
      flushLoads();
      flushStores();
    }
  }
  finish(invariant, false);
  flushLoads();
  flushStores();
  return result;

  function isApart(inst: Inst): boolean {
    const stride = divergence.strideAt(inst.operands[0]!, block);
    return stride !== 0 && stride !== 4;
  }

  function append(to: Map<number, Inst[]>, inst: Inst): void {
    const address = inst.operands[0]!;
    const list = to.get(address.id);
    if (list) list.push(inst);
    else to.set(address.id, [inst]);
  }
}

/** The loads of a block that may move before its stores, which is known of some only if the memory of arguments is separate. */
export class MovableLoads {
  private passed = 0;
  /** By address: how many stores came before the first of its loads that may move then. */
  private readonly first = new Map<number, number>();

  constructor(private readonly func: Func) {}

  /** Notes a store, or what else loads do not move across. */
  pass(): void {
    this.passed++;
  }

  /** Whether a load may move to the first one from its address. */
  takes(load: Inst): boolean {
    const { invariant } = load.facts;
    if (invariant !== 'ifSeparate') return invariant === true;
    const { id } = load.operands[0]!;
    const first = this.first.get(id) ?? this.passed;
    this.first.set(id, first);
    // Nothing between them: the code is the same.
    return first === this.passed ? this.func.separate : isUnwritten(this.func, load);
  }
}

/** Divides accesses from one address into groups that fit 16 bytes; a group of stores has no gaps. */
function windows(accesses: readonly Inst[], store: boolean): AccessGroup[] {
  const sorted = [...accesses].sort((a, b) => (a.facts.offset ?? 0) - (b.facts.offset ?? 0));
  const groups: AccessGroup[] = [];
  for (let i = 0; i < sorted.length; ) {
    const start = sorted[i]!.facts.offset ?? 0;
    let end = i + 1;
    const within = (inst: Inst) => {
      const distance = (inst.facts.offset ?? 0) - start;
      return distance <= 12 && distance % 4 === 0;
    };
    while (end < sorted.length && within(sorted[end]!)) end++;
    const members = sorted.slice(i, end);
    const distinct = new Set(members.map((m) => m.facts.offset ?? 0)).size === members.length;
    const complete = store
      ? distinct && (members.length === 4 || members.length === 2) && isDense(members)
      : members.length > 1;
    if (complete) groups.push({ members: accesses.filter((a) => members.includes(a)), offset: start });
    i = end;
  }
  return groups;
}

/** Consecutive stores as groups of three bytes, from the first on; empty if they are anything else. */
export function wholeTriples(stores: readonly Inst[]): AccessGroup[] {
  const sorted = [...stores].sort((a, b) => (a.facts.offset ?? 0) - (b.facts.offset ?? 0));
  const offset = sorted[0]!.facts.offset ?? 0;
  const isWhole =
    sorted.length % TRIPLE === 0 && sorted.every((s, i) => (s.facts.offset ?? 0) === offset + i);
  if (!isWhole || sorted.length > TRIPLE) return [];
  return [{ members: stores, offset }];
}

function isDense(members: readonly Inst[]): boolean {
  return members.every((m, i) => (m.facts.offset ?? 0) === (members[0]!.facts.offset ?? 0) + 4 * i);
}
