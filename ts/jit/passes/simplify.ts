// SPDX-License-Identifier: MIT
//
// Constant folding, algebraic identities, strength reduction: each instruction is visited once, after its operands. Results are
// bit-exact unless a `fast` fact allows otherwise.
import { FIRST_ADDRESS } from '../../base/kernel-abi';
import { constantOf, isUndefined, Leaves, makeInst } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { fold } from '../ir/fold';
import { type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { isCommutative, isPure, Replacements } from '../ir/rewrite';
import { bitsOf, bytesOf, isFloat, isInteger } from '../ir/types';
import { divideByConstant } from './divide';
import { powerOfTwo, type Simplifier } from './simplifier';
import { simplifyCount } from './simplify-counts';
import { simplifyFloat, unlimitedNumber } from './simplify-float';
import { simplifyCompare, simplifyLogic } from './simplify-logic';

/** The program's constant memory: bytes at an offset from ProgramBase that never change. */
export interface ConstantMemory {
  constantBytes(offset: number, size: number): DataView | undefined;
}

/**
 * Constant parts of an address are moved into accesses within these limits. Nothing is below `FIRST_ADDRESS` and loads are
 * speculated at most 4 KiB below a buffer (speculative-loads.ts), so what remains of the address does not wrap. A multiple of all
 * structures' sizes, so that their components are on the same side.
 */
const LOWEST_OFFSET = -4096;
const END_OF_OFFSETS = FIRST_ADDRESS + LOWEST_OFFSET;

/** Besides masks, the operations that may be the last step of a count. */
const MAY_COUNT: ReadonlySet<Op> = new Set([Op.Add, Op.LShr, Op.AShr, Op.PopCount]);

const NO_CONSTANTS: readonly undefined[] = [];

export function simplify(func: Func, constants?: ConstantMemory): boolean {
  return new Pass(func, constants).run();
}

class Pass implements Simplifier {
  readonly leaves: Leaves;
  private readonly replaced: Replacements;
  private out: Inst[] = [];
  private current!: Inst;
  private changed = false;

  constructor(
    private readonly func: Func,
    private readonly constants: ConstantMemory | undefined,
  ) {
    this.leaves = new Leaves(func);
    this.replaced = new Replacements(func);
  }

  run(): boolean {
    for (const block of dominatorsOf(this.func).order) {
      if (block !== this.func.entry) {
        this.out = [];
        for (const inst of block.insts) {
          this.current = inst;
          this.replaced.operandsOf(inst);
          const value = this.visit(inst);
          if (value === inst) this.out.push(inst);
          else {
            this.replaced.set(inst, value);
            this.changed = true;
          }
        }
        block.insts = this.out;
      }
      this.replaced.operandsOf(block.terminator);
      const { terminator } = block;
      // A branch on a negation swaps its targets.
      const condition = terminator.operands[0];
      if (terminator.op === Op.Branch && condition?.kind === 'inst' && condition.op === Op.Not) {
        terminator.operands = [condition.operands[0]!];
        block.targets.reverse();
        this.changed = true;
      }
    }
    this.replaced.apply(this.func);
    return this.changed;
  }

  emit(op: Op, type: Type, operands: Value[], facts: InstFacts = {}): Value {
    const made = makeInst(this.func, this.current.block, op, type, operands, facts, this.current.position);
    const value = this.visit(made);
    if (value === made) this.out.push(made);
    return value;
  }

  /** The simplified form of an instruction: itself, perhaps with other operands, or another value. */
  private visit(inst: Inst): Value {
    const { op, operands } = inst;
    if (op === Op.Load || op === Op.Store || (op >= Op.AtomicLoad && op <= Op.AtomicCmpXchg)) {
      this.foldAddress(inst);
      return op === Op.Load ? (this.loadConstant(inst) ?? inst) : inst;
    }
    if (!isPure(op) || operands.length === 0) return inst;
    let known = 0;
    for (let i = 0; i < operands.length; i++) if (constantOf(operands[i]!) !== undefined) known++;
    if (known === 0) return this.rules(inst, NO_CONSTANTS) ?? inst;
    const constants = operands.map(constantOf);
    if (known === operands.length) {
      const value = fold(op, inst.type, constants as (number | bigint)[], operands[0]!.type);
      if (value !== undefined) return this.leaves.constant(inst.type, value);
    }
    if (isCommutative(op) && constants[0] !== undefined && constants[1] === undefined) {
      inst.operands = [operands[1]!, operands[0]!];
      constants.reverse();
      this.changed = true;
    }
    return this.rules(inst, constants) ?? inst;
  }

  private rules(inst: Inst, constants: readonly (number | bigint | undefined)[]): Value | undefined {
    const { op } = inst;
    if (op >= Op.Eq && op <= Op.FUnordered) return simplifyCompare(this, inst, constants[1]);
    if (op >= Op.FAdd && op <= Op.MulAdd) return simplifyFloat(this, inst, constants);
    if (op === Op.Select) return this.select(inst);
    if (op === Op.And || op === Op.Or || op === Op.Xor || op === Op.Not)
      return (
        simplifyLogic(this, inst, constants[1]) ?? (op === Op.And ? simplifyCount(this, inst) : undefined)
      );
    if (op >= Op.Add && op <= Op.Rotl)
      return this.integer(inst, constants[1]) ?? (MAY_COUNT.has(op) ? simplifyCount(this, inst) : undefined);
    return this.conversion(inst);
  }

  private constant(type: Type, value: number | bigint): Value {
    return this.leaves.constant(type, type === Type.I64 ? BigInt(value) : value);
  }

  private integer(inst: Inst, constant: number | bigint | undefined): Value | undefined {
    const { op, type } = inst;
    const [a, b] = inst.operands as [Value, Value];
    if (constant !== undefined) {
      const c = BigInt(constant);
      const value = this.byConstant(op, type, a, c);
      if (value) return value;
    }
    switch (op) {
      case Op.Sub:
        if (a === b) return this.constant(type, 0);
        if (constant !== undefined)
          return this.emit(Op.Add, type, [a, this.constant(type, -BigInt(constant))], wrapFacts(inst));
        if (constantOf(a) !== undefined && BigInt(constantOf(a)!) === 0n) return this.emit(Op.Neg, type, [b]);
        return undefined;
      case Op.Add:
        return this.reassociate(type, a, b);
      case Op.SMin:
      case Op.SMax:
      case Op.UMin:
      case Op.UMax:
        return a === b ? a : undefined;
      case Op.Neg:
        return a.kind === 'inst' && a.op === Op.Neg ? a.operands[0] : undefined;
      default:
        return undefined;
    }
  }

  private byConstant(op: Op, type: Type, a: Value, c: bigint): Value | undefined {
    const inner = a.kind === 'inst' ? a : undefined;
    const innerConstant = inner && inner.operands.length === 2 ? constantOf(inner.operands[1]!) : undefined;
    const width = BigInt(bitsOf(type));
    switch (op) {
      case Op.Add:
        if (c === 0n) return a;
        if (inner?.op === Op.Add && innerConstant !== undefined)
          return this.emit(Op.Add, type, [
            inner.operands[0]!,
            this.constant(type, BigInt(innerConstant) + c),
          ]);
        return undefined;
      case Op.Mul: {
        if (c === 0n) return this.constant(type, 0);
        if (c === 1n) return a;
        if (c === -1n) return this.emit(Op.Neg, type, [a]);
        const power = powerOfTwo(BigInt.asUintN(Number(width), c));
        if (power !== undefined) return this.emit(Op.Shl, type, [a, this.constant(type, power)]);
        return this.distribute(Op.Mul, type, a, c);
      }
      case Op.Shl:
        if (c % width === 0n) return a;
        if (
          inner?.op === Op.Shl &&
          innerConstant !== undefined &&
          innerConstant >= 0 &&
          BigInt(innerConstant) + c < width &&
          c > 0n
        )
          return this.emit(Op.Shl, type, [
            inner.operands[0]!,
            this.constant(type, BigInt(innerConstant) + c),
          ]);
        return this.distribute(Op.Shl, type, a, c);
      case Op.LShr:
      case Op.AShr:
        return c % width === 0n ? a : this.shiftedExtension(type, a, c % width);
      case Op.Rotl:
        return c % width === 0n ? a : undefined;
      case Op.UDiv:
      case Op.SDiv:
      case Op.URem:
      case Op.SRem:
        return divideByConstant(this, op, type, a, c);
      default:
        return undefined;
    }
  }

  /** A shift of an unsigned number that was extended to 64 bits, such as a size_t from an id, is one of 32 bits. */
  private shiftedExtension(type: Type, a: Value, by: bigint): Value | undefined {
    if (type !== Type.I64 || by < 0n || a.kind !== 'inst' || a.op !== Op.ZExt) return undefined;
    const [number] = a.operands as [Value];
    if (number.type !== Type.I32) return undefined;
    if (by >= 32n) return this.constant(type, 0);
    return this.emit(Op.ZExt, type, [
      this.emit(Op.LShr, Type.I32, [number, this.constant(Type.I32, Number(by))]),
    ]);
  }

  /** (x + c) * d is x * d + c * d, which separates the constant part of an address. */
  private distribute(op: Op, type: Type, a: Value, c: bigint): Value | undefined {
    if (type !== Type.I32 || a.kind !== 'inst' || a.op !== Op.Add) return undefined;
    const added = constantOf(a.operands[1]!);
    if (added === undefined) return undefined;
    const amount = this.constant(type, c);
    const moved = fold(op, type, [added, Number(c)], type)!;
    return this.emit(Op.Add, type, [
      this.emit(op, type, [a.operands[0]!, amount]),
      this.constant(type, moved),
    ]);
  }

  /** (x + c) + y is (x + y) + c. */
  private reassociate(type: Type, a: Value, b: Value): Value | undefined {
    if (type !== Type.I32) return undefined;
    const constantOfSum = (sum: Value, other: Value) =>
      sum.kind === 'inst' && sum.op === Op.Add && constantOf(other) === undefined
        ? constantOf(sum.operands[1]!)
        : undefined;
    // The pointer stays the first operand.
    const left = constantOfSum(a, b);
    if (left !== undefined) return this.plus(type, (a as Inst).operands[0]!, b, left);
    const right = constantOfSum(b, a);
    return right !== undefined ? this.plus(type, a, (b as Inst).operands[0]!, right) : undefined;
  }

  private plus(type: Type, a: Value, b: Value, constant: number | bigint): Value {
    return this.emit(Op.Add, type, [this.emit(Op.Add, type, [a, b]), this.constant(type, constant)]);
  }

  private select(inst: Inst): Value | undefined {
    const [condition, then, otherwise] = inst.operands as [Value, Value, Value];
    const known = constantOf(condition);
    if (known !== undefined) return known ? then : otherwise;
    if (then === otherwise) return then;
    if (isUndefined(then)) return otherwise;
    if (isUndefined(otherwise)) return then;
    if (condition.kind === 'inst' && condition.op === Op.Not)
      return this.emit(Op.Select, inst.type, [condition.operands[0]!, otherwise, then]);
    if (inst.type === Type.I1) {
      const [t, o] = [constantOf(then), constantOf(otherwise)];
      if (t === 1 && o === 0) return condition;
      if (t === 0 && o === 1) return this.emit(Op.Not, Type.I1, [condition]);
      if (t === 1) return this.emit(Op.Or, Type.I1, [condition, otherwise]);
      if (o === 0) return this.emit(Op.And, Type.I1, [condition, then]);
      return undefined;
    }
    if (isInteger(inst.type)) {
      const [t, o] = [constantOf(then), constantOf(otherwise)];
      if (t !== undefined && o !== undefined && BigInt(t) === 1n && BigInt(o) === 0n)
        return this.emit(Op.ZExt, inst.type, [condition]);
    }
    const chosen = asMinMax(condition, then, otherwise);
    if (chosen) return this.emit(chosen[0], inst.type, [chosen[1], chosen[2]]);
    const signed = absoluteOf(condition, then, otherwise);
    if (signed) return this.emit(Op.Abs, inst.type, [signed]);
    const limited = limitOfTruncated(condition, then, otherwise);
    if (!limited) return undefined;
    const limit = this.emit(limited.op, Type.I32, [limited.number, limited.limit]);
    return this.emit(Op.Trunc, inst.type, [limit]);
  }

  private conversion(inst: Inst): Value | undefined {
    const { op, type } = inst;
    const a = inst.operands[0]!;
    if (a.type === type && (op === Op.Bitcast || op === Op.FConvert)) return a;
    if (a.kind !== 'inst') return undefined;
    const inner = a.operands[0];
    switch (op) {
      case Op.Bitcast:
        if (a.op === Op.Bitcast) return inner!.type === type ? inner : this.emit(Op.Bitcast, type, [inner!]);
        return undefined;
      case Op.ZExt:
        if (a.op === Op.ZExt) return this.emit(Op.ZExt, type, [inner!]);
        return undefined;
      case Op.SExt:
        if (a.op === Op.SExt || a.op === Op.ZExt) return this.emit(a.op, type, [inner!]);
        return undefined;
      case Op.FConvert:
        // Widening is exact, so narrowing restores the number.
        if (a.op === Op.FConvert && bitsOf(inner!.type) < bitsOf(a.type)) {
          if (inner!.type === type) return inner;
          if (bitsOf(type) > bitsOf(a.type)) return this.emit(Op.FConvert, type, [inner!]);
        }
        return undefined;
      case Op.Trunc:
        return this.truncate(type, a);
      case Op.FToU: {
        const number = unlimitedNumber(a, type);
        return number === a ? undefined : this.emit(Op.FToU, type, [number]);
      }
      default:
        return undefined;
    }
  }

  private truncate(type: Type, { op, operands }: Inst): Value | undefined {
    const inner = operands[0]!;
    switch (op) {
      case Op.ZExt:
      case Op.SExt:
        if (inner.type === type) return inner;
        return this.emit(bitsOf(inner.type) < bitsOf(type) ? op : Op.Trunc, type, [inner]);
      case Op.Trunc:
        return this.emit(Op.Trunc, type, [inner]);
      default:
        return undefined;
    }
  }

  private foldAddress(inst: Inst): void {
    for (;;) {
      const address = inst.operands[0]!;
      if (address.kind !== 'inst' || address.op !== Op.Add) return;
      const constant = constantOf(address.operands[1]!);
      if (constant === undefined) return;
      const offset = (inst.facts.offset ?? 0) + Number(constant);
      const base = address.operands[0]!;
      // The offset of an instruction has 32 bits; a sum of them cannot wrap.
      const isFar = offset < LOWEST_OFFSET || offset >= END_OF_OFFSETS;
      if (isFar && (!isObject(base) || address.type === Type.I64)) return;
      inst.operands = inst.operands.with(0, base);
      inst.facts = { ...inst.facts, offset };
      this.changed = true;
    }
  }

  private loadConstant(inst: Inst): Value | undefined {
    const address = inst.operands[0]!;
    if (!this.constants || address.kind !== 'inst' || address.op !== Op.ProgramBase) return undefined;
    const size = bytesOf(inst.type);
    const bytes = this.constants.constantBytes(address.facts.offset! + (inst.facts.offset ?? 0), size);
    if (!bytes) return undefined;
    const raw =
      size === 8
        ? bytes.getBigInt64(0, true)
        : size === 4
          ? bytes.getInt32(0, true)
          : size === 2
            ? bytes.getInt16(0, true)
            : bytes.getInt8(0);
    const integer = [Type.I8, Type.I16, Type.I32, Type.I64][Math.log2(size)]!;
    if (!isFloat(inst.type)) return this.leaves.constant(inst.type, raw);
    const value = fold(Op.Bitcast, inst.type, [raw], integer);
    return value === undefined ? undefined : this.leaves.constant(inst.type, value);
  }
}

/** An address at which an object starts: a constant offset from it does not wrap. */
function isObject(value: Value): boolean {
  if (value.kind !== 'inst') return false;
  switch (value.op) {
    case Op.Argument:
    case Op.LocalBase:
    case Op.ProgramBase:
    case Op.PrivateAlloca:
    case Op.Counters:
      return true;
    default:
      return false;
  }
}

const wrapFacts = (inst: Inst): InstFacts => (inst.facts.noWrap ? { noWrap: true } : {});

const MIN_MAX: Partial<Record<Op, readonly [less: Op, greater: Op]>> = {
  [Op.SLt]: [Op.SMin, Op.SMax],
  [Op.SLe]: [Op.SMin, Op.SMax],
  [Op.SGt]: [Op.SMax, Op.SMin],
  [Op.SGe]: [Op.SMax, Op.SMin],
  [Op.ULt]: [Op.UMin, Op.UMax],
  [Op.ULe]: [Op.UMin, Op.UMax],
  [Op.UGt]: [Op.UMax, Op.UMin],
  [Op.UGe]: [Op.UMax, Op.UMin],
};

/**
 * x > c ? (uchar)c : (uchar)x is the truncation of min(x, c), and likewise with a maximum. The number may itself be such a limit of x, in
 * the other direction: it is beyond c where x is.
 */
function limitOfTruncated(
  condition: Value,
  then: Value,
  otherwise: Value,
): { op: Op; number: Value; limit: Value } | undefined {
  if (condition.kind !== 'inst' || otherwise.kind !== 'inst' || otherwise.op !== Op.Trunc) return undefined;
  const op = LIMITS[condition.op];
  if (!op) return undefined;
  const [x, limit] = condition.operands as [Value, Value];
  const [number] = otherwise.operands as [Value];
  const [end, given] = [constantOf(limit), constantOf(then)];
  if (number.type !== Type.I32 || x.type !== Type.I32 || end === undefined || given === undefined)
    return undefined;
  if (BigInt.asIntN(bitsOf(then.type), BigInt(end)) !== BigInt.asIntN(bitsOf(then.type), BigInt(given)))
    return undefined;
  if (number === x) return { op, number, limit };
  if (number.kind !== 'inst' || number.op !== (op === Op.SMin ? Op.SMax : Op.SMin)) return undefined;
  const other = constantOf(number.operands[1]!);
  if (number.operands[0] !== x || other === undefined) return undefined;
  const isBeyond = op === Op.SMin ? end >= other : end <= other;
  return isBeyond ? { op, number, limit } : undefined;
}

/** The operations that give the constant that a number is compared with where the comparison holds, and else the number. */
const LIMITS: Partial<Record<Op, Op.SMin | Op.SMax>> = {
  [Op.SGt]: Op.SMin,
  [Op.SGe]: Op.SMin,
  [Op.SLt]: Op.SMax,
  [Op.SLe]: Op.SMax,
};

/** The number whose absolute value `x < 0 ? -x : x` is, in one of its forms. Not of 64 bits, where a select is no slower. */
function absoluteOf(condition: Value, then: Value, otherwise: Value): Value | undefined {
  if (condition.kind !== 'inst' || !isInteger(then.type) || bitsOf(then.type) > 32) return undefined;
  const [x, limit] = condition.operands as [Value, Value];
  const isBelow = condition.op === Op.SLt || condition.op === Op.SLe;
  if (!isBelow && condition.op !== Op.SGt && condition.op !== Op.SGe) return undefined;
  // 0 is its own negative, so it may be on either side: -1 < x is 0 <= x, and x < 1 is x <= 0.
  const next = condition.op === Op.SLt ? 1 : condition.op === Op.SGt ? -1 : 0;
  const constant = constantOf(limit);
  if (constant === undefined || (Number(constant) !== 0 && Number(constant) !== next)) return undefined;
  const [negative, number] = isBelow ? [then, otherwise] : [otherwise, then];
  const isNegative = negative.kind === 'inst' && negative.op === Op.Neg && negative.operands[0] === x;
  return isNegative && number === x ? x : undefined;
}

/** a < b ? a : b is min(a, b): the operation with its operands. Not for floats: zeros and NaNs differ. */
export function asMinMax(
  condition: Value,
  then: Value,
  otherwise: Value,
): readonly [op: Op, a: Value, b: Value] | undefined {
  if (condition.kind !== 'inst' || !isInteger(then.type)) return undefined;
  const ops = MIN_MAX[condition.op];
  if (!ops) return undefined;
  const [a, b] = condition.operands as [Value, Value];
  if (then === a && otherwise === b) return [ops[0], a, b];
  if (then === b && otherwise === a) return [ops[1], a, b];
  return undefined;
}
