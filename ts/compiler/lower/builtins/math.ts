// SPDX-License-Identifier: MIT
//
// Mathematical functions that are more than one instruction.
import { Op, OpenCLStd } from '../../../spirv/grammar.gen';
import { type Emitter, integer, isFloating, splat, toBool, vectorLike } from './site';

/** An extended instruction on vectors, some of whose arguments are scalars, which are splatted. */
const spread: Emitter = ({ host, builder: b, args, type, data }) => {
  const operands = args.map((arg) => splat(b, arg, vectorLike(b, b.elementOf(b.typeOf(arg)), type)));
  const value = b.openClStd(OpenCLStd[data[0] as keyof typeof OpenCLStd], type, operands);
  if (isFloating(b, type)) host.allowFastMath(value);
  return value;
};

/** The dot product; of scalars the product. */
const dot: Emitter = ({ builder: b, args, type }) =>
  b.emit(b.countOf(b.typeOf(args[0]!)) === 1 ? Op.FMul : Op.Dot, type, [...args]);

/** c ? b : a, by the most significant bits of a vector's components, or by whether a scalar is not 0. */
const select: Emitter = ({ builder: b, args, type }) => {
  const [otherwise, then, choice] = args as [number, number, Parameters<typeof toBool>[1]];
  const choiceType = b.typeOf(choice);
  const condition =
    b.countOf(choiceType) === 1
      ? toBool(b, choice)
      : b.emit(Op.SLessThan, vectorLike(b, b.bool(), choiceType), [choice, integer(b, choiceType, 0)]);
  return b.emit(Op.Select, type, [condition, then, otherwise]);
};

/** clang's bit functions: data is the extended instruction or opcode; the count is an int whatever the width. */
const bitCount: Emitter = ({ builder: b, args, type, data }) => {
  const wide = b.typeOf(args[0]!);
  const count =
    data[0] === 'OpBitCount'
      ? b.emit(Op.BitCount, wide, [args[0]!])
      : b.openClStd(OpenCLStd[data[0] as 'clz'], wide, [args[0]!]);
  return wide === type ? count : b.emit(Op.UConvert, type, [count]);
};

/** The bytes of an integer in reverse order. */
const byteSwap: Emitter = ({ builder: b, args, type }) => {
  const count = b.widthOf(type) / 8;
  const bytes = b.vector(b.int(8), count);
  const split = b.emit(Op.Bitcast, bytes, [args[0]!]);
  const order = Array.from({ length: count }, (_, i) => count - 1 - i);
  return b.emit(Op.Bitcast, type, [b.emit(Op.VectorShuffle, bytes, [split, split, ...order])]);
};

/** An infinity or a NaN. */
const special: Emitter = ({ builder: b, type, data }) => b.constantFloat(type, Number(data[0]));

export const mathEmitters = { splat: spread, dot, select, bit_count: bitCount, byte_swap: byteSwap, special };
