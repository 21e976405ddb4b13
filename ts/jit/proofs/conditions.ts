// SPDX-License-Identifier: MIT
//
// Which comparisons hold where: those that decide the branches which dominate a block.
import type { Comparison } from '../../base/access-summary';
import { constantOf } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { type Block, type BlockParam, type Func, Op, type Target, Type, type Value } from '../ir/ir';
import { entryEdge } from '../ir/taken-branches';

export interface Condition {
  readonly a: Value;
  readonly by: Comparison;
  readonly b: Value;
}

/** Conditions that hold; `isAll`: the control flow depends on nothing else. */
export interface Conditions {
  readonly list: readonly Condition[];
  readonly isAll: boolean;
}

const NONE: Conditions = { list: [], isAll: false };

const COMPARISON: ReadonlyMap<Op, Comparison> = new Map([
  [Op.SLt, 'slt'],
  [Op.SLe, 'sle'],
  [Op.SGt, 'sgt'],
  [Op.SGe, 'sge'],
  [Op.ULt, 'ult'],
  [Op.ULe, 'ule'],
  [Op.UGt, 'ugt'],
  [Op.UGe, 'uge'],
  [Op.Eq, 'eq'],
  [Op.Ne, 'ne'],
]);
const NEGATED: Readonly<Record<Comparison, Comparison>> = {
  slt: 'sge',
  sle: 'sgt',
  sgt: 'sle',
  sge: 'slt',
  ult: 'uge',
  ule: 'ugt',
  ugt: 'ule',
  uge: 'ult',
  eq: 'ne',
  ne: 'eq',
};
const SWAPPED: Readonly<Record<Comparison, Comparison>> = {
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
  eq: 'eq',
  ne: 'ne',
};

export const comparisonOf = (op: Op): Comparison | undefined => COMPARISON.get(op);

export const swapped = ({ a, by, b }: Condition): Condition => ({ a: b, by: SWAPPED[by], b: a });

/** An edge of the control flow. */
export interface Edge {
  readonly from: Block;
  readonly target: Target;
}

export class ControlConditions {
  private readonly atBlocks = new Map<Block, readonly Condition[]>();
  private readonly dominators;

  constructor(func: Func) {
    this.dominators = dominatorsOf(func);
  }

  /** What holds in a block. */
  at(block: Block): readonly Condition[] {
    const known = this.atBlocks.get(block);
    if (known) return known;
    const above = this.dominators.idomOf(block);
    const own = above ? [...this.at(above), ...this.entering(above, block).list] : [];
    this.atBlocks.set(block, own);
    return own;
  }

  /** What holds on an edge. */
  on({ from, target }: Edge): readonly Condition[] {
    return [...this.at(from), ...this.deciding(from, target).list];
  }

  /** What decides that control goes from a block to one that it dominates immediately, if one edge leads there. */
  entering(above: Block, block: Block): Conditions {
    const entry = entryEdge(this.dominators, block);
    return entry?.from === above ? this.deciding(above, entry.target) : NONE;
  }

  private deciding({ terminator, targets }: Block, target: Target): Conditions {
    if (terminator.op === Op.Jump) return { list: [], isAll: true };
    if (terminator.op !== Op.Branch || targets[0]!.block === targets[1]!.block) return NONE;
    return this.of(terminator.operands[0]!, target === targets[0]);
  }

  /** What holds where a truth value is `holds`. */
  of(value: Value, holds: boolean, depth = 0): Conditions {
    if (depth > 32) return NONE;
    if (value.kind === 'param') return this.ofParam(value, holds, depth);
    const [x, y, z] = value.operands as readonly Value[];
    const both = (first: Conditions, second: Conditions): Conditions => ({
      list: [...first.list, ...second.list],
      isAll: first.isAll && second.isAll,
    });
    switch (value.op) {
      case Op.Not:
        return this.of(x!, !holds, depth + 1);
      case Op.And:
      case Op.Or:
        if (holds !== (value.op === Op.And)) return NONE;
        return both(this.of(x!, holds, depth + 1), this.of(y!, holds, depth + 1));
      case Op.Select:
        if (constantOf(holds ? z! : y!) !== (holds ? 0 : 1)) return NONE;
        return both(this.of(x!, holds, depth + 1), this.of(holds ? y! : z!, holds, depth + 1));
      default: {
        const by = COMPARISON.get(value.op);
        if (!by) return NONE;
        const truth = by === 'eq' || by === 'ne' ? truthOf(x!, y!) : undefined;
        if (truth) return this.of(truth, holds === (by === 'ne'), depth + 1);
        return { list: [{ a: x!, by: holds ? by : NEGATED[by], b: y! }], isAll: true };
      }
    }
  }

  /** Of `a && b` as control flow: only the edge with b can have brought `true`. */
  private ofParam(param: BlockParam, holds: boolean, depth: number): Conditions {
    const at = param.block.params.indexOf(param);
    const possible: Edge[] = [];
    for (const from of new Set(this.dominators.preds.get(param.block)))
      for (const target of from.targets)
        if (target.block === param.block && constantOf(target.arguments[at]!) !== (holds ? 0 : 1))
          possible.push({ from, target });
    const [edge] = possible;
    if (possible.length !== 1 || !edge || this.dominators.dominates(param.block, edge.from)) return NONE;
    const value = this.of(edge.target.arguments[at]!, holds, depth + 1);
    return { list: [...this.on(edge), ...value.list], isAll: false };
  }
}

/** The truth value that an integer, which is compared with 0, was made from. */
function truthOf(value: Value, zero: Value): Value | undefined {
  if (value.kind !== 'inst' || Number(constantOf(zero) ?? 1) !== 0) return undefined;
  const [x, y, z] = value.operands as readonly Value[];
  if (value.op === Op.ZExt && x!.type === Type.I1) return x;
  if (value.op !== Op.Select || value.type === Type.I1) return undefined;
  return Number(constantOf(y!) ?? 0) === 1 && Number(constantOf(z!) ?? 1) === 0 ? x : undefined;
}
