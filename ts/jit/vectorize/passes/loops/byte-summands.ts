// SPDX-License-Identifier: MIT
//
// What a loop over bytes adds to a number in each iteration, and under which conditions.
import { Op, type Value } from '../../../ir/ir';
import type { CountedLoop } from './constant-steps';

/** The most summands of one sum, and the most conditions of one of them. */
const DEEPEST = 8;
const MOST_CONDITIONS = 4;

/** A condition that must hold, or must not. */
export interface Where {
  readonly condition: Value;
  readonly holds: boolean;
}

/** A value that is added in each iteration in which all of the conditions hold. */
export interface Summand {
  readonly value: Value;
  readonly sign: 1 | -1;
  readonly where: readonly Where[];
}

export class Summands {
  constructor(private readonly loop: CountedLoop) {}

  /** What leads from a number, a parameter of the loop, to `next`; undefined if it is more than sums. */
  of(next: Value, from: Value, depth = DEEPEST): readonly Summand[] | undefined {
    if (next === from) return [];
    if (depth === 0 || next.kind !== 'inst' || !this.loop.blocks.has(next.block)) return undefined;
    const [a, b] = next.operands as [Value, Value];
    const after = (rest: Value, ...summands: Summand[]) => {
      const others = this.of(rest, from, depth - 1);
      return others && [...others, ...summands];
    };
    switch (next.op) {
      case Op.Add:
        return this.contains(a, from, depth)
          ? after(a, { value: b, sign: 1, where: [] })
          : after(b, { value: a, sign: 1, where: [] });
      case Op.Sub:
        return after(a, { value: b, sign: -1, where: [] });
      case Op.Select: {
        const [condition, yes, no] = next.operands as [Value, Value, Value];
        // One side is the number before, which may be a sum itself.
        for (const [grown, same, holds] of [
          [yes, no, true],
          [no, yes, false],
        ] as const) {
          const added = this.of(grown, same, depth - 1);
          if (added?.length) return under({ condition, holds }, added, (list) => after(same, ...list));
        }
        const sides = [yes, no].map((side) => this.of(side, from, depth - 1));
        const [then, otherwise] = sides;
        if (!then || !otherwise) return undefined;
        return under({ condition, holds: true }, then, (list) =>
          under({ condition, holds: false }, otherwise, (others) => [...list, ...others]),
        );
      }
      default:
        return undefined;
    }
  }

  private contains(value: Value, from: Value, depth: number): boolean {
    if (value === from) return true;
    if (depth === 0 || value.kind !== 'inst' || !this.loop.blocks.has(value.block)) return false;
    if (value.op !== Op.Add && value.op !== Op.Sub && value.op !== Op.Select) return false;
    return value.operands.some((operand) => this.contains(operand, from, depth - 1));
  }
}

/** The summands under a condition more; undefined if they have many already. */
function under(
  where: Where,
  summands: readonly Summand[],
  use: (list: readonly Summand[]) => readonly Summand[] | undefined,
): readonly Summand[] | undefined {
  return summands.every((summand) => summand.where.length < MOST_CONDITIONS)
    ? use(summands.map((summand) => ({ ...summand, where: [...summand.where, where] })))
    : undefined;
}
