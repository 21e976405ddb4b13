// SPDX-License-Identifier: MIT
//
// What a loop over bytes adds up: the value that a sum, a minimum or the like has after several iterations, from words of bytes.
import { constantOf, type Leaves } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { type ByteWords, WORD } from './byte-words';
import type { CountedLoop } from './constant-steps';

/** The most summands of one sum, and the depth of one. */
const DEEPEST = 8;
/** A constant that is added a number of times must not make sums of 32 bits wrap. */
const MOST_CONSTANT = 1 << 20;

/** Operations whose operands may be combined in any order, and their forms on bytes. */
const EXTREMES = { [Op.SMin]: 'smin', [Op.SMax]: 'smax', [Op.UMin]: 'umin', [Op.UMax]: 'umax' } as const;
const LOGIC = new Set([Op.And, Op.Or, Op.Xor]);

export class ByteReductions {
  /** `iterations`: how many of them are done at once, a multiple of four. */
  constructor(
    private readonly words: ByteWords,
    private readonly loop: CountedLoop,
    private readonly leaves: Leaves,
    private readonly iterations: number,
  ) {}

  /** The value of a parameter after the iterations, from that before; undefined if the loop does something else to it. */
  after(param: Value, next: Value, before: Value): Value | undefined {
    if (next.kind !== 'inst' || !this.loop.blocks.has(next.block)) return undefined;
    const isExtreme = next.op in EXTREMES;
    if (isExtreme || LOGIC.has(next.op)) return this.combined(param, next, before);
    const summands = this.summandsOf(next, param, DEEPEST);
    return summands && this.total(summands, before);
  }

  // --- sums ---

  /** What `next` adds to the parameter, with signs. */
  private summandsOf(next: Value, param: Value, depth: number): readonly Summand[] | undefined {
    if (next === param) return [];
    if (depth === 0 || next.kind !== 'inst' || !this.loop.blocks.has(next.block)) return undefined;
    const [a, b, c] = next.operands as [Value, Value, Value];
    const after = (rest: Value, ...summand: Summand[]) => {
      const others = this.summandsOf(rest, param, depth - 1);
      return others && [...others, ...summand];
    };
    if (next.op === Op.Add) {
      const isLeft = this.contains(a, param, depth);
      return isLeft ? after(a, { value: b, sign: 1 }) : after(b, { value: a, sign: 1 });
    }
    if (next.op === Op.Sub) return after(a, { value: b, sign: -1 });
    if (next.op !== Op.Select) return undefined;
    // A constant that is added under a condition.
    for (const [grown, same, holds] of [
      [b, c, true],
      [c, b, false],
    ] as const) {
      const step = grown.kind === 'inst' && grown.op === Op.Add && grown.operands[0] === same;
      const by = step ? constantOf(grown.operands[1]!) : undefined;
      if (by !== undefined) return after(same, { value: a, sign: 1, times: Number(by), holds });
    }
    return undefined;
  }

  private contains(value: Value, param: Value, depth: number): boolean {
    if (value === param) return true;
    if (depth === 0 || value.kind !== 'inst' || !this.loop.blocks.has(value.block)) return false;
    if (value.op !== Op.Add && value.op !== Op.Sub && value.op !== Op.Select) return false;
    return value.operands.some((operand) => this.contains(operand, param, depth - 1));
  }

  private total(summands: readonly Summand[], before: Value): Value | undefined {
    const { type } = before;
    if (type !== Type.I32 && type !== Type.I64 && type !== Type.I8 && type !== Type.I16) return undefined;
    let sum = before;
    for (const summand of summands) {
      const of = this.sumOf(summand, DEEPEST);
      if (!of) return undefined;
      const resized =
        type === Type.I32 ? of : this.words.emit(type === Type.I64 ? Op.SExt : Op.Trunc, type, [of]);
      sum = this.words.emit(summand.sign === 1 ? Op.Add : Op.Sub, type, [sum, resized]);
    }
    return sum;
  }

