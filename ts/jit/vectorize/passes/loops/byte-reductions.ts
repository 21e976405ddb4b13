// SPDX-License-Identifier: MIT
//
// What a loop over bytes adds up: the value that a sum, a minimum or the like has after several iterations, from words of bytes.
import { constantOf, type Leaves } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import { type ByteWords, WORD } from '../words/byte-words';
import { type Summand, Summands, type Where } from './byte-summands';
import type { CountedLoop } from './constant-steps';

/** The depth of a summand. */
const DEEPEST = 8;
/** A constant that is added a number of times must not make sums of 32 bits wrap. */
const MOST_CONSTANT = 1 << 20;

/** Operations whose operands may be combined in any order, and their forms on bytes. */
const EXTREMES = { [Op.SMin]: 'smin', [Op.SMax]: 'smax', [Op.UMin]: 'umin', [Op.UMax]: 'umax' } as const;
const LOGIC = new Set([Op.And, Op.Or, Op.Xor]);

export class ByteReductions {
  private readonly summands: Summands;

  /** `iterations`: how many of them are done at once, a multiple of four. */
  constructor(
    private readonly words: ByteWords,
    private readonly loop: CountedLoop,
    private readonly leaves: Leaves,
    private readonly iterations: number,
  ) {
    this.summands = new Summands(loop);
  }

  /** The value of a parameter after the iterations, from that before; undefined if the loop does something else to it. */
  after(param: Value, next: Value, before: Value): Value | undefined {
    if (next.kind !== 'inst' || !this.loop.blocks.has(next.block)) return undefined;
    const isExtreme = next.op in EXTREMES;
    if (isExtreme || LOGIC.has(next.op)) return this.combined(param, next, before);
    const summands = this.summands.of(next, param);
    return summands && this.total(summands, before);
  }

  // --- sums ---

  private total(summands: readonly Summand[], before: Value): Value | undefined {
    const { type } = before;
    if (type !== Type.I32 && type !== Type.I64 && type !== Type.I8 && type !== Type.I16) return undefined;
    let sum = before;
    for (const { value, sign, where } of summands) {
      const of = this.sumWhere(value, where, type);
      if (!of) return undefined;
      const resized =
        type === Type.I32 ? of : this.words.emit(type === Type.I64 ? Op.SExt : Op.Trunc, type, [of]);
      sum = this.words.emit(sign === 1 ? Op.Add : Op.Sub, type, [sum, resized]);
    }
    return sum;
  }

  /** The sum of a value over the iterations in which conditions hold, as I32. */
  private sumWhere(value: Value, where: readonly Where[], type: Type): Value | undefined {
    let mask: readonly Value[] | undefined;
    for (const { condition, holds } of where) {
      const words = this.all(condition);
      if (!words) return undefined;
      mask = this.both(holds ? words : this.opposite(words), mask);
    }
    return this.sum(value, { type, mask }, DEEPEST);
  }

  private sum(value: Value, over: Over, depth: number): Value | undefined {
    const constant = constantOf(value);
    if (constant !== undefined)
      return Math.abs(Number(constant)) <= MOST_CONSTANT ? this.times(Number(constant), over) : undefined;
    if (value.type === Type.I8) return this.sumOfBytes(value, 'usum', over);
    if (depth === 0) return undefined;
    // Sums of 64 bits are of numbers that do not wrap in 32.
    const shared =
      value.type === Type.I32 && over.type !== Type.I64 ? this.words.invariant(value) : undefined;
    if (shared) return this.words.emit(Op.Mul, Type.I32, [this.count(over), shared]);
    if (value.kind !== 'inst' || !this.loop.blocks.has(value.block)) return undefined;
    const [a, b, c] = value.operands as [Value, Value, Value];
    switch (value.op) {
      case Op.ZExt:
        if (a.type === Type.I1) return this.countWhere(a, over);
        return a.type === Type.I8 ? this.sumOfBytes(a, 'usum', over) : undefined;
      case Op.SExt:
        return a.type === Type.I8 ? this.sumOfBytes(a, 'ssum', over) : undefined;
      case Op.Select:
        return this.sumOfChoice(a, [b, c], over, depth - 1);
      case Op.Abs:
        return this.sumOfDifferences(a, over);
      case Op.Mul:
        return value.type === Type.I32 ? this.sumOfProducts(a, b, over) : undefined;
      case Op.Add:
      case Op.Sub: {
        if (value.type !== Type.I32) return undefined;
        const [left, right] = [this.sum(a, over, depth - 1), this.sum(b, over, depth - 1)];
        return left && right && this.words.emit(value.op, Type.I32, [left, right]);
      }
      default:
        return undefined;
    }
  }

