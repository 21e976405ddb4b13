// SPDX-License-Identifier: MIT
//
// For memories with 64-bit addresses: which extensions of 32-bit numbers are indices of elements of 4 bytes or more, and nothing else.
//
// Such a memory has 16 GB at most, so 2^32 of these elements are more than all of it. Neighbouring work-items whose indices wrap
// between them cannot both have an element: the index 2^32 - 1 is beyond every memory that has the index 0. So the extension may be
// taken from one lane, and the others' are a constant distance away, as if nothing wrapped: their accesses are contiguous. The lane is
// the one on the side where elements can be (emit/index-extensions.ts).
import { Uses } from '../analyses/uses';
import { constantAmount, constantOf } from '../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../ir/ir';

/** With smaller elements, a buffer can have both ends of the numbers of 32 bits. */
const LEAST_ELEMENT = 4;
/** The limit of constants that are added to an index, and of elements: far below what makes the ends of the range meet. */
const LARGEST = 2 ** 20;

export function markIndexes(func: Func): boolean {
  if (func.addressBits === 32) return false;
  let uses: Uses | undefined;
  let changed = false;
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (!isExtension(inst) || inst.facts.isIndex) continue;
      uses ??= new Uses(func);
      if (!new Paths(uses).areIndices(inst, 1)) continue;
      inst.facts = { ...inst.facts, isIndex: true };
      changed = true;
    }
  return changed;
}

const isExtension = ({ op, type, operands }: Inst): boolean =>
  (op === Op.SExt || op === Op.ZExt) && type === Type.I64 && operands[0]!.type === Type.I32;

/** The ways from an extension to the accesses that use it. */
class Paths {
  private readonly addresses = new Set<Value>();

  constructor(private readonly uses: Uses) {}

  /** Whether all uses of a number lead to accesses, where it has a factor of the least element or more. */
  areIndices(number: Value, factor: number): boolean {
    return (
      this.uses.paramsGiven(number).length === 0 &&
      this.uses.usersOf(number).every((user) => this.isIndexOf(user, number, factor))
    );
  }

  private isIndexOf(user: Inst, number: Value, factor: number): boolean {
    const [a, b] = user.operands as [Value, Value | undefined];
    if (user.op === Op.Add) {
      const added = constantOf(a === number ? b! : a);
      if (added === undefined) return factor >= LEAST_ELEMENT && this.isAddress(user);
      return Math.abs(Number(added)) * factor < LARGEST && this.areIndices(user, factor);
    }
    const times = a === number ? factorOf(user) : undefined;
    return times !== undefined && factor * times < LARGEST && this.areIndices(user, factor * times);
  }

  /** Whether a value is used as an address only. */
  private isAddress(value: Value): boolean {
    if (this.addresses.has(value)) return true;
    this.addresses.add(value);
    return (
      this.uses.paramsGiven(value).every((param) => this.isAddress(param)) &&
      this.uses
        .usersOf(value)
        .every((user) =>
          user.op === Op.Add
            ? this.isAddress(user)
            : ACCESSES.has(user.op) && user.operands.lastIndexOf(value) === 0,
        )
    );
  }
}

const ACCESSES: ReadonlySet<Op> = new Set([
  Op.Load,
  Op.Store,
  Op.AtomicLoad,
  Op.AtomicStore,
  Op.AtomicRmw,
  Op.AtomicCmpXchg,
]);

/** The constant that an instruction multiplies its first operand by. */
function factorOf({ op, operands }: Inst): number | undefined {
  if (op === Op.Shl) {
    const by = constantAmount(operands[1]!);
    return by === undefined ? undefined : 2 ** Number(by);
  }
  const by = op === Op.Mul ? constantOf(operands[1]!) : undefined;
  return by !== undefined && Number(by) > 0 ? Number(by) : undefined;
}
