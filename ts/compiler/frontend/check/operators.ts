// SPDX-License-Identifier: MIT
//
// Operators (6.4).
import type { ArithmeticOp, CompareOp, Expr, LValue } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type PointerType, pointerTo, sameType, type Type, type VectorType } from '../types';
import { AccessChecker, stripParentheses } from './access';
import { isLValue, isObject } from './base';
import { wrapInteger } from './constant-values';
import { spell } from './spelling';
import {
  asScalar,
  INT,
  isArithmetic,
  isComplete,
  isConditionType,
  isFloating,
  isFloatKind,
  isInteger,
  isIntegerVector,
  isUnsigned,
  maskType,
  samePointee,
  scalarSize,
  spaceConverts,
} from './type-rules';
import {
  warnAssignmentSign,
  warnComparison,
  warnConditional,
  warnLogicalConstant,
  warnLogicalNot,
  warnNullComparison,
  warnPrecedence,
  warnXor,
} from './warnings/operators';

const isShift = (op: string): op is '<<' | '>>' => op === '<<' || op === '>>';
const isComparison = (op: string): boolean => /^(?:[<>]=?|[=!]=)$/.test(op);
const needsIntegers = (op: ArithmeticOp): boolean => op === '%' || op === '&' || op === '|' || op === '^';

type Sides = readonly [Syntax.Expr, Syntax.Expr];

export abstract class OperatorChecker extends AccessChecker {
  // ---- unary

  protected unary(expr: Syntax.UnaryExpr): Expr | undefined {
    const { op, location } = expr;
    if (op === '&') {
      this.addressOperand = stripParentheses(expr.operand);
      return this.addressOf(expr);
    }
    const raw = this.expression(expr.operand);
    if (raw === undefined) return undefined;
    if (op === '++' || op === '--') return this.increment(raw, op, true, expr);
    if (raw.type.kind === 'atomic' || isForFunctionsOnly(raw.type)) {
      this.reporter.report(
        'unary-operand',
        location,
        { type: spell(raw.type) },
        this.underline(expr.operand),
      );
      return undefined;
    }
    const value = this.value(raw);
    const { type } = value;
    switch (op) {
      case '*':
        return this.dereference(value, expr);
      case '!': {
        if (type.kind === 'vector') {
          if (this.language.version < 120 && !isIntegerVector(type)) break;
          return { kind: 'not', operand: value, type: maskType(type), location };
        }
        if (!isConditionType(type) || (this.language.version < 120 && isFloating(type))) break;
        if (value.kind === 'integer') return this.integer(value.value === 0n ? 1n : 0n, INT, location);
        return { kind: 'not', operand: value, type: INT, location };
      }
      case '+':
        if (type.kind === 'vector') return value;
        if (isArithmetic(type)) return this.promote(value);
        break;
      case '-':
        if (type.kind === 'vector') return { kind: 'unary', op: 'negate', operand: value, type, location };
        if (isArithmetic(type)) return this.negate(this.promote(value), location);
        break;
      case '~':
        if (isIntegerVector(type)) return { kind: 'unary', op: 'complement', operand: value, type, location };
        if (isInteger(type)) {
          const operand = this.promote(value);
          if (operand.kind === 'integer') {
            const kind = asScalar(operand.type)!.scalar;
            return this.integer(wrapInteger(~operand.value, kind), operand.type, location);
          }
          return { kind: 'unary', op: 'complement', operand, type: operand.type, location };
        }
        break;
    }
    this.reporter.report('unary-operand', location, { type: spell(type) }, this.underline(expr.operand));
    return undefined;
  }

  /** Constants are negated at once. */
  protected negate(operand: Expr, location: number): Expr {
    const { type } = operand;
    if (operand.kind === 'integer') {
      return this.integer(wrapInteger(-operand.value, asScalar(type)!.scalar), type, location);
    }
    if (operand.kind === 'float') return { kind: 'float', value: -operand.value, type, location };
    return { kind: 'unary', op: 'negate', operand, type, location };
  }

  private dereference(value: Expr, expr: Syntax.UnaryExpr): Expr | undefined {
    const { type } = value;
    if (type.kind !== 'pointer') {
      const args = { type: spell(type) };
      this.reporter.report('indirection-operand', expr.location, args, this.underline(expr.operand));
      return undefined;
    }
    return this.deref(value, expr.location);
  }

