// SPDX-License-Identifier: MIT
//
// Vector types that follow from others.

import { scalarSize } from '../../scalars';
import { type Type, type VectorType, vectorOf } from '../../types';
import { signedOfSize } from './scalars';

/** The result type of a comparison of such vectors. */
export function maskType(type: VectorType): VectorType {
  return vectorOf(signedOfSize(scalarSize(type.element.scalar)), type.count);
}

/** A vector type with the components of `type`, or the element type for one. */
export function componentsType(type: VectorType, count: number): Type | undefined {
  if (count === 1) return type.element;
  if (count === 2 || count === 3 || count === 4 || count === 8 || count === 16) {
    return vectorOf(type.element.scalar, count);
  }
  return undefined;
}
