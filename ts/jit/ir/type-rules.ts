// SPDX-License-Identifier: MIT
//
// The operand and result types of each operation of the kernel IR.
import { CHECK_CALLS } from '../../base/checks';
import type { AddressBits } from '../../base/kernel-abi';
import { isPrologueOp } from './build';
import { bytesOfOrder } from './byte-order';
import { bytesOfTable } from './byte-table';
import { operandsOf } from './bytes';
import { ELEMENTS, faultOf, isElementOperation, isWideProduct } from './elements';
import { type Inst, Op, Type, type Value } from './ir';
import { componentOf } from './memory-order';
import { COMBINE } from './reductions';
import { bitsOf, bytesOf, isFloat, isInteger } from './types';

/**
 * The error in the number or types of an instruction's operands, or in its facts; undefined if there is none.
 * @param addressBits of the memory that the function is compiled for
 */
export function typeError(inst: Inst, addressBits: AddressBits): string | undefined {
  const { op } = inst;
  if (isPrologueOp(op)) return leafError(inst);
  if (op >= Op.Add && op <= Op.FUnordered) return arithmeticError(inst);
  return (OTHERS[op] ?? acceptAny)(inst, addressBits);
}

function leafError({ op, type, operands, facts: { bits, size, align } }: Inst): string | undefined {
  if (operands.length > 0) return 'a leaf has no operands';
  if (op === Op.Const) {
    if (bits === undefined) return 'no value';
    if ((typeof bits === 'bigint') !== (type === Type.I64)) return 'a value of the wrong kind';
  }
  if (op === Op.PrivateAlloca && !(size! >= 0 && isPowerOfTwo(align!))) return 'no size or alignment';
  return undefined;
}

function inMemoryOrder(inst: Inst): string | undefined {
  if (!componentOf(inst)) return 'no operand for this component';
  return inst.operands.every((o) => o.type === inst.type) ? undefined : 'operands and result differ in type';
}

const CHECK_TYPES = { i32: Type.I32, i64: Type.I64 } as const;

const isPowerOfTwo = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n));

function arithmeticError(inst: Inst): string | undefined {
  const { op, type, operands } = inst;
  const count =
    op === Op.Fma || op === Op.MulAdd
      ? 3
      : (op >= Op.Not && op <= Op.PopCount) || (op >= Op.FNeg && op <= Op.FRoundHalf)
        ? 1
        : 2;
  if (operands.length !== count) return `${operands.length} operands, not ${count}`;
  const [first] = operands;
  if (operands.some((operand) => operand.type !== first!.type)) return 'operands differ in type';
  if (op >= Op.Eq) return comparisonError(inst);
  if (first!.type !== type) return 'operands and result differ in type';
  if (op >= Op.FAdd) {
    if (!isFloat(type)) return 'not a float';
    if (op === Op.FRoundHalf && type !== Type.F32) return 'not F32';
    if (op === Op.FRem && type !== Type.F64) return 'not F64';
    const exact = op === Op.FNeg || op === Op.FAbs || op === Op.FCopySign;
    return type === Type.F16 && !exact ? 'arithmetic on F16' : undefined;
  }
  const logical = op === Op.And || op === Op.Or || op === Op.Xor || op === Op.Not;
  return isInteger(type) || (logical && type === Type.I1) ? undefined : 'not an integer';
}

function comparisonError({ op, type, operands }: Inst): string | undefined {
  if (type !== Type.I1) return 'a comparison gives I1';
  return op >= Op.FEq === isFloat(operands[0]!.type) ? undefined : 'the wrong kind of operands';
}

type Rule = (inst: Inst, addressBits: AddressBits) => string | undefined;

const acceptAny: Rule = () => undefined;

/** A conversion of one operand, where the rule accepts its type and the result's. */
const conversion =
  (accept: (from: Type, to: Type) => boolean): Rule =>
  ({ type, operands }) => {
    if (operands.length !== 1) return `${operands.length} operands, not 1`;
    const from = operands[0]!.type;
    return accept(from, type) ? undefined : `not from ${Type[from]} to ${Type[type]}`;
  };

const widens = (from: Type, to: Type) => isInteger(to) && bitsOf(from) < bitsOf(to);

/** The types of addresses. In a memory with 64-bit addresses, those of private and local memory still have 32 bits. */
const ADDRESSES = {
  32: { types: [Type.I32], error: 'an address is I32' },
  64: { types: [Type.I32, Type.I64], error: 'an address is I32 or I64' },
} as const satisfies Record<AddressBits, { types: readonly Type[]; error: string }>;

