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
  const evaluator = EVALUATORS[expr.kind] as Evaluator<Expr['kind']> | undefined;
  return evaluator?.(expr, options);
}

type Evaluator<Kind extends Expr['kind']> = (
  expr: Extract<Expr, { kind: Kind }>,
  options: EvaluationOptions,
) => ConstantValue | undefined;

/** How each kind of expression is evaluated. Kinds without a function, such as calls, are never constant. */
const EVALUATORS: { readonly [Kind in Expr['kind']]?: Evaluator<Kind> } = {
  integer: ({ type, value }) =>
    type.kind === 'pointer' ? address(undefined, Number(value)) : integer(value),
  float: ({ value }) => ({ kind: 'float', value }),
  block: (expr) => (expr.captures.length === 0 ? { kind: 'block', literal: expr } : undefined),
  load: ({ from }, options) => loadConstant(from, options),
  'compound-literal': ({ variable }, options) => variable.init && evaluate(variable.init, options),
  'address-of': ({ of }, options) => addressOf(of, options),
  comma: ({ left, right }, options) => evaluate(left, options) && evaluate(right, options),
  cast: evaluateCast,
  initializer: evaluateInitializer,

  unary({ type, op, operand }, options) {
    const value = evaluate(operand, options);
    if (value === undefined) return undefined;
    const negate = op === 'negate';
    return eachComponent(type, [value], ([x], kind) => {
      if (x!.kind === 'float') return negate ? { kind: 'float', value: -x!.value } : undefined;
      if (x!.kind !== 'integer') return undefined;
      return integer(wrapInteger(negate ? -x!.value : ~x!.value, kind));
    });
  },

  not({ type, operand }, options) {
    const value = evaluate(operand, options);
    if (value === undefined) return undefined;
    return eachComponent(type, [value], ([x]) => {
      const truth = isTrue(x!);
      return truth === undefined ? undefined : truthOf(!truth, type);
    });
  },

  binary({ type, op, left, right }, options) {
    const values = evaluateBoth(left, right, options);
    return values && eachComponent(type, values, ([a, b], kind) => arithmetic(op, a!, b!, kind));
  },

  compare({ type, op, left, right }, options) {
    const values = evaluateBoth(left, right, options);
    if (values === undefined) return undefined;
    return eachComponent(type, values, ([a, b]) => {
      const truth = compare(op, a!, b!);
      return truth === undefined ? undefined : truthOf(truth, type);
    });
  },

  logical({ type, op, left, right }, options) {
    if (type.kind === 'vector') return undefined;
    const first = evaluateTruth(left, options);
    if (first === undefined) return undefined;
    const isDecided = first === (op === '||');
    const truth = isDecided ? first : evaluateTruth(right, options);
    return truth === undefined ? undefined : truthOf(truth, type);
  },

  conditional({ condition, then, otherwise }, options) {
    const truth = evaluateTruth(condition, options);
    return truth === undefined ? undefined : evaluate(truth ? then : otherwise, options);
  },

  'pointer-add'({ type, pointer, index, subtract }, options) {
    const base = evaluate(pointer, options);
    const count = evaluate(index, options);
    if (base?.kind !== 'address' || count?.kind !== 'integer' || type.kind !== 'pointer') return undefined;
    const bytes = Number(count.value) * sizeOf(type.pointee.type, options.language);
    return address(base.base, base.offset + (subtract ? -bytes : bytes));
  },

  'pointer-difference'({ left, right }, options) {
    const from = evaluate(right, options);
    const to = evaluate(left, options);
    if (to?.kind !== 'address' || from?.kind !== 'address' || to.base !== from.base) return undefined;
    if (left.type.kind !== 'pointer') return undefined;
    const size = sizeOf(left.type.pointee.type, options.language);
    return size === 0 ? undefined : integer(BigInt(Math.trunc((to.offset - from.offset) / size)));
  },

  'vector-literal'({ parts }, options) {
    const components: ConstantValue[] = [];
    for (const part of parts) {
      const value = evaluate(part, options);
      if (value === undefined) return undefined;
      if (value.kind === 'vector') components.push(...value.components);
      else components.push(value);
    }
    return { kind: 'vector', components };
  },
};

/** The result of a comparison or a logical operator: in vectors, true has all bits set. */
const truthOf = (truth: boolean, type: Type): ConstantValue =>
  integer(truth ? (type.kind === 'vector' ? -1n : 1n) : 0n);

function evaluateTruth(expr: Expr, options: EvaluationOptions): boolean | undefined {
  const value = evaluate(expr, options);
  return value && isTrue(value);
}

function evaluateBoth(
  left: Expr,
  right: Expr,
  options: EvaluationOptions,
): readonly [ConstantValue, ConstantValue] | undefined {
  const a = evaluate(left, options);
  const b = a && evaluate(right, options);
  return a && b && [a, b];
}

function evaluateInitializer(
  { type, elements, member }: Extract<Expr, { kind: 'initializer' }>,
  options: EvaluationOptions,
): ConstantValue | undefined {
  const values: (ConstantValue | undefined)[] = [];
  for (const element of elements) {
    const value = element && evaluate(element, options);
    if (element !== undefined && value === undefined) return undefined;
    values.push(value);
  }
  if (type.kind === 'vector')
    return { kind: 'vector', components: values.map((value) => value ?? zeroOf(type)) };
  return { kind: 'aggregate', elements: values, ...(member === undefined ? {} : { member }) };
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
