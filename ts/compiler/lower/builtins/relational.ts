// SPDX-License-Identifier: MIT
//
// Comparisons and classifications of numbers.
import { Op } from '../../../spirv/grammar.gen';
import { boolLike, type Emitter, fromBool, integer, opcodeOf } from './site';

/** A comparison or classification: its bool becomes 1 and 0, or -1 and 0 in vectors. */
const relational: Emitter = ({ builder: b, args, type, data }) =>
  fromBool(b, b.emit(opcodeOf(data[0]!), boolLike(b, b.typeOf(args[0]!)), [...args]), type);

/** any and all: of the components' most significant bits. */
const anyAll: Emitter = ({ builder: b, args, type, data }) => {
  const arg = args[0]!;
  const argType = b.typeOf(arg);
  const signs = b.emit(Op.SLessThan, boolLike(b, argType), [arg, integer(b, argType, 0)]);
  return fromBool(b, b.countOf(argType) === 1 ? signs : b.emit(opcodeOf(data[0]!), b.bool(), [signs]), type);
};

export const relationalEmitters = { relational, any_all: anyAll };
