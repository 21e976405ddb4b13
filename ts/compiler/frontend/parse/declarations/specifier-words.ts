// SPDX-License-Identifier: MIT
//
// Collects the words that come in any order among declaration specifiers.

import type { Location } from '../../../diagnostics/diagnostic';
import type { Attribute, DeclaratorPart, Qualifiers } from '../../ast/syntax';
import type { AddressSpace, ScalarKind } from '../../types';
import type { BaseWord } from '../keywords';

export const NO_QUALIFIERS: Qualifiers = {
  const: false,
  volatile: false,
  restrict: false,
  space: undefined,
  spaceLocation: 0,
};

export const NO_ATTRIBUTES: readonly Attribute[] = [];

export const NO_PARTS: readonly DeclaratorPart[] = [];

/** Qualifiers as they are collected. */
export class QualifierSet {
  const = false;
  volatile = false;
  restrict = false;
  space: AddressSpace | undefined = undefined;
  spaceLocation: Location = 0;
  any = false;

  finish(): Qualifiers {
    if (!this.any) return NO_QUALIFIERS;
    const { volatile, restrict, space, spaceLocation } = this;
    return { const: this.const, volatile, restrict, space, spaceLocation };
  }
}

/** clang's attributes that are equivalent to address space qualifiers. */
const SPACE_ATTRIBUTES: ReadonlyMap<string, AddressSpace> = new Map([
  ['opencl_global', 'global'],
  ['opencl_local', 'local'],
  ['opencl_constant', 'constant'],
  ['opencl_private', 'private'],
  ['opencl_generic', 'generic'],
]);

export function addSpaceOf(attributes: readonly Attribute[], into: QualifierSet): void {
  for (const { name, location } of attributes) {
    const space = SPACE_ATTRIBUTES.get(name);
    if (space === undefined) continue;
    into.space = space;
    into.spaceLocation = location;
    into.any = true;
  }
}

/** The scalar words of one declaration, in any order. */
export class BaseWords {
  private base: BaseWord | undefined;
  private sign: 'signed' | 'unsigned' | undefined;
  private short = false;
  longs = 0;
  any = false;

  /** Whether the word is the sign that was given already. */
  hasSign(word: BaseWord): boolean {
    return this.sign === word;
  }

  /** False if the word does not combine with those before it. */
  add(word: BaseWord): boolean {
    this.any = true;
    switch (word) {
      case 'signed':
      case 'unsigned':
        if (this.sign !== undefined && this.sign !== word) return false;
        this.sign = word;
        return true;
      case 'long':
        this.longs++;
        return this.longs <= 2 && !this.short;
      case 'short':
        if (this.longs > 0) return false;
        this.short = true;
        return true;
      default:
        if (this.base !== undefined) return false;
        this.base = word;
        return true;
    }
  }

  /** Undefined for invalid combinations. */
  scalar(): ScalarKind | 'void' | undefined {
    const { base, sign, short, longs } = this;
    const unsigned = sign === 'unsigned';
    if (short || longs > 0) {
      // Reserved by OpenCL C, but supported by clang.
      if (base === 'double' && longs === 1 && sign === undefined) return 'double';
      if (base !== undefined && base !== 'int') return undefined;
      if (short) return unsigned ? 'ushort' : 'short';
      return unsigned ? 'ulong' : 'long';
    }
    switch (base) {
      case undefined:
      case 'int':
        return unsigned ? 'uint' : 'int';
      case 'char':
        return unsigned ? 'uchar' : 'char';
      case 'signed':
      case 'unsigned':
      case 'long':
      case 'short':
        return undefined;
      default:
        return sign === undefined ? base : undefined;
    }
  }
}
