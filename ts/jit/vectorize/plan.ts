// SPDX-License-Identifier: MIT
//
// The vector plan: every decision about one variant of a kernel's code, which runs tiles of `lanes` x `rows` work-items. The
// emitter reads it and decides nothing about shapes, accesses, evaluation and control flow. It knows no file of vectorize/ but this
// one and kernel-plan.ts.

import { type Divergence, Y } from '../analyses/divergence';
import { accessedType } from '../ir/accesses';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import type { Region } from '../regions/regions';
import {
  type AccessGroup,
  accessGroups,
  isOfTriples,
  type LaneBase,
  type Pattern,
  patternOf,
} from './access';
import { clampedIndex, likelyContiguous, type RunTimeTest, wrappedIndex } from './contiguity';
import { planEvaluation } from './evaluation';
import type { KernelPlan } from './kernel-plan';
import { choosePacked, LANES_OF_BYTES, type PackedWidth } from './packing';
import { RegionPlan } from './region-plan';
import type { ValueShapes, VectorTarget } from './shapes';

export type { AccessGroup, LaneBase, Pattern } from './access';
export { TRIPLE } from './access';
export type { ClampedIndex, RunTimeTest, WrappedIndex } from './contiguity';
export type { ControlPlan } from './control';
export { isShift } from './evaluation';
export type { PackedWidth } from './packing';
export type { RegionPlan } from './region-plan';
export { DECIDING_BITS } from './repeated';
export type { VectorTarget } from './shapes';

const VECTOR_BITS = 128;

/** How the lanes of a tile represent a value. */
export type Shape =
  /** One scalar for all lanes. */
  | 'uniform'
  /** The same, but kept as a vector, because only vector operations use it. */
  | 'broadcast'
  /** Lane 0's scalar; each other lane's is a constant step further. */
  | 'affine'
  /** A scalar for each lane, in 32 or 64 bits. */
  | 'vector'
  /** The same in 8 or 16 bits, as in memory. */
  | 'packed';

export interface Access {
  readonly pattern: Pattern;
  /** Bytes three apart: pixels without alpha. */
  readonly triples: boolean;
  /** Scattered accesses that are probably contiguous: the test at run time. */
  readonly test?: RunTimeTest;
}

/** How a loop live-out is kept for the lanes that leave early. */
export type LiveOutPlan =
  /** In the value's own vectors; lanes that have left the loop do not overwrite theirs. */
  | 'in place'
  /** In separate vectors, besides those of the loop. */
  | 'separate';

export class VectorPlan implements ValueShapes {
  readonly divergence: Divergence;
  /** By value id. */
  readonly packed: ReadonlyMap<number, PackedWidth>;
  readonly liveOuts: ReadonlyMap<Value, LiveOutPlan>;
  /** By member: the group of accesses that are made at once. */
  readonly groups: ReadonlyMap<Inst, AccessGroup>;
  readonly laneBases: ReadonlyMap<Value, LaneBase>;
  readonly regions: ReadonlyMap<Region, RegionPlan>;
  private readonly inline: Uint8Array;
  private readonly broadcast: Uint8Array;
  private readonly accesses = new Map<Inst, Access>();

  constructor(
    readonly kernel: KernelPlan,
    readonly lanes: number,
    readonly rows: number,
    readonly target: VectorTarget,
  ) {
    this.divergence = kernel.divergence;
    this.liveOuts = this.planLiveOuts();
    this.groups = this.planGroups();
    this.packed = this.planPacked();
    this.groups = this.withPackedTriples();
    ({
      inline: this.inline,
      broadcast: this.broadcast,
      laneBases: this.laneBases,
    } = planEvaluation(
      this,
      new Set(kernel.regions.list.flatMap(({ provides, needs }) => [...provides, ...needs])),
    ));
    this.regions = new Map(kernel.regions.list.map((region) => [region, new RegionPlan(region, this)]));
  }

  // --- shapes ---

  isVector(v: Value): boolean {
    return this.lanes > 1 && Number.isNaN(this.divergence.stride[v.id]!);
  }

  isVectorAt(v: Value, block: Block): boolean {
    return this.isVector(v) || (this.lanes > 1 && this.divergence.isTemporallyDivergent(v, block));
  }

  rowsOf(v: Value): number {
    return this.rows > 1 && (this.divergence.dims[v.id]! & Y) !== 0 ? this.rows : 1;
  }

  perRow(type: Type): number {
    return type === Type.I64 || type === Type.F64 ? this.lanes >> 1 : this.lanes >> 2;
  }

  /** Vectors per row of packed values. */
  packedVectors(width: PackedWidth): number {
    return Math.ceil((this.lanes * width) / VECTOR_BITS);
  }

  /** Whether a packed value of one row is the low half of a vector. */
  isHalfVector(width: PackedWidth): boolean {
    return this.lanes * width < VECTOR_BITS;
  }

  shapeOf(v: Value): Shape {
    if (this.isVector(v)) return this.packed.has(v.id) ? 'packed' : 'vector';
    if (this.isBroadcast(v)) return 'broadcast';
    return this.divergence.stride[v.id] === 0 || this.lanes === 1 ? 'uniform' : 'affine';
  }

