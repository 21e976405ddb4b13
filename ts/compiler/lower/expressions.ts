// SPDX-License-Identifier: MIT
//
// Expressions as values.
import { invariant } from '../../base/invariant';
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import { constructVector } from '../../spirv/vectors';
import type {
  AddressOf,
  AssignExpr,
  BinaryExpr,
  CompoundAssign,
  ConditionalExpr,
  Expr,
  IncrementExpr,
  LValue,
  PointerAdd,
  PointerDifference,
  VectorLiteral,
  VectorSelect,
} from '../frontend/ast/checked';
import { isFloatKind, isSigned } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import { arithmetic, compare, convert, fromBool, isNotZero, markSigned, one, zero } from './arithmetic';
import { lowerBlockCall } from './blocks';
import { lowerBuiltinCall, lowerCall } from './calls';
import { lowerCast } from './casts';
import { isCheap } from './cheap';
import type { LoweringContext } from './context';
import { initialize } from './initializers';
import {
  extractComponents,
  flatten,
  indexOf,
  isObject,
  readTarget,
  signedIndex,
  targetOf,
  writeTarget,
} from './places';
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
      return isObject(expr) ? load(ctx, expr) : part(ctx, expr);
    case 'address-of':
      return addressOf(ctx, expr);
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
        return ctx.fromMemory(expr.type, constant);
      const place = ctx.temporary(expr.type);
      initialize(ctx, place, expr);
      return ctx.load(place);
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
  if (!isObject(from)) return part(ctx, from);
  return ctx.load(ctx.place(from));
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
  return constant === undefined ? undefined : ctx.fromMemory(type, constant);
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
  if (ctx.types.isByAddress(record)) return ctx.load(ctx.place(expr));
  const value = ctx.value(expr.base);
  const member = ctx.types.record(record).layout.memberOf[expr.index]!;
  const struct = ctx.builder.definitionOf(ctx.types.record(record).id)!;
  const id = ctx.emit(Op.CompositeExtract, struct.operands[member] as Id, [value, member]);
  return ctx.fromMemory(expr.type, id);
}

