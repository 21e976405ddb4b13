// SPDX-License-Identifier: MIT
//
// The instructions of one block. Pure ones with a single use in their block are evaluated at that use, so that most
// values never have a local variable; locals of values that live in one block only are used again.
import { Wasm } from '../../wasm/opcodes';
import type { Uses } from '../analyses/uses';
import { isPrologueOp } from '../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { type AccessGroup, accessGroups, laneBase, patternOf } from '../vectorize/access';
import type { MemoryPlan } from './addresses';
import { emitAtomic } from './atomics';
import type { Context } from './context';
import { emitCopy, emitGroupCopy } from './copy';
import { emitGroupedLoad, emitGroupedStore } from './grouped';
import { emitLoad } from './loads';
import { emitScalar, emitVector, isShift } from './operations';
import { emitPacked } from './packed';
import { emitPrintf } from './printf';
import { emitStore } from './stores';
import { type Exchange, emitSubGroup } from './sub-group';
import { vectorInstruction } from './tables';

const DEEPEST_EXPRESSION = 24;

export class BodyEmitter {
  private remaining = new Map<number, number>();
  private readonly depth: Uint8Array;

  constructor(
    private readonly c: Context,
    func: Func,
    private readonly uses: Uses,
    private readonly memory: MemoryPlan,
    private readonly noteEscape: (value: Value, mask: number[] | undefined) => void,
    private readonly printf: { readonly indexOf: (inst: Inst) => number; readonly buffer: number },
    private readonly call: (inst: Inst) => void,
    private readonly exchange: Exchange,
  ) {
    this.depth = new Uint8Array(func.idBound);
    c.evaluator = {
      scalar: (inst, row) => emitScalar(c, inst, row),
      vector: (inst, row, part) => emitVector(c, inst, row, part),
    };
  }

  /** `block` may be a region's copy; what is known of the function speaks of the original, `Context.block`. */
  body(block: Block): void {
    const { c } = this;
    this.remaining = new Map();
    for (const inst of block.insts) this.planEvaluation(inst, c.block);
    const groups =
      c.lanes > 1
        ? accessGroups(
            block.insts,
            c.block,
            c.divergence,
            (access) =>
              this.memory.interleavedBytes(access) === undefined && access.facts.memoryOrder === undefined,
          )
        : new Map<Inst, AccessGroup>();
    const grouped = new Map<Inst, AccessGroup>();
    for (const group of groups.values()) for (const m of group.members) grouped.set(m, group);
    for (const inst of block.insts) {
      if (isPrologueOp(inst.op) || c.deferred.has(inst.id)) continue;
      const group = grouped.get(inst);
      if (!group) this.alone(inst);
      else if (groups.get(inst) === group) this.together(group, inst.op === Op.Load);
    }
  }

  private alone(inst: Inst): void {
    const { c } = this;
    if (c.mask && c.retained.has(inst.id)) this.keepingOne(inst);
    else this.instruction(inst);
    this.consume(inst);
  }

  private keepingOne(inst: Inst): void {
    this.keeping([inst], () => this.instruction(inst));
  }

  private together(group: AccessGroup, isLoad: boolean): void {
    const { c } = this;
    if (isLoad) {
      this.keeping(group.members, () => emitGroupedLoad(c, this.memory, group));
      for (const m of group.members) this.noteEscape(m, c.mask);
    } else emitGroupedStore(c, this.memory, group);
    for (const m of group.members) this.consume(m);
  }

  /** Decides whether an instruction is evaluated where it is used, and how a uniform load is held. */
  private planEvaluation(inst: Inst, block: Block): void {
    const { c, uses } = this;
    if (isPrologueOp(inst.op)) return;
    // What waits in a slot for later regions has its locals already.
    if (c.lanes > 1 && inst.op === Op.Load && !c.registers[inst.id] && this.onlyFeedsVectors(inst))
      c.splatted.add(inst.id);
    if (inst.op === Op.Load && this.isPackable(inst, block)) c.packed.set(inst.id, 16);
    let depth = 0;
    for (const o of inst.operands) if (c.deferred.has(o.id)) depth = Math.max(depth, this.depth[o.id]! + 1);
    this.depth[inst.id] = depth;
    if (c.lanes > 1 && laneBase(c.divergence, inst, block) && this.isAddressOnly(inst)) {
      c.deferred.add(inst.id);
      return;
    }
    const user = uses.onlyUser(inst);
    if (!user || !isPure(inst.op) || depth > DEEPEST_EXPRESSION) return;
    if (c.escaped[inst.id] || c.retained.has(inst.id)) return;
    if (this.canTakeInPlace(user, inst)) c.deferred.add(inst.id);
  }

  /** Whether all that is done with a value is to access memory there, in the block that computes it. */
  private isAddressOnly(inst: Inst): boolean {
    const { c, uses } = this;
    return (
      uses.isBlockLocal(inst) &&
      !c.escaped[inst.id] &&
      !c.retained.has(inst.id) &&
      uses.usersOf(inst).every((u) => u.op === Op.Load || (u.op === Op.Store && u.operands[1] !== inst))
    );
  }

