// SPDX-License-Identifier: MIT
//
// printf, shuffles, and dot products of integers.
import { Capability, Op, OpenCLStd } from '../../../spirv/grammar.gen';
import { constructVector } from '../../../spirv/vectors';
import { type Builder, constantOf, type Emitter, type Id, integer, opcodeOf } from './site';

const printf: Emitter = ({ builder: b, args, type }) => b.openClStd(OpenCLStd.printf, type, [...args]);

/** The components of a constant vector as numbers; undefined if it is computed or wider than 32 bits. */
function constantComponents(b: Builder, id: Id): number[] | undefined {
  const definition = b.definitionOf(id);
  if (definition === undefined) return undefined;
  if (definition.op === Op.ConstantNull) return new Array<number>(b.countOf(definition.type)).fill(0);
  if (definition.op !== Op.ConstantComposite) return undefined;
  const components = definition.operands.map((part) => constantOf(b, part as Id));
  return components.includes(undefined) ? undefined : (components as number[]);
}

/** shuffle and shuffle2: the mask's low bits choose components of one or of two vectors. */
const shuffle: Emitter = ({ builder: b, args, type }) => {
  const mask = args.at(-1)!;
  const [first, second = first] = args.slice(0, -1) as [Id, Id?];
  const width = b.countOf(b.typeOf(first));
  const range = args.length === 3 ? 2 * width : width;
  const known = constantComponents(b, mask);
  if (known !== undefined)
    return b.emit(Op.VectorShuffle, type, [first, second, ...known.map((index) => index & (range - 1))]);
  const maskType = b.typeOf(mask);
  const [indexType, element] = [b.elementOf(maskType), b.elementOf(type)];
  const within = b.emit(Op.BitwiseAnd, maskType, [mask, integer(b, maskType, width - 1)]);
  const parts: Id[] = [];
  for (let i = 0; i < b.countOf(type); i++) {
    const index = b.emit(Op.CompositeExtract, indexType, [within, i]);
    let part = b.emit(Op.VectorExtractDynamic, element, [first, index]);
    if (args.length === 3) {
      const whole = b.emit(Op.CompositeExtract, indexType, [mask, i]);
      const bit = b.emit(Op.BitwiseAnd, indexType, [whole, b.constantInt(indexType, width)]);
      const isSecond = b.emit(Op.INotEqual, b.bool(), [bit, b.constantInt(indexType, 0)]);
      const other = b.emit(Op.VectorExtractDynamic, element, [second, index]);
      part = b.emit(Op.Select, element, [isSecond, other, part]);
    }
    parts.push(part);
  }
  return constructVector(b, type, parts);
};

/** PackedVectorFormat4x8Bit */
const PACKED_4X8 = 0;

/** data: opcode, then `swap` (the instruction takes the signed operand first) and `packed` (four bytes in an int). */
const integerDot: Emitter = ({ builder: b, args, type, data }) => {
  const [first, second, ...accumulator] = args as [Id, Id, ...Id[]];
  const vectors = data.includes('swap') ? [second, first] : [first, second];
  const packed = data.includes('packed');
  needDotInput(b, packed ? undefined : b.typeOf(first));
  return b.emit(opcodeOf(data[0]!), type, [...vectors, ...accumulator, ...(packed ? [PACKED_4X8] : [])]);
};

function needDotInput(b: Builder, vector: Id | undefined): void {
  if (vector === undefined) b.capability(Capability.DotProductInput4x8BitPacked);
  else if (b.widthOf(b.elementOf(vector)) === 8) b.capability(Capability.DotProductInput4x8Bit);
  else b.capability(Capability.DotProductInputAll);
}

/** arm_dot and arm_dot_acc: the sum with the accumulator wraps. */
const armDot: Emitter = ({ builder: b, args, type, data }) => {
  const [first, second, accumulator] = args as [Id, Id, Id?];
  const op = opcodeOf(data[0]!);
  needDotInput(b, b.typeOf(first));
  const saturates = op === Op.SDotAccSat || op === Op.UDotAccSat;
  if (accumulator === undefined || saturates) return b.emit(op, type, [...args]);
  return b.emit(Op.IAdd, type, [b.emit(op, type, [first, second]), accumulator]);
};

export const miscellaneousEmitters = { printf, shuffle, integer_dot: integerDot, arm_dot: armDot };
