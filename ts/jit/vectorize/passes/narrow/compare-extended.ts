// SPDX-License-Identifier: MIT
//
// `size_t i = get_global_id(0); if (i < n)` compares 64 bits. With an n that is the same for all work-items it is a comparison of 32 bits and
// a condition that is the same for all, so it is a guard, as `(int)i < n` is: an int n may be negative, and a long or ulong n may have more bits.
import { type Divergence, X } from '../../../analyses/divergence';
import { Leaves, makeInst } from '../../../ir/build';
import { SWAPPED } from '../../../ir/comparisons';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';

interface Rule {
  /** The comparison of the numbers of 32 bits, if the second one is not negative. */
  readonly op: Op;
  /** The result if it is: a number with a sign is less than all without one; as one without a sign it is greater than those. */
  readonly ifNegative: boolean;
}

/** By comparison of a zero-extended number with a sign-extended one. */
const RULES: Partial<Record<Op, Rule>> = {
  [Op.Eq]: { op: Op.Eq, ifNegative: false },
  [Op.Ne]: { op: Op.Ne, ifNegative: true },
  [Op.ULt]: { op: Op.ULt, ifNegative: true },
  [Op.ULe]: { op: Op.ULe, ifNegative: true },
  [Op.UGt]: { op: Op.UGt, ifNegative: false },
  [Op.UGe]: { op: Op.UGe, ifNegative: false },
  [Op.SLt]: { op: Op.ULt, ifNegative: false },
  [Op.SLe]: { op: Op.ULe, ifNegative: false },
  [Op.SGt]: { op: Op.UGt, ifNegative: true },
  [Op.SGe]: { op: Op.UGe, ifNegative: true },
};

/** By comparison without signs of a zero-extended number with one of 64 bits: the result if that has more than 32. */
const IF_LARGE: Partial<Record<Op, boolean>> = {
  [Op.Eq]: false,
  [Op.Ne]: true,
  [Op.ULt]: true,
  [Op.ULe]: true,
  [Op.UGt]: false,
  [Op.UGe]: false,
};

/** By comparison with signs: that without, with the limit, which is not negative, or, `next`, with the next one. */
const UNSIGNED: Partial<Record<Op, readonly [op: Op, next: boolean]>> = {
  [Op.SLt]: [Op.ULt, false],
  [Op.SGe]: [Op.UGe, false],
  [Op.SLe]: [Op.ULt, true],
  [Op.SGt]: [Op.UGe, true],
};

const LARGEST = 0xffff_ffffn;

type Make = (op: Op, type: Type, ...operands: Value[]) => Inst;

/** A comparison of 32 bits, the condition that is the same for all, and how they are combined. */
interface Parts {
  readonly compared: Inst;
  readonly known: Inst;
  readonly combine: Op.And | Op.Or;
}

export function compareExtended(func: Func, divergence: () => Divergence): boolean {
  let leaves: Leaves | undefined;
  const varies = (v: Value) => (divergence().dims[v.id]! & X) !== 0;
  for (const block of func.blocks)
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      const extended = extendedComparison(inst);
      if (!extended || !varies(extended.unsigned) || varies(extended.other)) continue;
      leaves ??= new Leaves(func);
      const make: Make = (op, type, ...operands) => {
        const made = makeInst(func, block, op, type, operands, {}, inst.position);
        block.insts.splice(i++, 0, made);
        return made;
      };
      const { compared, known, combine } =
        mixedParts(extended, leaves, make) ?? wideParts(extended, leaves, make);
      inst.op = combine;
      inst.operands = [compared, known];
    }
  return leaves !== undefined;
}

/** With an int. */
function mixedParts({ op, unsigned, other }: Extended, leaves: Leaves, make: Make): Parts | undefined {
  const signed = extendedBy(Op.SExt, other);
  if (!signed) return undefined;
  const rule = RULES[op]!;
  return {
    known: make(rule.ifNegative ? Op.SLt : Op.SGe, Type.I1, signed, leaves.i32(0)),
    compared: make(rule.op, Type.I1, unsigned, signed),
    combine: rule.ifNegative ? Op.Or : Op.And,
  };
}

/** With a number of 64 bits. */
function wideParts({ op: given, unsigned, other }: Extended, leaves: Leaves, make: Make): Parts {
  const constant = (value: bigint) => leaves.constant(Type.I64, value);
  const [op, next] = UNSIGNED[given] ?? [given, false];
  let limit = other;
  if (next)
    limit = make(Op.Add, Type.I64, make(Op.SMin, Type.I64, limit, constant(LARGEST + 1n)), constant(1n));
  if (op !== given) limit = make(Op.SMax, Type.I64, limit, constant(0n));
  const ifLarge = IF_LARGE[op]!;
  return {
    known: make(ifLarge ? Op.UGt : Op.ULe, Type.I1, limit, constant(LARGEST)),
    compared: make(op, Type.I1, unsigned, make(Op.Trunc, Type.I32, limit)),
    combine: ifLarge ? Op.Or : Op.And,
  };
}

/** A comparison of 64 bits of a zero-extended number of 32 bits, as its first operand, with one that is none. */
interface Extended {
  readonly op: Op;
  readonly unsigned: Value;
  readonly other: Value;
}

function extendedComparison({ op, operands }: Inst): Extended | undefined {
  if (!(op >= Op.Eq && op <= Op.UGe)) return undefined;
  const [a, b] = operands as [Value, Value];
  const [first, second] = [extendedBy(Op.ZExt, a), extendedBy(Op.ZExt, b)];
  if ((first === undefined) === (second === undefined)) return undefined;
  const [unsigned, other] = first ? [first, b] : [second!, a];
  if (other.kind === 'inst' && other.op === Op.Const) return undefined;
  return { op: first ? op : (SWAPPED[op] ?? op), unsigned, other };
}

function extendedBy(op: Op, value: Value): Value | undefined {
  const from =
    value.kind === 'inst' && value.op === op && value.type === Type.I64 ? value.operands[0] : undefined;
  return from?.type === Type.I32 ? from : undefined;
}
