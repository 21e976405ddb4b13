// SPDX-License-Identifier: MIT
//
// clang's own functions that no list of overloads describes: those that decide when the program is compiled, that take
// types, or whose type follows from their arguments. The others are in builtins/tables/compiler-functions.ts.
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { pointerTo, type ScalarType, sameType, scalarOf, type VectorType, vectorOf } from '../types';
import { checkAtomicCall } from './atomic-functions';
import { CastChecker } from './casts';
import { evaluateInteger } from './constant-evaluation';
import { spell } from './spelling';
import { asScalar, INT, isArithmetic, isFloatKind, isInteger, isUnsigned, scalarSize } from './type-rules';

export interface Argument {
  readonly value: Expr;
  readonly syntax: Syntax.Expr;
}

/** What `compilerFunction` gives for a name that is none of these. */
export const NOT_OURS = Symbol('not a function of the compiler');

type Result = Expr | undefined | typeof NOT_OURS;

const OVERFLOW = /^__builtin_(?:add|sub|mul)_overflow$/;
const VECTOR_COUNTS: ReadonlySet<number> = new Set([2, 3, 4, 8, 16]);

export abstract class CompilerFunctionChecker extends CastChecker {
  /** Calls that do not return. */
  protected readonly endless = new WeakSet<Expr>();

  protected abstract builtin(
    callee: Syntax.NameExpr,
    args: readonly Argument[],
    expr: Syntax.CallExpr,
  ): Expr | undefined;

