// SPDX-License-Identifier: MIT
//
// clang's own functions that no list of overloads describes: those that are evaluated at compile time, that take types, or whose
// type depends on their arguments. The others are in builtins/tables/compiler-functions.ts.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { isFloatKind, isUnsigned, scalarSize } from '../../scalars';
import { pointerTo, type ScalarType, sameType, scalarOf, type VectorType, vectorOf } from '../../types';
import type { Checker } from '../checker';
import { evaluateInteger } from '../constants/evaluate';
import { wrapInteger } from '../constants/values';
import { convertAsIfAssigned } from '../conversions/assignment';
import { rvalue } from '../conversions/implicit';
import { dereferenced } from '../expressions/elements';
import { checkModifiable } from '../expressions/targets';
import { underline } from '../extents';
import { convertScalar, integerConstant, makeCast, zeroConstant } from '../nodes';
import { asScalar, isArithmetic, isInteger } from '../types/predicates';
import { INT } from '../types/scalars';
import { spell } from '../types/spelling';
import { checkTypeName } from '../types/type-names';
import type { Argument } from './arguments';
import { checkAtomicCall } from './atomic-functions';
import { checkBuiltin } from './builtin-calls';

/** The result of `compilerFunction` for a name that is none of these. */
export const NOT_OURS = Symbol('not a function of the compiler');

type Result = Expr | undefined | typeof NOT_OURS;

const OVERFLOW = /^__builtin_(?:add|sub|mul)_overflow$/;

const VECTOR_COUNTS: ReadonlySet<number> = new Set([2, 3, 4, 8, 16]);

export function checkCompilerFunction(
  c: Checker,
  callee: Syntax.NameExpr,
  args: readonly Argument[],
  expr: Syntax.CallExpr,
): Result {
  const { name } = callee;
  if (!name.startsWith('__')) return NOT_OURS;
  const { location } = expr;
  const [first, second] = args;
  switch (name) {
    case '__builtin_expect':
    case '__builtin_expect_with_probability':
      return args.length === (name === '__builtin_expect' ? 2 : 3) && isArithmetic(first!.value.type)
        ? convertScalar(first!.value, scalarOf('long'))
        : NOT_OURS;
    case '__builtin_constant_p':
      if (args.length !== 1) return NOT_OURS;
      return integerConstant(constantOf(c, first, true) === undefined ? 0n : 1n, INT, location);
    case '__builtin_choose_expr': {
      const choice = constantOf(c, first, false);
      return choice === undefined || args.length !== 3 ? NOT_OURS : args[choice === 0n ? 2 : 1]!.value;
    }
    case '__builtin_assume':
    case '__builtin_debugtrap':
      return noValue(location);
    case '__builtin_prefetch':
      return first?.value.type.kind === 'pointer' ? noValue(location) : NOT_OURS;
    case '__builtin_unreachable': {
      const call = noValue(location);
      c.facts.endless.add(call);
      return call;
    }
    case '__builtin_trap': {
      const call = checkBuiltin(c, callee, args, expr);
      if (call) c.facts.endless.add(call);
      return call;
    }
    case '__builtin_LINE':
      return integerConstant(BigInt(c.reporter.sources.position(location)?.line ?? 0), INT, location);
    case '__builtin_assume_aligned':
      return checkAssumeAligned(c, args);
    case '__builtin_nontemporal_load':
      return args.length === 1 && first!.value.type.kind === 'pointer'
        ? rvalue(c, dereferenced(first!.value, location))
        : NOT_OURS;
    case '__builtin_nontemporal_store':
      return args.length === 2 && second!.value.type.kind === 'pointer'
        ? checkNontemporalStore(c, second!.value, first!, location)
        : NOT_OURS;
    case '__builtin_shufflevector':
      return checkShuffle(c, args, callee, expr);
    default:
      if (!checkAtomicCall(c.reporter, c.language, name, args, expr.end - 1)) return undefined;
      if (OVERFLOW.test(name) && !checkOverflowOperands(c, args, callee)) return undefined;
      return NOT_OURS;
  }
}

function noValue(location: number): Expr {
  return makeCast('to-void', zeroConstant(location), { kind: 'void' });
}

function constantOf(c: Checker, argument: Argument | undefined, readVariables: boolean): bigint | undefined {
  return argument && evaluateInteger(argument.value, { language: c.language, readVariables });
}

/** The pointer, converted to a pointer to void in the language's default address space. */
function checkAssumeAligned(c: Checker, [pointer, alignment]: readonly Argument[]): Result {
  if (pointer === undefined || alignment === undefined) return NOT_OURS;
  const space = c.defaultPointee;
  const pointee = {
    type: { kind: 'void' },
    const: false,
    volatile: false,
    restrict: false,
    space,
  } as const;
  return convertAsIfAssigned(
    c,
    pointer.value,
    pointerTo(pointee, space),
    { what: 'pass', parameter: '' },
    pointer.syntax,
  );
}

