// SPDX-License-Identifier: MIT
//
// Operators on constant values: component by component on vectors.
import { holds, integerArithmetic } from '../../../../base/integer-arithmetic';
import type { ArithmeticOp, CompareOp } from '../../ast/operators';
import { scalarSize } from '../../scalars';
import type { ScalarKind, Type } from '../../types';
import { asScalar } from '../types/predicates';
import { type ConstantValue, integer } from './constant-value';
import { roundFloat, wrapInteger } from './values';

/** Applies `operation` to scalars, or to each component if the type is a vector. */
export function eachComponent(
  type: Type,
  operands: readonly ConstantValue[],
  operation: (operands: readonly ConstantValue[], kind: ScalarKind) => ConstantValue | undefined,
): ConstantValue | undefined {
  if (type.kind !== 'vector') {
    const scalar = asScalar(type);
    return scalar && operation(operands, scalar.scalar);
  }
  const components: ConstantValue[] = [];
  for (let i = 0; i < type.count; i++) {
    const each: ConstantValue[] = [];
    for (const operand of operands) {
      const component = operand.kind === 'vector' ? operand.components[i] : undefined;
      if (component === undefined) return undefined;
      each.push(component);
    }
    const value = operation(each, type.element.scalar);
    if (value === undefined) return undefined;
    components.push(value);
  }
  return { kind: 'vector', components };
}

export function arithmetic(
  op: ArithmeticOp,
  a: ConstantValue,
  b: ConstantValue,
  kind: ScalarKind,
): ConstantValue | undefined {
  if (a.kind === 'float' && b.kind === 'float') {
    const value = floatArithmetic(op, a.value, b.value);
    return value === undefined ? undefined : { kind: 'float', value: roundFloat(value, kind) };
  }
  if (a.kind !== 'integer' || b.kind !== 'integer') return undefined;
  const value = integerArithmetic(op, a.value, b.value, scalarSize(kind) * 8);
  return value === undefined ? undefined : integer(wrapInteger(value, kind));
}

function floatArithmetic(op: ArithmeticOp, a: number, b: number): number | undefined {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return undefined;
  }
}

export function compare(op: CompareOp, a: ConstantValue, b: ConstantValue): boolean | undefined {
  let left: bigint | number;
  let right: bigint | number;
  if ((a.kind === 'integer' && b.kind === 'integer') || (a.kind === 'float' && b.kind === 'float')) {
    left = a.value;
    right = b.value;
  } else if (a.kind === 'address' && b.kind === 'address' && a.base === b.base) {
    left = a.offset;
    right = b.offset;
  } else return undefined;
  return holds(op, left, right);
}
