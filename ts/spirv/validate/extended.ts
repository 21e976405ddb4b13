// SPDX-License-Identifier: MIT
//
// OpenCL.std: the types of operands and results (OpenCL Extended Instruction Set Specification, 2.1 to 2.4).
import { AddressingModel, OpenCLStd as E, Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Context } from './context';

/** What the type of a result must be. */
interface ResultRule {
  readonly text: string;
  fits(c: Context, type: Id): boolean;
}

/** What an operand must be: `id` is its id or its literal, `result` the type of the result. */
interface OperandRule {
  readonly text: string;
  fits(c: Context, id: number, result: Id, i: Instruction): boolean;
}

const RESULTS = {
  nothing: { text: 'void', fits: (c, type) => c.find(type)?.op === Op.TypeVoid },
  floats: { text: 'a float scalar or vector', fits: (c, type) => c.isFloat(type) },
  'a float': { text: 'a float scalar', fits: (c, type) => c.isFloat(type) && c.isScalar(type) },
  'a float vector': { text: 'a float vector', fits: (c, type) => c.isFloat(type) && !c.isScalar(type) },
  'a float vector of 3 or 4': {
    text: 'a float vector of 3 or 4 components',
    fits: (c, type) => c.isFloat(type) && [3, 4].includes(c.dimension(type)),
  },
  ints: { text: 'an integer scalar or vector', fits: (c, type) => c.isInt(type) },
  'ints of 32 bits': {
    text: 'a scalar or vector of 32-bit integers',
    fits: (c, type) => c.isInt(type) && c.width(type) === 32,
  },
  'an int': {
    text: 'a 32-bit integer',
    fits: (c, type) => c.isInt(type) && c.isScalar(type) && c.width(type) === 32,
  },
  numbers: {
    text: 'a scalar or vector of integers or floats',
    fits: (c, type) => c.isInt(type) || c.isFloat(type),
  },
  'a vector': {
    text: 'a vector of integers or floats',
    fits: (c, type) => !c.isScalar(type) && (c.isInt(type) || c.isFloat(type)),
  },
} satisfies Record<string, ResultRule>;

