// SPDX-License-Identifier: MIT
//
// What a constant expression can evaluate to.
import type { BlockLiteral, StringLiteral, VariableDecl } from '../../ast/checked';
import { isFloatKind } from '../../scalars';
import type { Type } from '../../types';
import { asScalar } from '../types/predicates';
import { floatToInteger, integerToFloat, roundFloat, wrapInteger } from './values';

export type ConstantValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'vector'; readonly components: readonly ConstantValue[] }
  /** An undefined element is zero. For unions `member` is the index of the only element. */
  | {
      readonly kind: 'aggregate';
      readonly elements: readonly (ConstantValue | undefined)[];
      readonly member?: number;
    }
  /** An offset in bytes from the start of an object; without a base an absolute address, NULL being 0. */
  | {
      readonly kind: 'address';
      readonly base: VariableDecl | StringLiteral | undefined;
      readonly offset: number;
    }
  /** A block that captures nothing. */
  | { readonly kind: 'block'; readonly literal: BlockLiteral }
  | { readonly kind: 'zero' };

const ZERO: ConstantValue = { kind: 'zero' };

export const integer = (value: bigint): ConstantValue => ({ kind: 'integer', value });

export const address = (base: VariableDecl | StringLiteral | undefined, offset: number): ConstantValue => ({
  kind: 'address',
  base,
  offset,
});

export function zeroOf(type: Type): ConstantValue {
  const scalar = type.kind === 'vector' ? type.element : asScalar(type);
  if (scalar === undefined) return ZERO;
  return isFloatKind(scalar.scalar) ? { kind: 'float', value: 0 } : integer(0n);
}

export function isTrue(value: ConstantValue): boolean | undefined {
  switch (value.kind) {
    case 'integer':
      return value.value !== 0n;
    case 'float':
      return value.value !== 0;
    case 'address':
      return value.base !== undefined || value.offset !== 0;
    case 'zero':
      return false;
    default:
      return undefined;
  }
}

export function convertConstantScalar(value: ConstantValue, to: Type): ConstantValue | undefined {
  const scalar = asScalar(to);
  if (scalar === undefined) return undefined;
  const kind = scalar.scalar;
  if (value.kind === 'integer') {
    if (isFloatKind(kind)) return { kind: 'float', value: integerToFloat(value.value, kind) };
    return integer(wrapInteger(value.value, kind));
  }
  if (value.kind !== 'float') return undefined;
  if (isFloatKind(kind)) return { kind: 'float', value: roundFloat(value.value, kind) };
  return integer(floatToInteger(value.value, kind));
}
