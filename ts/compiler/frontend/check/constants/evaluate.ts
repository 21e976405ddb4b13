// SPDX-License-Identifier: MIT
//
// Constant expressions: evaluates the checked AST, where it is constant. Used for array sizes, case labels and enumerators
// (integers), and for the initializers of program-scope variables (addresses as well).
import type { Expr, LValue } from '../../ast/checked';
import type { LanguageOptions } from '../../language';
import { isFloatKind, scalarSize } from '../../scalars';
import type { Type } from '../../types';
import { sizeOf } from '../types/layout';
import { asScalar } from '../types/predicates';
import {
  address,
  type ConstantValue,
  convertConstantScalar,
  integer,
  isTrue,
  zeroOf,
} from './constant-value';
import { arithmetic, compare, eachComponent } from './operators';
import { wrapInteger } from './values';

interface EvaluationOptions {
  readonly language: LanguageOptions;
  /** Whether variables that are constant and have a constant initializer may be read, as clang does. */
  readonly readVariables: boolean;
}

/** The value, or undefined if it is not constant. */
export function evaluate(expr: Expr, options: EvaluationOptions): ConstantValue | undefined {
  switch (expr.kind) {
    case 'integer':
      return expr.type.kind === 'pointer' ? address(undefined, Number(expr.value)) : integer(expr.value);
    case 'float':
      return { kind: 'float', value: expr.value };
    case 'cast':
      return evaluateCast(expr, options);
    case 'unary': {
      const operand = evaluate(expr.operand, options);
      if (operand === undefined) return undefined;
      const negate = expr.op === 'negate';
      return eachComponent(expr.type, [operand], ([x], kind) => {
        if (x!.kind === 'float') return negate ? { kind: 'float', value: -x!.value } : undefined;
        if (x!.kind !== 'integer') return undefined;
        return integer(wrapInteger(negate ? -x!.value : ~x!.value, kind));
      });
    }
    case 'not': {
      const operand = evaluate(expr.operand, options);
      if (operand === undefined) return undefined;
      const whenTrue = expr.type.kind === 'vector' ? -1n : 1n;
      return eachComponent(expr.type, [operand], ([x]) => {
        const truth = isTrue(x!);
        return truth === undefined ? undefined : integer(truth ? 0n : whenTrue);
      });
    }
    case 'binary': {
      const left = evaluate(expr.left, options);
      const right = left && evaluate(expr.right, options);
      if (left === undefined || right === undefined) return undefined;
      return eachComponent(expr.type, [left, right], ([a, b], kind) => arithmetic(expr.op, a!, b!, kind));
    }
    case 'compare': {
      const left = evaluate(expr.left, options);
      const right = left && evaluate(expr.right, options);
      if (left === undefined || right === undefined) return undefined;
      const whenTrue = expr.type.kind === 'vector' ? -1n : 1n;
      return eachComponent(expr.type, [left, right], ([a, b]) => {
        const truth = compare(expr.op, a!, b!);
        return truth === undefined ? undefined : integer(truth ? whenTrue : 0n);
      });
    }
    case 'logical': {
      if (expr.type.kind === 'vector') return undefined;
      const left = evaluate(expr.left, options);
      const first = left && isTrue(left);
      if (first === undefined) return undefined;
      if (first === (expr.op === '||')) return integer(first ? 1n : 0n);
      const right = evaluate(expr.right, options);
      const second = right && isTrue(right);
      return second === undefined ? undefined : integer(second ? 1n : 0n);
    }
    case 'conditional': {
      const condition = evaluate(expr.condition, options);
      const truth = condition && isTrue(condition);
      if (truth === undefined) return undefined;
      return evaluate(truth ? expr.then : expr.otherwise, options);
    }
    case 'comma':
      return evaluate(expr.left, options) && evaluate(expr.right, options);
    case 'pointer-difference': {
      const left = evaluate(expr.left, options);
      const right = evaluate(expr.right, options);
      const pointer = expr.left.type;
      if (left?.kind !== 'address' || right?.kind !== 'address' || left.base !== right.base) return undefined;
      if (pointer.kind !== 'pointer') return undefined;
      const size = sizeOf(pointer.pointee.type, options.language);
      return size === 0 ? undefined : integer(BigInt(Math.trunc((left.offset - right.offset) / size)));
    }
    case 'vector-literal': {
      const components: ConstantValue[] = [];
      for (const part of expr.parts) {
        const value = evaluate(part, options);
        if (value === undefined) return undefined;
        if (value.kind === 'vector') components.push(...value.components);
        else components.push(value);
      }
      return { kind: 'vector', components };
    }
    case 'initializer': {
      const elements: (ConstantValue | undefined)[] = [];
      for (const element of expr.elements) {
        const value = element && evaluate(element, options);
        if (element !== undefined && value === undefined) return undefined;
        elements.push(value);
      }
      if (expr.type.kind === 'vector') {
        return { kind: 'vector', components: elements.map((element) => element ?? zeroOf(expr.type)) };
      }
      return expr.member === undefined
        ? { kind: 'aggregate', elements }
        : { kind: 'aggregate', elements, member: expr.member };
    }
    case 'address-of':
      return addressOf(expr.of, options);
    case 'pointer-add': {
      const base = evaluate(expr.pointer, options);
      const index = evaluate(expr.index, options);
      if (base?.kind !== 'address' || index?.kind !== 'integer' || expr.type.kind !== 'pointer')
        return undefined;
      const size = sizeOf(expr.type.pointee.type, options.language);
      const bytes = Number(index.value) * size;
      return address(base.base, base.offset + (expr.subtract ? -bytes : bytes));
    }
    case 'block':
      return expr.captures.length === 0 ? { kind: 'block', literal: expr } : undefined;
    case 'load':
      return loadConstant(expr.from, options);
    case 'string':
    case 'compound-literal':
      return expr.kind === 'compound-literal' && expr.variable.init
        ? evaluate(expr.variable.init, options)
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Whether it is an integer constant expression by its form (C99, 6.6): the only floating-point operands are literals that are
 * cast directly, and the only variables are constant integers, even in operands that are not evaluated. Array sizes must be of
 * this form.
 */
export function isIntegerConstantExpression(expr: Expr): boolean {
  const scalar = asScalar(expr.type);
  if (scalar === undefined || isFloatKind(scalar.scalar)) return false;
  switch (expr.kind) {
    case 'integer':
      return true;
    case 'cast':
      return expr.cast !== 'pointer-to-integer' && isIntegerConstantExpression(expr.operand);
    case 'unary':
    case 'not':
      return isIntegerConstantExpression(expr.operand);
    case 'binary':
    case 'compare':
    case 'logical':
      return isIntegerConstantExpression(expr.left) && isIntegerConstantExpression(expr.right);
    case 'conditional':
      return [expr.condition, expr.then, expr.otherwise].every(isIntegerConstantExpression);
    case 'load': {
      if (expr.from.kind !== 'variable-ref') return false;
      const { init, type } = expr.from.variable;
      return init !== undefined && !type.volatile && isIntegerConstantExpression(init);
    }
    default:
      return false;
  }
}

/** The value of an integer constant expression, reduced to its type. */
export function evaluateInteger(expr: Expr, options: EvaluationOptions): bigint | undefined {
  const value = evaluate(expr, options);
  return value?.kind === 'integer' ? value.value : undefined;
}

function evaluateCast(expr: Expr & { kind: 'cast' }, options: EvaluationOptions): ConstantValue | undefined {
  const { operand, cast, type } = expr;
  if (cast === 'array-to-pointer') return addressOf(operand as LValue, options);
  const value = evaluate(operand, options);
  if (value === undefined) return undefined;
  switch (cast) {
    case 'integer':
    case 'integer-to-float':
    case 'float-to-integer':
    case 'float':
      return convertConstantScalar(value, type);
    case 'to-bool': {
      const truth = isTrue(value);
      return truth === undefined ? undefined : integer(truth ? 1n : 0n);
    }
    case 'splat':
      return type.kind === 'vector'
        ? { kind: 'vector', components: Array(type.count).fill(value) }
        : undefined;
    case 'vector':
      return eachComponent(type, [value], ([x]) =>
        convertConstantScalar(x!, type.kind === 'vector' ? type.element : type),
      );
    case 'pointer':
    case 'address-space':
    case 'null-pointer':
      return value.kind === 'integer' ? address(undefined, Number(value.value)) : value;
    case 'integer-to-pointer':
      return value.kind === 'integer' ? address(undefined, Number(value.value)) : undefined;
    case 'pointer-to-integer':
      return value.kind === 'address' && value.base === undefined ? integer(BigInt(value.offset)) : undefined;
    case 'atomic-init':
    case 'opaque':
      return value;
    default:
      return undefined;
  }
}

/** The address of an lvalue: a variable and an offset in bytes. */
function addressOf(lvalue: LValue, options: EvaluationOptions): ConstantValue | undefined {
  switch (lvalue.kind) {
    case 'variable-ref': {
      const { storage } = lvalue.variable;
      const isFixed = storage !== 'parameter' && storage !== 'local-scope' && lvalue.object.space !== 'local';
      return isFixed ? address(lvalue.variable, 0) : undefined;
    }
    case 'compound-literal':
      return lvalue.variable.storage === 'local-scope' ? undefined : address(lvalue.variable, 0);
    case 'string':
      return address(lvalue, 0);
    case 'deref': {
      const value = evaluate(lvalue.pointer, options);
      return value?.kind === 'address' ? value : undefined;
    }
    case 'member': {
      const base = addressOf(lvalue.base as LValue, options);
      return base?.kind === 'address' ? address(base.base, base.offset + lvalue.field.offset) : undefined;
    }
    case 'swizzle': {
      const base = addressOf(lvalue.base as LValue, options);
      const { type } = lvalue.base;
      if (base?.kind !== 'address' || type.kind !== 'vector' || lvalue.indices.length !== 1) return undefined;
      return address(base.base, base.offset + lvalue.indices[0]! * scalarSize(type.element.scalar));
    }
    default:
      return undefined;
  }
}

/** The value of a constant object with a known initializer. */
function loadConstant(lvalue: LValue, options: EvaluationOptions): ConstantValue | undefined {
  switch (lvalue.kind) {
    case 'variable-ref': {
      if (!options.readVariables) return undefined;
      const { variable } = lvalue;
      const constant = variable.type.const || variable.type.space === 'constant';
      if (!constant || variable.type.volatile || variable.init === undefined) return undefined;
      return evaluate(variable.init, options);
    }
    case 'compound-literal':
      return lvalue.variable.init && evaluate(lvalue.variable.init, options);
    case 'member': {
      const base = part(lvalue.base, options);
      if (base?.kind !== 'aggregate' || base.member !== undefined) return undefined;
      return base.elements[lvalue.index] ?? zeroOf(lvalue.type);
    }
    case 'deref':
      return loadElement(lvalue.pointer, lvalue.type, options);
    default:
      return undefined;
  }
}

const part = (base: Expr, options: EvaluationOptions): ConstantValue | undefined =>
  isStored(base) ? loadConstant(base, options) : evaluate(base, options);

const isStored = (expr: Expr): expr is LValue =>
  expr.kind === 'variable-ref' ||
  expr.kind === 'member' ||
  expr.kind === 'swizzle' ||
  expr.kind === 'deref' ||
  expr.kind === 'compound-literal';

/** `array[i]` */
function loadElement(pointer: Expr, type: Type, options: EvaluationOptions): ConstantValue | undefined {
  if (pointer.kind !== 'pointer-add' || pointer.subtract) return undefined;
  const array = pointer.pointer;
  if (array.kind !== 'cast' || array.cast !== 'array-to-pointer') return undefined;
  const index = evaluateInteger(pointer.index, options);
  if (index === undefined || index < 0n) return undefined;
  if (array.operand.kind === 'string') {
    const byte = array.operand.bytes[Number(index)];
    return byte === undefined ? undefined : integer(BigInt.asIntN(8, BigInt(byte)));
  }
  const whole = part(array.operand, options);
  if (whole?.kind !== 'aggregate') return undefined;
  const { type: arrayType } = array.operand;
  if (arrayType.kind !== 'array' || index >= BigInt(arrayType.count ?? 0)) return undefined;
  return whole.elements[Number(index)] ?? zeroOf(type);
}
