// SPDX-License-Identifier: MIT
//
// From declarators to types.
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { type FunctionType, pointerTo, type QualType } from '../../types';
import type { Checker } from '../checker';
import { evaluateInteger, isIntegerConstantExpression } from '../constants/evaluate';
import { rvalue } from '../conversions/implicit';
import { checkOperand } from '../expressions/unevaluated';
import { underline } from '../extents';
import { isComplete, sizeOf } from './layout';
import { checkParameterType } from './parameters';
import { isInteger, isSampler } from './predicates';
import { applyQualifiers } from './qualifiers';
import { spell } from './spelling';
import { depthOf, TYPE_DEPTH_LIMIT } from './type-depth';
import { type Declared, placedIn, type TypeUse, unspecified } from './type-use';

export function checkDeclarator(
  c: Checker,
  base: TypeUse,
  declarator: Syntax.Declarator,
  isParameter = false,
): Declared | undefined {
  let use = base;
  let parameters: readonly Syntax.Parameter[] | undefined;
  for (const part of declarator.parts) {
    const next = applyPart(c, use, part, isParameter);
    if (next === undefined) return undefined;
    use = next;
    if (part.kind === 'function') ({ parameters } = part);
  }
  if (declarator.parts.length > 0 && depthOf(use.type) > TYPE_DEPTH_LIMIT) {
    c.reporter.report('type-too-deep', declarator.location, { limit: TYPE_DEPTH_LIMIT });
    return undefined;
  }
  return { use, parameters };
}

/** Applies one part of a declarator to a type, from the inside to the outside. */
function applyPart(
  c: Checker,
  use: TypeUse,
  part: Syntax.DeclaratorPart,
  isParameter: boolean,
): TypeUse | undefined {
  switch (part.kind) {
    case 'pointer':
      return pointerOf(c, use, part);
    case 'array': {
      const { const: isConst, volatile, restrict, space } = part.qualifiers;
      if (!isParameter && (isConst || volatile || restrict || space !== undefined))
        c.reporter.report('array-qualifier', part.location);
      return arrayOf(c, use, part);
    }
    case 'function': {
      const type = functionReturning(c, use, part);
      return type && unspecified(type);
    }
    case 'block':
      return blockOf(c, use, part);
  }
}

function blockOf(
  c: Checker,
  { type }: TypeUse,
  { qualifiers, location }: Syntax.DeclaratorPart & { kind: 'block' },
): TypeUse | undefined {
  if (!c.hasBlocks) {
    c.reporter.report('blocks-disabled', location);
    return undefined;
  }
  if (type.kind !== 'function') {
    c.reporter.report('block-pointer-non-function', location);
    return undefined;
  }
  if (type.variadic) {
    c.reporter.report('variadic-function', location);
    return undefined;
  }
  return applyQualifiers(c, unspecified({ kind: 'block', signature: type }), qualifiers, location);
}

function pointerOf(
  c: Checker,
  pointee: TypeUse,
  part: Syntax.DeclaratorPart & { kind: 'pointer' },
): TypeUse | undefined {
  const { type } = pointee;
  if (type.kind === 'function' && !c.has('__cl_clang_function_pointers')) {
    c.reporter.report('function-pointer', part.location);
    return undefined;
  }
  if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || type.kind === 'opaque') {
    const allowed = type.kind === 'block' ? false : type.kind === 'opaque' && type.name !== 'sampler_t';
    if (!allowed) {
      c.reporter.report('pointer-to-opaque', part.location, { type: spell(type) });
      return undefined;
    }
  }
  const space = pointee.space ?? (type.kind === 'function' ? 'private' : c.defaultPointee);
  if (space === 'generic') c.usesGenericSpace = true;
  return applyQualifiers(
    c,
    unspecified(pointerTo(placedIn(pointee, space), space)),
    part.qualifiers,
    part.location,
  );
}

