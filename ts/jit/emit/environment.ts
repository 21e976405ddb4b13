// SPDX-License-Identifier: MIT
//
// The environment of a work-item: its ids, the sizes of the ND-range, the kernel's arguments. Each is computed once, at the
// outermost level where it is constant: at the start of the function, a group, a row or a vector.
import { DISPATCH, type KernelSignature, type PrivatizedArgument } from '../../base/kernel-abi';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type PrivateLayout, roundingOf } from '../analyses/private-memory';
import { isPrologueOp } from '../ir/build';
import { type Func, type Inst, Op, Type } from '../ir/ir';
import { JitError } from '../jit-error';
import { scalarLoadOf } from './addresses';
import type { Context } from './context';

/** Locals that the driver of the work-item loops provides. */
export interface Position {
  readonly dispatch: number;
  readonly local: number;
  readonly scratch: number;
  readonly group: readonly [number, number, number];
  /** Sizes of this group. */
  readonly localSize: readonly [number, number, number];
  /** Local ids of the tile's first work-item. */
  readonly item: readonly [number, number, number];
  readonly framePointer: number;
  /** The number of the tile's lanes that are work-items, if the tile may be partial. */
  readonly active?: number;
}

type Level = 'function' | 'vector';

export class Environment {
  private readonly values: Inst[];
  private readonly dispatchWords = new Map<number, number>();

  constructor(
    private readonly c: Context,
    func: Func,
    private readonly signature: KernelSignature,
    private readonly privatized: readonly PrivatizedArgument[],
    private readonly layout: PrivateLayout,
    private readonly at: Position,
  ) {
    this.values = func.blocks.flatMap((b) =>
      b.insts.filter(
        (i) => isPrologueOp(i.op) && i.op !== Op.Const && i.op !== Op.Undef && i.op !== Op.Parameter,
      ),
    );
  }

  /**
   * Emits the values that are constant for the whole call (`function`), or the values that change with each vector of
   * work-items.
   */
  emit(level: Level): void {
    for (const inst of this.values) if (this.levelOf(inst) === level) this.define(inst);
  }

  private define(inst: Inst): void {
    const { c } = this;
    const registers = c.registersOf(inst);
    registers.forEach((local, i) => {
      if (c.isVector(inst)) {
        const perRow = c.perRow(inst.type);
        this.vectorValue(inst, Math.floor(i / perRow), i % perRow);
      } else {
        this.value(inst, i);
        if (inst.type === Type.I64 && inst.op !== Op.Argument) c.f.op(Wasm.i64_extend_i32_u);
      }
      c.f.set(local);
    });
  }

  /** A word of the dispatch block, loaded once per function. */
  word(offset: number): void {
    const { f } = this.c;
    let local = this.dispatchWords.get(offset);
    if (local === undefined) {
      local = f.local(ValType.I32);
      this.dispatchWords.set(offset, local);
      f.get(this.at.dispatch);
      f.memory(Wasm.i32_load, offset, 2);
      f.tee(local);
      return;
    }
    f.get(local);
  }

  /** Loads the words that code inside of loops will use. */
  preload(): void {
    for (const inst of this.values) {
      if (this.levelOf(inst) !== 'vector') continue;
      const d = (inst.facts.dimension ?? 0) * 4;
      const words: number[] =
        inst.op === Op.GlobalId
          ? [DISPATCH.globalOffset + d, DISPATCH.localSize + d]
          : inst.op === Op.GlobalLinearId
            ? [0, 4, 8].flatMap((o) => [DISPATCH.localSize + o, DISPATCH.globalSize + o])
            : [];
      for (const w of words) {
        this.word(w);
        this.c.f.op(Wasm.drop);
      }
    }
  }

  private levelOf(inst: Inst): Level {
    switch (inst.op) {
      case Op.LocalId:
      case Op.GlobalId:
      case Op.LocalLinearId:
      case Op.GlobalLinearId:
      case Op.SubGroupId:
        return 'vector';
      case Op.SubGroupSize:
        return this.at.active === undefined ? 'function' : 'vector';
      case Op.PrivateAlloca:
        return this.layout.interleaved.has(inst) ? 'function' : 'vector';
      default:
        return 'function';
    }
  }

