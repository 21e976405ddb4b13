// SPDX-License-Identifier: MIT
//
// Alias analysis: which object an address points into, and so which accesses may alias. An address is traced through sums,
// selects and block parameters to an argument, a variable or an allocation.
import { type KernelSignature, mustBeSeparate } from '../../base/kernel-abi';
import { meet, type Origins, traceOrigins, UNKNOWN } from '../analyses/address-origins';
import { type AddressSpace, type Func, type Inst, Op, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';

/** An access to memory, or all memory that an operation may access. */
export interface Access {
  readonly root: Inst | undefined;
  readonly space: AddressSpace;
  /** Where the extent is known. */
  readonly address?: Value;
  readonly offset?: number;
  readonly size?: number;
}

type Known = Inst | typeof UNKNOWN;

/** Whether two accesses may be to the same memory: 'if overlapping' if they may, unless the memory of arguments is separate. */
export type Aliasing = 'never' | 'if overlapping' | 'maybe';

export class MemoryRoots {
  private readonly roots: Readonly<Origins<Inst>>;
  private readonly restrict = new Set<number>();
  /** Whether nothing may be assumed of the memory of arguments. */
  private hides: boolean | undefined;
  /** By pair of arguments: whether launches compare their memory. */
  private readonly compared: (boolean | undefined)[] = [];

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
  ) {
    signature.arguments.forEach((argument, index) => {
      if (argument.typeQualifiers.includes('restrict')) this.restrict.add(index);
    });
    this.roots = traceOrigins(func, (inst, known) => this.originOf(inst, known));
  }

  rootOf(address: Value): Inst | undefined {
    const root = this.roots[address.id];
    return root === UNKNOWN ? undefined : root;
  }

  isRestrict(root: Inst | undefined): boolean {
    return root?.op === Op.Argument && this.restrict.has(root.facts.index!);
  }

  private originOf(inst: Inst, roots: Origins<Inst>): Known | undefined {
    switch (inst.op) {
      case Op.Argument:
        return inst.facts.space !== undefined && this.signature.arguments[inst.facts.index!]?.kind !== 'value'
          ? inst
          : UNKNOWN;
      case Op.LocalBase:
      case Op.ProgramBase:
      case Op.PrivateAlloca:
        return inst;
      case Op.Add: {
        const [a, b] = [roots[inst.operands[0]!.id], roots[inst.operands[1]!.id]];
        if (a === undefined || b === undefined) return undefined;
        // Pointer plus index; an index has no root.
        if (a === UNKNOWN) return b;
        return b === UNKNOWN ? a : UNKNOWN;
      }
      case Op.Sub:
        return roots[inst.operands[1]!.id] === UNKNOWN ? roots[inst.operands[0]!.id] : UNKNOWN;
      case Op.Select:
        return meet(roots[inst.operands[1]!.id], roots[inst.operands[2]!.id]);
      default:
        return UNKNOWN;
    }
  }

  /** The memory that a load, a store or an atomic operation accesses. */
  access(inst: Inst): Access {
    const address = inst.operands[0]!;
    const root = this.rootOf(address);
    const type = inst.op === Op.Store || inst.op === Op.AtomicStore ? inst.operands[1]!.type : inst.type;
    return {
      root,
      space: spaceOfRoot(root) ?? inst.facts.space ?? 'generic',
      address,
      offset: inst.facts.offset ?? 0,
      size: bytesOf(type),
    };
  }

  /** Whether two accesses may be to the same memory, in the launches for which the kernel is compiled. */
  mayAlias(a: Access, b: Access): boolean {
    const aliasing = this.aliasing(a, b);
    return aliasing === 'if overlapping' ? !isSeparate(this.func) : aliasing === 'maybe';
  }

  aliasing(a: Access, b: Access): Aliasing {
    if (a.address && a.address === b.address) {
      const [x, y] = [a.offset!, b.offset!];
      return x < y + b.size! && y < x + a.size! ? 'maybe' : 'never';
    }
    if (disjointSpaces(a.space, b.space)) return 'never';
    // An address of unknown origin may be based on any object, a restrict one included.
    if (!a.root || !b.root) return 'maybe';
    if (a.root === b.root) return 'maybe';
    if (a.root.op === Op.Argument && b.root.op === Op.Argument) {
      // Two buffer arguments may be the same buffer; each local argument has its own memory.
      if (a.space === 'local') return 'never';
      if (this.isRestrict(a.root) || this.isRestrict(b.root)) return 'never';
      return this.launchesCompare(a.root, b.root) ? 'if overlapping' : 'maybe';
    }
    return 'never';
  }

  /** Whether launches find out if the memory of two arguments overlaps. */
  private launchesCompare(a: Inst, b: Inst): boolean {
    const args = this.signature.arguments;
    const pair = a.facts.index! * args.length + b.facts.index!;
    // Each store is compared with all known contents of memory.
    let compare = this.compared[pair];
    if (compare === undefined) {
      compare = mustBeSeparate(args[a.facts.index!]!, args[b.facts.index!]!) && !this.hidesAccesses();
      this.compared[pair] = compare;
    }
    return compare;
  }

  /** Whether the kernel may access memory that its addresses do not show, or wait for what others write. */
  hidesAccesses(): boolean {
    this.hides ??= this.func.makesAddresses || hidesAccesses(this.func, this.roots);
    return this.hides;
  }
}

