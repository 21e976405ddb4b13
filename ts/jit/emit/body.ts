// SPDX-License-Identifier: MIT
//
// The instructions of one block. Inline instructions are evaluated at their use, so that most values need no local variable.
// Locals of values that live within one block are reused.

import { Wasm } from '../../wasm/opcodes';
import type { Uses } from '../analyses/uses';
import { isPrologueOp } from '../ir/build';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { AccessGroup } from '../vectorize/plan';
import { countUntil, maskOfElements, reduceElements } from './arithmetic/elements';
import { emitScalar, emitVector } from './arithmetic/operations';
import { emitAtomic } from './atomics/atomics';
import type { Callees } from './calls';
import { emitCheck } from './checks';
import type { Context } from './context';
import { activeMask, selectLanes } from './control/masks';
import { isWorthHoisting, pushHoisted } from './hoisted-scalars';
import type { MemoryPlan } from './memory/addresses';
import { emitCopy, emitGroupCopy } from './memory/copy';
import { emitGroupedLoad, emitGroupedStore } from './memory/grouped';
import { emitLoad } from './memory/loads';
import { emitStore } from './memory/stores';
import { emitPacked } from './packed/operations';
import { emitPrintf } from './printf';
import { emitSubGroup } from './sub-group';
import type { Exchange } from './sub-group/exchanges';

/** What the instructions of a body need besides the context. */
export interface BodyServices {
  readonly uses: Uses;
  readonly memory: MemoryPlan;
  /** Keeps a value that has just been computed, if it is a loop live-out. */
  keepLiveOut(value: Value, mask: number[] | undefined): void;
  readonly printf: {
    /** The number of an instruction's format. */
    indexOf(inst: Inst): number;
    /** Local with the address of the printf ring. */
    readonly buffer: number;
  };
  call(inst: Inst): void;
  readClock(inst: Inst): void;
  readonly checks: Pick<Callees, 'check'>;
  readonly exchange: Exchange;
}

export class BodyEmitter {
  /** By value id: the uses that remain in the block, if `countedIn` is the number of this block. */
  private readonly remaining: Uint32Array;
  private readonly countedIn: Uint32Array;
  private blocks = 0;

  constructor(
    private readonly c: Context,
    private readonly services: BodyServices,
  ) {
    this.remaining = new Uint32Array(services.uses.count.length);
    this.countedIn = new Uint32Array(services.uses.count.length);
    c.evaluator = {
      scalar: (inst, row) => this.scalar(inst, row),
      vector: (inst, row, part) => emitVector(c, inst, row, part),
      packed: (inst, width, row, group) => emitPacked(c, inst, width, row, group),
    };
  }

  /** `block` may be a region's copy. Analyses refer to the original, `Context.block`. */
  body(block: Block): void {
    const { c } = this;
    this.blocks++;
    for (const inst of block.insts) {
      if (isPrologueOp(inst.op) || c.isInline(inst)) continue;
      const group = c.plan.groups.get(inst);
      if (!group) this.single(inst);
      else if (isPlaceOf(group, inst)) this.grouped(group, inst.op === Op.Load);
    }
  }

  private single(inst: Inst): void {
    const { c } = this;
    if (c.mask && c.plan.isRetained(inst)) this.keepingOne(inst);
    else this.instruction(inst);
    this.consume(inst);
  }

  private keepingOne(inst: Inst): void {
    this.keeping([inst], () => this.instruction(inst));
  }

  private grouped(group: AccessGroup, isLoad: boolean): void {
    const { c } = this;
    if (isLoad) {
      this.keeping(group.members, () => emitGroupedLoad(c, this.services.memory, group));
      for (const m of group.members) this.services.keepLiveOut(m, c.mask);
    } else emitGroupedStore(c, this.services.memory, group);
    for (const m of group.members) this.consume(m);
  }