  isBroadcast(v: Value): boolean {
    return this.broadcast[v.id] === 1;
  }

  isInline(v: Value): boolean {
    return this.inline[v.id] === 1;
  }

  isLiveOut(v: Value): boolean {
    return this.liveOuts.has(v);
  }

  /** Whether inactive lanes of a value's vectors keep their values. */
  isRetained(v: Value): boolean {
    return this.liveOuts.get(v) === 'in place';
  }

  // --- memory ---

  /** Bytes of an element of interleaved private memory; undefined for accesses to other memory. */
  interleavedBytes(access: Inst): number | undefined {
    return this.kernel.layout.elementBytes.get(access);
  }

  accessOf(access: Inst): Access {
    let known = this.accesses.get(access);
    if (!known) {
      known = this.planAccess(access);
      this.accesses.set(access, known);
    }
    return known;
  }

  private planAccess(access: Inst): Access {
    const { divergence } = this;
    const { block } = access;
    const [address] = access.operands as [Value];
    const own = patternOf(divergence, access, block);
    // In interleaved memory the elements of one index are contiguous, and no others are.
    if (this.interleavedBytes(access) !== undefined)
      return { pattern: own === 'uniform' ? 'contiguous' : 'scattered', triples: false };
    const triples = isOfTriples(divergence, access, block);
    if (
      own === 'uniform' ||
      own === 'contiguous' ||
      own === 'structures' ||
      own === 'repeated' ||
      access.facts.byteIndex ||
      (access.facts.offset ?? 0) < 0 ||
      address.type === Type.I64
    )
      return { pattern: own, triples };
    const type = accessedType(access);
    const likely = likelyContiguous(divergence, address, bytesOf(type), block);
    if (!likely) return { pattern: own, triples };
    const clamped = clampedIndex(divergence, likely, block);
    const wrapped = wrappedIndex(divergence, likely, block);
    const test = { ...likely, ...(clamped && { clamped }), ...(wrapped && { wrapped }) };
    return { pattern: own, triples, test };
  }

  private planGroups(): Map<Inst, AccessGroup> {
    const byMember = new Map<Inst, AccessGroup>();
    if (this.lanes === 1) return byMember;
    const isGroupable = (access: Inst) =>
      this.interleavedBytes(access) === undefined && access.facts.memoryOrder === undefined;
    const { func } = this.kernel;
    for (const block of func.blocks)
      for (const group of accessGroups(func, block, this.divergence, isGroupable).values())
        for (const member of group.members) byMember.set(member, group);
    return byMember;
  }

  /** The groups, of whose loads of pixels only those are left that are packed in whole vectors. */
  private withPackedTriples(): Map<Inst, AccessGroup> {
    const kept = new Map<Inst, AccessGroup>();
    const isPacked = (load: Inst) => this.packed.has(load.id) && this.lanes % LANES_OF_BYTES === 0;
    for (const group of new Set(this.groups.values())) {
      let { members } = group;
      if (members[0]!.op === Op.Load && members[0]!.type === Type.I8) {
        members = members.filter(isPacked);
        const offsets = new Set(members.map((load) => load.facts.offset ?? 0));
        if (!offsets.has(group.offset) || offsets.size === 1) continue;
      }
      for (const member of members) kept.set(member, { ...group, members });
    }
    return kept;
  }

  // --- values ---

  private planLiveOuts(): Map<Value, LiveOutPlan> {
    const plans = new Map<Value, LiveOutPlan>();
    if (this.lanes === 1) return plans;
    const { liveOuts } = this.kernel;
    // Rows leave a loop at different iterations, even with a value that they share inside.
    for (const v of liveOuts.values) {
      const inPlace = this.isVector(v) && this.rowsOf(v) === this.rows && liveOuts.how(v) === 'always';
      plans.set(v, inPlace ? 'in place' : 'separate');
    }
    return plans;
  }

  private planPacked(): Map<number, PackedWidth> {
    const { func, divergence, layout, liveOuts } = this.kernel;
    const packed = choosePacked({
      func,
      divergence,
      lanes: this.lanes,
      interleavedBytes: (access) => layout.elementBytes.get(access),
      isGathered: (load) => this.isGathered(load),
      isGrouped: (store) => this.groups.has(store),
      isExcluded: (v) => liveOuts.values.has(v),
    });
    if (this.lanes >= 8)
      for (const { insts } of func.blocks)
        for (const inst of insts)
          if (inst.type === Type.F16 && this.isOfHalves(inst)) packed.set(inst.id, 16);
    return packed;
  }

  /** Whether a load is made lane by lane, and no test at run time may find that its elements are next to each other. */
  private isGathered(load: Inst): boolean {
    const { pattern, test } = this.accessOf(load);
    return pattern === 'scattered' && !test && !load.facts.volatile;
  }

  /** Whether a load reads halves in the order of a conversion's vectors. */
  private isOfHalves(inst: Inst): boolean {
    return (
      inst.op === Op.Load &&
      this.isVector(inst) &&
      !this.isLiveOut(inst) &&
      this.interleavedBytes(inst) === undefined &&
      patternOf(this.divergence, inst, inst.block) === 'contiguous'
    );
  }
}
