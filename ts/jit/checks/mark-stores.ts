// SPDX-License-Identifier: MIT
//
// For watched launches (docs/adr/0048-watched-launches.md): each store to the memory of an argument also marks its bytes, in memory of
// the launch's own. It runs before all passes that move or remove a store.
import { WATCH_BLOCK } from '../../base/checks';
import type { KernelSignature } from '../../base/kernel-abi';
import { Leaves, makeInst } from '../ir/build';
import { type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { bytesOf, integerOfBits } from '../ir/types';
import { MemoryRoots } from '../passes/memory-roots';

export function markStores(func: Func, signature: KernelSignature): void {
  new Marker(func, signature).run();
}

/** All bits of a mark are set. */
const MARK = -1;

class Marker {
  private readonly roots: MemoryRoots;
  private readonly leaves: Leaves;
  /** Before anything else: by argument, how far the marks are from the memory. */
  private readonly first: Inst[] = [];
  private readonly distances = new Map<number, Value>();

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
  ) {
    this.roots = new MemoryRoots(func, signature);
    this.leaves = new Leaves(func);
  }

  run(): void {
    const { entry, blocks } = this.func;
    for (const block of blocks) block.insts = block.insts.flatMap((inst) => [inst, ...this.marksOf(inst)]);
    const start = entry.targets[0]!.block;
    for (const inst of this.first) inst.block = start;
    start.insts = [...this.first, ...start.insts];
  }

  private marksOf(inst: Inst): Inst[] {
    const { op, operands, facts } = inst;
    if (op !== Op.Store && op !== Op.Copy) return [];
    const address = operands[0]!;
    const root = this.roots.rootOf(address);
    if (root?.op !== Op.Argument || this.signature.arguments[root.facts.index!]!.kind !== 'buffer') return [];
    const made: Inst[] = [];
    const emit = (of: Op, type: Type, values: readonly Value[], more: InstFacts = {}): Inst => {
      const added = makeInst(this.func, inst.block!, of, type, values, more, inst.position);
      made.push(added);
      return added;
    };
    let at = emit(Op.Add, Type.I32, [address, this.distanceOf(root.facts.index!)]);
    if (facts.offset) at = emit(Op.Add, Type.I32, [at, this.leaves.i32(facts.offset)]);
    const mark = (type: Type, offset: number, align: number): void => {
      emit(Op.Store, Type.Void, [at, this.markOf(type)], { offset, align, space: 'global' });
    };
    if (op === Op.Store) {
      const size = bytesOf(operands[1]!.type);
      mark(integerOfBits(size * 8)!, 0, facts.align ?? 1);
    } else
      for (let done = 0; done < facts.size!; ) {
        const type = facts.size! - done >= 4 ? Type.I32 : Type.I8;
        mark(type, done, 1);
        done += bytesOf(type);
      }
    return made;
  }

  private markOf(type: Type): Value {
    return this.leaves.constant(type, type === Type.I64 ? BigInt(MARK) : MARK);
  }

  private distanceOf(argument: number): Value {
    let distance = this.distances.get(argument);
    if (!distance) {
      const block = this.leaves.leaf(Op.CheckBlock, Type.I32);
      const facts = {
        offset: argument * WATCH_BLOCK.entry,
        align: 4,
        space: 'constant',
        invariant: true,
      } as const;
      const load = makeInst(this.func, this.func.entry, Op.Load, Type.I32, [block], facts);
      this.first.push(load);
      this.distances.set(argument, load);
      distance = load;
    }
    return distance;
  }
}