  private instruction(inst: Inst): void {
    const { c } = this;
    const { memory } = this.services;
    switch (inst.op) {
      case Op.Load:
        emitLoad(c, memory, inst);
        break;
      case Op.Store:
        emitStore(c, memory, inst);
        return;
      case Op.AtomicLoad:
      case Op.AtomicStore:
      case Op.AtomicRmw:
      case Op.AtomicCmpXchg:
        emitAtomic(c, memory, inst, this.services.uses.count[inst.id]! > 0);
        break;
      case Op.CountUntil:
        countUntil(c, inst);
        c.f.set(c.registersOf(inst)[0]!);
        break;
      case Op.ReduceElements:
        reduceElements(c, inst);
        c.f.set(c.registersOf(inst)[0]!);
        break;
      case Op.MaskOfElements:
        maskOfElements(c, inst);
        c.f.set(c.registersOf(inst)[0]!);
        break;
      case Op.Fence:
      case Op.Barrier:
        if (inst.facts.cut) return;
        c.f.withZeros(Wasm.atomic_fence, 1);
        return;
      case Op.Copy:
        emitCopy(c, inst);
        return;
      case Op.AsyncCopy:
        emitGroupCopy(c, inst);
        return;
      case Op.Printf:
        this.printf(inst);
        break;
      case Op.ReadClock:
        this.services.readClock(inst);
        break;
      case Op.Check:
        emitCheck(c, inst, this.services.checks);
        break;
      case Op.Call:
        this.services.call(inst);
        break;
      default:
        if (inst.op < Op.GroupAll || inst.op > Op.SubGroupElect) {
          this.pure(inst);
          return;
        }
        emitSubGroup(c, inst, this.services.exchange);
    }
    if (inst.type !== Type.Void) this.services.keepLiveOut(inst, c.mask);
  }

  private printf(inst: Inst): void {
    const { printf, uses } = this.services;
    emitPrintf(this.c, inst, printf.indexOf(inst), printf.buffer, uses.count[inst.id]! > 0);
  }

  /** Emits results into temporaries and copies only the active lanes, if inactive lanes must keep their values. */
  private keeping(results: readonly Inst[], emit: () => void): void {
    const { c } = this;
    const { f } = c;
    const kept = c.mask ? results.filter((r) => c.plan.isRetained(r) && !isPure(r.op)) : [];
    const own = kept.map((r) => c.registersOf(r));
    for (const r of kept) c.registers[r.id] = undefined;
    emit();
    kept.forEach((r, k) => {
      const made = c.registers[r.id]!;
      const perRow = c.perRow(r.type);
      made.forEach((local, i) => {
        f.get(local);
        f.get(own[k]![i]!);
        activeMask(c, Math.floor(i / perRow), i % perRow, r.type);
        selectLanes(c, r.type);
        f.set(own[k]![i]!);
        c.release(local);
      });
      c.registers[r.id] = own[k]!;
    });
  }

  private scalar(inst: Inst, row: number): void {
    const { c } = this;
    if (isWorthHoisting(c, inst)) pushHoisted(c, inst, row);
    else emitScalar(c, inst, row);
  }

  private pure(inst: Inst): void {
    const { c } = this;
    const { f } = c;
    const registers = c.registersOf(inst);
    if (!c.isVector(inst)) {
      registers.forEach((local, row) => {
        this.scalar(inst, row);
        f.set(local);
      });
    } else if (c.plan.packed.has(inst.id)) {
      const width = c.plan.packed.get(inst.id)!;
      const perRow = c.plan.packedVectors(width);
      registers.forEach((local, i) => {
        emitPacked(c, inst, width, Math.floor(i / perRow), i % perRow);
        f.set(local);
      });
    } else {
      const perRow = c.perRow(inst.type);
      registers.forEach((local, i) => {
        const row = Math.floor(i / perRow);
        emitVector(c, inst, row, i % perRow);
        if (c.mask && c.plan.isRetained(inst)) {
          f.get(local);
          activeMask(c, row, i % perRow, inst.type);
          selectLanes(c, inst.type);
        }
        f.set(local);
      });
    }
    this.services.keepLiveOut(inst, c.mask);
  }

  /** Frees the locals of values whose last use this was. */
  private consume(inst: Inst): void {
    for (const o of inst.operands) {
      if (this.c.isInline(o)) {
        if (this.use(o) === 0) this.consume(o as Inst);
        continue;
      }
      if (o.kind !== 'inst' || isPrologueOp(o.op) || !this.services.uses.isBlockLocal(o)) continue;
      if (this.use(o) > 0) continue;
      const registers = this.c.registers[o.id];
      if (!registers) continue;
      for (const local of registers) this.c.release(local);
      this.c.registers[o.id] = undefined;
    }
  }

  /** The number of uses of a value that remain after this one. */
  private use(v: Value): number {
    const { remaining, countedIn, blocks } = this;
    const { id } = v;
    if (countedIn[id] !== blocks) {
      countedIn[id] = blocks;
      remaining[id] = this.services.uses.count[id]!;
    }
    remaining[id]!--;
    return remaining[id]!;
  }
}

/** Whether a group's accesses are emitted at this member: loads at the first, stores at the last. */
function isPlaceOf({ members }: AccessGroup, inst: Inst): boolean {
  return inst === members[inst.op === Op.Load ? 0 : members.length - 1];
}
