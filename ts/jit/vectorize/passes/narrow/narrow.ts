// SPDX-License-Identifier: MIT
//
// C promotes bytes and shorts to int. Where all inputs are narrow and no intermediate result needs more than 16 bits, comparisons
// and values that are truncated again are computed in 8 or 16 bits, so that more work-items share a vector. Comparisons with uniform
// numbers of 32 bits become comparisons with the number clamped to the narrow range (uniform-bounds.ts).
import { type Divergence, X } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { SWAPPED, UNSIGNED } from '../../../ir/comparisons';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import type { Range } from '../../../ir/operation-ranges';
import { Replacements } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { Ranges } from '../../ranges';
import { clampedComparison } from '../loops/uniform-bounds';
import { clampedSum } from './clamped-sums';
import { LowBits, type Width } from './low-bits';
import { LowValues } from './low-values';
import { NarrowJoins } from './narrow-joins';
import { NarrowOperands } from './narrow-operands';

/** How integers compare with a float: as with the float rounded so; `exact`: only if the float is an integer itself. */
const FLOAT_COMPARISONS: Partial<
  Record<Op, { readonly op: Op; readonly round: Op.FFloor | Op.FCeil; readonly exact?: true }>
> = {
  [Op.FEq]: { op: Op.Eq, round: Op.FFloor, exact: true },
  [Op.FNe]: { op: Op.Ne, round: Op.FFloor, exact: true },
  [Op.FLt]: { op: Op.SLt, round: Op.FCeil },
  [Op.FLe]: { op: Op.SLe, round: Op.FFloor },
  [Op.FGt]: { op: Op.SGt, round: Op.FFloor },
  [Op.FGe]: { op: Op.SGe, round: Op.FCeil },
};

/** `divergence` is called if the pass needs it. */
export function narrowArithmetic(func: Func, divergence: () => Divergence): boolean {
  const has = (is: (inst: Inst) => boolean) => func.blocks.some(({ insts }) => insts.some(is));
  if (has((i) => i.op === Op.Load && (i.type === Type.I8 || i.type === Type.I16)))
    return new Narrower(func, divergence).run();
  if (!has((i) => isNarrowing(i))) return false;
  const narrower = new Narrower(func, divergence);
  return narrower.hasDigits() ? narrower.run() : narrower.markTruncations();
}

const isNarrowing = ({ op, type, operands }: Inst): boolean =>
  op === Op.Trunc && (type === Type.I8 || type === Type.I16) && operands[0]!.type === Type.I32;

function isConverted(v: Value): v is Inst {
  return v.kind === 'inst' && (v.op === Op.UToF || v.op === Op.SToF) && v.type !== Type.F16;
}

/** The number that a value clamps to the range of unsigned bytes. */
function clampedToByte(outer: Inst): Value | undefined {
  const [inner, limit] = outer.operands as [Value, Value];
  if (outer.op !== Op.SMax && outer.op !== Op.SMin) return undefined;
  if (inner.kind !== 'inst' || inner.op !== (outer.op === Op.SMax ? Op.SMin : Op.SMax)) return undefined;
  const ends = [constantOf(limit), constantOf(inner.operands[1]!)];
  const [low, high] = outer.op === Op.SMax ? ends : ends.reverse();
  return low === 0 && high === 255 ? inner.operands[0] : undefined;
}

class Narrower {
  private readonly leaves: Leaves;
  private readonly ranges: Ranges;
  private readonly lowBits: LowBits;
  private readonly lowValues: LowValues;
  private readonly operands: NarrowOperands;
  private readonly digits: readonly Inst[];
  /** By digit. */
  private readonly bytes = new Map<Value, Inst>();
  private out: Inst[] = [];
  private at!: Inst;
  /** Whether any value was made, even if nothing uses it. */
  private hasMade = false;

  private readonly original: number;
  private known: Divergence | undefined;
  private uses: Uses | undefined;