const isAddress = ({ type }: Value, addressBits: AddressBits): boolean =>
  (ADDRESSES[addressBits].types as readonly Type[]).includes(type);

/** A memory operation has an address as its first operand; `values` follow, each of the stored type. */
const memory =
  (values: number): Rule =>
  ({ type, operands }, addressBits) => {
    if (operands.length !== values + 1) return `${operands.length} operands, not ${values + 1}`;
    if (!isAddress(operands[0]!, addressBits)) return ADDRESSES[addressBits].error;
    const held = values === 0 ? type : operands[1]!.type;
    if (held === Type.I1 || held === Type.Void) return `${Type[held]} in memory`;
    if (operands.slice(1).some((value) => value.type !== held)) return 'values differ in type';
    return values === 0 || type === Type.Void || type === held ? undefined : 'gives another type';
  };

/** The result has the type of the first operand. */
const ofFirst: Rule = ({ type, operands }) =>
  operands[0]?.type === type ? undefined : 'operand and result differ in type';

const truth: Rule = ({ type, operands }) =>
  type === Type.I1 && operands.length === 1 && operands[0]!.type === Type.I1 ? undefined : 'not I1 of I1';

const wideProduct: Rule = ({ type, operands }) =>
  type === Type.I64 && operands.length === 2 && operands.every((o) => o.type === Type.I32)
    ? undefined
    : 'not I64 of two I32';

const ofTile: Rule = ({ type, operands }) =>
  type === Type.I32 && operands.length === 1 && operands[0]!.type === Type.I32 ? undefined : 'not I32 of I32';

