// SPDX-License-Identifier: MIT
//
// Constant expressions as SPIR-V constants. Arithmetic is lowered as usual: the context folds it as it is emitted.
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { Expr, InitializerList } from '../frontend/ast/checked';
import type { ArrayType, RecordType, Type } from '../frontend/types';
import { reinterpretConstant } from './constant-bytes';
import type { LoweringContext } from './context';
import { arrayConstant } from './long-instructions';
import { toMemory } from './memory';
import { stringConstant } from './strings';
import { UnsupportedError } from './unsupported';

/** The constant in its form in memory; undefined if the expression is none. */
export function lowerConstant(ctx: LoweringContext, expr: Expr, type: Type): Id | undefined {
  if (expr.kind === 'initializer') return composite(ctx, expr, type);
  if (expr.kind === 'string' && type.kind === 'array')
    return stringConstant(ctx, expr.bytes, type.count ?? expr.bytes.length);
  if (ctx.function && !isConstantExpression(expr)) return undefined;
  const id = toMemory(ctx, type, ctx.value(expr));
  return ctx.function === undefined || ctx.builder.isConstant(id) ? id : undefined;
}

function composite(ctx: LoweringContext, list: InitializerList, type: Type): Id | undefined {
  switch (type.kind) {
    case 'array':
      return array(ctx, list, type);
    case 'record':
      return type.tag === 'union' ? union(ctx, list, type) : struct(ctx, list, type);
    default: {
      const [first] = list.elements;
      return first ? lowerConstant(ctx, first, type) : ctx.builder.constantNull(ctx.types.memory(type));
    }
  }
}

function array(ctx: LoweringContext, list: InitializerList, type: ArrayType): Id | undefined {
  const { builder } = ctx;
  const id = ctx.types.memory(type);
  const count = type.count ?? list.elements.length;
  if (list.elements.every((element) => element === undefined)) return builder.constantNull(id);
  const element = type.element.type;
  const memory = ctx.types.memory(element);
  const parts = new Array<Id>(list.elements.length).fill(builder.constantNull(memory));
  for (let i = 0; i < list.elements.length; i++) {
    const init = list.elements[i];
    if (!init) continue;
    const part = lowerConstant(ctx, init, element);
    if (part === undefined) return undefined;
    refuseLong(ctx, part, init, element, memory);
    parts[i] = part;
  }
  return arrayConstant(ctx, id, parts, count);
}

/** An array that is a struct (see long-instructions.ts) cannot be part of a larger constant. */
function refuseLong(ctx: LoweringContext, part: Id, init: Expr, type: Type, memory: Id): void {
  if (type.kind === 'array' && ctx.builder.typeOf(part) !== memory)
    throw new UnsupportedError('an initializer of this many elements inside of another one', init.location);
}

function struct(ctx: LoweringContext, list: InitializerList, type: RecordType): Id | undefined {
  const { builder } = ctx;
  const { id, layout } = ctx.types.record(type);
  const members = builder.definitionOf(id)!.operands as Id[];
  const parts = members.map((member) => builder.constantNull(member));
  for (let i = 0; i < list.elements.length; i++) {
    const init = list.elements[i];
    if (!init) continue;
    const field = type.fields![i]!.type.type;
    const part = lowerConstant(ctx, init, field);
    if (part === undefined) return undefined;
    const member = layout.memberOf[i]!;
    refuseLong(ctx, part, init, field, members[member]!);
    parts[member] = asType(ctx, part, members[member]!);
  }
  return builder.constantComposite(id, parts);
}

/** In a record, a pointer to a type that was incomplete at the record's declaration has another pointee. */
function asType(ctx: LoweringContext, constant: Id, type: Id): Id {
  if (ctx.builder.typeOf(constant) === type) return constant;
  if (ctx.builder.definitionOf(constant)?.op === Op.ConstantNull) return ctx.builder.constantNull(type);
  return ctx.emit(Op.Bitcast, type, [constant]);
}

function union(ctx: LoweringContext, list: InitializerList, type: RecordType): Id | undefined {
  const { builder } = ctx;
  const { id } = ctx.types.record(type);
  const index = list.member ?? 0;
  const init = list.elements[list.elements.length > 1 ? index : 0];
  if (!init) return builder.constantNull(id);
  const part = lowerConstant(ctx, init, type.fields![index]!.type.type);
  if (part === undefined) return undefined;
  const members = builder.definitionOf(id)!.operands as Id[];
  if (builder.typeOf(part) !== members[0]) return reinterpretConstant(builder, ctx.types.packed, part, id);
  return builder.constantComposite(id, [part, ...members.slice(1).map((m) => builder.constantNull(m))]);
}

/** Only arithmetic on literals: lowering it emits nothing. */
function isConstantExpression(expr: Expr): boolean {
  switch (expr.kind) {
    case 'integer':
    case 'float':
      return true;
    case 'unary':
    case 'not':
      return isConstantExpression(expr.operand);
    case 'cast':
      return (
        expr.cast === 'null-pointer' ||
        (expr.cast !== 'array-to-pointer' && isConstantExpression(expr.operand))
      );
    case 'binary':
    case 'compare':
    case 'logical':
      return isConstantExpression(expr.left) && isConstantExpression(expr.right);
    case 'conditional':
    case 'vector-select':
      return (
        isConstantExpression(expr.condition) &&
        isConstantExpression(expr.then) &&
        isConstantExpression(expr.otherwise)
      );
    case 'vector-literal':
      return expr.parts.every(isConstantExpression);
    case 'load': {
      const { from } = expr;
      if (from.kind !== 'variable-ref' || from.variable.init === undefined) return false;
      const { variable } = from;
      return (
        variable.storage === 'program' &&
        variable.type.space === 'constant' &&
        from.type.kind !== 'array' &&
        from.type.kind !== 'record'
      );
    }
    default:
      return false;
  }
}
