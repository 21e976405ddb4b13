// SPDX-License-Identifier: MIT
import { Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { BuiltinCall, CallExpr, Expr } from '../frontend/ast/checked';
import { lowerBuiltin } from './builtins';
import type { LoweringContext } from './context';
import { addressOf, loadFrom, makeTemporary, storeTo } from './memory';

/** A call of a function of the program. Records that are handled by address are passed and returned through memory. */
export function lowerCall(ctx: LoweringContext, call: CallExpr): Id {
  const { callee } = call;
  const operands: number[] = [];
  const result = ctx.types.isByAddress(callee.type.result)
    ? makeTemporary(ctx, callee.type.result)
    : undefined;
  if (result) operands.push(addressOf(ctx, result));
  for (const argument of call.arguments) operands.push(lowerArgument(ctx, argument));
  const type = result ? ctx.builder.void() : ctx.types.value(callee.type.result);
  ctx.at(call.location);
  const id = ctx.builder.emit(Op.FunctionCall, type, [ctx.functionId(callee), ...operands]);
  if (result) return addressOf(ctx, result);
  return callee.type.result.kind === 'void' ? NO_ID : id;
}

/** The callee owns its arguments, so those that are passed by address are copied. */
export function lowerArgument(ctx: LoweringContext, argument: Expr): Id {
  const value = ctx.value(argument);
  if (!ctx.types.isByAddress(argument.type)) return value;
  const copy = makeTemporary(ctx, argument.type);
  storeTo(ctx, copy, value);
  return addressOf(ctx, copy);
}

export function lowerBuiltinCall(ctx: LoweringContext, call: BuiltinCall): Id {
  const values = call.arguments.map((argument) =>
    argument.type.kind === 'block' ? NO_ID : ctx.value(argument),
  );
  ctx.at(call.location);
  const value = lowerBuiltin(ctx, call, values);
  const { result } = call.builtin;
  if (result.kind !== 'opaque' || result.name !== 'ndrange_t') return value;
  // Consumers expect the result of OpBuildNDRange to be stored to memory at once.
  const place = makeTemporary(ctx, result);
  storeTo(ctx, place, value);
  return loadFrom(ctx, place);
}
