// SPDX-License-Identifier: MIT
//
// Expressions as values.
import { invariant } from '../../base/invariant';
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import { constructVector } from '../../spirv/vectors';
import type { AddressOf, BinaryExpr, Expr, LValue, VectorLiteral } from '../frontend/ast/checked';
import { isLValue } from '../frontend/ast/lvalues';
import { isFloatKind, isSigned } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import { arithmetic, compare, fromBool, isNotZero, markSigned, zero } from './arithmetic';
import { assign, compoundAssign, increment } from './assignments';
import { lowerBlockCall } from './blocks';
import { lowerBuiltinCall, lowerCall } from './calls';
import { lowerCast } from './casts';
import type { LoweringContext } from './context';
import { initialize } from './initializers';
import { addressOf, fromMemory, loadFrom, makeTemporary } from './memory';
import { extractComponents, flatten, signedIndex } from './places';
import { pointerAdd, pointerDifference } from './pointers';
import { conditional, vectorSelect } from './selections';
import { lowerStatement } from './statements';
import { elementKind, isBool } from './types';

export function lowerValue(ctx: LoweringContext, expr: Expr): Id {
  ctx.at(expr.location);
  switch (expr.kind) {
    case 'integer':
      return integer(ctx, expr.type, expr.value);
    case 'float':
      return ctx.builder.constantFloat(ctx.types.value(expr.type), expr.value);
    case 'load':
      return load(ctx, expr.from);
    case 'variable-ref':
    case 'deref':
    case 'compound-literal':
    case 'string':
    case 'member':
    case 'swizzle':
    case 'element':
      return isLValue(expr) ? load(ctx, expr) : part(ctx, expr);
    case 'address-of':
      return takeAddress(ctx, expr);
    case 'unary':
      return unary(ctx, expr.op, expr.type, ctx.value(expr.operand));
    case 'not':
      return expr.type.kind === 'vector'
        ? fromBool(
            ctx,
            expr.type,
            compare(ctx, '==', expr.operand.type, ctx.value(expr.operand), zero(ctx, expr.operand.type)),
          )
        : fromBool(ctx, expr.type, ctx.condition(expr));
    case 'binary':
      return binary(ctx, expr);
    case 'compare':
      return expr.type.kind === 'vector'
        ? fromBool(
            ctx,
            expr.type,
            compare(ctx, expr.op, expr.left.type, ctx.value(expr.left), ctx.value(expr.right)),
          )
        : fromBool(ctx, expr.type, ctx.condition(expr));
    case 'logical':
      return expr.type.kind === 'vector'
        ? vectorLogical(ctx, expr.op, expr.type, expr.left, expr.right)
        : fromBool(ctx, expr.type, ctx.condition(expr));
    case 'pointer-add':
      return pointerAdd(ctx, expr);
    case 'pointer-difference':
      return pointerDifference(ctx, expr);
    case 'assign':
      return assign(ctx, expr);
    case 'compound-assign':
      return compoundAssign(ctx, expr);
    case 'increment':
      return increment(ctx, expr);
    case 'conditional':
      return conditional(ctx, expr);
    case 'vector-select':
      return vectorSelect(ctx, expr);
    case 'comma':
      ctx.effect(expr.left);
      return ctx.value(expr.right);
    case 'cast':
      return lowerCast(ctx, expr);
    case 'vector-literal':
      return vectorLiteral(ctx, expr);
    case 'initializer': {
      const constant = ctx.constant(expr, expr.type);
      if (constant !== undefined && !ctx.types.isByAddress(expr.type))
        return fromMemory(ctx, expr.type, constant);
      const place = makeTemporary(ctx, expr.type);
      initialize(ctx, place, expr);
      return loadFrom(ctx, place);
    }
    case 'call':
      return lowerCall(ctx, expr);
    case 'builtin-call':
      return lowerBuiltinCall(ctx, expr);
    case 'block-call':
      return lowerBlockCall(ctx, expr);
    case 'block':
      return ctx.block(expr).context;
    case 'statement-expression':
      for (const statement of expr.statements) lowerStatement(ctx, statement);
      return expr.value === undefined ? NO_ID : ctx.value(expr.value);
  }
}

/** `a + b + c + …` may be long: its left operands are followed without recursion. */
function binary(ctx: LoweringContext, expr: BinaryExpr): Id {
  const chain: BinaryExpr[] = [];
  let first: Expr = expr;
  for (; first.kind === 'binary'; first = first.left) chain.push(first);
  let left = ctx.value(first);
  for (let node = chain.pop(); node; node = chain.pop()) {
    const right = ctx.value(node.right);
    ctx.at(node.location);
    left = arithmetic(ctx, node.op, node.type, left, right, node.right.type, node.contract);
  }
  return left;
}

