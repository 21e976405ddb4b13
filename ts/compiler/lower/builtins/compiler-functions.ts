// SPDX-License-Identifier: MIT
//
// clang's own functions.
import { ASSERT_FUNCTION } from '../../../base/checks';
import { Op, OpenCLStd } from '../../../spirv/grammar.gen';
import { type Builder, type Emitter, fromBool, type Id, integer, NO_ID, opcodeOf, std, toBool } from './site';

const like = (b: Builder, op: Op, ...operands: Id[]): Id => b.emit(op, b.typeOf(operands[0]!), operands);
const number = (b: Builder, value: number, type: Id): Id => integer(b, type, value);
const isNegative = (b: Builder, value: Id): Id =>
  b.emit(Op.SLessThan, b.bool(), [value, number(b, 0, b.typeOf(value))]);
const toInt = (b: Builder, value: Id, type: Id): Id =>
  b.typeOf(value) === type ? value : b.emit(Op.UConvert, type, [value]);

/** A rotation right by n is one left by -n: OpenCL's rotation takes the count modulo the width. */
const rotateRight: Emitter = ({ builder: b, args, type }) =>
  std(b, OpenCLStd.rotate, type, args[0]!, b.emit(Op.SNegate, type, [args[1]!]));

/** Swaps neighbouring bits, then pairs of bits and so on. */
const bitReverse: Emitter = ({ builder: b, args, type }) => {
  const width = b.widthOf(type);
  let value = args[0]!;
  for (let distance = 1; distance < width; distance *= 2) {
    let mask = 0n;
    for (let bit = 0; bit < width; bit += 2 * distance)
      mask |= ((1n << BigInt(distance)) - 1n) << BigInt(bit);
    const low = b.constantInt(type, mask);
    const by = number(b, distance, type);
    const up = like(b, Op.ShiftLeftLogical, like(b, Op.BitwiseAnd, value, low), by);
    const down = like(b, Op.BitwiseAnd, like(b, Op.ShiftRightLogical, value, by), low);
    value = like(b, Op.BitwiseOr, up, down);
  }
  return value;
};

/** The index of the lowest bit that is set, from 1; 0 if there is none. */
const findFirstSet: Emitter = ({ builder: b, args, type }) => {
  const value = args[0]!;
  const wide = b.typeOf(value);
  const index = like(b, Op.IAdd, std(b, OpenCLStd.ctz, wide, value), number(b, 1, wide));
  return toInt(b, b.emit(Op.Select, wide, [toBool(b, value), index, number(b, 0, wide)]), type);
};

const parity: Emitter = ({ builder: b, args, type }) => {
  const count = like(b, Op.BitCount, args[0]!);
  return toInt(b, like(b, Op.BitwiseAnd, count, number(b, 1, b.typeOf(count))), type);
};

/** How many bits below the sign are equal to it. */
const redundantSigns: Emitter = ({ builder: b, args, type }) => {
  const value = args[0]!;
  const wide = b.typeOf(value);
  const sign = like(b, Op.ShiftRightArithmetic, value, number(b, b.widthOf(wide) - 1, wide));
  const leading = std(b, OpenCLStd.clz, wide, like(b, Op.BitwiseXor, value, sign));
  return toInt(b, like(b, Op.ISub, leading, number(b, 1, wide)), type);
};

/** data: the indices; -1 for undefined components. */
const shuffleConstant: Emitter = ({ builder: b, args, type, data }) => {
  const [first, second] = args as [Id, Id];
  const indices = data.map((index) => (index === '-1' ? 0xffffffff : Number(index)));
  if (indices.length > 1) return b.emit(Op.VectorShuffle, type, [first, second, ...indices]);
  const [index = 0] = indices;
  const count = b.countOf(b.typeOf(first));
  if (index === 0xffffffff) return b.emit(Op.CompositeExtract, type, [first, 0]);
  return b.emit(Op.CompositeExtract, type, index < count ? [first, index] : [second, index - count]);
};

/** data: an opcode or an extended instruction, which combines the components one after the other. */
const reduce: Emitter = ({ builder: b, args, type, data }) => {
  const vector = args[0]!;
  const [name = ''] = data;
  let result = b.emit(Op.CompositeExtract, type, [vector, 0]);
  for (let i = 1; i < b.countOf(b.typeOf(vector)); i++) {
    const next = b.emit(Op.CompositeExtract, type, [vector, i]);
    result = name.startsWith('Op')
      ? b.emit(opcodeOf(name), type, [result, next])
      : std(b, OpenCLStd[name as keyof typeof OpenCLStd], type, result, next);
  }
  return result;
};

/** MemoryAccess */
const ALIGNED = 2;
const WRAPPING = { add: Op.IAdd, sub: Op.ISub, mul: Op.IMul } as const;

/** Stores the wrapped result and returns whether it wrapped. data: operation and signedness. */
const overflow: Emitter = ({ host, builder: b, args, type, data, builtin }) => {
  const [x, y, pointer] = args as [Id, Id, Id];
  const [operation, signedness] = data as [keyof typeof WRAPPING, string];
  const isSigned = signedness === 'signed';
  const result = like(b, WRAPPING[operation], x, y);
  b.emitVoid(Op.Store, [pointer, result, ALIGNED, host.alignOf(builtin.parameters[0]!)]);
  const wide = b.typeOf(x);
  let wrapped: Id;
  if (operation === 'mul') {
    const high = std(b, isSigned ? OpenCLStd.s_mul_hi : OpenCLStd.u_mul_hi, wide, x, y);
    const expected = isSigned
      ? like(b, Op.ShiftRightArithmetic, result, number(b, b.widthOf(wide) - 1, wide))
      : number(b, 0, wide);
    wrapped = b.emit(Op.INotEqual, b.bool(), [high, expected]);
  } else if (isSigned) {
    // The sign differs from that of both summands; or the operands' signs differ, and the first one's from the result's.
    const other = operation === 'add' ? like(b, Op.BitwiseXor, y, result) : like(b, Op.BitwiseXor, x, y);
    wrapped = isNegative(b, like(b, Op.BitwiseAnd, like(b, Op.BitwiseXor, x, result), other));
  } else {
    wrapped = b.emit(Op.ULessThan, b.bool(), operation === 'add' ? [result, x] : [x, y]);
  }
  return fromBool(b, wrapped, type);
};

/** As clang lowers it. Consumers that do not trap treat it as undefined. */
const trap: Emitter = ({ builder: b }) => {
  b.terminate(Op.Unreachable, []);
  return NO_ID;
};

/** A call of the device's function, which only checked runs have. */
const assert: Emitter = ({ builder: b, args, type }) => {
  const f = b.importedFunction(
    ASSERT_FUNCTION,
    type,
    args.map((arg) => b.typeOf(arg)),
  );
  b.emit(Op.FunctionCall, type, [f, ...args]);
  return NO_ID;
};

export const compilerFunctionEmitters = {
  trap,
  assert,
  rotate_right: rotateRight,
  bit_reverse: bitReverse,
  find_first_set: findFirstSet,
  parity,
  redundant_signs: redundantSigns,
  shuffle_constant: shuffleConstant,
  reduce,
  overflow,
};