function arrayOf(
  c: Checker,
  element: TypeUse,
  part: Syntax.DeclaratorPart & { kind: 'array' },
): TypeUse | undefined {
  const { type } = element;
  if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isSampler(type)) {
    c.reporter.report('array-of-opaque', part.location, { type: spell(type) });
    return undefined;
  }
  if (type.kind === 'function' || !isComplete(type)) {
    c.reporter.report('array-of-incomplete', part.location, { type: spell(type) });
    return undefined;
  }
  let count: number | undefined;
  if (part.size !== undefined) {
    const size = checkArraySize(c, part.size, sizeOf(type, c.language));
    if (size === undefined) return undefined;
    count = size;
  }
  const qualified = placedIn(element, element.space ?? 'private');
  return {
    type: { kind: 'array', element: qualified, count },
    const: element.const,
    volatile: element.volatile,
    restrict: false,
    space: element.space,
  };
}

function checkArraySize(c: Checker, expr: Syntax.Expr, elementBytes: number): number | undefined {
  const raw = checkOperand(c, true, expr);
  if (raw === undefined) return undefined;
  const value = rvalue(c, raw);
  if (!isInteger(value.type)) {
    c.reporter.report('array-size-type', expr.begin, { type: spell(value.type) }, underline(expr));
    return undefined;
  }
  const isConstant = isIntegerConstantExpression(value);
  const size = isConstant ? evaluateInteger(value, { language: c.language, readVariables: true }) : undefined;
  if (size === undefined) {
    c.reporter.report('variable-length-array', expr.begin, {}, underline(expr));
    return undefined;
  }
  if (size < 0n) {
    c.reporter.report('array-size-negative', expr.begin, {}, underline(expr));
    return undefined;
  }
  // As in clang: an array's size in bytes is a size_t, of which at most 61 bits are used.
  const bits = BigInt(Math.min(c.language.addressBits, 61));
  if (size * BigInt(Math.max(elementBytes, 1)) >= 1n << bits || size > 0x7fffffffffffn) {
    c.reporter.report('array-too-large', expr.begin, { count: size }, underline(expr));
    return undefined;
  }
  return Number(size);
}

function functionReturning(
  c: Checker,
  result: TypeUse,
  part: Syntax.DeclaratorPart & { kind: 'function' },
): FunctionType | undefined {
  const { type } = result;
  if (type.kind === 'array' || type.kind === 'function') {
    const what = type.kind === 'array' ? 'array' : 'function';
    c.reporter.report('function-returning', part.location, { what, type: spell(type) });
    return undefined;
  }
  if (type.kind === 'block') {
    c.reporter.report('returning-block', part.location, { type: spell(type) });
    return undefined;
  }
  if (result.space !== undefined) {
    c.reporter.report('return-address-space', part.location);
    return undefined;
  }
  // Later parameters may refer to earlier ones.
  c.symbols.push();
  c.types.prototypes++;
  const parameters = parameterTypes(c, part.parameters ?? []);
  c.types.prototypes--;
  c.symbols.pop();
  return parameters && { kind: 'function', result: type, parameters, variadic: part.variadic };
}

function parameterTypes(c: Checker, list: readonly Syntax.Parameter[]): QualType[] | undefined {
  const parameters: QualType[] = [];
  for (const parameter of list) {
    const type = checkParameterType(c, parameter);
    if (type === undefined) return undefined;
    const { name, location } = parameter.declarator;
    if (type.type.kind === 'void') {
      if (list.length === 1 && name === undefined) break;
      c.reporter.report('void-parameter', location);
      return undefined;
    }
    parameters.push(type);
    if (name === undefined) continue;
    const variable: VariableDecl = {
      kind: 'variable',
      name,
      location,
      type,
      storage: 'parameter',
      external: false,
      attributes: {},
      init: undefined,
      typeName: '',
    };
    c.symbols.values.set(name, { kind: 'variable', variable, owner: undefined });
  }
  return parameters;
}