  /** The sum of a summand over the iterations, as I32. */
  private sumOf({ value, times, holds }: Summand, depth: number): Value | undefined {
    if (times === undefined) return this.sum(value, depth);
    return Math.abs(times) <= MOST_CONSTANT
      ? this.countOf(value, holds ? times : 0, holds ? 0 : times)
      : undefined;
  }

  private sum(value: Value, depth: number): Value | undefined {
    const constant = constantOf(value);
    if (constant !== undefined)
      return Math.abs(Number(constant)) <= MOST_CONSTANT
        ? this.leaves.i32(Number(constant) * this.iterations)
        : undefined;
    if (value.type === Type.I8) return this.sumOfBytes(value, 'usum');
    if (depth === 0 || value.kind !== 'inst' || !this.loop.blocks.has(value.block)) return undefined;
    const [a, b, c] = value.operands as [Value, Value, Value];
    switch (value.op) {
      case Op.ZExt:
        if (a.type === Type.I1) return this.countOf(a, 1, 0);
        return a.type === Type.I8 ? this.sumOfBytes(a, 'usum') : undefined;
      case Op.SExt:
        return a.type === Type.I8 ? this.sumOfBytes(a, 'ssum') : undefined;
      case Op.Select: {
        const [then, otherwise] = [constantOf(b), constantOf(c)].map((v) =>
          v === undefined ? undefined : Number(v),
        );
        return then !== undefined &&
          otherwise !== undefined &&
          Math.abs(then) + Math.abs(otherwise) <= MOST_CONSTANT
          ? this.countOf(a, then, otherwise)
          : undefined;
      }
      case Op.Abs:
        return this.sumOfDifferences(a);
      case Op.Mul:
        return value.type === Type.I32 ? this.sumOfProducts(a, b) : undefined;
      case Op.Add:
      case Op.Sub: {
        if (value.type !== Type.I32) return undefined;
        const [left, right] = [this.sum(a, depth - 1), this.sum(b, depth - 1)];
        return left && right && this.words.emit(value.op, Type.I32, [left, right]);
      }
      default:
        return undefined;
    }
  }

  private all(value: Value): readonly Value[] | undefined {
    const words = Array.from({ length: this.iterations / WORD }, (_, at) => this.words.word(value, at));
    return words.every((word) => word !== undefined) ? words : undefined;
  }

  private add(values: readonly Value[]): Value {
    return values.reduce((a, b) => this.words.emit(Op.Add, Type.I32, [a, b]));
  }

  private sumOfBytes(byte: Value, how: 'usum' | 'ssum'): Value | undefined {
    const words = this.all(byte);
    if (!words) return undefined;
    return how === 'usum'
      ? this.unsignedSum(words)
      : this.add(words.map((word) => this.words.bytes(how, word)));
  }

  /** The sum of all bytes: pairs of them are numbers of 16 bits, which do not overflow. */
  private unsignedSum(words: readonly Value[]): Value {
    return this.words.bytes('uhalves', this.add(words.map((word) => this.words.bytes('upairs', word))));
  }

  /** `then` for each iteration in which a condition holds, `otherwise` for the others. */
  private countOf(condition: Value, then: number, otherwise: number): Value | undefined {
    const words = condition.type === Type.I1 ? this.all(condition) : undefined;
    if (!words) return undefined;
    // Each is -1 or 0: at most sixteen of a byte's range.
    const negative = this.words.bytes(
      'ssum',
      words.reduce((a, b) => this.words.bytes('add', a, b)),
    );
    const weighted = this.words.emit(Op.Mul, Type.I32, [negative, this.leaves.i32(otherwise - then)]);
    return this.words.emit(Op.Add, Type.I32, [weighted, this.leaves.i32(otherwise * this.iterations)]);
  }