const OTHERS: Partial<Record<Op, Rule>> = {
  [Op.Select]: ({ type, operands }) => {
    const [condition, a, b] = operands;
    if (operands.length !== 3 || condition!.type !== Type.I1) return 'no condition of I1 and two values';
    return a!.type === type && b!.type === type ? undefined : 'operands and result differ in type';
  },
  [Op.SMulWide]: wideProduct,
  [Op.UMulWide]: wideProduct,
  [Op.Bytes]: ({ type, operands, facts }) => {
    if (!facts.bytes || operands.length !== operandsOf(facts.bytes))
      return 'no operation, or another number of operands';
    return [type, ...operands.map((o) => o.type)].every((t) => t === Type.I32) ? undefined : 'not I32';
  },
  [Op.PermuteBytes]: ({ type, operands, facts: { order = '' } }) => {
    if (operands.length !== 1 || operands[0]!.type !== type || type < Type.I16 || type > Type.I64)
      return "not one operand of the result's type";
    const isByte = (from: number | undefined) => from === undefined || (from >= 0 && from < bytesOf(type));
    return order.length === bytesOf(type) && bytesOfOrder(order).every(isByte)
      ? undefined
      : 'another number of bytes';
  },
  [Op.LookUpBytes]: ({ type, operands, facts: { table = '' } }) => {
    if (operands.length !== 1 || operands[0]!.type !== type || type < Type.I8 || type > Type.I64)
      return "not one operand of the result's type";
    return bytesOfTable(table) ? undefined : 'no table of sixteen bytes';
  },
  [Op.InMemoryOrder]: inMemoryOrder,
  [Op.PermuteComponents]: inMemoryOrder,
  [Op.TileFirst]: ofTile,
  [Op.TileLast]: ofTile,
  [Op.Trunc]: conversion((from, to) => isInteger(from) && bitsOf(to) < bitsOf(from) && !isFloat(to)),
  [Op.SExt]: conversion((from, to) => isInteger(from) && widens(from, to)),
  [Op.ZExt]: conversion((from, to) => !isFloat(from) && widens(from, to)),
  [Op.FToS]: conversion((from, to) => isFloat(from) && isInteger(to)),
  [Op.FToU]: conversion((from, to) => isFloat(from) && isInteger(to)),
  [Op.SToF]: conversion((from, to) => isInteger(from) && isFloat(to)),
  [Op.UToF]: conversion((from, to) => !isFloat(from) && isFloat(to)),
  [Op.FConvert]: conversion((from, to) => isFloat(from) && isFloat(to)),
  [Op.Bitcast]: conversion((from, to) => bitsOf(from) === bitsOf(to)),
  [Op.CountUntil]: ({ type, operands, facts }) => {
    if (!facts.elements) return 'no condition';
    if (type !== Type.I32) return 'not I32';
    if (facts.elements.steps.at(-1)?.type !== 'I1') return 'the last step is not a condition';
    return faultOf(facts.elements, operands);
  },
  [Op.ReduceElements]: ({ type, operands, facts: { elements, reduction, size = 0 } }) => {
    if (!elements || !reduction) return 'nothing to reduce, or no reduction';
    if (size <= 0 || size % ELEMENTS !== 0) return 'not a multiple of sixteen elements';
    const of = elements.steps.at(-1)?.type;
    if (of === 'I1' ? type !== Type.I32 || reduction !== 'add' : of !== Type[type])
      return 'the result has another type than the last step';
    if (!isElementOperation(COMBINE[reduction], type, type)) return 'no reduction of this type';
    if (isWideProduct(elements.steps) && reduction !== 'add') return 'wide products that are not added';
    return faultOf(elements, operands);
  },
  [Op.MaskOfElements]: ({ type, operands, facts: { elements, size = 0 } }) => {
    if (!elements) return 'no condition';
    if (type !== Type.I32 && type !== Type.I64) return 'neither I32 nor I64';
    if (![16, 32, 64].includes(size) || size > bitsOf(type))
      return 'not 16, 32 or 64 elements, or more than bits';
    if (elements.steps.at(-1)?.type !== 'I1') return 'the last step is not a condition';
    return faultOf(elements, operands);
  },
  [Op.Load]: (inst, addressBits) => {
    if (!inst.facts.repeated && !inst.facts.byteIndex) return memory(0)(inst, addressBits);
    const isOfNumbers = inst.operands.length === 2 && inst.operands.every(({ type }) => type === Type.I32);
    return isOfNumbers ? undefined : 'not an address and a number of 32 bits';
  },
  [Op.Store]: memory(1),
  [Op.AtomicLoad]: memory(0),
  [Op.AtomicStore]: memory(1),
  [Op.AtomicRmw]: memory(1),
  [Op.AtomicCmpXchg]: memory(2),
  [Op.Copy]: ({ operands, facts }, addressBits) =>
    operands.length === 2 && operands.every((each) => isAddress(each, addressBits)) && facts.size! >= 0
      ? undefined
      : 'not two addresses and a size',
  [Op.ReadClock]: ({ type, operands }) =>
    type === Type.I64 && operands.length === 0 ? undefined : 'not I64 of nothing',
  [Op.GroupAll]: truth,
  [Op.GroupAny]: truth,
  [Op.GroupBroadcast]: ofFirst,
  [Op.GroupReduce]: ofFirst,
  [Op.GroupScanInclusive]: ofFirst,
  [Op.GroupScanExclusive]: ofFirst,
  [Op.SubGroupShuffle]: ofFirst,
  [Op.SubGroupShuffleXor]: ofFirst,
  [Op.SubGroupShuffleUp]: ofFirst,
  [Op.SubGroupShuffleDown]: ofFirst,
  [Op.SubGroupRotate]: ofFirst,
  [Op.SubGroupBallot]: ({ type, operands }) =>
    type === Type.I32 && operands[0]?.type === Type.I1 ? undefined : 'not I32 of I1',
  [Op.Assert]: ({ operands: [condition, ...values] }) =>
    condition?.type === Type.I1 && values.every((v) => v.type === Type.I64)
      ? undefined
      : 'not I1 and values of I64',
  [Op.AsyncEvent]: ({ type, operands }) =>
    type === Type.I32 && operands.length === 5 && operands.every((o) => o.type === Type.I32)
      ? undefined
      : 'not I32 of five I32',
  [Op.WaitEvents]: ({ operands }) =>
    operands.length === 2 && operands.every((o) => o.type === Type.I32) ? undefined : 'not two I32',
  [Op.Check]: ({ type, operands, facts: { check } }) => {
    const { parameters, result } = CHECK_CALLS[check!];
    if (type !== (result ? Type.I32 : Type.Void)) return 'not the type that the check returns';
    const isInline = 'inline' in CHECK_CALLS[check!] && operands.length === parameters.length + 2;
    return (isInline || operands.length === parameters.length) &&
      operands.every((o, i) => o.type === CHECK_TYPES[parameters[i] ?? 'i32'])
      ? undefined
      : `not the operands ${parameters.join(', ')}`;
  },
  [Op.Call]: ({ type, operands, facts }) => {
    const { params, result } = facts.callee!;
    if (type !== result) return 'not the type that the function returns';
    return operands.length === params.length && operands.every((o, i) => o.type === params[i])
      ? undefined
      : 'not the types that the function takes';
  },
  [Op.Branch]: ({ operands }) =>
    operands.length === 1 && operands[0]!.type === Type.I1 ? undefined : 'no condition of I1',
  [Op.Switch]: ({ operands }) =>
    operands.length === 1 && isInteger(operands[0]!.type) ? undefined : 'no integer to choose by',
};
