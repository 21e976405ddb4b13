// SPDX-License-Identifier: MIT
//
// A type in a declaration, before its address space is determined.
import type * as Syntax from '../../ast/syntax';
import { type AddressSpace, type QualType, sameType, type Type } from '../../types';

/** A type before its address space is determined: it may be absent in the source. */
export interface TypeUse {
  readonly type: Type;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly space: AddressSpace | undefined;
  readonly align?: number;
}

/** The type that a declarator declares; undefined if something about it was wrong (and reported). */
export interface Declared {
  readonly use: TypeUse;
  /** The parameters of the outermost function declarator, for a definition. */
  readonly parameters: readonly Syntax.Parameter[] | undefined;
}

/** The type of specifiers, without qualifiers. */
export const unspecified = (type: Type): TypeUse => ({
  type,
  const: false,
  volatile: false,
  restrict: false,
  space: undefined,
});

/** The type of an object, which is in `space` if the source gives no address space. */
export function placedIn(use: TypeUse, space: QualType['space']): QualType {
  return use.space === space ? (use as QualType) : { ...use, space: use.space ?? space };
}

/** The same type for two declarations of a name. */
export function sameUse(a: TypeUse, b: TypeUse): boolean {
  return sameType(a.type, b.type) && a.const === b.const && a.volatile === b.volatile;
}
