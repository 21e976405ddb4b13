// SPDX-License-Identifier: MIT
//
// Elements of small constant tables that each work-item chooses, such as `digits[x & 15]`: permutations of vectors (Op.LookUpBytes) instead of
// a load for each lane. The elements are bytes, or numbers of more bits that fit a byte; sixteen of them are one permutation, and up to
// 64 are four and a choice between them.
import type { Divergence } from '../../analyses/divergence';
import { constantAmount, constantOf, Leaves, makeInst } from '../../ir/build';
import { textOfTable } from '../../ir/byte-table';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { Replacements } from '../../ir/rewrite';
import { bitsOf, bytesOf } from '../../ir/types';
import { removeDeadCode } from '../../passes/dead-code';
import type { ConstantMemory } from '../../passes/simplify';

/** Elements of one permutation, and the most of a table. */
const WIDTH = 16;
const MOST = 64;
const DEEPEST = 6;

export function lookUpConstants(
  func: Func,
  divergence: Divergence,
  constants: ConstantMemory | undefined,
): boolean {
  if (!constants) return false;
  const replaced = new Replacements(func);
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    if (!block.insts.some((inst) => isTableLoad(inst, divergence))) continue;
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const table = isTableLoad(inst, divergence) ? tableOf(inst, constants) : undefined;
      if (table) {
        leaves ??= new Leaves(func);
        replaced.set(inst, new LookUp(func, leaves, inst, insts).of(table));
      } else insts.push(inst);
    }
    block.insts = insts;
  }
  if (!leaves) return false;
  replaced.apply(func);
  removeDeadCode(func);
  return true;
}

function isTableLoad(inst: Inst, { stride }: Divergence): boolean {
  const { op, type, operands, facts } = inst;
  return (
    op === Op.Load &&
    (type === Type.I8 || type === Type.I16 || type === Type.I32) &&
    !facts.volatile &&
    operands[0]!.type === Type.I32 &&
    Number.isNaN(stride[operands[0]!.id]!)
  );
}

interface Table {
  readonly index: Value;
  /** As bytes; from 0 to the index' largest value. */
  readonly elements: readonly number[];
  readonly signed: boolean;
}

function tableOf({ operands: [address], type, facts }: Inst, constants: ConstantMemory): Table | undefined {
  if (address?.kind !== 'inst' || address.op !== Op.Add) return undefined;
  const base = address.operands.find((operand) => operand.kind === 'inst' && operand.op === Op.ProgramBase);
  const scaled = address.operands.find((operand) => operand !== base);
  if (base?.kind !== 'inst' || !scaled) return undefined;
  const size = bytesOf(type);
  const index = size === 1 ? scaled : unscaled(scaled, size);
  if (!index) return undefined;
  const most = mostOf(index);
  if (most >= MOST) return undefined;
  const bytes = constants.constantBytes(base.facts.offset! + (facts.offset ?? 0), (most + 1) * size);
  if (!bytes) return undefined;
  const read = (at: number) =>
    size === 1 ? bytes.getInt8(at) : size === 2 ? bytes.getInt16(2 * at, true) : bytes.getInt32(4 * at, true);
  const elements = Array.from({ length: most + 1 }, (_, at) => read(at));
  const fit = (least: number) => elements.every((element) => element >= least && element < least + 256);
  const signed = size > 1 && !fit(0);
  if (signed && !fit(-128)) return undefined;
  return { index, elements, signed };
}

function unscaled(value: Value, size: number): Value | undefined {
  if (value.kind !== 'inst' || value.op !== Op.Shl) return undefined;
  const amount = constantAmount(value.operands[1]!);
  return amount !== undefined && 2 ** amount === size ? value.operands[0]! : undefined;
}

/** The largest number that a value can be, without a sign. */
function mostOf(value: Value, depth = DEEPEST): number {
  const all = 2 ** bitsOf(value.type) - 1;
  const constant = constantOf(value);
  if (constant !== undefined) return Number(constant) < 0 ? all : Number(constant);
  if (value.kind !== 'inst' || depth === 0) return all;
  const { op, operands } = value;
  const operand = (i: number) => mostOf(operands[i]!, depth - 1);
  switch (op) {
    case Op.ZExt:
      return operand(0);
    case Op.And:
    case Op.UMin:
      return Math.min(operand(0), operand(1));
    case Op.LShr:
    case Op.AShr: {
      const amount = constantAmount(operands[1]!);
      const most = operand(0);
      const isShifted = amount !== undefined && (op === Op.LShr || most <= all / 2);
      return isShifted ? Math.floor(most / 2 ** amount) : all;
    }
    default:
      return all;
  }
}

/** Builds the instructions for one load. */
class LookUp {
  constructor(
    private readonly func: Func,
    private readonly leaves: Leaves,
    private readonly load: Inst,
    private readonly into: Inst[],
  ) {}

  of({ index, elements, signed }: Table): Value {
    const byte = index.type === Type.I8 ? index : this.emit(Op.Trunc, Type.I8, [index]);
    const place = elements.length > WIDTH ? this.emit(Op.And, Type.I8, [byte, this.byte(WIDTH - 1)]) : byte;
    const element = this.choose(byte, place, elements, 0);
    const { type } = this.load;
    return type === Type.I8 ? element : this.emit(signed ? Op.SExt : Op.ZExt, type, [element]);
  }

  /** An element of a part of the table, which begins at `first`. */
  private choose(byte: Value, place: Value, elements: readonly number[], first: number): Value {
    if (elements.length <= WIDTH) {
      const table = Array.from({ length: WIDTH }, (_, at) => (elements[at] ?? 0) & 0xff);
      return this.emit(Op.LookUpBytes, Type.I8, [place], { table: textOfTable(table) });
    }
    const half = elements.length <= 2 * WIDTH ? WIDTH : 2 * WIDTH;
    const [low, high] = [elements.slice(0, half), elements.slice(half)];
    const isLow = this.emit(Op.ULt, Type.I1, [byte, this.byte(first + half)]);
    return this.emit(Op.Select, Type.I8, [
      isLow,
      this.choose(byte, place, low, first),
      this.choose(byte, place, high, first + half),
    ]);
  }

  private byte(value: number): Value {
    return this.leaves.constant(Type.I8, value);
  }

  private emit(op: Op, type: Type, operands: Value[], facts: Inst['facts'] = {}): Inst {
    const { func, load, into } = this;
    const inst = makeInst(func, load.block, op, type, operands, facts, load.position);
    into.push(inst);
    return inst;
  }
}