const OPERANDS = {
  any: { text: '', fits: () => true },
  same: { text: 'of the result type', fits: (c, id, result) => c.typeOf(id) === result },
  floats: {
    text: 'a scalar or vector of floats, with as many components as the result',
    fits: (c, id, result) => c.isFloat(c.typeOf(id)) && hasDimension(c, id, result),
  },
  'floats of the result': {
    text: 'a float scalar or vector whose components are of the result type',
    fits: (c, id, result) => componentOf(c, c.typeOf(id)) === result,
  },
  'like operand 0': {
    text: 'of the type of operand 0',
    fits: (c, id, _result, i) => c.typeOf(id) === c.typeOf(i.operands[2]!),
  },
  'ints of 32 bits': {
    text: 'a scalar or vector of 32-bit integers, with as many components as the result',
    fits: (c, id, result) => hasInts(c, id, 32) && hasDimension(c, id, result),
  },
  'ints of its width': {
    text: 'a scalar or vector of integers, with as many components as the result and as wide',
    fits: (c, id, result) => hasInts(c, id, c.width(result)) && hasDimension(c, id, result),
  },
  'ints of half its width': {
    text: 'a scalar or vector of integers, with as many components as the result and half as wide',
    fits: (c, id, result) => hasInts(c, id, c.width(result) / 2) && hasDimension(c, id, result),
  },
  'vector of its components': {
    text: "a vector of the result's components",
    fits: (c, id, result) =>
      !c.isScalar(c.typeOf(id)) && componentOf(c, c.typeOf(id)) === componentOf(c, result),
  },
  size: {
    text: 'a size_t, an integer as wide as an address',
    fits: (c, id) => c.isScalar(c.typeOf(id)) && hasInts(c, id, addressBits(c)),
  },
  count: {
    text: "the number of the result's components",
    fits: (c, count, result) => !c.isScalar(result) && c.dimension(result) === count,
  },
  'float data': {
    text: 'a scalar of 32-bit or 64-bit floats',
    fits: (c, id) => c.isScalar(c.typeOf(id)) && hasFloatsAboveHalf(c, id),
  },
  'float vector data': {
    text: 'a vector of 32-bit or 64-bit floats',
    fits: (c, id) => !c.isScalar(c.typeOf(id)) && hasFloatsAboveHalf(c, id),
  },
  'vector data': {
    text: 'a vector of integers or floats',
    fits: (c, id) => {
      const type = c.typeOf(id);
      return !c.isScalar(type) && (c.isInt(type) || c.isFloat(type));
    },
  },
  'to result': {
    text: 'a pointer to a value of the result type',
    fits: (c, id, result) => pointeeOf(c, id) === result,
  },
  'to ints of 32 bits': {
    text: 'a pointer to 32-bit integers, as many as the result has components',
    fits: (c, id, result) => {
      const pointee = pointeeOf(c, id);
      return (
        pointee !== undefined &&
        c.isInt(pointee) &&
        c.width(pointee) === 32 &&
        c.dimension(pointee) === c.dimension(result)
      );
    },
  },
  'to component': {
    text: 'a pointer to a component of the result',
    fits: (c, id, result) => pointeeOf(c, id) === componentOf(c, result),
  },
  'to data': {
    text: 'a pointer to a component of operand 0',
    fits: (c, id, _result, i) => pointeeOf(c, id) === componentOf(c, c.typeOf(i.operands[2]!)),
  },
  'to half': {
    text: 'a pointer to a half',
    fits: (c, id) => {
      const pointee = pointeeOf(c, id);
      return pointee !== undefined && c.isFloat(pointee) && c.isScalar(pointee) && c.width(pointee) === 16;
    },
  },
  'to global': {
    text: 'a pointer to CrossWorkgroup',
    fits: (c, id) => pointerOf(c, id)?.operands[0] === StorageClass.CrossWorkgroup,
  },
  'to constant': {
    text: 'a pointer to UniformConstant',
    fits: (c, id) => pointerOf(c, id)?.operands[0] === StorageClass.UniformConstant,
  },
} satisfies Record<string, OperandRule>;

const pointerOf = (c: Context, id: number): Instruction | undefined => {
  const type = c.find(c.typeOf(id));
  return type?.op === Op.TypePointer ? type : undefined;
};
const pointeeOf = (c: Context, id: number): Id | undefined => pointerOf(c, id)?.operands[1] as Id | undefined;
const addressBits = (c: Context): number => (c.module.addressing === AddressingModel.Physical64 ? 64 : 32);
const hasInts = (c: Context, id: number, width: number): boolean =>
  c.isInt(c.typeOf(id)) && c.width(c.typeOf(id)) === width;
const hasFloatsAboveHalf = (c: Context, id: number): boolean =>
  c.isFloat(c.typeOf(id)) && c.width(c.typeOf(id)) > 16;
const hasDimension = (c: Context, id: number, result: Id): boolean =>
  c.dimension(c.typeOf(id)) === c.dimension(result);
const componentOf = (c: Context, type: Id): Id => {
  const vector = c.find(type);
  return vector?.op === Op.TypeVector ? (vector.operands[0]! as Id) : type;
};

/** The last rule of the operands holds for all that follow, too: the grammar knows how many there are. */
interface Signature {
  readonly result: keyof typeof RESULTS;
  readonly operands: readonly (keyof typeof OPERANDS)[];
}

const signature = (result: Signature['result'], ...operands: Signature['operands']): Signature => ({
  result,
  operands,
});

const FLOATS = signature('floats', 'same');
const INTS = signature('ints', 'same');
const INTS_OF_32_BITS = signature('ints of 32 bits', 'same');
const FLOATS_AND_RESULT = signature('floats', 'same', 'to result');
const FLOATS_AND_INTS = signature('floats', 'same', 'ints of 32 bits');
const UPSAMPLE = signature('ints', 'ints of half its width');
const LENGTH = signature('a float', 'floats of the result', 'like operand 0');
const LOAD_HALVES = signature('a float vector', 'size', 'to half', 'count');
const STORE_HALF = signature('nothing', 'float data', 'size', 'to half', 'any');
const STORE_HALVES = signature('nothing', 'float vector data', 'size', 'to half', 'any');

