// SPDX-License-Identifier: MIT
//
// Expressions as values.
import { invariant } from '../../base/invariant';
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import { constructVector } from '../../spirv/vectors';
import type {
  AddressOf,
  BinaryExpr,
  CompareExpr,
  Expr,
  InitializerList,
  LogicalExpr,
  LValue,
  NotExpr,
  StatementExpr,
  VectorLiteral,
} from '../frontend/ast/checked';
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

type Lowering<K extends Expr['kind']> = (ctx: LoweringContext, expr: Extract<Expr, { kind: K }>) => Id;

/** By the kind of expression: its value. */
const VALUES: { readonly [K in Expr['kind']]: Lowering<K> } = {
  integer: (ctx, { type, value }) => integer(ctx, type, value),
  float: (ctx, { type, value }) => ctx.builder.constantFloat(ctx.types.value(type), value),
  load: (ctx, { from }) => load(ctx, from),
  'variable-ref': valueOfPlace,
  deref: valueOfPlace,
  'compound-literal': valueOfPlace,
  string: valueOfPlace,
  member: valueOfPlace,
  swizzle: valueOfPlace,
  element: valueOfPlace,
  'address-of': takeAddress,
  unary: (ctx, { op, type, operand }) => unary(ctx, op, type, ctx.value(operand)),
  not: logicalNot,
  binary,
  compare: comparison,
  logical,
  'pointer-add': pointerAdd,
  'pointer-difference': pointerDifference,
  assign,
  'compound-assign': compoundAssign,
  increment,
  conditional,
  'vector-select': vectorSelect,
  comma(ctx, { left, right }) {
    ctx.effect(left);
    return ctx.value(right);
  },
  cast: lowerCast,
  'vector-literal': vectorLiteral,
  initializer: initializerList,
  call: lowerCall,
  'builtin-call': lowerBuiltinCall,
  'block-call': lowerBlockCall,
  block: (ctx, expr) => ctx.block(expr).context,
  'statement-expression': statementExpression,
};

/** Lowers an expression to its value. */
export function lowerValue(ctx: LoweringContext, expr: Expr): Id {
  ctx.at(expr.location);
  return (VALUES[expr.kind] as Lowering<Expr['kind']>)(ctx, expr);
}

function valueOfPlace(ctx: LoweringContext, expr: LValue): Id {
  return isLValue(expr) ? load(ctx, expr) : part(ctx, expr);
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
  invariant(expr.kind === 'member', `${expr.kind} is not part of a value`);
  const record = expr.base.type;
  invariant(record.kind === 'record', 'a member of a type that is not a record');
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

function logicalNot(ctx: LoweringContext, expr: NotExpr): Id {
  const { type, operand } = expr;
  if (type.kind !== 'vector') return fromBool(ctx, type, ctx.condition(expr));
  return fromBool(ctx, type, compare(ctx, '==', operand.type, ctx.value(operand), zero(ctx, operand.type)));
}

function comparison(ctx: LoweringContext, expr: CompareExpr): Id {
  const { type, op, left, right } = expr;
  if (type.kind !== 'vector') return fromBool(ctx, type, ctx.condition(expr));
  return fromBool(ctx, type, compare(ctx, op, left.type, ctx.value(left), ctx.value(right)));
}

function logical(ctx: LoweringContext, expr: LogicalExpr): Id {
  const { type, op, left, right } = expr;
  if (type.kind !== 'vector') return fromBool(ctx, type, ctx.condition(expr));
  const a = isNotZero(ctx, left.type, ctx.value(left));
  const b = isNotZero(ctx, right.type, ctx.value(right));
  const result = ctx.emit(op === '&&' ? Op.LogicalAnd : Op.LogicalOr, ctx.builder.typeOf(a), [a, b]);
  return fromBool(ctx, type, result);
}

function initializerList(ctx: LoweringContext, expr: InitializerList): Id {
  const constant = ctx.constant(expr, expr.type);
  if (constant !== undefined && !ctx.types.isByAddress(expr.type))
    return fromMemory(ctx, expr.type, constant);
  const place = makeTemporary(ctx, expr.type);
  initialize(ctx, place, expr);
  return loadFrom(ctx, place);
}

function statementExpression(ctx: LoweringContext, { statements, value }: StatementExpr): Id {
  for (const statement of statements) lowerStatement(ctx, statement);
  return value === undefined ? NO_ID : ctx.value(value);
}

function vectorLiteral(ctx: LoweringContext, expr: VectorLiteral): Id {
  const parts = expr.parts.map((operand) => ctx.value(operand));
  const type = ctx.types.value(expr.type);
  const [first] = parts;
  if (parts.length === 1 && ctx.builder.typeOf(first!) !== type) return ctx.splat(type, first!);
  return constructVector(ctx.builder, type, parts);
}