  private addressOf(expr: Syntax.UnaryExpr): Expr | undefined {
    const raw = this.expression(expr.operand);
    if (raw === undefined) return undefined;
    const { location } = expr;
    if (raw.type.kind === 'image' || raw.type.kind === 'pipe' || raw.type.kind === 'block') {
      this.reporter.report(
        'unary-operand',
        location,
        { type: spell(raw.type) },
        this.underline(expr.operand),
      );
      return undefined;
    }
    if (!isLValue(raw)) {
      const args = { type: spell(raw.type) };
      this.reporter.report('address-of-value', location, args, this.underline(expr.operand));
      return undefined;
    }
    if (raw.kind === 'swizzle' || raw.kind === 'element') {
      this.reporter.report('address-of-component', location, {}, this.underline(expr.operand));
      return undefined;
    }
    const { object } = raw;
    // `&*p` is p.
    if (raw.kind === 'deref') return { ...raw.pointer, location };
    return { kind: 'address-of', of: raw, type: pointerTo(object, object.space), location };
  }

  protected increment(
    raw: Expr,
    op: '++' | '--',
    prefix: boolean,
    expr: Syntax.UnaryExpr | Syntax.PostfixExpr,
  ): Expr | undefined {
    const { type } = raw;
    const allowed =
      isArithmetic(type) ||
      isIntegerVector(type) ||
      (type.kind === 'pointer' && this.canStep(type, expr.operand));
    if (!allowed) {
      if (type.kind !== 'pointer') {
        const what = op === '++' ? 'increment' : 'decrement';
        const args = { what, type: spell(type) };
        this.reporter.report('increment-operand', expr.location, args, this.underline(expr.operand));
      }
      return undefined;
    }
    const target = this.modifiable(raw, expr.operand, expr.location);
    if (target === undefined) return undefined;
    const delta = op === '++' ? 1 : -1;
    return { kind: 'increment', target, delta, prefix, type, location: expr.location };
  }

  private canStep(type: PointerType, at: Syntax.Expr): boolean {
    const pointee = type.pointee.type;
    if (isComplete(pointee) || pointee.kind === 'void') return true;
    this.reporter.report('arithmetic-incomplete', at.location, { type: spell(pointee) }, this.underline(at));
    return false;
  }

