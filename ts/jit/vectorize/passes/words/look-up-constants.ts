// SPDX-License-Identifier: MIT
//
// Elements of small constant tables that each work-item chooses, such as `digits[x & 15]`: permutations of vectors (Op.LookUpBytes) instead of
// a load for each lane. The elements are bytes, or numbers of more bits that fit a byte; sixteen of them are one permutation, and up to
// 64 are four and a choice between them. Eight words or floats of any value are two, of all four bytes of each: whichever does not have the
// element gives 0.
import type { Divergence } from '../../../analyses/divergence';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { orderOf } from '../../../ir/byte-order';
import { textOfTable } from '../../../ir/byte-table';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';
import { bitsOf, bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import type { ConstantMemory } from '../../../passes/simplify';

/** Elements of one permutation, and the most of a table. */
const WIDTH = 16;
const MOST = 64;
const DEEPEST = 6;
/** The words of one permutation, and the most of a table. */
const WORDS = 4;
const MOST_WORDS = 8;
/** What the four bytes of a word add to its place, and what is between the places of two permutations. */
const BYTES_OF_WORD = 0x03020100;
const NEXT_WORDS = -0x10101010;

/** Tables of elements that are or fit a byte, or of words. */
export type TableElements = 'bytes' | 'words';

export function lookUpConstants(
  func: Func,
  divergence: Divergence,
  constants: ConstantMemory | undefined,
  of: TableElements,
): boolean {
  if (!constants) return false;
  const leaves = new Leaves(func);
  const changed = replaceInsts(func, (inst, before) => {
    const place = isTableLoad(inst, divergence, of) ? placeOf(inst, constants) : undefined;
    if (!place) return undefined;
    const lookUp = new LookUp(func, leaves, inst, before);
    if (of === 'words') return place.most < MOST_WORDS ? lookUp.ofWords(place) : undefined;
    const table = tableOf(inst, place);
    return table && lookUp.of(table);
  });
  if (changed) removeDeadCode(func);
  return changed;
}

const TYPES: Readonly<Record<TableElements, ReadonlySet<Type>>> = {
  bytes: new Set([Type.I8, Type.I16, Type.I32]),
  words: new Set([Type.I32, Type.F32]),
};

function isTableLoad(inst: Inst, { stride }: Divergence, of: TableElements): boolean {
  const { op, type, operands, facts } = inst;
  return (
    op === Op.Load &&
    TYPES[of].has(type) &&
    !facts.volatile &&
    operands[0]!.type === Type.I32 &&
    Number.isNaN(stride[operands[0]!.id]!)
  );
}

/** Where a load is in constant memory. */
interface Place {
  readonly index: Value;
  /** The index times the size of the elements. */
  readonly scaled: Value;
  /** The index's largest value. */
  readonly most: number;
  /** The elements up to that. */
  readonly bytes: DataView;
}

interface Table {
  readonly index: Value;
  /** As bytes; from 0 to the index's largest value. */
  readonly elements: readonly number[];
  readonly signed: boolean;
}

function placeOf({ operands: [address], type, facts }: Inst, constants: ConstantMemory): Place | undefined {
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
  return bytes && { index, scaled, most, bytes };
}

function tableOf({ type }: Inst, { index, most, bytes }: Place): Table | undefined {
  const size = bytesOf(type);
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

  /** Elements of four bytes: all bytes of each are looked up at once. */
  ofWords({ scaled, most, bytes }: Place): Value {
    const first = this.emit(Op.PermuteBytes, Type.I32, [scaled], { order: orderOf([0, 0, 0, 0]) });
    const places = this.emit(Op.Add, Type.I32, [first, this.leaves.i32(BYTES_OF_WORD)]);
    const tableFrom = (start: number) =>
      textOfTable(
        Array.from({ length: WIDTH }, (_, at) =>
          start + at < bytes.byteLength ? bytes.getUint8(start + at) : 0,
        ),
      );
    let word = this.emit(Op.LookUpBytes, Type.I32, [places], {
      table: tableFrom(0),
      ...(most >= WORDS && { orZero: true }),
    });
    if (most >= WORDS) {
      // Places before these wrap around, to 128 and more.
      const next = this.emit(Op.Add, Type.I32, [places, this.leaves.i32(NEXT_WORDS)]);
      const high = this.emit(Op.LookUpBytes, Type.I32, [next], { table: tableFrom(WIDTH) });
      word = this.emit(Op.Or, Type.I32, [word, high]);
    }
    return this.load.type === Type.I32 ? word : this.emit(Op.Bitcast, this.load.type, [word]);
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