/** Lowers an expression for its effects. */
export function lowerEffect(ctx: LoweringContext, expr: Expr): void {
  switch (expr.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'variable-ref':
      return;
    case 'comma': {
      const effects: Expr[] = [];
      let first: Expr = expr;
      for (; first.kind === 'comma'; first = first.left) effects.push(first.right);
      ctx.effect(first);
      for (const effect of effects.reverse()) ctx.effect(effect);
      return;
    }
    case 'load': {
      const { from } = expr;
      if (from.kind === 'variable-ref' && !from.object.volatile) return;
      if (ctx.types.isByAddress(from.type)) {
        if (from.kind !== 'variable-ref') ctx.place(from);
        return;
      }
      break;
    }
  }
  ctx.value(expr);
}

function integer(ctx: LoweringContext, type: Type, value: bigint): Id {
  if (isBool(type)) return ctx.builder.constantBool(value !== 0n);
  const id = ctx.types.value(type);
  if (type.kind !== 'pointer') return ctx.builder.constantInt(id, value);
  if (value === 0n) return ctx.builder.constantNull(id);
  const number = ctx.builder.constantInt(ctx.builder.sizeType(), value);
  return ctx.emit(Op.ConvertUToPtr, id, [number]);
}

function load(ctx: LoweringContext, from: LValue): Id {
  const known = constantVariable(ctx, from);
  if (known !== undefined) return known;
  if (from.kind === 'swizzle') {
    const { base, indices } = flatten(from);
    return extractComponents(ctx, ctx.value(base), indices, from.type);
  }
  if (!isLValue(from)) return part(ctx, from);
  return loadFrom(ctx, ctx.place(from));
}

/** A constant scalar or vector, or a sampler, of program scope is the value of its initializer. */
function constantVariable(ctx: LoweringContext, from: LValue): Id | undefined {
  if (from.kind !== 'variable-ref') return undefined;
  const { variable } = from;
  const { type } = variable.type;
  if (variable.storage !== 'program' && variable.storage !== 'static') return undefined;
  if (variable.init === undefined || variable.type.volatile) return undefined;
  const isConstant = variable.type.space === 'constant' || variable.type.const || type.kind === 'opaque';
  if (
    !isConstant ||
    (type.kind !== 'scalar' && type.kind !== 'vector' && type.kind !== 'enum' && type.kind !== 'opaque')
  )
    return undefined;
  const constant = ctx.constant(variable.init, type);
  return constant === undefined ? undefined : fromMemory(ctx, type, constant);
}

/** A member or component of a value. */
function part(ctx: LoweringContext, expr: LValue): Id {
  if (expr.kind === 'swizzle') {
    const { base, indices } = flatten(expr);
    return extractComponents(ctx, ctx.value(base), indices, expr.type);
  }
  if (expr.kind === 'element') {
    const vector = ctx.value(expr.base);
    return ctx.emit(Op.VectorExtractDynamic, ctx.types.value(expr.type), [
      vector,
      signedIndex(ctx, expr.index),
    ]);
  }
  invariant(expr.kind === 'member', `${expr.kind} is no part of a value`);
  const record = expr.base.type;
  invariant(record.kind === 'record', 'a member of a type that is no record');
  if (ctx.types.isByAddress(record)) return loadFrom(ctx, ctx.place(expr));
  const value = ctx.value(expr.base);
  const member = ctx.types.record(record).layout.memberOf[expr.index]!;
  const struct = ctx.builder.definitionOf(ctx.types.record(record).id)!;
  const id = ctx.emit(Op.CompositeExtract, struct.operands[member] as Id, [value, member]);
  return fromMemory(ctx, expr.type, id);
}

function takeAddress(ctx: LoweringContext, expr: AddressOf): Id {
  const pointer = addressOf(ctx, ctx.place(expr.of));
  const wanted = ctx.types.value(expr.type);
  return ctx.pointerAs(pointer, wanted);
}

function unary(ctx: LoweringContext, op: 'negate' | 'complement', type: Type, value: Id): Id {
  const id = ctx.types.value(type);
  if (op === 'complement') return ctx.emit(Op.Not, id, [value]);
  if (isFloatKind(elementKind(type)!)) return ctx.emit(Op.FNegate, id, [value]);
  const result = ctx.emit(Op.SNegate, id, [value]);
  if (ctx.language.checked && isSigned(elementKind(type)!)) markSigned(ctx, Op.SNegate, result);
  return result;
}

function vectorLogical(ctx: LoweringContext, op: '&&' | '||', type: Type, left: Expr, right: Expr): Id {
  const a = isNotZero(ctx, left.type, ctx.value(left));
  const b = isNotZero(ctx, right.type, ctx.value(right));
  const result = ctx.emit(op === '&&' ? Op.LogicalAnd : Op.LogicalOr, ctx.builder.typeOf(a), [a, b]);
  return fromBool(ctx, type, result);
}

function vectorLiteral(ctx: LoweringContext, expr: VectorLiteral): Id {
  const parts = expr.parts.map((operand) => ctx.value(operand));
  const type = ctx.types.value(expr.type);
  const [first] = parts;
  if (parts.length === 1 && ctx.builder.typeOf(first!) !== type) return ctx.splat(type, first!);
  return constructVector(ctx.builder, type, parts);
}