  /** The sum of what a condition chooses. */
  private sumOfChoice(
    condition: Value,
    [yes, no]: readonly [Value, Value],
    over: Over,
    depth: number,
  ): Value | undefined {
    const words = this.all(condition);
    const [then, otherwise] = [constantOf(yes), constantOf(no)].map((v) => (v === undefined ? v : Number(v)));
    if (!words) return undefined;
    const chosen = { ...over, mask: this.both(words, over.mask) };
    if (then === undefined || otherwise === undefined) {
      const others = { ...over, mask: this.both(this.opposite(words), over.mask) };
      const [a, b] = [this.sum(yes, chosen, depth), this.sum(no, others, depth)];
      return a && b && this.words.emit(Op.Add, Type.I32, [a, b]);
    }
    if (Math.abs(then) + Math.abs(otherwise) > MOST_CONSTANT) return undefined;
    return this.words.emit(Op.Add, Type.I32, [
      this.times(then - otherwise, chosen),
      this.times(otherwise, over),
    ]);
  }

  private opposite(words: readonly Value[]): readonly Value[] {
    return words.map((word) => this.words.not(word));
  }

  private both(words: readonly Value[], mask: readonly Value[] | undefined): readonly Value[] {
    return mask ? words.map((word, at) => this.words.emit(Op.And, Type.I32, [word, mask[at]!])) : words;
  }

  /** How many iterations there are. */
  private count({ mask }: Over): Value {
    if (!mask) return this.leaves.i32(this.iterations);
    return this.words.emit(Op.Neg, Type.I32, [this.negativeCount(mask)]);
  }

  /** A number for each iteration. */
  private times(number: number, { mask }: Over): Value {
    if (!mask || number === 0) return this.leaves.i32(number * this.iterations);
    return this.words.emit(Op.Mul, Type.I32, [this.negativeCount(mask), this.leaves.i32(-number)]);
  }

  /** The sum of truth values, of which each is -1 or 0: at most sixteen of a byte's range. */
  private negativeCount(mask: readonly Value[]): Value {
    return this.words.bytes(
      'ssum',
      mask.reduce((a, b) => this.words.bytes('add', a, b)),
    );
  }

  private all(value: Value): readonly Value[] | undefined {
    const words = Array.from({ length: this.iterations / WORD }, (_, at) => this.words.word(value, at));
    return words.every((word) => word !== undefined) ? words : undefined;
  }

  private add(values: readonly Value[]): Value {
    return values.reduce((a, b) => this.words.emit(Op.Add, Type.I32, [a, b]));
  }

  private sumOfBytes(byte: Value, how: 'usum' | 'ssum', { mask }: Over): Value | undefined {
    const all = this.all(byte);
    if (!all) return undefined;
    const words = this.both(all, mask);
    return how === 'usum'
      ? this.unsignedSum(words)
      : this.add(words.map((word) => this.words.bytes(how, word)));
  }

  /** The sum of all bytes: pairs of them are numbers of 16 bits, which do not overflow. */
  private unsignedSum(words: readonly Value[]): Value {
    return this.words.bytes('uhalves', this.add(words.map((word) => this.words.bytes('upairs', word))));
  }

  /** The number of iterations in which a condition holds. */
  private countWhere(condition: Value, over: Over): Value | undefined {
    const words = this.all(condition);
    return words && this.times(1, { ...over, mask: this.both(words, over.mask) });
  }

  /** The sum of |a - b|, given a - b. */
  private sumOfDifferences(difference: Value, { mask }: Over): Value | undefined {
    if (difference.kind !== 'inst' || difference.op !== Op.Sub) return undefined;
    const bytes = difference.operands.map((operand) => extended(operand));
    const [a, b] = bytes;
    if (!a || !b || a.signed !== b.signed) return undefined;
    const [left, right] = [this.all(a.byte), this.all(b.byte)];
    if (!left || !right) return undefined;
    const [least, most] = a.signed ? (['smin', 'smax'] as const) : (['umin', 'umax'] as const);
    const differences = left.map((word, at) => {
      const [low, high] = [least, most].map((op) => this.words.bytes(op, word, right[at]!));
      return this.words.bytes('sub', high!, low!);
    });
    return this.unsignedSum(this.both(differences, mask));
  }

  /** The sum of a * b. With A = a + 128 for a signed byte: a * b is A * b - 128 * b, and likewise for b. */
  private sumOfProducts(left: Value, right: Value, { mask }: Over): Value | undefined {
    const [a, b] = [extended(left), extended(right)];
    const words = [a, b].map((factor) => factor && this.all(factor.byte));
    if (!a || !b || !words[0] || !words[1]) return undefined;
    const flipped = (signed: boolean, list: readonly Value[]) =>
      signed
        ? list.map((word) => this.words.emit(Op.Xor, Type.I32, [word, this.leaves.i32(0x80808080 | 0)]))
        : list;
    const [first, second] = [flipped(a.signed, this.both(words[0], mask)), flipped(b.signed, words[1])];
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

/** What a sum of this type is over: the iterations of which the bytes of a mask are ones, or all. */
interface Over {
  readonly type: Type;
  readonly mask: readonly Value[] | undefined;
}

/** The byte that a number of 32 bits was extended from. */
function extended(value: Value): { byte: Value; signed: boolean } | undefined {
  if (value.kind !== 'inst' || (value.op !== Op.ZExt && value.op !== Op.SExt)) return undefined;
  const [byte] = value.operands as [Value];
  return byte.type === Type.I8 ? { byte, signed: value.op === Op.SExt } : undefined;
}
