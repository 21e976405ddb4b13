// SPDX-License-Identifier: MIT
//
// `size_t i = get_global_id(0); if (i < n)` with an int n compares 64 bits, of an id without a sign and a number with one. It is a
// comparison of 32 bits unless n is negative, which is the same for all work-items: so it is a guard, as `(int)i < n` is.
import { type Divergence, X } from '../../analyses/divergence';
import { Leaves, makeInst } from '../../ir/build';
import { SWAPPED } from '../../ir/comparisons';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';

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

export function compareExtended(func: Func, divergence: () => Divergence): boolean {
  let leaves: Leaves | undefined;
  const varies = (v: Value) => (divergence().dims[v.id]! & X) !== 0;
  for (const block of func.blocks)
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      const mixed = mixedComparison(inst);
      if (!mixed) continue;
      const { rule, unsigned, signed } = mixed;
      if (!varies(unsigned) || varies(signed)) continue;
      leaves ??= new Leaves(func);
      const make = (op: Op, ...operands: Value[]) =>
        makeInst(func, block, op, Type.I1, operands, {}, inst.position);
      const known = make(rule.ifNegative ? Op.SLt : Op.SGe, signed, leaves.i32(0));
      const compared = make(rule.op, unsigned, signed);
      block.insts.splice(i, 0, known, compared);
      i += 2;
      inst.op = rule.ifNegative ? Op.Or : Op.And;
      inst.operands = [compared, known];
    }
  return leaves !== undefined;
}

/** A comparison of 64 bits of a zero-extended and a sign-extended number of 32 bits. */
function mixedComparison({
  op,
  operands,
}: Inst): { readonly rule: Rule; readonly unsigned: Value; readonly signed: Value } | undefined {
  if (!(op >= Op.Eq && op <= Op.UGe)) return undefined;
  const [a, b] = operands as [Value, Value];
  const unsigned = extendedBy(Op.ZExt, a) ?? extendedBy(Op.ZExt, b);
  const signed = extendedBy(Op.SExt, a) ?? extendedBy(Op.SExt, b);
  if (!unsigned || !signed) return undefined;
  const isSwapped = extendedBy(Op.ZExt, a) === undefined;
  const rule = RULES[isSwapped ? (SWAPPED[op] ?? op) : op];
  return rule && { rule, unsigned, signed };
}

function extendedBy(op: Op, value: Value): Value | undefined {
  const from =
    value.kind === 'inst' && value.op === op && value.type === Type.I64 ? value.operands[0] : undefined;
  return from?.type === Type.I32 ? from : undefined;
}