  constructor(
    private readonly func: Func,
    private readonly divergence: () => Divergence,
  ) {
    this.leaves = new Leaves(func);
    this.ranges = new Ranges(func);
    this.lowBits = new LowBits(this.ranges, (v) => this.isUniform(v));
    this.lowValues = new LowValues({
      leaves: this.leaves,
      ranges: this.ranges,
      lowBits: this.lowBits,
      bytes: this.bytes,
      emit: (op, type, operands) => this.emit(op, type, operands),
    });
    this.operands = new NarrowOperands(this.lowBits, () => this.currentDivergence());
    this.original = func.idBound;
    this.measure();
    this.digits = this.findDigits();
  }

  run(): boolean {
    const replaced = new Replacements(this.func);
    for (const number of this.digits) this.truncate(number);
    if (this.digits.length > 0) this.measure();
    const joins = new NarrowJoins(
      this.func,
      (v, width) => this.lowBits.fits(v, width) || this.lowBits.fits(v, 16),
    );
    let changed = joins.exist;
    for (const block of this.func.blocks) {
      this.out = [];
      // Values that one block creates need not dominate another block.
      this.lowValues.forget();
      for (const inst of block.insts) {
        this.at = inst;
        if (inst.op === Op.Trunc && this.bytes.get(inst.operands[0]!) === inst) {
          this.out.push(inst);
          continue;
        }
        if (inst.op === Op.Mul && inst.type === Type.I32) this.markFactors(inst);
        const narrow = this.narrowed(inst);
        if (narrow) {
          replaced.set(inst, narrow);
          changed = true;
        } else this.narrowOperands(inst);
        this.out.push(inst);
      }
      this.at = block.terminator;
      joins.narrowArguments(block, (v, width) => this.lowOfHalf(v, width));
      block.insts = this.out;
    }
    joins.replaceParams(replaced);
    if (!changed && !this.hasMade) return false;
    replaced.apply(this.func);
    removeDeadCode(this.func);
    return true;
  }

  private measure(): void {
    for (const { insts } of this.func.blocks) for (const inst of insts) this.lowBits.measure(inst);
  }

  /** Whether there are digits of words, such as `w >> 6 & 63`, that are both compared and truncated: their comparisons can be narrow. */
  hasDigits(): boolean {
    return this.digits.length > 0;
  }

  private findDigits(): readonly Inst[] {
    const compared = new Set<Value>();
    const truncated = new Set<Inst>();
    for (const { insts } of this.func.blocks)
      for (const { op, type, operands } of insts) {
        const [a] = operands;
        if (op >= Op.Eq && op <= Op.UGe && a!.type === Type.I32) for (const v of operands) compared.add(v);
        if (op === Op.Trunc && type === Type.I8 && a!.kind === 'inst' && a!.type === Type.I32)
          truncated.add(a!);
      }
    return [...truncated].filter((number) => {
      const range = compared.has(number) ? this.ranges.of(number) : undefined;
      if (!range || range.low < 0 || range.high > 255) return false;
      return !this.lowBits.fits(number, 16) && !this.isUniform(number);
    });
  }

  /** Truncates a digit where it is computed, once for all uses. */
  private truncate(number: Inst): void {
    const { block, position } = number;
    const facts = { noUnsignedWrap: true } as const;
    const byte = makeInst(this.func, block, Op.Trunc, Type.I8, [number], facts, position);
    block.insts.splice(block.insts.indexOf(number) + 1, 0, byte);
    this.bytes.set(number, byte);
    this.lowBits.give(number);
  }

  private markFactors(product: Inst): void {
    const ranges = product.operands.map((factor) => this.ranges.of(factor));
    if (!ranges.every((r) => r && r.low >= -(2 ** 15) && r.high < 2 ** 15)) return;
    const nonNegative = ranges.findIndex((r) => r!.low >= 0);
    product.facts = {
      ...product.facts,
      factorsFitI16: { nonNegative: nonNegative < 0 ? undefined : (nonNegative as 0 | 1) },
    };
  }

  /** Computes operands in sixteen bits, and extends them. */
  private narrowOperands(inst: Inst): void {
    inst.operands.forEach((operand, i) => {
      const extension = this.operands.extensionOf(inst, operand);
      if (!extension) return;
      const half = this.low(operand, 16);
      inst.operands = inst.operands.with(i, this.emit(extension, Type.I32, [half]));
    });
  }