  protected compilerFunction(
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
          ? this.castScalar(first!.value, scalarOf('long'))
          : NOT_OURS;
      case '__builtin_constant_p':
        if (args.length !== 1) return NOT_OURS;
        return this.integer(this.constantOf(first, true) === undefined ? 0n : 1n, INT, location);
      case '__builtin_choose_expr': {
        const choice = this.constantOf(first, false);
        return choice === undefined || args.length !== 3 ? NOT_OURS : args[choice === 0n ? 2 : 1]!.value;
      }
      case '__builtin_assume':
      case '__builtin_debugtrap':
        return this.nothing(location);
      case '__builtin_prefetch':
        return first?.value.type.kind === 'pointer' ? this.nothing(location) : NOT_OURS;
      case '__builtin_unreachable':
      case '__builtin_trap': {
        const call = this.nothing(location);
        this.endless.add(call);
        return call;
      }
      case '__builtin_LINE':
        return this.integer(BigInt(this.reporter.sources.position(location)?.line ?? 0), INT, location);
      case '__builtin_assume_aligned':
        return this.assumeAligned(args);
      case '__builtin_nontemporal_load':
        return args.length === 1 && first!.value.type.kind === 'pointer'
          ? this.value(this.deref(first!.value, location))
          : NOT_OURS;
      case '__builtin_nontemporal_store':
        return args.length === 2 && second!.value.type.kind === 'pointer'
          ? this.storeThrough(second!.value, first!, location)
          : NOT_OURS;
      case '__builtin_shufflevector':
        return this.shuffle(args, callee, expr);
      default:
        if (!checkAtomicCall(this.reporter, this.language, name, args, expr.end - 1)) return undefined;
        if (OVERFLOW.test(name) && !this.overflowFits(args, callee)) return undefined;
        return NOT_OURS;
    }
  }

  private nothing(location: number): Expr {
    return this.cast('to-void', this.zero(location), { kind: 'void' });
  }

  private constantOf(argument: Argument | undefined, readVariables: boolean): bigint | undefined {
    return argument && evaluateInteger(argument.value, { language: this.language, readVariables });
  }

  /** The pointer itself, as a pointer to void where the language's pointers point by default. */
  private assumeAligned([pointer, alignment]: readonly Argument[]): Result {
    if (pointer === undefined || alignment === undefined) return NOT_OURS;
    const space = this.defaultPointee;
    const pointee = {
      type: { kind: 'void' },
      const: false,
      volatile: false,
      restrict: false,
      space,
    } as const;
    return this.assignable(
      pointer.value,
      pointerTo(pointee, space),
      { what: 'pass', parameter: '' },
      pointer.syntax,
    );
  }

  private storeThrough(pointer: Expr, { value, syntax }: Argument, location: number): Expr | undefined {
    const target = this.modifiable(this.deref(pointer, location), syntax, location);
    const stored = target && this.assignable(value, target.type, { what: 'assign' }, syntax);
    return stored && { kind: 'assign', target, value: stored, type: target.type, location };
  }

  /** `__builtin_shufflevector(a, b, indices…)`; with a vector for the indices it is shuffle(). */
  private shuffle(args: readonly Argument[], callee: Syntax.NameExpr, expr: Syntax.CallExpr): Result {
    const [a, b] = args.map(({ value }) => value.type);
    if (a?.kind !== 'vector' || b?.kind !== 'vector') return NOT_OURS;
    if (args.length === 2) return this.builtin({ ...callee, name: 'shuffle' }, args, expr);
    const indices = args.slice(2).map((each) => this.constantOf(each, false));
    const wrong = indices.findIndex(
      (index) => index === undefined || index < -1n || index >= BigInt(a.count + b.count),
    );
    if (wrong >= 0 || !sameType(a, b)) {
      const at = wrong >= 0 ? args[wrong + 2]!.syntax : args[1]!.syntax;
      const code =
        wrong < 0 ? 'shuffle-types' : indices[wrong] === undefined ? 'shuffle-constant' : 'shuffle-index';
      this.reporter.report(code, at.begin, {}, this.underline(at));
      return undefined;
    }
    if (indices.length > 1 && !VECTOR_COUNTS.has(indices.length)) {
      this.reporter.report('vector-size', expr.location, { count: indices.length });
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
      contract: this.contract,
      type,
      location: callee.location,
    };
  }

  /** The operands are computed in the result's type, which therefore must hold them. */
  private overflowFits(args: readonly Argument[], callee: Syntax.NameExpr): boolean {
    const [left, right, result] = args;
    if (args.length !== 3 || result!.value.type.kind !== 'pointer') return true;
    const type = asScalar(result!.value.type.pointee.type);
    if (type === undefined || !isInteger(type)) return true;
    for (const { value, syntax } of [left!, right!]) {
      const from = asScalar(value.type);
      if (from !== undefined && isFloatKind(from.scalar)) {
        const args = { type: spell(value.type) };
        this.reporter.report('overflow-not-integer', syntax.begin, args, this.underline(syntax));
        return false;
      }
      if (from === undefined || holds(type, from)) continue;
      const constant = evaluateInteger(value, { language: this.language, readVariables: false });
      if (constant !== undefined && inRange(constant, type)) continue;
      const message = { name: callee.name, from: spell(value.type), to: spell(type) };
      this.reporter.report('overflow-operand', syntax.begin, message, this.underline(syntax));
      return false;
    }
    return true;
  }

  // ---- those that take types

  protected convertVector(expr: Syntax.AsTypeExpr): Expr | undefined {
    const raw = this.expression(expr.operand);
    const target = this.typeName(expr.type)?.type;
    if (raw === undefined || target === undefined) return undefined;
    const value = this.value(raw);
    const { location } = expr;
    for (const [type, at] of [
      [value.type, expr.operand],
      [target, expr.type],
    ] as const) {
      if (type.kind === 'vector') continue;
      this.reporter.report('convert-vector-type', location, { type: spell(type) }, this.underline(at));
      return undefined;
    }
    const [from, to] = [value.type as VectorType, target as VectorType];
    if (from.count !== to.count) {
      this.reporter.report('vector-operands-size', location, { left: spell(from), right: spell(to) });
      return undefined;
    }
    const name = `convert_${to.element.scalar}${to.count}`;
    const resolution = this.resolve(
      name,
      [{ type: from, isNull: false, isIntegerConstant: false }],
      this.language,
    );
    if (!resolution.ok) return undefined;
    const { builtin } = resolution;
    return {
      kind: 'builtin-call',
      builtin,
      arguments: [value],
      contract: this.contract,
      type: builtin.result,
      location,
    };
  }

  protected typesCompatible(expr: Syntax.TypesCompatibleExpr): Expr | undefined {
    const left = this.typeName(expr.left)?.type;
    const right = this.typeName(expr.right)?.type;
    if (left === undefined || right === undefined) return undefined;
    return this.integer(sameType(left, right) ? 1n : 0n, INT, expr.location);
  }
}

const bits = ({ scalar }: ScalarType): number => scalarSize(scalar) * 8;

/** Whether each value of the integer type `from` is one of `to`. */
function holds(to: ScalarType, from: ScalarType): boolean {
  if (isUnsigned(to.scalar) === isUnsigned(from.scalar)) return bits(to) >= bits(from);
  return isUnsigned(from.scalar) && bits(to) > bits(from);
}

const inRange = (value: bigint, type: ScalarType): boolean =>
  value === (isUnsigned(type.scalar) ? BigInt.asUintN(bits(type), value) : BigInt.asIntN(bits(type), value));