/** The instructions that are unlike their neighbours. */
const SINGLE: Readonly<Partial<Record<E, Signature>>> = {
  [E.fract]: FLOATS_AND_RESULT,
  [E.modf]: FLOATS_AND_RESULT,
  [E.sincos]: FLOATS_AND_RESULT,
  [E.frexp]: signature('floats', 'same', 'to ints of 32 bits'),
  [E.lgamma_r]: signature('floats', 'same', 'to ints of 32 bits'),
  [E.remquo]: signature('floats', 'same', 'same', 'to ints of 32 bits'),
  [E.ilogb]: signature('ints of 32 bits', 'floats'),
  [E.ldexp]: FLOATS_AND_INTS,
  [E.pown]: FLOATS_AND_INTS,
  [E.rootn]: FLOATS_AND_INTS,
  [E.nan]: signature('floats', 'ints of its width'),
  [E.cross]: signature('a float vector of 3 or 4', 'same'),
  [E.distance]: LENGTH,
  [E.length]: LENGTH,
  [E.fast_distance]: LENGTH,
  [E.fast_length]: LENGTH,
  [E.u_upsample]: UPSAMPLE,
  [E.s_upsample]: UPSAMPLE,
  [E.s_mad24]: INTS_OF_32_BITS,
  [E.u_mad24]: INTS_OF_32_BITS,
  [E.s_mul24]: INTS_OF_32_BITS,
  [E.u_mul24]: INTS_OF_32_BITS,
  [E.vloadn]: signature('a vector', 'size', 'to component', 'count'),
  [E.vstoren]: signature('nothing', 'vector data', 'size', 'to data'),
  [E.vload_half]: signature('a float', 'size', 'to half'),
  [E.vload_halfn]: LOAD_HALVES,
  [E.vloada_halfn]: LOAD_HALVES,
  [E.vstore_half]: STORE_HALF,
  [E.vstore_half_r]: STORE_HALF,
  [E.vstore_halfn]: STORE_HALVES,
  [E.vstore_halfn_r]: STORE_HALVES,
  [E.vstorea_halfn]: STORE_HALVES,
  [E.vstorea_halfn_r]: STORE_HALVES,
  [E.shuffle]: signature('a vector', 'vector of its components', 'ints of its width'),
  [E.shuffle2]: signature('a vector', 'vector of its components', 'like operand 0', 'ints of its width'),
  [E.printf]: signature('an int', 'to constant', 'any'),
  [E.prefetch]: signature('nothing', 'to global', 'size'),
  [E.bitselect]: signature('numbers', 'same'),
  [E.select]: signature('numbers', 'same', 'same', 'ints of its width'),
};

/** The signature of an instruction: the specification lists functions of floats first, then those of integers. */
function signatureOf(inst: E): Signature {
  return SINGLE[inst] ?? (inst <= E.fast_normalize ? FLOATS : INTS);
}

export function checkExtended(c: Context): void {
  const set = c.module.extInstImports.get('OpenCL.std');
  if (!set) return;
  c.eachInstruction((i) => {
    if (i.op === Op.ExtInst && i.operands[0] === set) checkSignature(c, i, i.operands[1]!);
  });
}

function checkSignature(c: Context, i: Instruction, inst: E): void {
  const { result, operands } = signatureOf(inst);
  const { text, fits }: ResultRule = RESULTS[result];
  if (!fits(c, i.type)) c.fail(i, `OpenCL.std ${E[inst]}: its result is ${text}`);
  for (let at = 0; at + 2 < i.operands.length; at++) {
    const rule: OperandRule = OPERANDS[operands[Math.min(at, operands.length - 1)]!];
    if (!rule.fits(c, i.operands[at + 2]!, i.type, i))
      c.fail(i, `OpenCL.std ${E[inst]}: its operand ${at} is ${rule.text}`);
  }
}