function addressOf(ctx: LoweringContext, expr: AddressOf): Id {
  const pointer = ctx.address(ctx.place(expr.of));
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

function pointerAdd(ctx: LoweringContext, expr: PointerAdd): Id {
  const pointer = ctx.value(expr.pointer);
  return offset(ctx, pointer, indexOf(ctx, expr));
}

function offset(ctx: LoweringContext, pointer: Id, index: Id): Id {
  const definition = ctx.builder.definitionOf(index);
  if (definition?.op === Op.Constant && definition.operands.every((word) => word === 0)) return pointer;
  return ctx.emit(Op.InBoundsPtrAccessChain, ctx.builder.typeOf(pointer), [pointer, index]);
}

function pointerDifference(ctx: LoweringContext, expr: PointerDifference): Id {
  const { builder } = ctx;
  const size = builder.sizeType();
  const left = ctx.emit(Op.ConvertPtrToU, size, [ctx.value(expr.left)]);
  const right = ctx.emit(Op.ConvertPtrToU, size, [ctx.value(expr.right)]);
  const bytes = ctx.emit(Op.ISub, size, [left, right]);
  invariant(expr.left.type.kind === 'pointer', 'a difference of pointers');
  const element = ctx.types.layout(expr.left.type.pointee.type).size;
  if (element <= 1) return bytes;
  if ((element & (element - 1)) === 0)
    return ctx.emit(Op.ShiftRightArithmetic, size, [bytes, builder.constantInt(size, Math.log2(element))]);
  return ctx.emit(Op.SDiv, size, [bytes, builder.constantInt(size, element)]);
}

function assign(ctx: LoweringContext, expr: AssignExpr): Id {
  const target = targetOf(ctx, expr.target);
  const value = ctx.value(expr.value);
  writeTarget(ctx, target, value);
  return value;
}

function compoundAssign(ctx: LoweringContext, expr: CompoundAssign): Id {
  const { computeType, target: lvalue } = expr;
  const right = computeType.kind === 'pointer' ? signedIndex(ctx, expr.value) : ctx.value(expr.value);
  const target = fixedTarget(ctx, lvalue);
  const old = readTarget(ctx, target, lvalue.type);
  let result: Id;
  if (computeType.kind === 'pointer') {
    const index = expr.op === '-' ? ctx.emit(Op.SNegate, ctx.builder.typeOf(right), [right]) : right;
    result = offset(ctx, old, index);
  } else {
    const left = widen(ctx, old, lvalue.type, computeType);
    const computed = arithmetic(ctx, expr.op, computeType, left, right, expr.value.type, expr.contract);
    result = convert(ctx, computed, computeType, lvalue.type);
  }
  writeTarget(ctx, target, result);
  return result;
}

/** Evaluated once, for reading and writing. */
function fixedTarget(ctx: LoweringContext, lvalue: LValue): ReturnType<typeof targetOf> {
  const target = targetOf(ctx, lvalue);
  if (target.kind !== 'object') return target;
  const { place } = target;
  if (place.element === NO_ID && place.steps.length === 0) return target;
  return { kind: 'object', place: { ...place, pointer: ctx.address(place), element: NO_ID, steps: [] } };
}

function widen(ctx: LoweringContext, value: Id, from: Type, to: Type): Id {
  const converted = convert(
    ctx,
    value,
    from,
    to.kind === 'vector' && from.kind !== 'vector' ? to.element : to,
  );
  return to.kind === 'vector' && from.kind !== 'vector'
    ? ctx.splat(ctx.types.value(to), converted)
    : converted;
}

function increment(ctx: LoweringContext, expr: IncrementExpr): Id {
  const { target: lvalue, delta } = expr;
  const { type } = lvalue;
  const target = fixedTarget(ctx, lvalue);
  const old = readTarget(ctx, target, type);
  const changed = step(ctx, type, old, delta);
  writeTarget(ctx, target, changed);
  return expr.prefix ? changed : old;
}

function step(ctx: LoweringContext, type: Type, old: Id, delta: 1 | -1): Id {
  if (type.kind === 'pointer') return offset(ctx, old, ctx.builder.constantInt(ctx.builder.int(32), delta));
  const kind = elementKind(type)!;
  if (kind === 'bool')
    return delta === 1 ? ctx.builder.constantBool(true) : ctx.emit(Op.LogicalNot, ctx.builder.bool(), [old]);
  const id = ctx.types.value(type);
  if (isFloatKind(kind)) return ctx.emitFloat(delta === 1 ? Op.FAdd : Op.FSub, id, [old, one(ctx, type)]);
  return ctx.emit(delta === 1 ? Op.IAdd : Op.ISub, id, [old, one(ctx, type)]);
}

function conditional(ctx: LoweringContext, expr: ConditionalExpr): Id {
  const { builder } = ctx;
  const { type } = expr;
  const condition = ctx.condition(expr.condition);
  const known = builder.definitionOf(condition)?.op;
  if (known === Op.ConstantTrue || known === Op.ConstantFalse) {
    const taken = known === Op.ConstantTrue ? expr.then : expr.otherwise;
    if (type.kind !== 'void') return ctx.value(taken);
    ctx.effect(taken);
    return NO_ID;
  }
  const selectable = type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'enum';
  if (selectable && isCheap(expr.then) && isCheap(expr.otherwise)) {
    const id = ctx.types.value(type);
    const chosen = type.kind === 'vector' ? ctx.splat(ctx.boolLike(id), condition) : condition;
    return ctx.emit(Op.Select, id, [chosen, ctx.value(expr.then), ctx.value(expr.otherwise)]);
  }
  return branch(ctx, expr, condition);
}

function branch(ctx: LoweringContext, expr: ConditionalExpr, condition: Id): Id {
  const { builder } = ctx;
  const { type } = expr;
  const then = builder.id();
  const otherwise = builder.id();
  const done = builder.id();
  const result = ctx.types.isByAddress(type) ? ctx.temporary(type) : undefined;
  builder.branchIf(condition, then, otherwise);
  const arm = (label: Id, side: Expr): readonly [Id, Id] => {
    builder.label(label);
    let value = NO_ID;
    if (type.kind === 'void') ctx.effect(side);
    else value = ctx.value(side);
    if (result) ctx.store(result, value);
    const end = builder.currentLabel();
    builder.branch(done);
    return [value, end];
  };
  const first = arm(then, expr.then);
  const second = arm(otherwise, expr.otherwise);
  builder.label(done);
  if (result) return ctx.address(result);
  if (type.kind === 'void') return NO_ID;
  return builder.emit(Op.Phi, ctx.types.value(type), [...first, ...second]);
}

function vectorSelect(ctx: LoweringContext, expr: VectorSelect): Id {
  const { condition } = expr;
  const mask = ctx.value(condition);
  const then = ctx.value(expr.then);
  const otherwise = ctx.value(expr.otherwise);
  // The most significant bit decides, whatever the sign of the type.
  const bools = ctx.boolLike(ctx.types.value(condition.type));
  const chosen = ctx.emit(Op.SLessThan, bools, [mask, zero(ctx, condition.type)]);
  return ctx.emit(Op.Select, ctx.types.value(expr.type), [chosen, then, otherwise]);
}

function vectorLiteral(ctx: LoweringContext, expr: VectorLiteral): Id {
  const parts = expr.parts.map((operand) => ctx.value(operand));
  const type = ctx.types.value(expr.type);
  const [first] = parts;
  if (parts.length === 1 && ctx.builder.typeOf(first!) !== type) return ctx.splat(type, first!);
  return constructVector(ctx.builder, type, parts);
}