  private canTakeInPlace(user: Inst, operand: Inst): boolean {
    const { c } = this;
    const packed = c.packed.get(operand.id);
    if (packed) {
      // Only as they are; a store may also take them apart.
      if (user.op === Op.Store) return c.rowsOf(operand) === c.rows;
      return c.packed.get(user.id) === packed && c.rowsOf(user) === c.rowsOf(operand);
    }
    switch (user.op) {
      case Op.Load:
        return true;
      case Op.Store:
        return c.isVector(operand) ? c.rowsOf(operand) === c.rows || user.operands[0] !== operand : true;
      case Op.Branch:
        return c.rowsOf(operand) === c.rows || !c.isVector(operand);
      default:
        break;
    }
    if (!isPure(user.op) || c.rowsOf(user) !== c.rowsOf(operand)) return false;
    if (c.isVector(user) !== c.isVector(operand)) return false;
    if (!c.isVector(user)) return true;
    if (c.perRow(user.type) !== c.perRow(operand.type)) return false;
    if (user.op === Op.Select || user.op === Op.MulAdd) return true;
    if (isShift(user.op))
      return user.operands[0] === operand && c.divergence.stride[user.operands[1]!.id] === 0;
    return vectorInstruction(user.op, user.operands[0]!.type) !== undefined;
  }

  /** Whether a load is of halves that lie as the vectors of a conversion want them. */
  private isPackable(load: Inst, block: Block): boolean {
    const { c } = this;
    return (
      load.type === Type.F16 &&
      c.lanes >= 8 &&
      c.isVector(load) &&
      !c.retained.has(load.id) &&
      !c.escaped[load.id] &&
      this.memory.interleavedBytes(load) === undefined &&
      patternOf(c.divergence, load, block) === 'contiguous'
    );
  }

  private onlyFeedsVectors(load: Inst): boolean {
    const { c, uses } = this;
    if (c.isVector(load) || c.divergence.stride[load.id] !== 0) return false;
    if (load.type !== Type.F32 && load.type !== Type.I32 && load.type !== Type.F64 && load.type !== Type.I64)
      return false;
    const users = uses.usersOf(load);
    const params = uses.paramsGiven(load);
    return (
      users.length + params.length > 0 &&
      users.every((u) => isPure(u.op) && c.isVector(u) && !(isShift(u.op) && u.operands[1] === load)) &&
      params.every((p) => c.isVector(p))
    );
  }

  private instruction(inst: Inst): void {
    const { c, memory } = this;
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
        emitAtomic(c, memory, inst, this.uses.count[inst.id]! > 0);
        break;
      case Op.Fence:
      case Op.Barrier:
        c.f.withZeros(Wasm.atomic_fence, 1);
        return;
      case Op.Copy:
        emitCopy(c, inst);
        return;
      case Op.AsyncCopy:
        emitGroupCopy(c, inst);
        return;
      case Op.Printf:
        emitPrintf(c, inst, this.printf.indexOf(inst), this.printf.buffer);
        break;
      case Op.Call:
        this.call(inst);
        break;
      default:
        if (inst.op < Op.GroupAll || inst.op > Op.SubGroupElect) {
          this.pure(inst);
          return;
        }
        emitSubGroup(c, inst, this.exchange);
    }
    if (inst.type !== Type.Void) this.noteEscape(inst, c.mask);
  }

  /** Emits results aside and takes over only the active lanes, where inactive ones keep what they had. */
  private keeping(results: readonly Inst[], emit: () => void): void {
    const { c } = this;
    const { f } = c;
    const kept = c.mask ? results.filter((r) => c.retained.has(r.id) && !isPure(r.op)) : [];
    const own = kept.map((r) => c.registersOf(r));
    for (const r of kept) c.registers[r.id] = undefined;
    emit();
    kept.forEach((r, k) => {
      const made = c.registers[r.id]!;
      const perRow = c.perRow(r.type);
      made.forEach((local, i) => {
        f.get(local);
        f.get(own[k]![i]!);
        c.activeMask(Math.floor(i / perRow), i % perRow, r.type);
        c.selectLanes(r.type);
        f.set(own[k]![i]!);
        c.release(local);
      });
      c.registers[r.id] = own[k]!;
    });
  }

  private pure(inst: Inst): void {
    const { c } = this;
    const { f } = c;
    const registers = c.registersOf(inst);
    if (!c.isVector(inst)) {
      registers.forEach((local, row) => {
        emitScalar(c, inst, row);
        f.set(local);
      });
    } else if (c.packed.has(inst.id)) {
      const width = c.packed.get(inst.id)!;
      const perRow = (c.lanes * width) >> 7;
      registers.forEach((local, i) => {
        emitPacked(c, inst, width, Math.floor(i / perRow), i % perRow);
        f.set(local);
      });
    } else {
      const perRow = c.perRow(inst.type);
      registers.forEach((local, i) => {
        const row = Math.floor(i / perRow);
        emitVector(c, inst, row, i % perRow);
        if (c.mask && c.retained.has(inst.id)) {
          f.get(local);
          c.activeMask(row, i % perRow, inst.type);
          c.selectLanes(inst.type);
        }
        f.set(local);
      });
    }
    this.noteEscape(inst, c.mask);
  }

  /** Frees the locals of values whose last use this was. */
  private consume(inst: Inst): void {
    for (const o of inst.operands) {
      if (this.c.deferred.has(o.id)) {
        if (this.use(o) === 0) this.consume(o as Inst);
        continue;
      }
      if (o.kind !== 'inst' || isPrologueOp(o.op) || !this.uses.isBlockLocal(o)) continue;
      if (this.use(o) > 0) continue;
      const registers = this.c.registers[o.id];
      if (!registers) continue;
      for (const local of registers) this.c.release(local);
      this.c.registers[o.id] = undefined;
    }
  }

  /** How many uses of a value are left behind this one. */
  private use(v: Value): number {
    const left = (this.remaining.get(v.id) ?? this.uses.count[v.id]!) - 1;
    this.remaining.set(v.id, left);
    return left;
  }
}
