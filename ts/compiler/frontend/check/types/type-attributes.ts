// SPDX-License-Identifier: MIT
//
// Attributes that change a type: vectors, and address spaces by number.
import type * as Syntax from '../../ast/syntax';
import { type AddressSpace, vectorOf } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { sizeOf } from './layout';
import { spell } from './spelling';
import type { TypeUse } from './type-use';

export function applyVectorAttribute(
  c: Checker,
  attributes: readonly Syntax.Attribute[],
  base: TypeUse,
): TypeUse {
  for (const { name, arguments: args, location } of attributes) {
    if (name !== 'ext_vector_type' && name !== 'vector_size') continue;
    const size = args[0] && checkConstantInteger(c, args[0]);
    if (size === undefined) continue;
    if (base.type.kind !== 'scalar' || base.type.scalar === 'bool') {
      c.reporter.report('vector-element', location, { type: spell(base.type) });
      continue;
    }
    const bytes = sizeOf(base.type, c.language);
    const count = name === 'vector_size' ? Number(size) / bytes : Number(size);
    if (count === 2 || count === 3 || count === 4 || count === 8 || count === 16) {
      return { ...base, type: vectorOf(base.type.scalar, count) };
    }
    c.reporter.report('vector-size', location, { count });
  }
  return base;
}

/** `__attribute__((address_space(n)))` with the numbers of SPIR's targets. */
export function applyNumberedSpace(
  c: Checker,
  use: TypeUse,
  attributes: readonly Syntax.Attribute[],
): TypeUse | undefined {
  for (const { name, arguments: args, location } of attributes) {
    if (name !== 'address_space') continue;
    const [argument, more] = args;
    if (argument === undefined || more !== undefined) {
      c.reporter.report('attribute-arguments', location, { name, count: 1 });
      return undefined;
    }
    const value = checkConstantInteger(c, argument);
    if (value === undefined) return undefined;
    const space = SPACE_NUMBERS[Number(value)];
    if (space === undefined || (space === 'generic' && !c.hasGeneric)) {
      c.reporter.report('address-space-number', location, { value });
      return undefined;
    }
    if (use.space !== undefined && use.space !== space) {
      c.reporter.report('multiple-address-spaces', location);
      return undefined;
    }
    return { ...use, space };
  }
  return use;
}

const SPACE_NUMBERS: readonly AddressSpace[] = ['private', 'global', 'constant', 'local', 'generic'];
