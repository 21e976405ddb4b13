// SPDX-License-Identifier: MIT
//
// Which pointers convert to which.

import { integerRank } from '../../scalars';
import {
  type AddressSpace,
  type ArrayType,
  type PointerType,
  pointerTo,
  type QualType,
  sameType,
  type Type,
} from '../../types';

/** The pointer type that an array decays to; `object` has the array's address space. */
export function decayed(array: ArrayType, object: QualType): PointerType {
  const { element } = array;
  return pointerTo(
    {
      ...element,
      const: element.const || object.const,
      volatile: element.volatile || object.volatile,
      space: object.space,
    },
    object.space,
  );
}

/** Whether a pointer into `from` may become one into `to` without a cast. */
export function spaceConverts(from: AddressSpace, to: AddressSpace): boolean {
  return from === to || (to === 'generic' && from !== 'constant');
}

/** Whether an explicit cast may change the space. */
export function spaceCasts(from: AddressSpace, to: AddressSpace): boolean {
  return spaceConverts(from, to) || (from === 'generic' && to !== 'constant');
}

/** Types that differ in qualifiers below the first level only, or not at all. */
export function samePointee(a: Type, b: Type): boolean {
  if (sameType(a, b)) return true;
  if (a.kind === 'array' && b.kind === 'array') {
    const count = a.count === b.count || a.count === undefined || b.count === undefined;
    return count && samePointee(a.element.type, b.element.type);
  }
  if (a.kind === 'enum') return a.underlying === b;
  if (b.kind === 'enum') return b.underlying === a;
  return false;
}

/** Types that differ only in signedness: `int *` and `uint *`. */
export function differsInSign(a: Type, b: Type): boolean {
  if (a.kind !== 'scalar' || b.kind !== 'scalar' || a === b) return false;
  return integerRank(a.scalar) >= 2 && integerRank(a.scalar) === integerRank(b.scalar);
}