/** Whether the function is compiled for separate arguments, where that makes a difference. */
export function isSeparate(func: Func): boolean {
  func.dependsOnSeparate = true;
  return func.separate;
}

/** Whether no store of the kernel reaches what a load reads. Call it only if the code depends on the answer. */
export function isUnwritten(func: Func, { facts: { invariant } }: Inst): boolean {
  return invariant === 'ifSeparate' ? isSeparate(func) : invariant === true;
}

/**
 * Whether a function computes a distance between objects, which leads from one to the other, or may wait for other kernels or
 * the host to write memory.
 */
function hidesAccesses({ blocks, idBound }: Func, roots: Readonly<Origins<Inst>>): boolean {
  const used = new Uint8Array(idBound);
  const shared: Inst[] = [];
  for (const block of blocks) {
    for (const inst of block.insts) {
      const { op, operands } = inst;
      if (op === Op.Sub && roots[operands[1]!.id] !== UNKNOWN)
        if (roots[operands[0]!.id] !== roots[operands[1]!.id]) return true;
      if (isFence(inst)) return true;
      for (let i = 0; i < operands.length; i++) used[operands[i]!.id] = 1;
      if (isSharedAtomic(inst)) shared.push(inst);
    }
    for (const { id } of block.terminator.operands) used[id] = 1;
    for (const target of block.targets) for (const { id } of target.arguments) used[id] = 1;
  }
  // Others do not depend on what was written before.
  return shared.some(({ id }) => used[id] === 1);
}

function isFence({ op, facts: { memoryScope } }: Inst): boolean {
  return (
    op === Op.Fence || (op === Op.Barrier && (memoryScope === 'device' || memoryScope === 'all-devices'))
  );
}

function isSharedAtomic({ op, facts: { space } }: Inst): boolean {
  return op >= Op.AtomicLoad && op <= Op.AtomicCmpXchg && space !== 'local' && space !== 'private';
}

export function spaceOfRoot(root: Inst | undefined): AddressSpace | undefined {
  switch (root?.op) {
    case Op.PrivateAlloca:
      return 'private';
    case Op.LocalBase:
      return 'local';
    case Op.Argument:
      return root.facts.space === 'generic' ? undefined : root.facts.space;
    default:
      return undefined;
  }
}

/** Constant memory is global memory that this program does not write, but one buffer may be bound to arguments of both kinds. */
function disjointSpaces(a: AddressSpace, b: AddressSpace): boolean {
  const kind = (s: AddressSpace) => (s === 'constant' ? 'global' : s);
  return a !== 'generic' && b !== 'generic' && kind(a) !== kind(b);
}
