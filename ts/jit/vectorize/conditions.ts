// SPDX-License-Identifier: MIT
//
// What conditions say about numbers: in the blocks that a branch leads to, and on the sides of a select. Comparisons with constants only.
// A number of n bits that a comparison leaves is an arc of the circle of 2^n numbers, so that `(uchar)(c - 'a') < 26` bounds c.
import { constantOf } from '../ir/build';
import { type Dominators, dominatorsOf } from '../ir/cfg';
import { INVERSE, SWAPPED } from '../ir/comparisons';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import type { Range } from '../ir/operation-ranges';
import { takenBranches } from '../ir/taken-branches';

/** How far dominators are searched, and how many comparisons are known in a block. */
const MOST_DOMINATORS = 32;
const MOST_COMPARISONS = 8;
/** How deep a condition is taken apart. */
const DEEPEST = 4;

const BITS: Partial<Record<Type, number>> = { [Type.I8]: 8, [Type.I16]: 16, [Type.I32]: 32 };

/** A comparison that is true. */
export interface Held {
  readonly op: Op;
  readonly number: Value;
  readonly constant: number;
}

/** The numbers from `first` upwards to `last`, modulo 2^bits. */
interface Arc {
  readonly first: number;
  readonly last: number;
  readonly bits: number;
}

export class Conditions {
  private readonly known = new Map<Block, readonly Held[]>();
  private dominators: Dominators | undefined;

  constructor(private readonly func: Func) {}

  /** The comparisons that are true whenever a block is executed. */
  in(block: Block): readonly Held[] {
    let held = this.known.get(block);
    if (!held) {
      held = this.find(block);
      this.known.set(block, held);
    }
    return held;
  }

  private find(block: Block): readonly Held[] {
    this.dominators ??= dominatorsOf(this.func);
    const { dominators } = this;
    const held: Held[] = [];
    for (const { condition, holds } of takenBranches(dominators, block, MOST_DOMINATORS)) {
      held.push(...heldIf(condition, holds));
      if (held.length >= MOST_COMPARISONS) break;
    }
    return held;
  }
}

/** What is true if a condition holds, or does not. */
export function heldIf(condition: Value, holds: boolean, depth = DEEPEST): readonly Held[] {
  if (condition.kind !== 'inst' || depth === 0) return [];
  const { op } = condition;
  const [a, b] = condition.operands as [Value, Value];
  if (op === Op.Not) return heldIf(a, !holds, depth - 1);
  if (op === (holds ? Op.And : Op.Or)) return [a, b].flatMap((each) => heldIf(each, holds, depth - 1));
  if (op < Op.Eq || op > Op.UGe || BITS[a.type] === undefined) return [];
  const isSwapped = constantOf(b) === undefined;
  const constant = constantOf(isSwapped ? a : b);
  if (constant === undefined) return [];
  const compared = isSwapped ? (SWAPPED[op] ?? op) : op;
  return [
    {
      op: holds ? compared : INVERSE[compared]!,
      number: isSwapped ? b : a,
      constant: Number(constant),
    },
  ];
}

/** The range of a number of 32 bits, given what is true; `range` is what is known without. */
export function boundedBy(held: readonly Held[], v: Value, range: Range | undefined): Range | undefined {
  let result = range;
  for (const each of held) {
    const bound = boundOf(each, v);
    if (!bound) continue;
    const low = Math.max(result?.low ?? bound.low, bound.low);
    const high = Math.min(result?.high ?? bound.high, bound.high);
    // Code that is never executed.
    if (low <= high) result = { low, high };
  }
  return result;
}

function boundOf(held: Held, v: Value): Range | undefined {
  const own = v.type === Type.I32 ? arcOf(held, v) : undefined;
  if (own) return signed(own);
  if (v.kind !== 'inst' || (v.op !== Op.ZExt && v.op !== Op.SExt)) return undefined;
  const arc = arcOf(held, v.operands[0]!);
  return arc && (v.op === Op.ZExt ? unsigned(arc) : signed(arc));
}

/** The numbers that a value can be if a comparison is true. */
function arcOf({ op, number, constant }: Held, v: Value): Arc | undefined {
  const bits = BITS[v.type];
  if (bits === undefined) return undefined;
  let moved = 0;
  if (number !== v) {
    if (number.kind !== 'inst' || number.op !== Op.Add || number.operands[0] !== v) return undefined;
    const by = constantOf(number.operands[1]!);
    if (by === undefined) return undefined;
    moved = Number(by);
  }
  const ends = endsOf(op, constant, bits);
  return ends && ends[0] <= ends[1] ? { first: ends[0] - moved, last: ends[1] - moved, bits } : undefined;
}

function endsOf(op: Op, constant: number, bits: number): readonly [number, number] | undefined {
  const all = 2 ** bits;
  const natural = modulo(constant, all);
  const whole = natural >= all / 2 ? natural - all : natural;
  switch (op) {
    case Op.Eq:
      return [natural, natural];
    case Op.SLt:
      return [-all / 2, whole - 1];
    case Op.SLe:
      return [-all / 2, whole];
    case Op.SGt:
      return [whole + 1, all / 2 - 1];
    case Op.SGe:
      return [whole, all / 2 - 1];
    case Op.ULt:
      return [0, natural - 1];
    case Op.ULe:
      return [0, natural];
    case Op.UGt:
      return [natural + 1, all - 1];
    case Op.UGe:
      return [natural, all - 1];
    default:
      return undefined;
  }
}

const modulo = (n: number, all: number): number => ((n % all) + all) % all;

/** An arc as numbers without a sign, if it does not go on from the largest to 0. */
function unsigned({ first, last, bits }: Arc): Range | undefined {
  const [low, high] = [modulo(first, 2 ** bits), modulo(last, 2 ** bits)];
  return low <= high ? { low, high } : undefined;
}

function signed({ first, last, bits }: Arc): Range | undefined {
  const all = 2 ** bits;
  const numberOf = (n: number) => modulo(n + all / 2, all) - all / 2;
  const [low, high] = [numberOf(first), numberOf(last)];
  return low <= high ? { low, high } : undefined;
}

/** The condition of a select, for its second and its third operand. */
export const heldBySelect = ({ operands }: Inst): readonly [readonly Held[], readonly Held[]] => [
  heldIf(operands[0]!, true),
  heldIf(operands[0]!, false),
];
