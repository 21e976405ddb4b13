// SPDX-License-Identifier: MIT
//
// The byte arithmetic of several iterations of a loop in words: from a value of one byte, or a condition on such, to a word that holds
// the values of four iterations, the first in its low byte. Conditions are bytes of ones or zeros.
import { constantAmount, constantOf, type Leaves, makeInst } from '../../../ir/build';
import type { BytesOp } from '../../../ir/bytes';
import { type Block, type BlockParam, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { type CountedLoop, constantStep } from '../loops/constant-steps';

export const WORD = 4;
/** Multiplies a byte to all places. */
export const EACH_BYTE = 0x01010101;
/** The longest chain of operations. */
const DEEPEST = 24;
/** The longest of operations that do not change in the loop. */
const DEEPEST_INVARIANT = 8;

export const BYTE_ARITHMETIC: Partial<Record<Op, BytesOp>> = {
  [Op.Add]: 'add',
  [Op.Sub]: 'sub',
  [Op.SMin]: 'smin',
  [Op.SMax]: 'smax',
  [Op.UMin]: 'umin',
  [Op.UMax]: 'umax',
};

/** Comparisons as `less` or `equal` of the operands in their order or swapped, and whether the opposite is asked for. */
export const BYTE_COMPARISONS: Partial<Record<Op, readonly [BytesOp, swapped: boolean, not: boolean]>> = {
  [Op.Eq]: ['eq', false, false],
  [Op.Ne]: ['eq', false, true],
  [Op.ULt]: ['ult', false, false],
  [Op.UGt]: ['ult', true, false],
  [Op.UGe]: ['ult', false, true],
  [Op.ULe]: ['ult', true, true],
  [Op.SLt]: ['slt', false, false],
  [Op.SGt]: ['slt', true, false],
  [Op.SGe]: ['slt', false, true],
  [Op.SLe]: ['slt', true, true],
};

export const LOGIC = new Set([Op.And, Op.Or, Op.Xor]);

/** Whether iterations may do an instruction together, or not at all if its result is not used. */
export function isRepeatable({ op, facts }: Inst): boolean {
  return isPure(op) || (op === Op.Load && !facts.volatile);
}

/** Makes words of the values of a loop in the block that runs several of its iterations. */
export class ByteWords {
  private readonly words = new Map<string, Value>();
  private readonly copies = new Map<Value, Value>();
  private readonly invariants = new Map<Value, Value>();
  /** What is being made: a value that depends on itself has no word. */
  private readonly open = new Set<string>();

  /** `ahead`: a block that runs before; `params`: the values of the header's parameters at the start of `into`. */
  constructor(
    private readonly func: Func,
    private readonly ahead: Block,
    private readonly into: Block,
    private readonly loop: CountedLoop,
    private readonly leaves: Leaves,
    params: readonly Value[],
  ) {
    loop.header.params.forEach((param, i) => {
      this.copies.set(param, params[i]!);
    });
  }

  emit(op: Op, type: Type, operands: readonly Value[], facts: Inst['facts'] = {}, block = this.into): Value {
    const { position } = this.loop.header.terminator;
    const inst = makeInst(this.func, block, op, type, operands, facts, position);
    block.insts.push(inst);
    return inst;
  }

  bytes(bytes: BytesOp, ...operands: Value[]): Value {
    return this.emit(Op.Bytes, Type.I32, operands, { bytes });
  }

  /** The values of iterations 4 * `at` and after; undefined if there is no such form. */
  word(value: Value, at: number, depth = DEEPEST): Value | undefined {
    const key = `${value.id} ${at}`;
    const known = this.words.get(key);
    if (known) return known;
    if (depth === 0 || this.open.has(key)) return undefined;
    this.open.add(key);
    const made = this.make(value, at, depth - 1);
    this.open.delete(key);
    if (made) this.words.set(key, made);
    return made;
  }

  private make(value: Value, at: number, depth: number): Value | undefined {
    if (value.type !== Type.I8 && value.type !== Type.I1) return undefined;
    const outside = this.invariant(value);
    if (outside) return at > 0 ? this.word(value, 0) : this.repeated(outside);
    if (value.kind === 'param') return this.before(value, at, depth);
    if (value.op === Op.Load) return this.load(value, at);
    const operands = (count: number): Value[] | undefined => {
      const words = value.operands.slice(0, count).map((operand) => this.word(operand, at, depth));
      return words.every((word) => word !== undefined) ? words : undefined;
    };
    if (value.op === Op.Select) return this.select(value, at, depth);
    if (value.op === Op.LShr || value.op === Op.Shl) return this.shift(value, at, depth);
    if (value.op === Op.ZExt && value.operands[0]!.type === Type.I1) {
      const [word] = operands(1) ?? [];
      return word && this.emit(Op.And, Type.I32, [word, this.leaves.i32(EACH_BYTE)]);
    }
    if (value.op === Op.Not) {
      const [word] = operands(1) ?? [];
      return word && this.not(word);
    }
    const comparison = BYTE_COMPARISONS[value.op];
    const bytes = comparison?.[0] ?? BYTE_ARITHMETIC[value.op];
    if (!LOGIC.has(value.op) && !bytes) return undefined;
    if (comparison && value.operands[0]!.type !== Type.I8) return undefined;
    const words = operands(2);
    if (!words) return undefined;
    if (!bytes) return this.emit(value.op, Type.I32, words);
    const [, swapped, not] = comparison ?? [];
    const result = this.bytes(bytes, ...(swapped ? words.reverse() : words));
    return not ? this.not(result) : result;
  }

  /** Of a state that the loop carries: the values of the iteration before each, the first of which is the parameter's own. */
  private before(param: BlockParam, at: number, depth: number): Value | undefined {
    const { header, again } = this.loop;
    if (param.block !== header) return undefined;
    const next = again[header.params.indexOf(param)]!;
    const word = this.word(next, at, depth);
    const first = at > 0 ? this.lastOf(next, at - 1, depth) : this.single(this.copies.get(param)!);
    if (!word || !first) return undefined;
    const later = this.emit(Op.Shl, Type.I32, [word, this.leaves.i32(8)]);
    return this.emit(Op.Or, Type.I32, [later, first]);
  }

  /** The value of the last iteration of a word, in the low byte. */
  private lastOf(value: Value, at: number, depth: number): Value | undefined {
    const word = this.word(value, at, depth);
    return word && this.emit(Op.LShr, Type.I32, [word, this.leaves.i32(24)]);
  }

  /** A byte or a truth value in the low byte. */
  private single(value: Value): Value {
    if (value.type === Type.I8) return this.emit(Op.ZExt, Type.I32, [value]);
    return this.emit(Op.Select, Type.I32, [value, this.leaves.i32(0xff), this.leaves.i32(0)]);
  }

  /** A state after all iterations, of which `words` words have the values. */
  after(next: Value, words: number): Value | undefined {
    if (next.type !== Type.I8 && next.type !== Type.I1) return undefined;
    const last = this.lastOf(next, words - 1, DEEPEST);
    if (!last) return undefined;
    return next.type === Type.I8
      ? this.emit(Op.Trunc, Type.I8, [last])
      : this.emit(Op.Ne, Type.I1, [last, this.leaves.i32(0)]);
  }

  not(word: Value): Value {
    return this.emit(Op.Xor, Type.I32, [word, this.leaves.i32(-1)]);
  }

  /** A value from before the loop, or one that the loop computes of such: as it is before the loop. */
  invariant(value: Value, depth = DEEPEST_INVARIANT): Value | undefined {
    if (!this.loop.blocks.has(value.block)) return value;
    const known = this.invariants.get(value);
    if (known || depth === 0 || value.kind !== 'inst' || !isPure(value.op)) return known;
    const operands = value.operands.map((operand) => this.invariant(operand, depth - 1));
    if (operands.length === 0 || !operands.every((operand) => operand !== undefined)) return undefined;
    const made = this.emit(value.op, value.type, operands, value.facts, this.ahead);
    this.invariants.set(value, made);
    return made;
  }

  /** A byte from outside of the loop, four times; of a truth value, ones or zeros. */
  private repeated(byte: Value): Value {
    if (byte.type === Type.I1)
      return this.emit(Op.Select, Type.I32, [byte, this.leaves.i32(-1), this.leaves.i32(0)], {}, this.ahead);
    const constant = constantOf(byte);
    if (constant !== undefined) return this.leaves.i32(Math.imul(Number(constant) & 0xff, EACH_BYTE));
    const wide = this.emit(Op.ZExt, Type.I32, [byte], {}, this.ahead);
    return this.emit(Op.Mul, Type.I32, [wide, this.leaves.i32(EACH_BYTE)], {}, this.ahead);
  }

  private load(load: Inst, at: number): Value | undefined {
    const [address] = load.operands as [Value];
    const { volatile, space } = load.facts;
    if (volatile || space === 'private' || space === 'generic') return undefined;
    if (load.type !== Type.I8 || constantStep(address, this.loop) !== 1) return undefined;
    const facts = { ...load.facts, offset: (load.facts.offset ?? 0) + at * WORD, align: 1 };
    return this.emit(Op.Load, Type.I32, [this.copy(address)], facts);
  }

  /** The value of an address in the first iteration. */
  private copy(value: Value): Value {
    const known = this.copies.get(value);
    if (known || value.kind === 'param' || !this.loop.blocks.has(value.block)) return known ?? value;
    if (!isPure(value.op)) throw new Error('an address with an effect');
    const made = this.emit(
      value.op,
      value.type,
      value.operands.map((operand) => this.copy(operand)),
      value.facts,
    );
    this.copies.set(value, made);
    return made;
  }

  private select({ operands }: Inst, at: number, depth: number): Value | undefined {
    const [mask, then, otherwise] = operands.map((operand) => this.word(operand, at, depth));
    if (!mask || !then || !otherwise) return undefined;
    const difference = this.emit(Op.Xor, Type.I32, [then, otherwise]);
    return this.emit(Op.Xor, Type.I32, [otherwise, this.emit(Op.And, Type.I32, [difference, mask])]);
  }

  private shift({ op, operands, type }: Inst, at: number, depth: number): Value | undefined {
    const amount = constantAmount(operands[1]!);
    const word = amount !== undefined && type === Type.I8 ? this.word(operands[0]!, at, depth) : undefined;
    if (!word || amount === undefined || amount > 7) return undefined;
    const kept = op === Op.LShr ? 0xff >> amount : (0xff << amount) & 0xff;
    const shifted = this.emit(op, Type.I32, [word, this.leaves.i32(amount)]);
    return this.emit(Op.And, Type.I32, [shifted, this.leaves.i32(Math.imul(kept, EACH_BYTE))]);
  }
}
