// SPDX-License-Identifier: MIT
//
// Accesses that need no call while they stay in their object: reads of arguments that nothing in the launch writes, where the device
// says in how many bytes no read is a fault (`REGION.readable`), and accesses to objects in local memory, once the first group has
// shown that no group has a fault there (`CHECK_BLOCK.known`). The kernel compares.
import { CHECK_BLOCK, type CheckRegion, KNOWN_REGIONS, REGION } from '../../base/checks';
import type { KernelSignature } from '../../base/kernel-abi';
import { type Leaves, makeInst } from '../ir/build';
import { type Block, type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';

export class AccessLimits {
  /** Call it before anything else. */
  private readonly first: Inst[] = [];
  private readonly known = new Map<string, Inst>();

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
    private readonly leaves: Leaves,
    /** Whether launches may find objects that all groups access alike. */
    private readonly hasPatterns: boolean,
  ) {}

  /**
   * The base of the object that a pointer leads into, and the limit of offsets at which an access of `size` bytes may begin;
   * undefined where each access is a call.
   */
  of(
    root: Inst | undefined,
    number: number,
    region: CheckRegion | undefined,
    size: number,
    isRead: boolean,
  ): readonly [Value, Value] | undefined {
    if (!root) return undefined;
    const isArgument = root.op === Op.Argument;
    if (isArgument && this.signature.arguments[root.facts.index!]!.kind === 'buffer')
      return isRead ? [this.word(number, REGION.base), this.readable(number, size)] : undefined;
    if (!this.hasPatterns || number >= KNOWN_REGIONS) return undefined;
    if (isArgument && region?.isLocal)
      return [root, this.ofKnown(number, size, () => this.within(number, REGION.size, size))];
    if (root.op !== Op.LocalBase || region?.kind !== 'local' || region.size! < size) return undefined;
    return [root, this.ofKnown(number, size, () => this.leaves.i32(region.size! - size + 1))];
  }

  addTo(start: Block): void {
    for (const inst of this.first) inst.block = start;
    start.insts = [...this.first, ...start.insts];
  }

  private readable(index: number, size: number): Value {
    return this.once(`limit ${index} ${size}`, () => this.within(index, REGION.readable, size));
  }

  private ofKnown(number: number, size: number, limit: () => Value): Value {
    return this.once(`known ${number} ${size}`, () => {
      const { leaves } = this;
      const all = this.load(CHECK_BLOCK.known);
      const bit = this.emit(Op.And, Type.I32, [all, leaves.i32(2 ** number)]);
      const isKnown = this.emit(Op.Ne, Type.I1, [bit, leaves.i32(0)]);
      return this.emit(Op.Select, Type.I32, [isKnown, limit(), leaves.i32(0)]);
    });
  }

  /** The limit for accesses of `size` bytes in as many bytes as a word of the argument's region says. */
  private within(index: number, word: number, size: number): Inst {
    const { leaves } = this;
    const bytes = this.word(index, word);
    const isEnough = this.emit(Op.UGe, Type.I1, [bytes, leaves.i32(size)]);
    const limit = this.emit(Op.Sub, Type.I32, [bytes, leaves.i32(size - 1)]);
    return this.emit(Op.Select, Type.I32, [isEnough, limit, leaves.i32(0)]);
  }

  private word(index: number, word: number): Inst {
    return this.load(CHECK_BLOCK.header + index * REGION.bytes + word);
  }

  private load(offset: number): Inst {
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
