// SPDX-License-Identifier: MIT
//
// Reductions of numbers that C promotes to ints, in 16 and 8 bits, where what is computed from narrow elements fits: a vector has two or
// four times as many of them. Products of two such numbers are added in pairs by one instruction.
import { rangesOfSteps } from '../../../ir/element-ranges';
import { conditionBytes } from '../../../ir/elements';
import { type ElementStep, Op, type Reduction, Type, type Value } from '../../../ir/ir';
import { isWithin, type Range, signedRange, unsignedRange } from '../../../ir/operation-ranges';

const [SIGNED, UNSIGNED] = [signedRange(16), unsignedRange(16)];
const BITS = 16;

/** Of which the low bits of the result depend on nothing but the low bits of the operands. */
const OF_LOW_BITS: readonly Op[] = [Op.Add, Op.Sub, Op.Mul, Op.Neg, Op.And, Op.Or, Op.Xor, Op.Not, Op.Shl];

/** The reduction of unsigned numbers that does the same for numbers that are not below 0. */
const UNSIGNED_REDUCTION: Partial<Record<Reduction, Reduction>> = { smin: 'umin', smax: 'umax' };

/** Something that is combined with a parameter of the loop in each iteration. */
export interface Part {
  readonly reduction: Reduction;
  /** What the reduction of the elements is combined by. */
  readonly op: Op;
  readonly type: Type;
  readonly steps: readonly ElementStep[];
  /** Values of the loop, as in its first iteration. */
  readonly operands: readonly Value[];
  /** A number that is added for each element which fulfils a condition. */
  readonly times: number;
  /** The type of the elements, and what makes a number of type `type` of their reduction. */
  readonly extended?: { readonly from: Type; readonly by: Op };
}

/** The part with narrower steps, if there are any. */
export function narrowed(part: Part): Part {
  if (part.type !== Type.I32 || part.steps.at(-1)!.type !== 'I32') return part;
  const narrowing = new Narrowing(part);
  return (part.reduction === 'add' ? narrowing.sum() : narrowing.reduction()) ?? part;
}

class Narrowing {
  private readonly steps: readonly ElementStep[];
  private readonly ranges: readonly (Range | undefined)[];
  private readonly made: ElementStep[] = [];
  private readonly copies = new Map<number, number>();
  private readonly halves = new Map<number, number | undefined>();

  constructor(private readonly part: Part) {
    this.steps = part.steps;
    this.ranges = rangesOfSteps(part.steps, part.operands);
  }

  /** Of products of two numbers of 16 bits, or of such numbers. */
  sum(): Part | undefined {
    const last = this.steps.length - 1;
    const step = this.steps[last]!;
    if (step.is === 'computed' && step.op === 'Mul' && step.of.every((at) => this.fits(at, SIGNED))) {
      const of = step.of.map((at) => this.half(at));
      if (of.every((at) => at !== undefined)) return this.with(this.computed(Op.Mul, 'I32', of));
    }
    const extension = this.extensionOf(last);
    const at = extension === undefined ? undefined : this.half(last);
    return at === undefined ? undefined : this.with(this.computed(extension!, 'I32', [at]));
  }

  /** A minimum, maximum or bit operation, of which the result is widened. */
  reduction(): Part | undefined {
    const last = this.steps.length - 1;
    const extension = this.extensionOf(last);
    const at = extension === undefined ? undefined : this.half(last);
    if (at === undefined || at < this.made.length - 1) return undefined;
    const { reduction } = this.part;
    const isUnsigned = extension === Op.ZExt;
    if (!isUnsigned && (reduction === 'umin' || reduction === 'umax')) return undefined;
    // Of bytes that are extended in the same way, in 8 bits.
    const widened = this.made[at]!;
    if (widened.is === 'computed' && widened.op === Op[extension!] && this.isByte(at - 1)) {
      if (widened.of[0] === at - 1) this.made.pop();
    }
    return {
      ...this.part,
      steps: this.made,
      reduction: (isUnsigned ? UNSIGNED_REDUCTION[reduction] : undefined) ?? reduction,
      extended: { from: Type[this.made.at(-1)!.type], by: extension! },
    };
  }

  private with(last: number): Part {
    return { ...this.part, steps: this.made.slice(0, last + 1) };
  }

  private fits(at: number, all: Range): boolean {
    const range = this.ranges[at];
    return range !== undefined && isWithin(range, all);
  }

