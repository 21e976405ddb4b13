// SPDX-License-Identifier: MIT
//
// The checker's lowest layer: what all rules share, and the making of nodes.
import { Deferral } from '../../diagnostics/deferral';
import type { Location, SourceRange } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { CastKind, Expr, IntegerConstant, LValue, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ResolveBuiltin } from '../builtins/builtin';
import type { LanguageOptions } from '../language';
import { unqualified } from '../predefined-types';
import { type AddressSpace, type QualType, type ScalarType, scalarOf, type Type } from '../types';
import { floatToInteger, integerToFloat, roundFloat, wrapInteger } from './constant-values';
import { type FunctionEntity, type FunctionState, Symbols } from './symbols';
import { asScalar, INT, isFloatKind } from './type-rules';
import type { ArrayParameters } from './warnings/sizes';

/** The function whose body is being checked. */
export interface CurrentFunction {
  readonly state: FunctionState;
  readonly entity: FunctionEntity | undefined;
  /** Undefined in a block whose result is still to be found. */
  result: Type | undefined;
  /** The first `return` of a block without a written result said what the result is. */
  resultIsInferred?: boolean;
  readonly isKernel: boolean;
  readonly isBlock: boolean;
  /** Its declaration is wrong: what it returns is not known. */
  readonly isBroken?: boolean;
  /** A syntax error kept some of its parameters from being known. */
  readonly lacksParameters?: boolean;
  readonly callees: Set<FunctionEntity>;
  /** Depth of the scope of its outermost block. */
  readonly depth: number;
}

export function isObject(expr: Expr): expr is LValue {
  switch (expr.kind) {
    case 'variable-ref':
    case 'deref':
    case 'member':
    case 'swizzle':
    case 'element':
    case 'compound-literal':
    case 'string':
      return true;
    default:
      return false;
  }
}

/** Whether it denotes an object in memory; members and components of values do not. */
export function isLValue(expr: Expr): expr is LValue {
  switch (expr.kind) {
    case 'variable-ref':
    case 'deref':
    case 'compound-literal':
    case 'string':
      return true;
    case 'member':
    case 'swizzle':
    case 'element':
      return isLValue(expr.base);
    default:
      return false;
  }
}

export abstract class CheckerBase {
  protected readonly symbols = new Symbols();
  /** Program-scope and static variables, in order. */
  protected readonly variables: VariableDecl[] = [];
  protected readonly functions: FunctionEntity[] = [];
  protected current: CurrentFunction | undefined;
  /** FP_CONTRACT where we are. */
  protected contract = true;
  /** The literals that string constants and arrays were made of. */
  protected readonly literals = new WeakMap<Expr, Syntax.StringExpr>();
  /** What the operands of `sizeof` are, and parameters that were declared as arrays: for warnings alone. */
  protected readonly sizedOperands = new WeakMap<Syntax.Expr, Type>();
  protected readonly arrayParameters: ArrayParameters = new WeakMap();
  protected readonly enabledExtensions = new Set<string>();
  protected usesGenericSpace = false;
  protected readonly sizeType: ScalarType;
  protected readonly differenceType: ScalarType;
  protected readonly hasGeneric: boolean;
  protected readonly hasProgramScopeVariables: boolean;
  /** Where a pointer points that says nothing. */
  protected readonly defaultPointee: AddressSpace;

  constructor(
    protected readonly language: LanguageOptions,
    protected readonly reporter: Reporter,
    protected readonly resolve: ResolveBuiltin,
  ) {
    const { version, features, addressBits } = language;
    this.sizeType = scalarOf(addressBits === 64 ? 'ulong' : 'uint');
    this.differenceType = scalarOf(addressBits === 64 ? 'long' : 'int');
    this.hasGeneric = version === 200 || (version >= 300 && features.has('__opencl_c_generic_address_space'));
    this.hasProgramScopeVariables =
      version === 200 || (version >= 300 && features.has('__opencl_c_program_scope_global_variables'));
    this.defaultPointee = this.hasGeneric ? 'generic' : 'private';
  }

