// SPDX-License-Identifier: MIT
//
// The kind of a vector's memory access, and which accesses to neighbouring components (of a float4, of a struct) can be grouped:
// one row of 16 bytes per lane, transposed in registers.

import type { Divergence } from '../analyses/divergence';
import { accessedType } from '../ir/accesses';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { groupNeighbours } from './neighbours';
import { repeatedAddress } from './repeated';

export type Pattern =
  /** One address for all lanes. */
  | 'uniform'
  /** Consecutive elements, without gaps. */
  | 'contiguous'
  /** Any addresses, at each of which all of a structure is accessed, in memory order. */
  | 'structures'
  /** Within 16 bytes, so that several neighbours access one element (repeated.ts). */
  | 'repeated'
  /** A constant distance from lane to lane. */
  | 'strided'
  /** Any addresses. */
  | 'scattered';

export function patternOf(divergence: Divergence, access: Inst, block: Block): Pattern {
  if (access.facts.memoryOrder !== undefined) return access.facts.ofStructures ? 'structures' : 'contiguous';
  if (access.facts.repeated) return 'repeated';
  if (access.facts.byteIndex) return 'scattered';
  const stride = divergence.strideAt(access.operands[0]!, block);
  if (Number.isNaN(stride)) return repeatedAddress(divergence, access, block) ? 'repeated' : 'scattered';
  if (stride === 0) return 'uniform';
  const type = accessedType(access);
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
  const type = accessedType(access);
  return (
    type === Type.I8 &&
    !access.facts.volatile &&
    access.facts.space !== 'private' &&
    divergence.strideAt(access.operands[0]!, block) === TRIPLE
  );
}

/** Whether neighbouring work-items access consecutive elements in reverse order. */
export function isReversed(divergence: Divergence, access: Inst, block: Block): boolean {
  const type = accessedType(access);
  return divergence.strideAt(access.operands[0]!, block) === -bytesOf(type);
}

/** The largest distance in elements at which narrow elements of neighbouring work-items are taken out of whole vectors. */
const MOST_APART = 4;

/**
 * Whether neighbouring work-items access bytes or halves that are a few elements apart, or consecutive ones in reverse order, so that
 * whole vectors have them.
 */
export function isNearlyPacked(divergence: Divergence, access: Inst, block: Block): boolean {
  const type = accessedType(access);
  const stride = divergence.strideAt(access.operands[0]!, block);
  const bytes = bytesOf(type);
  return (
    (type === Type.I8 || type === Type.I16) &&
    !access.facts.volatile &&
    access.facts.space !== 'private' &&
    access.facts.memoryOrder === undefined &&
    ((stride > bytes && stride <= MOST_APART * bytes) || isReversed(divergence, access, block))
  );
}

/** Accesses to 32-bit components within 16 bytes from one address; or to three consecutive bytes, of which loads may leave one out. */
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
): ReadonlyMap<Inst, AccessGroup> {
  const isApart = (access: Inst) => {
    const stride = divergence.strideAt(access.operands[0]!, block);
    return stride !== 0 && stride !== 4;
  };
  const isOfTriple = (access: Inst) => isOfTriples(divergence, access, block);
  const isCandidate = (access: Inst) =>
    !access.facts.volatile &&
    (isWord(accessedType(access)) || isOfTriple(access)) &&
    isGroupable(access) &&
    isApart(access);
  if (!hasTwo(block.insts, (i) => (i.op === Op.Load || i.op === Op.Store) && isCandidate(i)))
    return NO_GROUPS;
  const groups = groupNeighbours<AccessGroup>(func, block, {
    isCandidate,
    divide(members, isStore) {
      if (members.every(isOfTriple)) return isStore ? wholeTriples(members) : loadedTriples(members);
      return members.every((m) => isWord(accessedType(m))) ? windows(members, isStore) : [];
    },
  });
  return new Map(
    groups.map((group) => {
      const { members } = group;
      return [members.at(members[0]!.op === Op.Store ? -1 : 0)!, group];
    }),
  );
}

const NO_GROUPS: ReadonlyMap<Inst, AccessGroup> = new Map();

function hasTwo(insts: readonly Inst[], isWanted: (inst: Inst) => boolean): boolean {
  let found = 0;
  for (const inst of insts) if (isWanted(inst) && ++found === 2) return true;
  return false;
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

/** Loads of two or three consecutive bytes, with the first. */
function loadedTriples(loads: readonly Inst[]): AccessGroup[] {
  const groups: AccessGroup[] = [];
  const offsets = [...new Set(loads.map((load) => load.facts.offset ?? 0))].sort((a, b) => a - b);
  for (let i = 0; i < offsets.length; ) {
    const offset = offsets[i]!;
    const within = offsets.filter((o) => o >= offset && o < offset + TRIPLE);
    const members = loads.filter((load) => within.includes(load.facts.offset ?? 0));
    if (within.length > 1) groups.push({ members, offset });
    i += within.length;
  }
  return groups;
}

function isDense(members: readonly Inst[]): boolean {
  return members.every((m, i) => (m.facts.offset ?? 0) === (members[0]!.facts.offset ?? 0) + 4 * i);
}
