// SPDX-License-Identifier: MIT
//
// Alias analysis: which object an address points into, and so which accesses may alias. An address is traced through sums,
// selects and block parameters to an argument, a variable or an allocation.
import type { KernelSignature } from '../../base/kernel-abi';
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

export class MemoryRoots {
  private readonly roots: Readonly<Origins<Inst>>;
  private readonly restrict = new Set<number>();

  constructor(
    func: Func,
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

  mayAlias(a: Access, b: Access): boolean {
    if (a.address && a.address === b.address) {
      const [x, y] = [a.offset!, b.offset!];
      return x < y + b.size! && y < x + a.size!;
    }
    if (disjointSpaces(a.space, b.space)) return false;
    // An address of unknown origin may be based on any object, a restrict one included.
    if (!a.root || !b.root) return true;
    if (a.root === b.root) return true;
    if (a.root.op === Op.Argument && b.root.op === Op.Argument) {
      // Two buffer arguments may be the same buffer; each local argument has its own memory.
      if (a.space === 'local') return false;
      return !(this.isRestrict(a.root) || this.isRestrict(b.root));
    }
    return false;
  }
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
