// SPDX-License-Identifier: MIT
//
// What a loop computes from consecutive elements, such as the conditions of a search, as the steps of Op.CountUntil and Op.ReduceElements.
import { constantAmount } from '../../../ir/build';
import { fitsCondition, isElementOperation, isElementShift, isElementType } from '../../../ir/elements';
import { type ElementStep, type Inst, Op, Type, type TypeName, type Value } from '../../../ir/ir';
import { bytesOf } from '../../../ir/types';
import { constantStep } from './constant-steps';
import type { Condition, Search } from './searches';

export const MOST_STEPS = 16;
/** What is this many bytes from what a work-item reads can be read too; the device keeps 1 KiB (docs/jit.md). */
const NEAR = 512;

/** What ends a search, for sixteen elements. */
export interface Stop {
  readonly steps: readonly ElementStep[];
  /** The operands of Op.CountUntil as values of the loop; addresses are those of the first element. */
  readonly operands: readonly Value[];
  /** The conditions on which the first element must be tested before: if they fail, nothing is read where others read. */
  readonly guards: readonly Condition[];
}

/** Undefined if a condition has no such form. */
export function stopOf({ counted, conditions }: Search): Stop | undefined {
  const list = new StepList(counted);
  const stops: number[] = [];
  let guards: readonly Condition[] = [];
  for (const [i, condition] of conditions.entries()) {
    const before = list.steps.length;
    const stop = list.stop(condition);
    if (stop === undefined) return undefined;
    stops.push(stop);
    if (i > 0 && list.readsElsewhere(before)) guards = conditions.slice(0, i);
  }
  stops.reduce((a, b) => list.computed(Op.Or, Type.I1, [a, b]));
  const { steps, operands } = list;
  const isSmall = steps.length <= MOST_STEPS;
  return isSmall && steps.some(({ is }) => is === 'loaded') ? { steps, operands, guards } : undefined;
}

export class StepList {
  readonly steps: ElementStep[] = [];
  readonly operands: Value[] = [];
  private readonly known = new Map<Value, number | undefined>();

  constructor(private readonly loop: Search['counted']) {}

  /** The step that is true where the search ends. */
  stop({ value, holds }: Condition): number | undefined {
    const at = this.stepOf(value);
    if (at === undefined) return undefined;
    return holds ? this.computed(Op.Not, Type.I1, [at]) : at;
  }

  /** Whether a step from `first` on reads memory that is not near what the steps before read. */
  readsElsewhere(first: number): boolean {
    const reads = (from: number, to?: number) => this.steps.slice(from, to).filter((s) => s.is === 'loaded');
    return reads(first).some(
      ({ operand, offset }) =>
        !reads(0, first).some((s) => s.operand === operand && Math.abs(s.offset - offset) <= NEAR),
    );
  }

  computed(op: Op, type: Type, of: readonly number[], by?: number): number {
    const step = { is: 'computed', op: Op[op] as keyof typeof Op, type: nameOf(type), of } as const;
    return this.steps.push(by === undefined ? step : { ...step, by }) - 1;
  }

  /** The step for a value of the loop; undefined if it is computed in another way. */
  stepOf(value: Value): number | undefined {
    if (this.known.has(value)) return this.known.get(value);
    const at = this.make(value);
    this.known.set(value, at);
    return at;
  }

  /** A step's result where a condition holds, and 0 elsewhere. */
  chosen(condition: number | undefined, at: number | undefined, type: Type): number | undefined {
    if (condition === undefined || at === undefined) return undefined;
    const zero = this.computed(Op.Xor, type, [at, at]);
    const chosen = this.computed(Op.Select, type, [condition, at, zero]);
    return this.fits(chosen) ? chosen : undefined;
  }

  private fits(at: number): boolean {
    return fitsCondition(this.steps, this.steps[at] as ElementStep & { is: 'computed' });
  }

  private make(value: Value): number | undefined {
    const { loop } = this;
    if (this.steps.length > MOST_STEPS) return undefined;
    if (!loop.blocks.has(value.block)) {
      if (!isElementType(value.type)) return undefined;
      return this.steps.push({ is: 'given', type: nameOf(value.type), operand: this.operand(value) }) - 1;
    }
    if (value.kind === 'param') return undefined;
    if (value.op === Op.Load) return this.load(value);
    return this.operation(value);
  }

  private operation({ op, type, operands }: Inst): number | undefined {
    if (!isElementOperation(op, type, operands[0]!.type)) return undefined;
    const amount = isElementShift(op) ? constantAmount(operands[1]!) : undefined;
    if (isElementShift(op) && amount === undefined) return undefined;
    const of = operands.slice(0, amount === undefined ? undefined : 1).map((operand) => this.stepOf(operand));
    if (!of.every((from) => from !== undefined)) return undefined;
    const at = this.computed(op, type, of, amount);
    return this.fits(at) ? at : undefined;
  }

  private load({ type, operands, facts }: Inst): number | undefined {
    const [address] = operands as [Value];
    const { space, offset = 0 } = facts;
    if (space === 'private' || space === 'generic' || !isElementType(type)) return undefined;
    const step = constantStep(address, this.loop);
    if (step === bytesOf(type))
      return (
        this.steps.push({ is: 'loaded', type: nameOf(type), operand: this.operand(address), offset }) - 1
      );
    return undefined;
  }

  private operand(value: Value): number {
    const known = this.operands.indexOf(value);
    return known >= 0 ? known : this.operands.push(value) - 1;
  }
}

const nameOf = (type: Type): TypeName => Type[type] as TypeName;
