// SPDX-License-Identifier: MIT
//
// Implicit conversions (6.2): reading objects, assignment, operands of arithmetic.
import type { Location } from '../../diagnostics/diagnostic';
import type { Expr } from '../ast/checked';
import {
  type PointerType,
  type ScalarKind,
  type ScalarType,
  sameType,
  scalarOf,
  type Type,
  type VectorType,
  vectorOf,
} from '../types';
import { CheckerBase, isObject } from './base';
import { evaluateInteger } from './constant-evaluation';
import { spell } from './spelling';
import {
  asScalar,
  commonScalar,
  decayed,
  differsInSign,
  floatRank,
  integerRank,
  isArithmetic,
  isFloating,
  isFloatKind,
  isUnsigned,
  promoted,
  samePointee,
  spaceConverts,
} from './type-rules';
import { warnConversion } from './warnings/conversions';
import { warnSampler } from './warnings/samplers';

/** For what a value is converted, as messages say it. */
export type Purpose =
  | { readonly what: 'assign' | 'return' }
  /** `isMember`: in the braces of an aggregate. */
  | { readonly what: 'initialize'; readonly isMember?: boolean }
  | { readonly what: 'pass'; readonly parameter: string };

const INITIALIZE: Purpose = { what: 'initialize' };
const INITIALIZE_MEMBER: Purpose = { what: 'initialize', isMember: true };
const ASSIGN: Purpose = { what: 'assign' };

interface Extent {
  readonly location: Location;
  readonly begin: Location;
  readonly end: Location;
}

