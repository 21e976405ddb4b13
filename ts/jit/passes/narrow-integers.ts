// SPDX-License-Identifier: MIT
//
// Demanded bits: the low bits of sums, products and the like are those of narrow sums and products, so an operation of which only
// low bits are used is narrowed in place. 64-bit operations are expensive: if both widths are needed, the last few before a
// truncation get a narrow copy. Each instruction is visited a bounded number of times and rewritten once, however many paths lead
// to it.
import { blankTable } from '../../base/table';
import { constantAmount, constantOf, Leaves, makeInst } from '../ir/build';
import { dominatorsOf } from '../ir/cfg';
import { fold } from '../ir/fold';
import { type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { Replacements } from '../ir/rewrite';
import { bitsOf, integerOfBits, isInteger } from '../ir/types';

/** The longest distance from a truncation to a 64-bit operation that gets a copy. */
const MOST_STEPS = 8;

export function narrowIntegers(func: Func): boolean {
  const truncations: Inst[] = [];
  for (const { insts } of func.blocks)
    for (const inst of insts) if (inst.op === Op.Trunc && inst.type !== Type.I1) truncations.push(inst);
  const candidates = candidatesOf(func, truncations);
  if (!candidates) return false;
  const demanded = demandedBits(func, candidates);
  copyWideOperations(truncations, demanded);
  return new Narrower(func, demanded).run();
}

/** By value id: the operations whose high bits a truncation may make unnecessary; undefined if there are none. */
function candidatesOf(func: Func, truncations: readonly Inst[]): Uint8Array | undefined {
  let candidates: Uint8Array | undefined;
  const work: Inst[] = [];
  const add = (value: Value) => {
    if (!isNarrowable(value) || candidates?.[value.id]) return;
    candidates ??= new Uint8Array(func.idBound);
    candidates[value.id] = 1;
    work.push(value);
  };
  for (const { operands } of truncations) add(operands[0]!);
  for (let inst = work.pop(); inst; inst = work.pop())
    for (let at = 0; at < inst.operands.length; at++) if (!isControl(inst.op, at)) add(inst.operands[at]!);
  return candidates;
}

/** By value id: how many low bits of each candidate are used. */
interface Demand {
  /** By all users; 0 for unused values and for values that are not candidates. */
  readonly all: Uint8Array;
  /** By truncations, for 64-bit operations whose other users need all bits. */
  readonly copies: Uint8Array;
}

/** Whether the low bits of an operation's result depend only on the same low bits of its operands. */
function isNarrowable(value: Value): value is Inst {
  if (value.kind !== 'inst' || !isInteger(value.type)) return false;
  switch (value.op) {
    case Op.Add:
    case Op.Sub:
    case Op.Mul:
    case Op.And:
    case Op.Or:
    case Op.Xor:
    case Op.Not:
    case Op.Neg:
    case Op.Select:
      return true;
    case Op.Shl:
      return constantOf(value.operands[1]!) !== undefined;
    default:
      return false;
  }
}

/** Whether all bits of a narrowable operation's operand are needed: of conditions and shift amounts. */
const isControl = (op: Op, at: number) => (op === Op.Select && at === 0) || (op === Op.Shl && at === 1);

function demandedBits(func: Func, candidates: Uint8Array): Demand {
  const all = new Uint8Array(func.idBound);
  const work: Inst[] = [];
  const demand = (value: Value, bits: number) => {
    if (!candidates[value.id] || all[value.id]! >= bits) return;
    all[value.id] = bits;
    work.push(value as Inst);
  };
  const whole = (value: Value) => demand(value, bitsOf(value.type));
  for (const block of func.blocks) {
    for (const inst of block.insts)
      if (inst.op === Op.Trunc && !candidates[inst.id]) demand(inst.operands[0]!, bitsOf(inst.type));
      else if (!candidates[inst.id]) for (const operand of inst.operands) whole(operand);
    for (const operand of block.terminator.operands) whole(operand);
    for (const target of block.targets) for (const argument of target.arguments) whole(argument);
  }
  for (let inst = work.pop(); inst; inst = work.pop()) {
    const bits = all[inst.id]!;
    for (let at = 0; at < inst.operands.length; at++)
      if (isControl(inst.op, at)) whole(inst.operands[at]!);
      else demand(inst.operands[at]!, bits);
  }
  return { all, copies: new Uint8Array(func.idBound) };
}

/** Breadth first, so that each operation is reached over the fewest steps. */
function copyWideOperations(truncations: readonly Inst[], { all, copies }: Demand): void {
  let reached: Value[] = [];
  const demand = (value: Value, bits: number) => {
    if (value.type !== Type.I64 || all[value.id] !== 64 || !isNarrowable(value)) return;
    if (copies[value.id]! >= bits) return;
    copies[value.id] = bits;
    reached.push(value);
  };
  for (const inst of truncations) demand(inst.operands[0]!, bitsOf(inst.type));
  for (let step = 1; step < MOST_STEPS && reached.length > 0; step++) {
    const from = reached;
    reached = [];
    for (const value of from as Inst[])
      value.operands.forEach((operand, at) => {
        if (!isControl(value.op, at)) demand(operand, copies[value.id]!);
      });
  }
}

class Narrower {
  private readonly leaves: Leaves;
  private readonly replaced: Replacements;
  /** By value id: its low bits, computed where the value is. */
  private readonly narrow: (Value | undefined)[];
  private out: Inst[] = [];
  private at!: Inst;
  private changed = false;

  constructor(
    private readonly func: Func,
    private readonly demand: Demand,
  ) {
    this.leaves = new Leaves(func);
    this.replaced = new Replacements(func);
    this.narrow = blankTable<Value>(func.idBound);
  }

  run(): boolean {
    for (const block of dominatorsOf(this.func).order) {
      if (block === this.func.entry) continue;
      this.out = [];
      for (const inst of block.insts) {
        this.at = inst;
        this.out.push(inst);
        if (inst.op === Op.Trunc) this.truncation(inst);
        else if (isNarrowable(inst)) this.operation(inst);
      }
      block.insts = this.out;
    }
    if (this.changed) this.replaced.apply(this.func);
    return this.changed;
  }

  /** A wide operation without other users becomes dead code. */
  private operation(inst: Inst): void {
    const { all, copies } = this.demand;
    const bits = all[inst.id]! < bitsOf(inst.type) ? all[inst.id]! : copies[inst.id]!;
    const type = integerOfBits(bits);
    if (type === undefined) return;
    const operands = inst.operands.map((operand, at) =>
      isControl(inst.op, at) ? operand : this.low(operand, type),
    );
    if (inst.op === Op.Shl) {
      const amount = constantAmount(inst.operands[1]!)!;
      if (amount >= bits) {
        this.narrow[inst.id] = this.constant(type, 0);
        return;
      }
      operands[1] = this.constant(type, amount);
    }
    this.narrow[inst.id] = this.emit(inst.op, type, operands);
  }

  private truncation(inst: Inst): void {
    const narrow = this.narrow[inst.operands[0]!.id];
    if (!narrow || bitsOf(narrow.type) < bitsOf(inst.type)) return;
    if (narrow.type === inst.type) this.replaced.set(inst, narrow);
    else inst.operands = [narrow];
    this.changed = true;
  }

  /** The low bits of a value, as many as a type has. */
  private low(value: Value, type: Type): Value {
    const constant = constantOf(value);
    if (constant !== undefined) return this.constant(type, fold(Op.Trunc, type, [constant], value.type)!);
    const narrow = this.narrow[value.id];
    // Beyond the last step, an operand's copy is used if it is wide enough.
    if (narrow && bitsOf(narrow.type) >= bitsOf(type))
      return narrow.type === type ? narrow : this.emit(Op.Trunc, type, [narrow]);
    if (value.kind === 'inst' && (value.op === Op.ZExt || value.op === Op.SExt)) {
      const inner = value.operands[0]!;
      if (inner.type === type) return inner;
      return this.emit(bitsOf(inner.type) < bitsOf(type) ? value.op : Op.Trunc, type, [inner]);
    }
    return this.emit(Op.Trunc, type, [value]);
  }

  private constant(type: Type, value: number | bigint): Value {
    return this.leaves.constant(type, value);
  }

  private emit(op: Op, type: Type, operands: Value[]): Inst {
    const inst = makeInst(this.func, this.at.block, op, type, operands, {}, this.at.position);
    this.out.push(inst);
    return inst;
  }
}
