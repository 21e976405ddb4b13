// SPDX-License-Identifier: MIT
//
// Reads of arguments that nothing in the launch writes need no call: the device says in how many bytes no read is a fault
// (`REGION.readable`), and the kernel compares.
import { CHECK_BLOCK, REGION } from '../../base/checks';
import type { KernelSignature } from '../../base/kernel-abi';
import { type Leaves, makeInst } from '../ir/build';
import { type Block, type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';

export class ReadLimits {
  /** Call it before anything else. */
  private readonly first: Inst[] = [];
  private readonly known = new Map<string, Inst>();

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
    private readonly leaves: Leaves,
  ) {}

  /** The base of an argument's memory, and the limit of offsets at which a read of `size` bytes may begin. */
  of(root: Inst | undefined, size: number): readonly [Value, Value] | undefined {
    if (root?.op !== Op.Argument || this.signature.arguments[root.facts.index!]!.kind !== 'buffer')
      return undefined;
    const index = root.facts.index!;
    return [this.word(index, REGION.base), this.limit(index, size)];
  }

  addTo(start: Block): void {
    for (const inst of this.first) inst.block = start;
    start.insts = [...this.first, ...start.insts];
  }

  private limit(index: number, size: number): Value {
    const { leaves } = this;
    return this.once(`limit ${index} ${size}`, () => {
      const readable = this.word(index, REGION.readable);
      const isEnough = this.emit(Op.UGe, Type.I1, [readable, leaves.i32(size)]);
      const limit = this.emit(Op.Sub, Type.I32, [readable, leaves.i32(size - 1)]);
      return this.emit(Op.Select, Type.I32, [isEnough, limit, leaves.i32(0)]);
    });
  }

  private word(index: number, word: number): Inst {
    const offset = CHECK_BLOCK.header + index * REGION.bytes + word;
    return this.once(`word ${offset}`, () => {
      const block = this.leaves.leaf(Op.CheckBlock, Type.I32);
      return this.emit(Op.Load, Type.I32, [block], { offset, align: 4, space: 'constant', invariant: true });
    });
  }

  private once(key: string, make: () => Inst): Inst {
    let inst = this.known.get(key);
    if (!inst) {
      inst = make();
      this.known.set(key, inst);
    }
    return inst;
  }

  private emit(op: Op, type: Type, operands: readonly Value[], facts: InstFacts = {}): Inst {
    const inst = makeInst(this.func, this.func.entry, op, type, operands, facts);
    this.first.push(inst);
    return inst;
  }
}
