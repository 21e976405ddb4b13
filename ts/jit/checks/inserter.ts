// SPDX-License-Identifier: MIT
//
// Rewrites a function block by block: copies each instruction, and adds the code of its checks before or after it.
import type { CheckCall } from '../../base/checks';
import { CHECK_CALLS } from '../../base/checks';
import { Leaves, makeInst } from '../ir/build';
import {
  type Block,
  type Func,
  type Inst,
  type InstFacts,
  Op,
  type SourcePosition,
  Type,
  type Value,
} from '../ir/ir';

export class Inserter {
  readonly leaves: Leaves;
  readonly item: Value;
  private out: Inst[] = [];
  private block: Block;
  private position: SourcePosition | undefined;

  constructor(readonly func: Func) {
    this.leaves = new Leaves(func);
    this.item = this.leaves.leaf(Op.LocalLinearId, Type.I32);
    this.block = func.entry;
  }

  startBlock(block: Block): void {
    this.block = block;
    this.out = [];
  }

  /** Added code gets the source position of this instruction. */
  at({ position }: Inst): void {
    this.position = position;
  }

  pass(inst: Inst): void {
    this.out.push(inst);
  }

  endBlock(): void {
    this.block.insts = this.out;
  }

  i32(value: number): Value {
    return this.leaves.i32(value);
  }

  emit(op: Op, type: Type, operands: readonly Value[]): Inst {
    const inst = makeInst(this.func, this.block, op, type, operands, {}, this.position);
    this.out.push(inst);
    return inst;
  }

  /** A call that is made only if an address is not below a limit: `facts` has the offset and the alignment. */
  inlineCall(check: CheckCall, site: number, facts: InstFacts, operands: readonly Value[]): Inst {
    const all = { ...facts, check, site };
    const inst = makeInst(this.func, this.block, Op.Check, Type.I32, operands, all, this.position);
    this.out.push(inst);
    return inst;
  }

  call(check: CheckCall, site: number, ...operands: Value[]): Inst {
    const type = CHECK_CALLS[check].result ? Type.I32 : Type.Void;
    const inst = makeInst(this.func, this.block, Op.Check, type, operands, { check, site }, this.position);
    this.out.push(inst);
    return inst;
  }
}
