// SPDX-License-Identifier: MIT
//
// Converts constants to their bytes in memory and back, for unions, whose SPIR-V struct has only one of the members.
import type { Builder } from '../../spirv/builder';
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';

/** The structs that are decorated CPacked. */
export type PackedStructs = ReadonlySet<Id>;

/** The constant reinterpreted as another type; undefined if it contains an address. */
export function reinterpretConstant(
  b: Builder,
  packed: PackedStructs,
  constant: Id,
  type: Id,
): Id | undefined {
  const size = Math.max(layoutOfId(b, packed, b.typeOf(constant)).size, layoutOfId(b, packed, type).size);
  const view = new DataView(new ArrayBuffer(size));
  return write(b, packed, constant, view, 0) ? read(b, packed, type, view, 0) : undefined;
}

interface Layout {
  readonly size: number;
  readonly align: number;
}

function layoutOfId(b: Builder, packed: PackedStructs, type: Id): Layout {
  const { op, operands } = b.definitionOf(type)!;
  switch (op) {
    case Op.TypeInt:
    case Op.TypeFloat: {
      const size = operands[0]! / 8;
      return { size, align: size };
    }
    case Op.TypeVector: {
      const element = layoutOfId(b, packed, operands[0] as Id).size;
      const size = element * (operands[1] === 3 ? 4 : operands[1]!);
      return { size, align: size };
    }
    case Op.TypeArray: {
      const element = layoutOfId(b, packed, operands[0] as Id);
      return { size: element.size * lengthOf(b, type), align: element.align };
    }
    case Op.TypeStruct: {
      const offsets = memberOffsets(b, packed, type);
      return { size: offsets.size, align: offsets.align };
    }
    default: {
      const size = b.addressBits / 8;
      return { size, align: size };
    }
  }
}

function lengthOf(b: Builder, array: Id): number {
  const length = b.definitionOf(array)!.operands[1] as Id;
  return b.definitionOf(length)!.operands[0]!;
}

function memberOffsets(b: Builder, packed: PackedStructs, struct: Id): Layout & { offsets: number[] } {
  const isPacked = packed.has(struct);
  const offsets: number[] = [];
  let size = 0;
  let align = 1;
  for (const member of b.definitionOf(struct)!.operands as Id[]) {
    const layout = layoutOfId(b, packed, member);
    const step = isPacked ? 1 : layout.align;
    size = Math.ceil(size / step) * step;
    offsets.push(size);
    size += layout.size;
    align = Math.max(align, step);
  }
  return { offsets, size: Math.ceil(size / align) * align, align };
}

/** The parts of a composite type with their offsets. */
function partsOf(b: Builder, packed: PackedStructs, type: Id): { type: Id; offset: number }[] {
  const { op, operands } = b.definitionOf(type)!;
  if (op === Op.TypeStruct) {
    const { offsets } = memberOffsets(b, packed, type);
    return operands.map((member, i) => ({ type: member as Id, offset: offsets[i]! }));
  }
  const element = operands[0] as Id;
  const { size } = layoutOfId(b, packed, element);
  const count = op === Op.TypeVector ? operands[1]! : lengthOf(b, type);
  return Array.from({ length: count }, (_, i) => ({ type: element, offset: i * size }));
}

const isComposite = (op: Op): boolean => op === Op.TypeStruct || op === Op.TypeArray || op === Op.TypeVector;

function write(b: Builder, packed: PackedStructs, constant: Id, view: DataView, at: number): boolean {
  const definition = b.definitionOf(constant);
  if (!definition) return false;
  if (definition.op === Op.ConstantNull || definition.op === Op.Undef) return true;
  if (definition.op === Op.ConstantComposite) {
    const parts = partsOf(b, packed, definition.type);
    return parts.every(({ offset }, i) => write(b, packed, definition.operands[i] as Id, view, at + offset));
  }
  if (definition.op !== Op.Constant) return false;
  // Of words: JavaScript's numbers do not have all bits of a NaN.
  const { size } = layoutOfId(b, packed, definition.type);
  for (let k = 0; k < size; k++) view.setUint8(at + k, definition.operands[k >> 2]! >>> (8 * (k & 3)));
  return true;
}

function read(b: Builder, packed: PackedStructs, type: Id, view: DataView, at: number): Id | undefined {
  const { op, operands } = b.definitionOf(type)!;
  if (isComposite(op)) {
    const parts = partsOf(b, packed, type).map((part) => read(b, packed, part.type, view, at + part.offset));
    return parts.includes(undefined) ? undefined : b.constantComposite(type, parts as Id[]);
  }
  if (op !== Op.TypeInt && op !== Op.TypeFloat) return undefined;
  const width = operands[0]!;
  if (width === 64) return b.constantWords(type, [view.getUint32(at, true), view.getUint32(at + 4, true)]);
  if (width === 32) return b.constantWords(type, [view.getUint32(at, true)]);
  return b.constantWords(type, [width === 16 ? view.getUint16(at, true) : view.getUint8(at)]);
}
