// SPDX-License-Identifier: MIT
//
// Addresses of parts of objects, as expressions.
import { Op } from '../grammar.gen';
import type { Id } from '../module';
import { inexpressible, type Tables } from './tables';
import type { Types } from './types';

/** The inputs of addresses: types, and the text of operands. */
export interface AddressOperands {
  readonly types: Types;
  readonly tables: Tables;
  get(id: number): string;
  /** An integer operand as a signed one. */
  signed(id: number): string;
}

/** The address of a part of the object that `pointer` points to. `indices` are ids. */
export function addressOf(b: AddressOperands, base: number, indices: readonly number[]): string {
  const { types, tables } = b;
  const pointerType = tables.definition(base).type;
  const space = types.space(types.storage(pointerType));
  let type = types.pointee(pointerType);
  let text = b.get(base);
  // The path that was not applied yet: `.m1.e[2]`.
  let path = '';
  const flush = () => {
    if (path) text = `(&(*${text})${path})`;
    path = '';
  };
  for (const index of indices) {
    const definition = tables.definition(type);
    switch (definition.op) {
      case Op.TypeStruct: {
        const member = tables.integer(index) ?? inexpressible('a struct member chosen at run time');
        path += `.m${member}`;
        type = definition.operands[member]! as Id;
        break;
      }
      case Op.TypeArray:
        type = definition.operands[0]! as Id;
        if (types.isEvent(type)) text = `(${text} + ${b.signed(index)})`;
        else path += `.e[${b.signed(index)}]`;
        break;
      case Op.TypeVector:
        flush();
        type = definition.operands[0]! as Id;
        text = `((${types.name(type)} ${space} *)${text} + ${b.signed(index)})`;
        break;
      default:
        return inexpressible(`an access chain into Op${Op[definition.op]}`);
    }
  }
  flush();
  return text;
}

/** The same with an offset of whole objects first. */
export function elementAddressOf(
  b: AddressOperands,
  base: number,
  element: number,
  indices: readonly number[],
): string {
  if (b.tables.integer(element) === 0) return addressOf(b, base, indices);
  const moved = `(${b.get(base)} + ${b.signed(element)})`;
  if (indices.length === 0) return moved;
  const view = {
    types: b.types,
    tables: b.tables,
    signed: (id: number) => b.signed(id),
    get: (id: number) => (id === base ? moved : b.get(id)),
  };
  return addressOf(view, base, indices);
}