  /** The narrow form of a comparison or a truncation. */
  private narrowed(inst: Inst): Value | undefined {
    const { op, operands } = inst;
    if (op >= Op.FEq && op <= Op.FGe) return this.comparedWithFloat(inst);
    if (op >= Op.Eq && op <= Op.UGe && operands[0]!.type === Type.I32) {
      const [a, b] = operands as [Value, Value];
      if (constantOf(a) !== undefined) return undefined;
      return (
        this.comparison(op, a, b) ?? this.withinBounds(op, a, b) ?? this.withinBounds(SWAPPED[op] ?? op, b, a)
      );
    }
    if (op !== Op.Trunc || operands[0]!.type !== Type.I32 || inst.type === Type.I1) return undefined;
    const [a] = operands as [Value];
    if (a.kind !== 'inst') return undefined;
    const sum = this.saturated(inst, a);
    if (sum) return sum;
    if (inst.type === Type.I8 && this.lowBits.fits(a, 8)) return this.low(a, 8);
    const field = this.fieldOf(inst, a);
    if (field) return field;
    const range = this.ranges.of(a);
    if (!this.lowBits.fits(a, 16)) {
      const byte = inst.type === Type.I8 ? this.byteOfHalf(a) : undefined;
      if (!byte && range) this.markTruncation(inst, range);
      return byte;
    }
    const half = this.low(a, 16);
    if (inst.type === Type.I16) return half;
    const narrow = this.emit(Op.Trunc, Type.I8, [half]);
    if (range && range.low >= 0 && range.high < 256) narrow.facts = { ...narrow.facts, noUnsignedWrap: true };
    return narrow;
  }

  /** A byte of a shifted number of which only some bits are used. */
  private fieldOf(truncation: Inst, shift: Inst): Value | undefined {
    if (truncation.type !== Type.I8 || (shift.op !== Op.LShr && shift.op !== Op.AShr)) return undefined;
    if (constantOf(shift.operands[1]!) !== undefined) return undefined;
    this.uses ??= new Uses(this.func);
    const users = this.uses.usersOf(truncation);
    let mask = this.uses.paramsGiven(truncation).length > 0 ? 0xff : 0;
    for (const { op, operands } of users)
      mask |= op === Op.And ? Number(constantOf(operands[1]!) ?? 0xff) & 0xff : 0xff;
    const half = this.lowValues.field(shift, mask);
    return half && this.emit(Op.Trunc, Type.I8, [half]);
  }

  /** A sum of numbers of the truncation's type that is clamped to it: saturating arithmetic. */
  private saturated({ type }: Inst, clamp: Inst): Value | undefined {
    const width = type === Type.I8 ? 8 : 16;
    const sum = clampedSum(clamp, width, (v) => this.ranges.of(v), this.leaves);
    if (!sum) return type === Type.I8 ? this.saturatedSum(clamp) : undefined;
    const { op, terms } = sum;
    if (terms.every((v) => this.isUniform(v)) || !terms.every((v) => this.lowBits.fits(v, width)))
      return undefined;
    return this.emit(
      op,
      type,
      terms.map((v) => this.low(v, width)),
    );
  }

  /** The byte of the bits that a shift takes out of a number: those above the sixteenth do not matter. */
  private byteOfHalf({ op, operands: [number, amount] }: Inst): Value | undefined {
    if (op !== Op.LShr && op !== Op.AShr) return undefined;
    const by = constantAmount(amount!);
    if (by === undefined || by > 8 || !this.lowBits.fits(number!, 16)) return undefined;
    const half = this.low(number!, 16);
    const shifted = this.emit(Op.LShr, Type.I16, [half, this.leaves.constant(Type.I16, by)]);
    const byte = this.emit(Op.Trunc, Type.I8, [shifted]);
    if (by === 8) byte.facts = { ...byte.facts, noUnsignedWrap: true };
    return byte;
  }