  private value(inst: Inst, row: number): void {
    const { c, at } = this;
    const { f } = c;
    const dimension = inst.facts.dimension ?? 0;
    const d = dimension * 4;
    switch (inst.op) {
      case Op.Argument: {
        this.argument(inst);
        return;
      }
      case Op.LocalBase:
        f.get(at.local);
        f.i32(inst.facts.offset ?? 0);
        {
          f.op(Wasm.i32_add);
          return;
        }
      case Op.ScratchBase:
        f.get(at.scratch);
        return;
      case Op.ScratchEnd:
        f.get(at.scratch);
        this.word(DISPATCH.scratchBytes);
        f.op(Wasm.i32_add);
        return;
      case Op.Bounds:
        this.word(DISPATCH.checks);
        return;
      case Op.Counters:
        this.word(DISPATCH.counters);
        return;
      case Op.EnqueueRegion:
        this.word(DISPATCH.enqueueRegion);
        return;
      case Op.CheckBlock:
        this.word(DISPATCH.checks);
        return;
      case Op.ProgramBase:
        this.word(DISPATCH.programBase);
        f.i32(inst.facts.offset ?? 0);
        {
          f.op(Wasm.i32_add);
          return;
        }
      case Op.PrivateAlloca:
        if (this.layout.interleaved.has(inst)) {
          f.i32(this.layout.offsets.get(inst)!);
          return;
        }
        {
          this.linearFrame(inst, row, 0);
          return;
        }
      case Op.LocalId:
        f.get(at.item[dimension]!);
        {
          this.addRow(dimension, row);
          return;
        }
      case Op.GlobalId:
        this.globalId(dimension, row, true);
        return;
      case Op.GroupId: {
        f.get(at.group[dimension]!);
        return;
      }
      case Op.GlobalSize: {
        this.word(DISPATCH.globalSize + d);
        return;
      }
      case Op.LocalSize: {
        f.get(at.localSize[dimension]!);
        return;
      }
      case Op.NumGroups: {
        this.word(DISPATCH.numGroups + d);
        return;
      }
      case Op.GlobalOffset: {
        this.word(DISPATCH.globalOffset + d);
        return;
      }
      case Op.EnqueuedLocalSize: {
        this.word(DISPATCH.localSize + d);
        return;
      }
      case Op.WorkDim: {
        this.word(DISPATCH.workDim);
        return;
      }
      case Op.LocalLinearId: {
        this.linear(
          row,
          (i) => f.get(at.localSize[i]!),
          (i) => {
            f.get(at.item[i]!);
            this.addRow(i, row);
          },
        );
        return;
      }
      case Op.GlobalLinearId: {
        this.linear(
          row,
          (i) => this.word(DISPATCH.globalSize + i * 4),
          (i) => this.globalId(i as 0 | 1 | 2, row, false),
        );
        return;
      }
      case Op.SubGroupSize:
        if (at.active === undefined) f.i32(c.lanes);
        else f.get(at.active);
        return;
      case Op.SubGroupMaxSize: {
        f.i32(c.lanes);
        return;
      }
      case Op.SubGroupId: {
        this.linear(
          row,
          (i) => (i === 0 ? this.subGroupsPerRow(() => f.get(at.localSize[0])) : f.get(at.localSize[i]!)),
          (i) => {
            f.get(at.item[i]!);
            if (i > 0) return;
            f.i32(c.lanes);
            f.op(Wasm.i32_div_u);
          },
        );
        return;
      }
      case Op.NumSubGroups:
        this.subGroups((i) => f.get(at.localSize[i]!));
        return;
      case Op.EnqueuedNumSubGroups:
        this.subGroups((i) => this.word(DISPATCH.localSize + i * 4));
        return;
      case Op.SubGroupLocalId: {
        f.i32(0);
        return;
      }
      default:
        throw new JitError(`${Op[inst.op]} is not supported`);
    }
  }

