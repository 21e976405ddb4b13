// SPDX-License-Identifier: MIT
import { Op, OpenCLStd } from '../../../spirv/grammar.gen';
import { type Emitter, integer, splat, toBool, vectorLike } from './site';

/** An extended instruction on vectors, some of whose arguments are scalars: those are spread. */
const spread: Emitter = ({ builder: b, args, type, data }) => {
  const operands = args.map((arg) => splat(b, arg, vectorLike(b, b.elementOf(b.typeOf(arg)), type)));
  return b.openClStd(OpenCLStd[data[0] as keyof typeof OpenCLStd], type, operands);
};

/** The dot product; of scalars the product. */
const dot: Emitter = ({ builder: b, args, type }) =>
  b.emit(b.countOf(b.typeOf(args[0]!)) === 1 ? Op.FMul : Op.Dot, type, [...args]);

/** c ? b : a by the most significant bits of a vector's components, or by a scalar's being not 0. */
const select: Emitter = ({ builder: b, args, type }) => {
  const [otherwise, then, choice] = args as [number, number, Parameters<typeof toBool>[1]];
  const choiceType = b.typeOf(choice);
  const condition =
    b.countOf(choiceType) === 1
      ? toBool(b, choice)
      : b.emit(Op.SLessThan, vectorLike(b, b.bool(), choiceType), [choice, integer(b, choiceType, 0)]);
  return b.emit(Op.Select, type, [condition, then, otherwise]);
};

export const mathEmitters = { splat: spread, dot, select };