  protected abstract expression(expr: Syntax.Expr): Expr | undefined;

  /** An operand; one that is never evaluated has no warnings about what happens when it is. */
  protected unlessNever(isNever: boolean, expr: Syntax.Expr): Expr | undefined {
    const { deferral } = this.reporter;
    if (!isNever) return this.expression(expr);
    const dropped = deferral ?? new Deferral();
    this.reporter.deferral = dropped;
    const { count } = dropped;
    const checked = this.expression(expr);
    dropped.drop(count);
    this.reporter.deferral = deferral;
    return checked;
  }

  protected has(feature: string): boolean {
    return this.language.features.has(feature);
  }

  protected hasBlocks(): boolean {
    const { version } = this.language;
    return version === 200 || (version >= 300 && this.has('__opencl_c_device_enqueue'));
  }

  protected hasDouble(): boolean {
    return this.has('cl_khr_fp64') || this.has('__opencl_c_fp64');
  }

  /** clang wants the pragma before `half` may be more than a pointee. */
  protected hasHalf(): boolean {
    return this.has('cl_khr_fp16') && this.enabledExtensions.has('cl_khr_fp16');
  }

  protected range(node: { readonly begin: Location; readonly end: Location }): SourceRange {
    return { begin: node.begin, end: node.end };
  }

  protected underline(...nodes: { readonly begin: Location; readonly end: Location }[]): {
    ranges: SourceRange[];
  } {
    return { ranges: nodes.map((node) => ({ begin: node.begin, end: node.end })) };
  }

  protected integer(value: bigint, type: Type, location: Location): IntegerConstant {
    return { kind: 'integer', value, type, location };
  }

  protected zero(location: Location): IntegerConstant {
    return this.integer(0n, INT, location);
  }

  protected cast(cast: CastKind, operand: Expr, type: Type, implicit = true): Expr {
    return { kind: 'cast', cast, operand, type, implicit, location: operand.location };
  }

  /** Between arithmetic types; constants are converted at once. */
  protected castScalar(operand: Expr, type: Type, implicit = true): Expr {
    const from = asScalar(operand.type);
    const to = asScalar(type);
    if (from === undefined || to === undefined || operand.type === type) return operand;
    const { location } = operand;
    const kind = to.scalar;
    const toFloat = isFloatKind(kind);
    if (operand.kind === 'integer') {
      return toFloat
        ? { kind: 'float', value: integerToFloat(operand.value, kind), type, location }
        : this.integer(wrapInteger(operand.value, kind), type, location);
    }
    if (operand.kind === 'float') {
      return toFloat
        ? { kind: 'float', value: roundFloat(operand.value, kind), type, location }
        : this.integer(floatToInteger(operand.value, kind), type, location);
    }
    if (kind === 'bool') return this.cast('to-bool', operand, type, implicit);
    if (isFloatKind(from.scalar)) {
      return this.cast(toFloat ? 'float' : 'float-to-integer', operand, type, implicit);
    }
    return this.cast(toFloat ? 'integer-to-float' : 'integer', operand, type, implicit);
  }

  protected isNull(expr: Expr): boolean {
    if (expr.kind === 'integer') return expr.value === 0n && expr.type.kind !== 'pointer';
    if (expr.kind !== 'cast' || expr.type.kind !== 'pointer') return false;
    const { pointee } = expr.type;
    return (
      pointee.space === this.defaultPointee &&
      expr.cast === 'null-pointer' &&
      pointee.type.kind === 'void' &&
      !pointee.const &&
      !pointee.volatile
    );
  }

  /** The object type of an expression that denotes one. */
  protected objectOf(expr: Expr): QualType {
    return isObject(expr) ? expr.object : unqualified(expr.type);
  }
}