  /** Sub-groups in a row, the last of which may be smaller. */
  private subGroupsPerRow(size: () => void): void {
    const { f, lanes } = this.c;
    size();
    f.i32(lanes - 1);
    f.op(Wasm.i32_add);
    f.i32(lanes);
    f.op(Wasm.i32_div_u);
  }

  private subGroups(size: (i: number) => void): void {
    const { f } = this.c;
    this.subGroupsPerRow(() => size(0));
    for (const i of [1, 2]) {
      size(i);
      f.op(Wasm.i32_mul);
    }
  }

  private addRow(dimension: number, row: number): void {
    if (dimension !== 1 || row === 0) return;
    this.c.f.i32(row);
    this.c.f.op(Wasm.i32_add);
  }

  private globalId(dimension: 0 | 1 | 2, row: number, withOffset: boolean): void {
    const { f } = this.c;
    f.get(this.at.group[dimension]!);
    this.word(DISPATCH.localSize + dimension * 4);
    f.op(Wasm.i32_mul);
    if (withOffset) {
      this.word(DISPATCH.globalOffset + dimension * 4);
      f.op(Wasm.i32_add);
    }
    f.get(this.at.item[dimension]!);
    f.op(Wasm.i32_add);
    this.addRow(dimension, row);
  }

  private linear(_row: number, size: (i: number) => void, id: (i: number) => void): void {
    const { f } = this.c;
    id(2);
    size(1);
    f.op(Wasm.i32_mul);
    id(1);
    f.op(Wasm.i32_add);
    size(0);
    f.op(Wasm.i32_mul);
    id(0);
    f.op(Wasm.i32_add);
  }

  private argument(inst: Inst): void {
    const { c, at } = this;
    const { f } = c;
    const argument = this.signature.arguments[inst.facts.index!];
    if (!argument) throw new JitError(`kernel argument ${inst.facts.index} does not exist`);
    const copy = this.privatized.find((c) => c.argument === inst.facts.index);
    f.get(at.dispatch);
    if (copy) {
      f.memory(Wasm.i32_load, copy.offset + 4, 2);
      f.get(at.scratch);
      f.op(Wasm.i32_add);
      if (inst.type === Type.I64) f.op(Wasm.i64_extend_i32_u);
      return;
    }
    f.memory(scalarLoadOf(inst.type), argument.offset + (inst.facts.offset ?? 0));
    if (inst.type === Type.I1) {
      f.i32(0);
      f.op(Wasm.i32_ne);
    }
    if (argument.kind === 'local') {
      f.get(at.local);
      f.op(Wasm.i32_add);
    }
    if (inst.type === Type.I8 || inst.type === Type.I16) c.zeroExtended.add(inst.id);
  }

  /** Address of a work-item's copy of an allocation that is contiguous per work-item. */
  private linearFrame(inst: Inst, row: number, lane: number): void {
    const { c, at, layout } = this;
    const copies = c.lanes * c.rows;
    const item = row * c.lanes + lane;
    c.f.get(at.framePointer);
    const rounding = roundingOf(inst);
    c.f.i32(
      layout.interleavedBytes * copies + item * layout.linearBytes + layout.offsets.get(inst)! + rounding,
    );
    c.f.op(Wasm.i32_add);
    if (rounding === 0) return;
    c.f.i32(-inst.facts.align!);
    c.f.op(Wasm.i32_and);
  }

  private vectorValue(inst: Inst, row: number, part: number): void {
    const { c, at, layout } = this;
    if (inst.op !== Op.PrivateAlloca) throw new JitError(`${Op[inst.op]} is not supported in vectors`);
    const copies = c.lanes * c.rows;
    const rounding = roundingOf(inst);
    c.f.get(at.framePointer);
    c.f.op(Wasm.i32x4_splat);
    c.constants.lanes(
      Type.I32,
      [0, 1, 2, 3].map(
        (l) =>
          layout.interleavedBytes * copies +
          (row * c.lanes + part * 4 + l) * layout.linearBytes +
          layout.offsets.get(inst)! +
          rounding,
      ),
    );
    c.f.op(Wasm.i32x4_add);
    if (rounding === 0) return;
    c.constants.splat(Type.I32, -inst.facts.align!);
    c.f.op(Wasm.v128_and);
  }
}