function checkNontemporalStore(
  c: Checker,
  pointer: Expr,
  { value, syntax }: Argument,
  location: number,
): Expr | undefined {
  const target = checkModifiable(c, dereferenced(pointer, location), syntax, location);
  const stored = target && convertAsIfAssigned(c, value, target.type, { what: 'assign' }, syntax);
  return stored && { kind: 'assign', target, value: stored, type: target.type, location };
}

/** `__builtin_shufflevector(a, b, indices…)`; with a vector for the indices it is shuffle(). */
function checkShuffle(
  c: Checker,
  args: readonly Argument[],
  callee: Syntax.NameExpr,
  expr: Syntax.CallExpr,
): Result {
  const [a, b] = args.map(({ value }) => value.type);
  if (a?.kind !== 'vector' || b?.kind !== 'vector') return NOT_OURS;
  if (args.length === 2) return checkBuiltin(c, { ...callee, name: 'shuffle' }, args, expr);
  const indices = args.slice(2).map((each) => constantOf(c, each, false));
  const wrong = indices.findIndex(
    (index) => index === undefined || index < -1n || index >= BigInt(a.count + b.count),
  );
  if (wrong >= 0 || !sameType(a, b)) {
    const at = wrong >= 0 ? args[wrong + 2]!.syntax : args[1]!.syntax;
    const code =
      wrong < 0 ? 'shuffle-types' : indices[wrong] === undefined ? 'shuffle-constant' : 'shuffle-index';
    c.reporter.report(code, at.begin, {}, underline(at));
    return undefined;
  }
  if (indices.length > 1 && !VECTOR_COUNTS.has(indices.length)) {
    c.reporter.report('vector-size', expr.location, { count: indices.length });
    return undefined;
  }
  const element = a.element.scalar;
  const type =
    indices.length === 1 ? scalarOf(element) : vectorOf(element, indices.length as VectorType['count']);
  const lowering = { kind: 'custom', name: 'shuffle_constant', data: indices.join(' ') } as const;
  return {
    kind: 'builtin-call',
    builtin: { name: callee.name, result: type, parameters: [a, b], variadic: false, lowering },
    arguments: [args[0]!.value, args[1]!.value],
    contract: c.contract,
    type,
    location: callee.location,
  };
}

/** The operands are computed in the result's type, which therefore must hold them. */
function checkOverflowOperands(c: Checker, args: readonly Argument[], callee: Syntax.NameExpr): boolean {
  const [left, right, result] = args;
  if (args.length !== 3 || result!.value.type.kind !== 'pointer') return true;
  const type = asScalar(result!.value.type.pointee.type);
  if (type === undefined || !isInteger(type)) return true;
  for (const { value, syntax } of [left!, right!]) {
    const from = asScalar(value.type);
    if (from !== undefined && isFloatKind(from.scalar)) {
      const args = { type: spell(value.type) };
      c.reporter.report('overflow-not-integer', syntax.begin, args, underline(syntax));
      return false;
    }
    if (from === undefined || holdsAll(type, from)) continue;
    const constant = evaluateInteger(value, { language: c.language, readVariables: false });
    if (constant !== undefined && inRange(constant, type)) continue;
    const message = { name: callee.name, from: spell(value.type), to: spell(type) };
    c.reporter.report('overflow-operand', syntax.begin, message, underline(syntax));
    return false;
  }
  return true;
}

export function checkConvertVector(c: Checker, expr: Syntax.AsTypeExpr): Expr | undefined {
  const raw = c.rules.expression(c, expr.operand);
  const target = checkTypeName(c, expr.type)?.type;
  if (raw === undefined || target === undefined) return undefined;
  const value = rvalue(c, raw);
  const { location } = expr;
  for (const [type, at] of [
    [value.type, expr.operand],
    [target, expr.type],
  ] as const) {
    if (type.kind === 'vector') continue;
    c.reporter.report('convert-vector-type', location, { type: spell(type) }, underline(at));
    return undefined;
  }
  const [from, to] = [value.type as VectorType, target as VectorType];
  if (from.count !== to.count) {
    c.reporter.report('vector-operands-size', location, { left: spell(from), right: spell(to) });
    return undefined;
  }
  const name = `convert_${to.element.scalar}${to.count}`;
  const resolution = c.resolve(name, [{ type: from, isNull: false, isIntegerConstant: false }], c.language);
  if (!resolution.ok) return undefined;
  const { builtin } = resolution;
  return {
    kind: 'builtin-call',
    builtin,
    arguments: [value],
    contract: c.contract,
    type: builtin.result,
    location,
  };
}

const bits = ({ scalar }: ScalarType): number => scalarSize(scalar) * 8;

/** Whether each value of the integer type `from` is one of `to`. */
function holdsAll(to: ScalarType, from: ScalarType): boolean {
  if (isUnsigned(to.scalar) === isUnsigned(from.scalar)) return bits(to) >= bits(from);
  return isUnsigned(from.scalar) && bits(to) > bits(from);
}

const inRange = (value: bigint, { scalar }: ScalarType): boolean => value === wrapInteger(value, scalar);