  // ---- binary

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
      const right = this.expression(each.right);
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
      this.warnUnused(left, expr.left);
      const right = this.value(rawRight);
      return { kind: 'comma', left, right, type: right.type, location };
    }
    if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
      this.invalidOperands(location, rawLeft.type, rawRight.type, sides);
      return undefined;
    }
    const left = this.value(rawLeft);
    const right = this.value(rawRight);
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
    if (!isComparison(expr.op)) return;
    if (expr.op === '==' || expr.op === '!=') {
      if (this.isNull(right)) warnNullComparison(reporter, expr, left);
      else if (this.isNull(left)) warnNullComparison(reporter, expr, right);
    }
    if (left.type.kind !== 'vector' && right.type.kind !== 'vector') {
      warnComparison(reporter, expr, left, right);
    }
  }

  protected abstract warnUnused(value: Expr, at: Syntax.Expr): void;

  private arithmetic(
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

  // ---- assignment

  protected assignment(expr: Syntax.AssignExpr): Expr | undefined {
    const { op, location } = expr;
    warnAssignmentSign(this.reporter, expr);
    const rawLeft = this.expression(expr.left);
    const rawRight = this.expression(expr.right);
    if (rawLeft === undefined || rawRight === undefined) return undefined;
    if (rawLeft.type.kind === 'atomic' || rawRight.type.kind === 'atomic') {
      if (op === undefined) this.reporter.report('atomic-assign', location, { what: 'assigned' });
      else this.invalidOperands(location, rawLeft.type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    const target = this.modifiable(rawLeft, expr.left, location);
    if (target === undefined) return undefined;
    const { type } = target;
    if (op !== undefined) return this.compoundAssignment(op, target, type, this.value(rawRight), expr);
    if (
      type.kind === 'image' ||
      type.kind === 'pipe' ||
      (type.kind === 'opaque' && type.name === 'sampler_t')
    ) {
      this.invalidOperands(location, type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    if (isObject(rawLeft) && type.kind === 'block') {
      this.invalidOperands(location, type, rawRight.type, [expr.left, expr.right]);
      return undefined;
    }
    if (type.kind === 'scalar' && type.scalar === 'half' && !this.hasHalf()) {
      this.reporter.report('half-access', location, { what: 'assigning', preposition: 'to' });
      return undefined;
    }
    const value = this.assigned(rawRight, type, expr.right);
    return value && { kind: 'assign', target, value, type, location };
  }

  private compoundAssignment(
    op: ArithmeticOp,
    target: LValue,
    type: Type,
    value: Expr,
    expr: Syntax.AssignExpr,
  ): Expr | undefined {
    const { location } = expr;
    const sides: Sides = [expr.left, expr.right];
    const { contract } = this;
    if (type.kind === 'pointer') {
      if ((op !== '+' && op !== '-') || !isInteger(value.type)) {
        this.invalidOperands(location, type, value.type, sides);
        return undefined;
      }
      if (!this.canStep(type, expr.left)) return undefined;
      return { kind: 'compound-assign', op, target, value, computeType: type, contract, type, location };
    }
    // The operation itself is checked as if its result were stored.
    const read: Expr = { kind: 'load', from: target, type, location: target.location };
    const result = this.arithmetic(op, read, value, location, sides);
    if (result?.kind !== 'binary') {
      if (result !== undefined) this.invalidOperands(location, type, value.type, sides);
      return undefined;
    }
    if (result.type.kind === 'vector' && type.kind !== 'vector') {
      this.incompatible(result.type, type, { what: 'assign' }, expr.right);
      return undefined;
    }
    return {
      kind: 'compound-assign',
      op,
      target,
      value: result.right,
      computeType: result.type,
      contract,
      type,
      location,
    };
  }

  // ---- ?:

  protected conditionalOperator(expr: Syntax.ConditionalExpr): Expr | undefined {
    const rawCondition = this.expression(expr.condition);
    const rawThen = expr.then === undefined ? rawCondition : this.expression(expr.then);
    const rawOtherwise = this.expression(expr.otherwise);
    if (rawCondition === undefined || rawThen === undefined || rawOtherwise === undefined) return undefined;
    const condition = this.value(rawCondition);
    const then = this.value(rawThen);
    const otherwise = this.value(rawOtherwise);
    const { location } = expr;
    warnConditional(this.reporter, expr);
    const sides: Sides = [expr.then ?? expr.condition, expr.otherwise];
    if (condition.type.kind === 'vector') {
      return this.vectorConditional(condition, condition.type, then, otherwise, expr, sides);
    }
    if (isFloating(condition.type)) {
      const args = { type: spell(condition.type) };
      this.reporter.report(
        'ternary-float-condition',
        expr.condition.location,
        args,
        this.underline(expr.condition),
      );
      return undefined;
    }
    if (this.condition(condition, expr.condition) === undefined) return undefined;
    const made = (l: Expr, r: Expr, type: Type): Expr => ({
      kind: 'conditional',
      condition,
      then: l,
      otherwise: r,
      type,
      location,
    });
    const a = then.type;
    const b = otherwise.type;
    if ((isArithmetic(a) || a.kind === 'vector') && (isArithmetic(b) || b.kind === 'vector')) {
      if (a === b && a.kind === 'enum') return made(then, otherwise, a);
      const both = this.operands(then, otherwise, location, sides);
      return both && made(both.left, both.right, both.type);
    }
    if (a.kind === 'void' || b.kind === 'void') {
      const toVoid = (each: Expr) =>
        each.type.kind === 'void' ? each : this.cast('to-void', each, a.kind === 'void' ? a : b);
      return made(toVoid(then), toVoid(otherwise), a.kind === 'void' ? a : b);
    }
    if (a.kind === 'pointer' || b.kind === 'pointer')
      return this.pointerChoice(then, otherwise, location, sides, made);
    if (sameType(a, b)) {
      if (a.kind === 'block' || a.kind === 'image' || (a.kind === 'opaque' && a.name === 'sampler_t')) {
        this.reporter.report('ternary-operand', location, { type: spell(a) }, this.underline(...sides));
        return undefined;
      }
      return made(then, otherwise, a);
    }
    const args = { left: spell(a), right: spell(b) };
    this.reporter.report('ternary-types', location, args, this.underline(...sides));
    return undefined;
  }

  private pointerChoice(
    then: Expr,
    otherwise: Expr,
    location: number,
    sides: Sides,
    made: (l: Expr, r: Expr, type: Type) => Expr,
  ): Expr | undefined {
    const a = then.type;
    const b = otherwise.type;
    const args = { left: spell(a), right: spell(b) };
    if (a.kind === 'pointer' && this.isNull(otherwise)) {
      return made(then, this.cast('null-pointer', otherwise, a), a);
    }
    if (b.kind === 'pointer' && this.isNull(then)) {
      return made(this.cast('null-pointer', then, b), otherwise, b);
    }
    if (a.kind === 'pointer' && b.kind === 'pointer') {
      if (!spaceConverts(a.space, b.space) && !spaceConverts(b.space, a.space)) {
        this.reporter.report('ternary-spaces', location, args, this.underline(...sides));
        return undefined;
      }
      let common = this.compositePointer(a, b)!;
      const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
      if (isVoid) {
        const { pointee } = a.pointee.type.kind === 'void' ? a : b;
        common = { ...common, pointee: { ...common.pointee, type: pointee.type } };
      } else if (!samePointee(a.pointee.type, b.pointee.type)) {
        this.reporter.report('ternary-pointers', location, args, this.underline(...sides));
        common = { ...common, pointee: { ...common.pointee, type: { kind: 'void' } } };
      }
      return made(this.convertPointer(then, common), this.convertPointer(otherwise, common), common);
    }
    const pointer = (a.kind === 'pointer' ? a : b) as PointerType;
    const other = a.kind === 'pointer' ? otherwise : then;
    if (isInteger(other.type)) {
      this.reporter.report('ternary-pointer-integer', location, args, this.underline(...sides));
      const converted = this.cast('integer-to-pointer', other, pointer);
      return a.kind === 'pointer' ? made(then, converted, pointer) : made(converted, otherwise, pointer);
    }
    this.reporter.report('ternary-types', location, args, this.underline(...sides));
    return undefined;
  }

  /** The operands become vectors of as many components of the condition's size (6.4.9). */
  private vectorConditional(
    condition: Expr,
    mask: VectorType,
    then: Expr,
    otherwise: Expr,
    expr: Syntax.ConditionalExpr,
    sides: Sides,
  ): Expr | undefined {
    const { location } = expr;
    if (!isIntegerVector(mask)) {
      const args = { type: spell(mask) };
      this.reporter.report(
        'ternary-float-condition',
        expr.condition.location,
        args,
        this.underline(expr.condition),
      );
      return undefined;
    }
    const both = this.operands(then, otherwise, location, sides);
    if (both === undefined) return undefined;
    let { left, right, type } = both;
    if (type.kind !== 'vector') {
      const scalar = asScalar(type)!;
      const vector = this.componentsType({ kind: 'vector', element: scalar, count: mask.count }, mask.count);
      if (vector?.kind !== 'vector') return undefined;
      left = this.splat(left, vector);
      right = this.splat(right, vector);
      type = vector;
    }
    if (type.kind !== 'vector' || type.count !== mask.count) {
      const args = { condition: spell(mask), type: spell(type) };
      this.reporter.report('ternary-vector-count', location, args, this.underline(expr.condition));
      return undefined;
    }
    if (scalarSize(type.element.scalar) !== scalarSize(mask.element.scalar)) {
      const args = { condition: spell(mask), type: spell(type) };
      this.reporter.report('ternary-vector-size', location, args, this.underline(expr.condition));
      return undefined;
    }
    return { kind: 'vector-select', condition, then: left, otherwise: right, type, location };
  }
}

/** Types that no operator takes. */
function isForFunctionsOnly(type: Type): boolean {
  const { kind } = type;
  return (
    kind === 'image' ||
    kind === 'pipe' ||
    kind === 'block' ||
    (kind === 'opaque' && type.name === 'sampler_t')
  );
}
