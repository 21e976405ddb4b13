// SPDX-License-Identifier: MIT
//
// Which object a pointer was made from: the object that an access through it must stay in.
import type { KernelSignature } from '../../base/kernel-abi';
import { type Func, type Inst, Op, type Value } from '../ir/ir';
import { MemoryRoots } from '../passes/memory-roots';

/** Kinds of arguments whose memory only the built-in library accesses. */
const OWN_BY_LIBRARY = new Set(['image', 'sampler', 'pipe', 'queue']);

export class Provenance {
  private readonly roots: MemoryRoots;
  private readonly owned = new Map<Value, boolean>();

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
  ) {
    this.roots = new MemoryRoots(func, signature);
  }

  /** The argument, variable or allocation; undefined for pointers from memory, from integers, or from one of several objects. */
  rootOf(address: Value): Inst | undefined {
    return this.roots.rootOf(address);
  }

  /** Whether an access is one to an object of the library, such as an image: the library's code stays in bounds. */
  isOfLibrary(access: Inst, address: Value): boolean {
    if (this.rootOf(address)) return false;
    return access.facts.isOfLibrary === true || this.pointsIntoLibrary(address);
  }

  private pointsIntoLibrary(address: Value): boolean {
    if (this.rootOf(address)) return false;
    const known = this.owned.get(address);
    if (known !== undefined) return known;
    this.owned.set(address, false);
    const result = this.leadsIntoLibrary(address);
    this.owned.set(address, result);
    return result;
  }

  private leadsIntoLibrary(value: Value): boolean {
    if (value.kind === 'param') return this.argumentsOf(value).some((arg) => this.pointsIntoLibrary(arg));
    switch (value.op) {
      case Op.EnqueueRegion:
      case Op.Counters:
        return true;
      case Op.Argument:
        return OWN_BY_LIBRARY.has(this.signature.arguments[value.facts.index!]?.kind ?? '');
      case Op.Const:
        return false;
      default:
        // Sums, and addresses that the library has read in such an object.
        return value.operands.some((operand) => this.pointsIntoLibrary(operand));
    }
  }

  private argumentsOf(param: Value): Value[] {
    const args: Value[] = [];
    const at = param.block.params.findIndex((p) => p === param);
    for (const block of this.func.blocks)
      for (const target of block.targets) if (target.block === param.block) args.push(target.arguments[at]!);
    return args;
  }
}