  /** What makes the number of 32 bits from its low ones. */
  private extensionOf(at: number): Op.ZExt | Op.SExt | undefined {
    if (this.fits(at, UNSIGNED)) return Op.ZExt;
    return this.fits(at, SIGNED) ? Op.SExt : undefined;
  }

  private isByte(at: number): boolean {
    return this.made[at]?.type === 'I8';
  }

  private push(step: ElementStep): number {
    return this.made.push(step) - 1;
  }

  private computed(op: Op, type: ElementStep['type'], of: readonly number[], by?: number): number {
    const step = { is: 'computed', op: Op[op] as keyof typeof Op, type, of } as const;
    return this.push(by === undefined ? step : { ...step, by });
  }

  /** A step as it is. */
  private copy(at: number): number {
    const known = this.copies.get(at);
    if (known !== undefined) return known;
    const step = this.steps[at]!;
    const made = this.push(
      step.is === 'computed' ? { ...step, of: step.of.map((from) => this.copy(from)) } : step,
    );
    this.copies.set(at, made);
    return made;
  }

  /** The low 16 bits of a step of 32; undefined if something needs more of them. */
  private half(at: number): number | undefined {
    if (!this.halves.has(at)) this.halves.set(at, this.makeHalf(at));
    return this.halves.get(at);
  }

  private makeHalf(at: number): number | undefined {
    const step = this.steps[at]!;
    if (step.type !== 'I32' || step.is === 'loaded') return undefined;
    if (step.is === 'given') return this.push({ ...step, type: 'I16' });
    const op = Op[step.op];
    if (op === Op.ZExt || op === Op.SExt) return this.extended(step, op);
    if (op === Op.Abs) {
      const difference = this.differenceOfBytes(step.of[0]!);
      if (difference !== undefined) return this.computed(Op.ZExt, 'I16', [difference]);
    }
    const narrow = this.narrowOperation(op, step);
    if (narrow === undefined) return undefined;
    const of = step.of.map((from) => this.half(from));
    return of.every((from) => from !== undefined) ? this.computed(narrow, 'I16', of, step.by) : undefined;
  }

  private extended({ of }: ElementStep & { is: 'computed' }, op: Op): number | undefined {
    const [from] = of as [number];
    const { type } = this.steps[from]!;
    if (type === 'I16') return this.copy(from);
    if (type === 'I8') return this.computed(op, 'I16', [this.copy(from)]);
    return conditionBytes(this.steps, from) === BITS / 8
      ? this.computed(op, 'I16', [this.copy(from)])
      : undefined;
  }

  /** |a - b| of two bytes without a sign, as a byte. */
  private differenceOfBytes(at: number): number | undefined {
    const step = this.steps[at]!;
    if (step.is !== 'computed' || step.op !== 'Sub') return undefined;
    const bytes: number[] = [];
    for (const from of step.of) {
      const operand = this.steps[from]!;
      if (operand.is !== 'computed' || operand.op !== 'ZExt') return undefined;
      if (this.steps[operand.of[0]!]!.type !== 'I8') return undefined;
      bytes.push(this.copy(operand.of[0]!));
    }
    const more = this.computed(Op.UMax, 'I8', bytes);
    return this.computed(Op.Sub, 'I8', [more, this.computed(Op.UMin, 'I8', bytes)]);
  }

  /** The operation in 16 bits that gives the low bits of the result, if the operands allow one. */
  private narrowOperation(op: Op, { of, by }: ElementStep & { is: 'computed' }): Op | undefined {
    if (by !== undefined && (by < 0 || by >= BITS)) return undefined;
    if (OF_LOW_BITS.includes(op)) return op;
    const all = (range: Range) => of.every((at) => this.fits(at, range));
    switch (op) {
      case Op.Abs:
        return all(SIGNED) ? op : undefined;
      case Op.LShr:
      case Op.AShr:
        return all(UNSIGNED) ? Op.LShr : op === Op.AShr && all(SIGNED) ? op : undefined;
      case Op.SMin:
      case Op.SMax:
        if (all(SIGNED)) return op;
        return all(UNSIGNED) ? (op === Op.SMin ? Op.UMin : Op.UMax) : undefined;
      case Op.UMin:
      case Op.UMax:
        return all(UNSIGNED) ? op : undefined;
      default:
        return undefined;
    }
  }
}