export abstract class Conversions extends CheckerBase {
  /** The value: lvalues are read, arrays decay to pointers. */
  protected value(expr: Expr): Expr {
    if (!isObject(expr)) return expr;
    const { type, location } = expr;
    if (type.kind === 'array') return this.cast('array-to-pointer', expr, decayed(type, expr.object));
    if (type.kind === 'atomic') return { kind: 'load', from: expr, type: type.value, location };
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-access', location, { what: 'loading', preposition: 'from' });
    } else if (type.kind === 'record' && type.fields === undefined) {
      this.reporter.report('incomplete-value', location, { type: spell(type) });
    }
    return { kind: 'load', from: expr, type, location };
  }

  /** As `if`, `while`, `?:` and the like want it: any scalar. */
  protected condition(expr: Expr | undefined, at: Extent): Expr | undefined {
    if (expr === undefined) return undefined;
    const value = this.value(expr);
    const { kind } = value.type;
    if (kind === 'scalar' || kind === 'enum' || kind === 'pointer' || kind === 'block') return value;
    this.reporter.report(
      'condition-not-scalar',
      at.location,
      { type: spell(value.type) },
      this.underline(at),
    );
    return undefined;
  }

  protected splat(scalar: Expr, type: VectorType, implicit = true): Expr {
    return this.cast('splat', this.castScalar(scalar, type.element), type, implicit);
  }

  /** A value of any arithmetic type after the integer promotions. */
  protected promote(expr: Expr): Expr {
    const scalar = asScalar(expr.type);
    if (scalar === undefined) return expr;
    const kind = promoted(scalar.scalar);
    return kind === scalar.scalar && expr.type === scalar ? expr : this.castScalar(expr, scalarOf(kind));
  }

  /**
   * Brings both operands to one type (6.2.6): scalars by C's rules, a scalar next to a vector to the vector's element
   * type. Undefined, and reported, if they do not go together.
   */
  protected operands(
    left: Expr,
    right: Expr,
    at: Location,
    extents: readonly [Extent, Extent],
  ): { left: Expr; right: Expr; type: Type } | undefined {
    const a = left.type;
    const b = right.type;
    if (a.kind === 'vector' || b.kind === 'vector') {
      if (a === b) return { left, right, type: a };
      if (a.kind === 'vector' && b.kind === 'vector') {
        this.reporter.report(
          a.count === b.count ? 'vector-operands-type' : 'vector-operands-size',
          at,
          { left: spell(a), right: spell(b) },
          this.underline(...extents),
        );
        return undefined;
      }
      const vector = (a.kind === 'vector' ? a : b) as VectorType;
      const scalar = asScalar(a.kind === 'vector' ? b : a);
      if (scalar === undefined) {
        this.invalidOperands(at, a, b, extents);
        return undefined;
      }
      if (!widens(scalar.scalar, vector.element.scalar)) {
        this.reporter.report(
          'scalar-rank',
          at,
          { left: spell(a), right: spell(b) },
          this.underline(...extents),
        );
        return undefined;
      }
      const isLeft = a.kind !== 'vector';
      this.warnOperand(isLeft ? left : right, vector.element, extents[isLeft ? 0 : 1]);
      return isLeft
        ? { left: this.splat(left, vector), right, type: vector }
        : { left, right: this.splat(right, vector), type: vector };
    }
    const scalarA = asScalar(a);
    const scalarB = asScalar(b);
    if (scalarA === undefined || scalarB === undefined) {
      this.invalidOperands(at, a, b, extents);
      return undefined;
    }
    const type = scalarOf(commonScalar(scalarA.scalar, scalarB.scalar));
    this.warnOperand(left, type, extents[0]);
    this.warnOperand(right, type, extents[1]);
    return { left: this.castScalar(left, type), right: this.castScalar(right, type), type };
  }

  /** An operand becomes wider, which changes no value but an integer's that becomes a floating-point one. */
  private warnOperand(value: Expr, to: ScalarType, at: Extent): void {
    if (!isFloatKind(to.scalar) || isFloating(value.type)) return;
    warnConversion(this.reporter, this.language, value, { to, goal: to, at, isMember: false });
  }

  protected invalidOperands(at: Location, a: Type, b: Type, extents: readonly Extent[]): void {
    this.reporter.report(
      'invalid-operands',
      at,
      { left: spell(a), right: spell(b) },
      this.underline(...extents),
    );
  }

  /** The conversion as if by assignment (C99, 6.5.16.1). Undefined, and reported, if there is none. */
  protected assignable(expr: Expr, to: Type, purpose: Purpose, at: Extent): Expr | undefined {
    const value = this.value(expr);
    const from = value.type;
    if (from === to) return value;
    switch (to.kind) {
      case 'scalar':
      case 'enum':
        if (isArithmetic(from)) {
          return this.convertConstant(value, to, at, to, purpose.what === 'initialize' && purpose.isMember);
        }
        if (
          to.kind === 'scalar' &&
          to.scalar === 'bool' &&
          (from.kind === 'pointer' || from.kind === 'block')
        ) {
          return this.cast('to-bool', value, to);
        }
        if (from.kind === 'pointer' && !isFloatKind(asScalar(to)!.scalar)) {
          this.convertsPointer(from, to, purpose, at);
          return this.cast('pointer-to-integer', value, to);
        }
        break;
      case 'vector':
        if (isArithmetic(from)) {
          return this.cast('splat', this.convertConstant(value, to.element, at, to), to);
        }
        break;
      case 'pointer':
        if (from.kind === 'pointer') return this.pointerTo(value, from, to, purpose, at);
        if (this.isNull(value)) return this.cast('null-pointer', value, to);
        if (isArithmetic(from) && !isFloatKind(asScalar(from)!.scalar)) {
          this.convertsPointer(from, to, purpose, at);
          return this.cast('integer-to-pointer', value, to);
        }
        break;
      case 'block':
        if (sameType(from, to)) return value;
        if (this.isNull(value)) return this.cast('null-pointer', value, to);
        break;
      case 'atomic': {
        const inner = this.assignable(value, to.value, purpose, at);
        return inner && purpose.what === 'initialize' ? this.cast('atomic-init', inner, to) : inner;
      }
      case 'opaque':
        if (to.name === 'sampler_t' && asScalar(from) !== undefined && !isFloatKind(asScalar(from)!.scalar)) {
          if (purpose.what === 'initialize' && this.isWrongSampler(value)) {
            this.reporter.report('sampler-width', at.begin, { type: spell(from) }, this.underline(at));
            return undefined;
          }
          warnSampler(this.reporter, this.language, value, at);
          return this.cast('opaque', this.castScalar(value, scalarOf('uint')), to);
        }
        // An event may be initialized with 0 and passed as 0, but not be assigned it.
        if (to.name === 'event_t' && purpose.what === 'assign') break;
        if ((to.name === 'event_t' || to.name === 'queue_t') && this.isNull(value))
          return this.cast('opaque', value, to);
        break;
      default:
        if (sameType(from, to)) return value;
    }
    this.incompatible(from, to, purpose, at);
    return undefined;
  }

  /** As `castScalar`, with clang's warnings where a constant does not survive it. */
  protected convertConstant(value: Expr, to: Type, at: Extent, goal: Type = to, isMember = false): Expr {
    warnConversion(this.reporter, this.language, value, { to, goal, at, isMember });
    return this.castScalar(value, to);
  }

  /** A constant that is no int or uint. */
  private isWrongSampler(value: Expr): boolean {
    const scalar = asScalar(value.type)?.scalar;
    return (
      scalar !== 'int' &&
      scalar !== 'uint' &&
      evaluateInteger(value, { language: this.language, readVariables: true }) !== undefined
    );
  }

  protected initializable(expr: Expr, to: Type, at: Extent, isMember = false): Expr | undefined {
    return this.assignable(expr, to, isMember ? INITIALIZE_MEMBER : INITIALIZE, at);
  }

  protected assigned(expr: Expr, to: Type, at: Extent): Expr | undefined {
    return this.assignable(expr, to, ASSIGN, at);
  }

  private pointerTo(
    value: Expr,
    from: PointerType,
    to: PointerType,
    purpose: Purpose,
    at: Extent,
  ): Expr | undefined {
    if (this.isNull(value)) return this.cast('null-pointer', value, to);
    if (!spaceConverts(from.space, to.space)) {
      this.reportTypes('address-space-changes', from, to, purpose, at);
      return undefined;
    }
    const source = from.pointee;
    const target = to.pointee;
    const toVoid = target.type.kind === 'void' || source.type.kind === 'void';
    if (!toVoid && !samePointee(source.type, target.type)) {
      if (nestedSpacesDiffer(source.type, target.type)) {
        this.reportTypes('nested-address-space-changes', from, to, purpose, at);
        return undefined;
      }
      const code = differsInSign(source.type, target.type) ? 'pointer-sign' : 'incompatible-pointer-types';
      this.reportTypes(code, from, to, purpose, at);
    } else if ((source.const && !target.const) || (source.volatile && !target.volatile)) {
      this.reportTypes('discards-qualifiers', from, to, purpose, at);
    }
    return this.convertPointer(value, to);
  }

  /** Pointer to pointer, whatever they point to: `pointer` for another pointee, `address-space` for another space. */
  protected convertPointer(value: Expr, to: PointerType, implicit = true): Expr {
    const from = value.type;
    if (from.kind !== 'pointer' || sameType(from, to)) return value;
    if (from.space === to.space) return this.cast('pointer', value, to, implicit);
    const there: PointerType = {
      kind: 'pointer',
      pointee: { ...from.pointee, space: to.space },
      space: to.space,
    };
    if (sameType(from.pointee.type, to.pointee.type)) return this.cast('address-space', value, to, implicit);
    return this.cast('pointer', this.cast('address-space', value, there, implicit), to, implicit);
  }

  private convertsPointer(from: Type, to: Type, purpose: Purpose, at: Extent): void {
    const code = from.kind === 'pointer' ? 'pointer-to-integer' : 'integer-to-pointer';
    this.reportTypes(code, from, to, purpose, at);
  }

  protected incompatible(from: Type, to: Type, purpose: Purpose, at: Extent): void {
    this.reportTypes('incompatible-types', from, to, purpose, at);
  }

  private reportTypes(
    code:
      | 'incompatible-types'
      | 'incompatible-pointer-types'
      | 'pointer-sign'
      | 'discards-qualifiers'
      | 'address-space-changes'
      | 'nested-address-space-changes'
      | 'pointer-to-integer'
      | 'integer-to-pointer',
    from: Type,
    to: Type,
    purpose: Purpose,
    at: Extent,
  ): void {
    const source = spell(from);
    const target = spell(to);
    let action: string;
    switch (purpose.what) {
      case 'assign':
        action = `assigning to '${target}' from`;
        break;
      case 'initialize':
        action = `initializing '${target}' with an expression of`;
        break;
      case 'return':
        action = `returning '${source}' from a function with result`;
        break;
      case 'pass':
        action = `passing '${source}' to parameter of`;
        break;
    }
    const type = purpose.what === 'assign' || purpose.what === 'initialize' ? source : target;
    this.reporter.report(code, at.begin, { action, type }, this.underline(at));
  }

  /** Whether the pointers may be compared, subtracted or chosen between; gives the type that both become. */
  protected compositePointer(a: PointerType, b: PointerType): PointerType | undefined {
    const space = spaceConverts(a.space, b.space)
      ? b.space
      : spaceConverts(b.space, a.space)
        ? a.space
        : undefined;
    if (space === undefined) return undefined;
    const pointee = b.pointee.type.kind === 'void' && a.pointee.type.kind !== 'void' ? b.pointee : a.pointee;
    return {
      kind: 'pointer',
      pointee: {
        type: pointee.type,
        const: a.pointee.const || b.pointee.const,
        volatile: a.pointee.volatile || b.pointee.volatile,
        restrict: pointee.restrict,
        space,
      },
      space,
    };
  }

  /** A vector type with the components of `type`, or the element type for one. */
  protected componentsType(type: VectorType, count: number): Type | undefined {
    if (count === 1) return type.element;
    if (count === 2 || count === 3 || count === 4 || count === 8 || count === 16) {
      return vectorOf(type.element.scalar, count);
    }
    return undefined;
  }
}

/**
 * Whether a scalar next to a vector may be widened to its elements: only upwards in rank (6.2.6). Of integers of one
 * rank the unsigned one counts as the higher, as in clang.
 */
function widens(from: ScalarKind, to: ScalarKind): boolean {
  if (isFloatKind(to)) return !isFloatKind(from) || floatRank(from) <= floatRank(to);
  if (isFloatKind(from)) return false;
  const difference = integerRank(to) - integerRank(from);
  return difference > 0 || (difference === 0 && (isUnsigned(to) || !isUnsigned(from)));
}

function nestedSpacesDiffer(a: Type, b: Type): boolean {
  if (a.kind !== 'pointer' || b.kind !== 'pointer') return false;
  return a.space !== b.space || nestedSpacesDiffer(a.pointee.type, b.pointee.type);
}
