// SPDX-License-Identifier: MIT
//
// Which memory a pointer was made from: that which an access through it is kept to. A wrong answer would only keep an access to
// the wrong memory, never let it out of what the kernel was given.
import { IMAGE_DESCRIPTOR, type KernelSignature } from '../../base/kernel-abi';
import { meet, type Origins as Traced, traceOrigins, UNKNOWN } from '../analyses/address-origins';
import { type Func, type Inst, Op, Type, type Value } from '../ir/ir';

export type Origin =
  | { readonly kind: 'argument' | 'image'; readonly index: number }
  | { readonly kind: 'local' | 'program' | 'region' }
  | { readonly kind: 'private'; readonly alloca: Inst };

type Known = Origin | typeof UNKNOWN;

const LOCAL: Origin = { kind: 'local' };
const PROGRAM: Origin = { kind: 'program' };
const REGION: Origin = { kind: 'region' };

export class Origins {
  private readonly known: Readonly<Traced<Origin>>;
  private readonly interned = new Map<string, Origin>();

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
  ) {
    this.known = traceOrigins(func, (inst, known) => this.originOf(inst, known));
  }

  /** Undefined for pointers from memory, from integers, or into one of several objects. */
  of(address: Value): Origin | undefined {
    const known = this.known[address.id];
    return known === UNKNOWN ? undefined : known;
  }

  /** Private variables whose addresses are kept where they cannot be traced. */
  escaped(): Inst[] {
    const all = new Set<Inst>();
    const note = (value: Value): void => {
      const origin = this.of(value);
      if (origin?.kind === 'private') all.add(origin.alloca);
    };
    for (const block of this.func.blocks) {
      for (const inst of block.insts) for (const value of escaping(inst)) if (!this.of(inst)) note(value);
      for (const { block: to, arguments: args } of block.targets)
        args.forEach((value, at) => {
          if (!this.of(to.params[at]!)) note(value);
        });
    }
    return [...all];
  }

  private originOf(inst: Inst, known: Traced<Origin>): Known | undefined {
    const [a, b] = inst.operands.map(({ id }) => known[id]);
    switch (inst.op) {
      case Op.Argument:
        return this.argument(inst);
      case Op.LocalBase:
        return LOCAL;
      case Op.ProgramBase:
        return PROGRAM;
      case Op.EnqueueRegion:
        return REGION;
      case Op.PrivateAlloca:
        return this.intern(`private ${inst.id}`, { kind: 'private', alloca: inst });
      case Op.Load:
        return this.imageData(inst) ?? UNKNOWN;
      case Op.Add:
        if (a === undefined || b === undefined) return undefined;
        // Pointer plus index; an index has no origin.
        if (a === UNKNOWN) return b;
        return b === UNKNOWN ? a : UNKNOWN;
      case Op.Sub:
      case Op.And:
        return b === UNKNOWN ? a : b === undefined ? undefined : UNKNOWN;
      case Op.Select:
        return meet(b, known[inst.operands[2]!.id]);
      default:
        return UNKNOWN;
    }
  }

  private argument(inst: Inst): Known {
    const index = inst.facts.index!;
    switch (this.signature.arguments[index]?.kind) {
      case 'buffer':
      case 'image':
      case 'pipe':
      case 'queue':
        return this.intern(`argument ${index}`, { kind: 'argument', index });
      case 'local':
        return LOCAL;
      default:
        return UNKNOWN;
    }
  }

  /** The address of an image's texels, read from its descriptor. */
  private imageData({ operands: [from], facts, type }: Inst): Known | undefined {
    if (from?.kind !== 'inst' || from.op !== Op.Argument || type !== Type.I32) return undefined;
    const index = from.facts.index!;
    if (this.signature.arguments[index]?.kind !== 'image') return undefined;
    if ((facts.offset ?? 0) !== IMAGE_DESCRIPTOR.data) return undefined;
    return this.intern(`image ${index}`, { kind: 'image', index });
  }

  /** One object for each origin, so that they can be compared. */
  private intern(key: string, origin: Origin): Origin {
    const known = this.interned.get(key);
    if (known) return known;
    this.interned.set(key, origin);
    return origin;
  }
}

/** Operands whose addresses somebody may get hold of. */
function escaping({ op, operands }: Inst): readonly Value[] {
  switch (op) {
    case Op.Load:
    case Op.AtomicLoad:
    case Op.Copy:
    case Op.AsyncCopy:
      return [];
    case Op.Store:
    case Op.AtomicStore:
    case Op.AtomicRmw:
    case Op.AtomicCmpXchg:
      return operands.slice(1);
    default:
      return operands;
  }
}
