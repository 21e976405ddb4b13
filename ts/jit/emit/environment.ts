// SPDX-License-Identifier: MIT
//
// The environment of a work-item: its ids, the sizes of the ND-range, the kernel's arguments. Each is computed once, at the
// outermost level where it is constant: at the start of the function, or of a vector.
import type { KernelSignature, PrivatizedArgument } from '../../base/kernel-abi';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { PrivateLayout } from '../analyses/private-memory';
import { isPrologueOp } from '../ir/build';
import { type Func, type Inst, Op, Type } from '../ir/ir';
import type { Context } from './context';
import {
  emitScalar,
  emitVector,
  type Level,
  levelOf,
  type Position,
  type Surroundings,
  wordsOf,
} from './environment-values';

export class Environment implements Surroundings {
  private readonly values: Inst[];
  private readonly dispatchWords = new Map<number, number>();

  constructor(
    readonly c: Context,
    func: Func,
    readonly signature: KernelSignature,
    readonly privatized: readonly PrivatizedArgument[],
    readonly layout: PrivateLayout,
    readonly at: Position,
  ) {
    this.values = func.blocks.flatMap((b) =>
      b.insts.filter(
        (i) => isPrologueOp(i.op) && i.op !== Op.Const && i.op !== Op.Undef && i.op !== Op.Parameter,
      ),
    );
  }

  /**
   * Emits the values that are constant for the whole call (`function`), those that change with each row of vectors, or those that
   * change with each vector.
   */
  emit(...levels: readonly Level[]): void {
    for (const inst of this.values) if (levels.includes(levelOf(this, inst))) this.define(inst);
  }

  private define(inst: Inst): void {
    const { c } = this;
    const registers = c.registersOf(inst);
    registers.forEach((local, i) => {
      if (c.isVector(inst)) {
        const perRow = c.perRow(inst.type);
        emitVector(this, inst, Math.floor(i / perRow), i % perRow);
      } else {
        emitScalar(this, inst, i);
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
      if (levelOf(this, inst) === 'function') continue;
      for (const offset of wordsOf(inst)) {
        this.word(offset);
        this.c.f.op(Wasm.drop);
      }
    }
  }
}
