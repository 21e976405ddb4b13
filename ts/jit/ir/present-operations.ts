// SPDX-License-Identifier: MIT
import { type Func, Op } from './ir';

/** Which operations a function has, its blocks' last instructions included. */
export class PresentOperations {
  /** A bit for each operation. */
  private readonly bits = new Int32Array((Op.Unreachable >> 5) + 1);

  constructor(func: Func) {
    for (const { insts, terminator } of func.blocks) {
      for (let at = 0; at < insts.length; at++) this.add(insts[at]!.op);
      this.add(terminator.op);
    }
  }

  private add(op: Op): void {
    this.bits[op >> 5]! |= 1 << (op & 31);
  }

  hasOneOf(ops: readonly Op[]): boolean {
    return ops.some((op) => (this.bits[op >> 5]! & (1 << (op & 31))) !== 0);
  }
}
