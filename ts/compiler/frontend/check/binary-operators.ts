// SPDX-License-Identifier: MIT
//
// Operators with two operands (6.4): arithmetic, logic, comparisons, the comma.
import type { ArithmeticOp, CompareOp, Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { PointerType, Type } from '../types';
import { wrapInteger } from './constant-values';
import { spell } from './spelling';
import {
  asScalar,
  INT,
  isConditionType,
  isFloating,
  isFloatKind,
  isForFunctionsOnly,
  isInteger,
  isIntegerVector,
  isUnsigned,
  maskType,
  samePointee,
} from './type-rules';
import { UnaryChecker } from './unary-operators';
import { warnEnumComparison } from './warnings/enumerations';
import { warnFloatComparison } from './warnings/float-comparisons';
import {
  isComparison,
  warnComparison,
  warnLogicalConstant,
  warnLogicalNot,
  warnNullComparison,
  warnPrecedence,
  warnXor,
} from './warnings/operators';
import { truth } from './warnings/reachability';
import { warnSizeQuotient } from './warnings/sizes';
import { warnStringSum } from './warnings/strings';
import { warnUnused } from './warnings/unused';

const isShift = (op: string): op is '<<' | '>>' => op === '<<' || op === '>>';
const needsIntegers = (op: ArithmeticOp): boolean => op === '%' || op === '&' || op === '|' || op === '^';

/** The two operands as they were written, for messages that underline both. */
export type Sides = readonly [Syntax.Expr, Syntax.Expr];

export abstract class BinaryChecker extends UnaryChecker {
  /** Chains grow to the left: they are walked, not recursed into. */
  protected binaryChain(expr: Syntax.BinaryExpr): Expr | undefined {
    const chain: Syntax.BinaryExpr[] = [];
    let at: Syntax.Expr = expr;
    while (at.kind === 'binary') {
      chain.push(at);
      at = at.left;
    }
    let left = this.expression(at);
    for (let i = chain.length - 1; i >= 0; i--) {
      const each = chain[i]!;
      const { op } = each;
      const isNever = left !== undefined && (op === '&&' || op === '||') && truth(left) === (op === '||');
      const right = this.unlessNever(isNever, each.right);
      left = left === undefined || right === undefined ? undefined : this.binary(each, left, right);
    }
    return left;
  }

  private binary(expr: Syntax.BinaryExpr, rawLeft: Expr, rawRight: Expr): Expr | undefined {
    const { op, location } = expr;
    const sides: Sides = [expr.left, expr.right];
    if (isForFunctionsOnly(rawLeft.type) || isForFunctionsOnly(rawRight.type)) {
      this.invalidOperands(location, rawLeft.type, rawRight.type, sides);
      return undefined;
    }
    if (op === ',') {
      const left = this.value(rawLeft);
      warnUnused(this.reporter, left, expr.left, true);
      const right = this.value(rawRight);
      return { kind: 'comma', left, right, type: right.type, location };
    }
    if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
      this.invalidOperands(location, rawLeft.type, rawRight.type, sides);
      return undefined;
    }
    const left = this.value(rawLeft);
    const right = this.value(rawRight);
    if (op === '+') warnStringSum(this.reporter, expr, left, right);
    this.warnBinary(expr, left, right);
    switch (op) {
      case '&&':
      case '||':
        return this.logical(op, left, right, location, sides);
      case '==':
      case '!=':
      case '<':
      case '>':
      case '<=':
      case '>=':
        return this.compare(op, left, right, location, sides);
    }
    return this.arithmetic(op, left, right, location, sides);
  }

  private warnBinary(expr: Syntax.BinaryExpr, left: Expr, right: Expr): void {
    const { reporter } = this;
    warnPrecedence(reporter, expr);
    warnLogicalNot(reporter, expr, right);
    if (expr.op === '^') warnXor(reporter, expr);
    if (expr.op === '&&' || expr.op === '||') warnLogicalConstant(reporter, expr, left, right);
    if (expr.op === '/') warnSizeQuotient(reporter, expr, this.sizedOperands, this.language);
    if (!isComparison(expr.op)) return;
    if (isFloating(left.type) && isFloating(right.type)) warnFloatComparison(reporter, expr, left, right);
    if (left.type.kind === 'enum' && right.type.kind === 'enum')
      warnEnumComparison(reporter, expr, left, right);
    if (expr.op === '==' || expr.op === '!=') {
      if (this.isNull(right)) warnNullComparison(reporter, expr, left);
      else if (this.isNull(left)) warnNullComparison(reporter, expr, right);
    }
    warnComparison(reporter, expr, left, right);
  }

  protected arithmetic(
    op: ArithmeticOp,
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): Expr | undefined {
    if (left.type.kind === 'pointer' || right.type.kind === 'pointer') {
      return this.pointerArithmetic(op, left, right, location, sides);
    }
    const both = isShift(op)
      ? this.shiftOperands(left, right, location, sides)
      : this.operands(left, right, location, sides);
    if (both === undefined) return undefined;
    const { type } = both;
    const element = type.kind === 'vector' ? type.element : asScalar(type);
    if (needsIntegers(op) && (element === undefined || isFloatKind(element.scalar))) {
      this.invalidOperands(location, left.type, right.type, sides);
      return undefined;
    }
    const { contract } = this;
    const made: Expr = { kind: 'binary', op, left: both.left, right: both.right, contract, type, location };
    this.warnArithmetic(op, both.left, both.right, made, sides);
    return made;
  }

  /** Values of sums, differences and products of integer constants, for warnings alone. */
  private readonly computed = new WeakMap<Expr, bigint>();

  private known(expr: Expr): bigint | undefined {
    return expr.kind === 'integer' ? expr.value : this.computed.get(expr);
  }

  private warnArithmetic(op: ArithmeticOp, left: Expr, right: Expr, made: Expr, sides: Sides): void {
    const b = this.known(right);
    const scalar = asScalar(made.type);
    if (b === undefined || scalar === undefined || isFloatKind(scalar.scalar)) return;
    if ((op === '/' || op === '%') && b === 0n) {
      const what = op === '/' ? 'division' : 'remainder';
      this.reporter.report('division-by-zero', made.location, { what }, this.underline(sides[1]));
    }
    const a = this.known(left);
    if (a === undefined || !(op === '+' || op === '-' || op === '*')) return;
    const exact = op === '+' ? a + b : op === '-' ? a - b : a * b;
    const value = wrapInteger(exact, scalar.scalar);
    if (value !== exact && !isUnsigned(scalar.scalar)) {
      const args = { value, type: spell(made.type) };
      this.reporter.report('integer-overflow', made.location, args, this.underline(...sides));
    }
    this.computed.set(made, value);
  }

  /** The left operand's type is the result's; a scalar count goes with any vector. */
  private shiftOperands(
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): { left: Expr; right: Expr; type: Type } | undefined {
    const a = left.type;
    const b = right.type;
    const integers = (isInteger(a) || isIntegerVector(a)) && (isInteger(b) || isIntegerVector(b));
    if (!integers) {
      this.invalidOperands(location, a, b, sides);
      return undefined;
    }
    if (a.kind === 'vector') {
      if (b.kind !== 'vector') return { left, right: this.splat(right, a), type: a };
      if (a.count === b.count) return { left, right, type: a };
      this.reporter.report(
        'vector-operands-size',
        location,
        { left: spell(a), right: spell(b) },
        this.underline(...sides),
      );
      return undefined;
    }
    if (b.kind === 'vector') {
      this.reporter.report('shift-scalar-by-vector', location, {}, this.underline(...sides));
      return undefined;
    }
    const promoted = this.promote(left);
    return { left: promoted, right: this.promote(right), type: promoted.type };
  }

  private pointerArithmetic(
    op: ArithmeticOp,
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): Expr | undefined {
    const a = left.type;
    const b = right.type;
    if (op === '+' && a.kind !== 'pointer' && b.kind === 'pointer' && isInteger(a)) {
      if (!this.canStep(b, sides[1])) return undefined;
      return { kind: 'pointer-add', pointer: right, index: left, subtract: false, type: b, location };
    }
    if ((op === '+' || op === '-') && a.kind === 'pointer' && isInteger(b)) {
      if (!this.canStep(a, sides[0])) return undefined;
      return { kind: 'pointer-add', pointer: left, index: right, subtract: op === '-', type: a, location };
    }
    if (op === '-' && a.kind === 'pointer' && b.kind === 'pointer') {
      if (!samePointee(a.pointee.type, b.pointee.type)) {
        const args = { left: spell(a), right: spell(b) };
        this.reporter.report('pointers-incompatible', location, args, this.underline(...sides));
        return undefined;
      }
      const common = this.commonPointer(a, b, location, sides);
      if (common === undefined || !this.canStep(a, sides[0])) return undefined;
      return {
        kind: 'pointer-difference',
        left: this.convertPointer(left, { ...common, pointee: { ...common.pointee, type: a.pointee.type } }),
        right: this.convertPointer(right, {
          ...common,
          pointee: { ...common.pointee, type: a.pointee.type },
        }),
        type: this.differenceType,
        location,
      };
    }
    this.invalidOperands(location, a, b, sides);
    return undefined;
  }

  private commonPointer(
    a: PointerType,
    b: PointerType,
    location: number,
    sides: Sides,
  ): PointerType | undefined {
    const common = this.compositePointer(a, b);
    if (common === undefined) {
      const args = { left: spell(a), right: spell(b) };
      this.reporter.report('pointers-other-space', location, args, this.underline(...sides));
    }
    return common;
  }

  private compare(op: CompareOp, left: Expr, right: Expr, location: number, sides: Sides): Expr | undefined {
    const a = left.type;
    const b = right.type;
    if (a.kind === 'pointer' || b.kind === 'pointer')
      return this.comparePointers(op, left, right, location, sides);
    if (a.kind === 'opaque' || b.kind === 'opaque')
      return this.compareHandles(op, left, right, location, sides);
    const both = this.operands(left, right, location, sides);
    if (both === undefined) return undefined;
    const type = both.type.kind === 'vector' ? maskType(both.type) : INT;
    return { kind: 'compare', op, left: both.left, right: both.right, type, location };
  }

  private comparePointers(
    op: CompareOp,
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): Expr | undefined {
    const a = left.type;
    const b = right.type;
    const args = { left: spell(a), right: spell(b) };
    const made = (l: Expr, r: Expr): Expr => ({
      kind: 'compare',
      op,
      left: l,
      right: r,
      type: INT,
      location,
    });
    if (a.kind === 'pointer' && b.kind === 'pointer') {
      if (this.isNull(right)) return made(left, this.cast('null-pointer', right, a));
      if (this.isNull(left)) return made(this.cast('null-pointer', left, b), right);
      const common = this.commonPointer(a, b, location, sides);
      if (common === undefined) return undefined;
      const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
      if (!isVoid && !samePointee(a.pointee.type, b.pointee.type)) {
        this.reporter.report('compare-distinct-pointers', location, args, this.underline(...sides));
      }
      return made(this.convertPointer(left, common), this.convertPointer(right, common));
    }
    const pointer = a.kind === 'pointer' ? left : right;
    const other = a.kind === 'pointer' ? right : left;
    const type = pointer.type as PointerType;
    let converted: Expr;
    if (this.isNull(other)) converted = this.cast('null-pointer', other, type);
    else if (isInteger(other.type)) {
      this.reporter.report('compare-pointer-integer', location, args, this.underline(...sides));
      converted = this.cast('integer-to-pointer', other, type);
    } else {
      this.invalidOperands(location, a, b, sides);
      return undefined;
    }
    return a.kind === 'pointer' ? made(left, converted) : made(converted, right);
  }

  /** queue_t and clk_event_t can be compared for equality. */
  private compareHandles(
    op: CompareOp,
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): Expr | undefined {
    const type = left.type.kind === 'opaque' ? left.type : right.type;
    const isQueue = type.kind === 'opaque' && type.name === 'queue_t';
    const same = left.type === right.type || (isQueue && (this.isNull(left) || this.isNull(right)));
    const comparable = type.kind === 'opaque' && (type.name === 'queue_t' || type.name === 'clk_event_t');
    if (!same || !comparable || (op !== '==' && op !== '!=')) {
      this.invalidOperands(location, left.type, right.type, sides);
      return undefined;
    }
    const l = left.type === type ? left : this.cast('opaque', left, type);
    const r = right.type === type ? right : this.cast('opaque', right, type);
    return { kind: 'compare', op, left: l, right: r, type: INT, location };
  }

  private logical(
    op: '&&' | '||',
    left: Expr,
    right: Expr,
    location: number,
    sides: Sides,
  ): Expr | undefined {
    const a = left.type;
    const b = right.type;
    if (a.kind === 'vector' || b.kind === 'vector') {
      const both = this.operands(left, right, location, sides);
      if (both === undefined || both.type.kind !== 'vector') return undefined;
      if (this.language.version < 120 && !isIntegerVector(both.type)) {
        this.invalidOperands(location, a, b, sides);
        return undefined;
      }
      return { kind: 'logical', op, left: both.left, right: both.right, type: maskType(both.type), location };
    }
    const noFloats = this.language.version < 120 && (isFloating(a) || isFloating(b));
    if (!isConditionType(a) || !isConditionType(b) || noFloats) {
      this.invalidOperands(location, a, b, sides);
      return undefined;
    }
    return { kind: 'logical', op, left, right, type: INT, location };
  }
}