  /** A byte plus or minus a uniform number, clamped to a byte again: saturating arithmetic. */
  private saturatedSum(clamp: Inst): Value | undefined {
    const sum = clampedToByte(clamp);
    if (sum?.kind !== 'inst' || (sum.op !== Op.Add && sum.op !== Op.Sub)) return undefined;
    const [a, b] = sum.operands as [Value, Value];
    const isByte = (v: Value) =>
      this.lowBits.common(v, v, 8) === 'unsigned' && this.lowBits.fits(v, 8) && !this.isUniform(v);
    const [byte, number] = isByte(a) ? [a, b] : sum.op === Op.Add ? [b, a] : [];
    if (!byte || !number || !isByte(byte) || constantOf(number) !== undefined || !this.isUniform(number))
      return undefined;
    const emit = (op: Op, ...operands: Value[]) => this.emit(op, operands[0]!.type, operands);
    const constant = (n: number) => this.leaves.i32(n);
    const byteOf = (v: Value) => this.emit(Op.Trunc, Type.I8, [v]);
    const added = sum.op === Op.Sub ? emit(Op.Neg, number) : number;
    const up = emit(Op.SMin, emit(Op.SMax, added, constant(0)), constant(255));
    const down = emit(Op.SMax, emit(Op.Neg, emit(Op.SMax, added, constant(-255))), constant(0));
    const moved = emit(Op.USubSat, emit(Op.UAddSat, this.low(byte, 8), byteOf(up)), byteOf(down));
    // Where the number is so large that the sum wraps, it is below 0.
    const room = emit(Op.Sub, constant(2 ** 31 - 1), emit(Op.SMax, added, constant(2 ** 31 - 256)));
    const wraps = this.emit(Op.UGt, Type.I1, [this.low(byte, 8), byteOf(room)]);
    return this.emit(Op.Select, Type.I8, [wraps, this.leaves.constant(Type.I8, 0), moved]);
  }

  /** Says of all truncations what they do not change, so that no mask is needed. Returns whether there are such. */
  markTruncations(): boolean {
    let changed = false;
    for (const { insts } of this.func.blocks)
      for (const inst of insts) {
        const range = isNarrowing(inst) ? this.ranges.of(inst.operands[0]!) : undefined;
        if (!range) continue;
        const { facts } = inst;
        this.markTruncation(inst, range);
        changed ||= inst.facts !== facts;
      }
    return changed;
  }

  /** Says of a truncation that remains what it does not change. */
  private markTruncation(inst: Inst, { low, high }: Range): void {
    const width = inst.type === Type.I8 ? 8 : 16;
    if (low >= 0 && high < 2 ** width) inst.facts = { ...inst.facts, noUnsignedWrap: true };
    else if (low >= -(2 ** (width - 1)) && high < 2 ** (width - 1))
      inst.facts = { ...inst.facts, noSignedWrap: true };
  }

  /** A comparison of a narrow number, converted to a float, with a uniform float: with the integer next to it. */
  private comparedWithFloat({ op, operands }: Inst): Value | undefined {
    const [x, y] = operands as [Value, Value];
    const swapped = !isConverted(x);
    const [converted, float] = swapped ? [y, x] : [x, y];
    const code = swapped ? (SWAPPED[op] ?? op) : op;
    const rule = FLOAT_COMPARISONS[code];
    if (!isConverted(converted) || !rule) return undefined;
    const number = this.inWords(converted);
    if (!number || !this.lowBits.fits(number, 16) || this.isUniform(converted)) return undefined;
    const sign = this.lowBits.common(number, number, 16);
    // A number below 0 is converted as a large one without a sign.
    if (!sign || (sign === 'signed' && converted.op === Op.UToF)) return undefined;
    const constant = constantOf(float);
    if (constant !== undefined) {
      const integer = rule.round === Op.FFloor ? Math.floor(Number(constant)) : Math.ceil(Number(constant));
      const { low, high } = this.ranges.of(number)!;
      // Others decide nothing, or everything.
      if (!(integer >= low && integer <= high) || (rule.exact && integer !== constant)) return undefined;
      return this.comparison(rule.op, number, this.leaves.i32(integer | 0));
    }
    if (!this.isUniform(float)) return undefined;
    const rounded = this.emit(rule.round, float.type, [float]);
    const result = this.bounded(rule.op, number, this.emit(Op.FToS, Type.I32, [rounded]));
    if (!result) return undefined;
    // Nothing is equal to a float with a fraction; all other comparisons with a NaN are false.
    if (code === Op.FNe)
      return this.emit(Op.Or, Type.I1, [result, this.emit(Op.FNe, Type.I1, [float, rounded])]);
    const other = rule.exact ? rounded : float;
    return this.emit(Op.And, Type.I1, [result, this.emit(Op.FEq, Type.I1, [float, other])]);
  }