  /** The sum of |a - b|, given a - b. */
  private sumOfDifferences(difference: Value): Value | undefined {
    if (difference.kind !== 'inst' || difference.op !== Op.Sub) return undefined;
    const bytes = difference.operands.map((operand) => extended(operand));
    const [a, b] = bytes;
    if (!a || !b || a.signed !== b.signed) return undefined;
    const [left, right] = [this.all(a.byte), this.all(b.byte)];
    if (!left || !right) return undefined;
    const [least, most] = a.signed ? (['smin', 'smax'] as const) : (['umin', 'umax'] as const);
    return this.unsignedSum(
      left.map((word, at) => {
        const [low, high] = [least, most].map((op) => this.words.bytes(op, word, right[at]!));
        return this.words.bytes('sub', high!, low!);
      }),
    );
  }

  /** The sum of a * b. With A = a + 128 for a signed byte: a * b is A * b - 128 * b, and likewise for b. */
  private sumOfProducts(left: Value, right: Value): Value | undefined {
    const [a, b] = [extended(left), extended(right)];
    const words = [a, b].map((factor) => factor && this.all(factor.byte));
    if (!a || !b || !words[0] || !words[1]) return undefined;
    const flipped = (signed: boolean, list: readonly Value[]) =>
      signed
        ? list.map((word) => this.words.emit(Op.Xor, Type.I32, [word, this.leaves.i32(0x80808080 | 0)]))
        : list;
    const [first, second] = [flipped(a.signed, words[0]), flipped(b.signed, words[1])];
    let sum = this.add(first.map((word, at) => this.words.bytes('udot', word, second[at]!)));
    const less = (list: readonly Value[]) => {
      const total = this.unsignedSum(list);
      const weighted = this.words.emit(Op.Shl, Type.I32, [total, this.leaves.i32(7)]);
      sum = this.words.emit(Op.Sub, Type.I32, [sum, weighted]);
    };
    if (a.signed) less(second);
    if (b.signed) less(first);
    if (a.signed && b.signed)
      sum = this.words.emit(Op.Add, Type.I32, [sum, this.leaves.i32(this.iterations << 14)]);
    return sum;
  }

  // --- minima, maxima and logic ---

  private combined(param: Value, next: Inst, before: Value): Value | undefined {
    const { op, type } = next;
    const [a, b] = next.operands as [Value, Value];
    const other = a === param ? b : b === param ? a : undefined;
    if (!other || other === param) return undefined;
    // Numbers of 32 bits are extended bytes: an unsigned byte is combined as such.
    const wide = type === Type.I32 ? extended(other) : undefined;
    if (type !== Type.I8 && !wide) return undefined;
    const words = this.all(wide ? wide.byte : other);
    if (!words) return undefined;
    const signed = wide ? wide.signed : op === Op.SMin || op === Op.SMax;
    const isMost = op === Op.SMax || op === Op.UMax;
    const isUnsigned = op === Op.UMin || op === Op.UMax;
    if (wide?.signed && isUnsigned) return undefined;
    const extreme = signed ? (isMost ? 'smax' : 'smin') : isMost ? 'umax' : 'umin';
    const combine = (x: Value, y: Value): Value =>
      LOGIC.has(op) ? this.words.emit(op, Type.I32, [x, y]) : this.words.bytes(extreme, x, y);
    let word = words.reduce(combine);
    for (const shift of [16, 8])
      word = combine(word, this.words.emit(Op.LShr, Type.I32, [word, this.leaves.i32(shift)]));
    const byte = this.words.emit(Op.Trunc, Type.I8, [word]);
    const value = wide ? this.words.emit(wide.signed ? Op.SExt : Op.ZExt, Type.I32, [byte]) : byte;
    return this.words.emit(op, type, [before, value]);
  }
}

/** Added in each iteration: a value, or, with `times`, that number if the condition `value` is as `holds` says. */
interface Summand {
  readonly value: Value;
  readonly sign: 1 | -1;
  readonly times?: number;
  readonly holds?: boolean;
}

/** The byte that a number of 32 bits was extended from. */
function extended(value: Value): { byte: Value; signed: boolean } | undefined {
  if (value.kind !== 'inst' || (value.op !== Op.ZExt && value.op !== Op.SExt)) return undefined;
  const [byte] = value.operands as [Value];
  return byte.type === Type.I8 ? { byte, signed: value.op === Op.SExt } : undefined;
}