  /** A number of at most 32 bits that is converted to a float, in 32 bits. */
  private inWords({ op, operands }: Inst): Value | undefined {
    const [number] = operands as [Value];
    if (number.type === Type.I32) return number;
    if (number.type !== Type.I8 && number.type !== Type.I16) return undefined;
    const word = this.emit(op === Op.UToF ? Op.ZExt : Op.SExt, Type.I32, [number]);
    this.lowBits.measure(word);
    return word;
  }

  /** A comparison of numbers that both fit eight or sixteen bits, in this many bits. */
  private comparison(op: Op, a: Value, b: Value): Value | undefined {
    for (const width of [8, 16] as const) {
      const sign = this.lowBits.common(a, b, width);
      if (!sign || !this.lowBits.fits(a, width) || !this.lowBits.fits(b, width)) continue;
      if (op >= Op.ULt && sign === 'signed') continue;
      const code = sign === 'unsigned' ? (UNSIGNED[op] ?? op) : op;
      return this.emit(code, Type.I1, [this.low(a, width), this.low(b, width)]);
    }
    return undefined;
  }

  /** A comparison of a narrow value with a uniform one that may be any number. */
  private withinBounds(op: Op, a: Value, b: Value): Value | undefined {
    // Where both are uniform, as in the tests of counters, nothing is packed.
    if (constantOf(a) !== undefined || constantOf(b) !== undefined) return undefined;
    if (!this.isUniform(b) || this.isUniform(a) || this.isLoopTest(b)) return undefined;
    return this.bounded(op, a, b);
  }

  /** Whether the comparison decides if a loop goes on, by a number that each iteration changes: the number would be clamped in each. */
  private isLoopTest(number: Value): boolean {
    const { block } = this.at;
    const loop = this.currentDivergence().flow.loopOf(block);
    return (
      loop?.blocks.has(number.block) === true &&
      block.terminator.operands[0] === this.at &&
      block.targets.some((target) => !loop.blocks.has(target.block))
    );
  }

  private bounded(op: Op, a: Value, b: Value): Value | undefined {
    for (const width of [8, 16] as const) {
      const sign = this.lowBits.common(a, a, width);
      if (!sign || !this.lowBits.fits(a, width)) continue;
      if (op >= Op.ULt && sign === 'signed') continue;
      const low = sign === 'signed' ? -(2 ** (width - 1)) : 0;
      const range = { low, high: low + 2 ** width - 1 };
      const emit = (code: Op, type: Type, operands: Value[]) => this.emit(code, type, operands);
      const { clamped, correct } = clampedComparison(op, b, range, this.leaves, emit);
      const code = sign === 'unsigned' ? (UNSIGNED[op] ?? op) : op;
      const narrow = this.emit(Op.Trunc, width === 8 ? Type.I8 : Type.I16, [clamped]);
      return correct(this.emit(code, Type.I1, [this.low(a, width), narrow]));
    }
    return undefined;
  }

  private isUniform(v: Value): boolean {
    // The analysis does not know the values that this pass creates.
    return v.id < this.original && (this.currentDivergence().dims[v.id]! & X) === 0;
  }

  private currentDivergence(): Divergence {
    this.known ??= this.divergence();
    return this.known;
  }

  /** The low bits of a value that fits, or of which more bits do. */
  private lowOfHalf(v: Value, width: Width): Value {
    return this.lowBits.fits(v, width) ? this.low(v, width) : this.emit(Op.Trunc, Type.I8, [this.low(v, 16)]);
  }

  /** The low bits of a value that fits. */
  private low(v: Value, width: Width): Value {
    return this.lowValues.low(v, width);
  }

  private emit(op: Op, type: Type, operands: Value[]): Inst {
    const inst = makeInst(this.func, this.at.block, op, type, operands, {}, this.at.position);
    this.out.push(inst);
    this.hasMade = true;
    return inst;
  }
}
