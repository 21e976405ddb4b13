// SPDX-License-Identifier: MIT
import { invariant } from '../../base/invariant';
import {
  Decoration,
  FunctionControl,
  FunctionParameterAttribute,
  LinkageType,
  Op,
} from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { BlockLiteral, FunctionDecl, VariableDecl } from '../frontend/ast/checked';
import type { LoweringContext } from './context';
import type { FunctionState } from './function-state';
import { endFunction } from './lifetimes';
import { makeTemporary, placeAt, storeTo } from './memory';
import { lowerStatement } from './statements';

/** Lowers a function that is called: its definition, or the declaration of another module's. */
export function lowerFunction(ctx: LoweringContext, state: FunctionState): void {
  const { builder, types } = ctx;
  const { declaration, id, block } = state;
  const { type } = declaration;
  const byAddress = types.isByAddress(type.result);
  const result = byAddress ? builder.void() : types.value(type.result);
  const parameters: Id[] = [];
  if (byAddress) parameters.push(types.pointerTo(type.result, 'private'));
  if (block) parameters.push(builder.pointer(types.storageClass('generic'), builder.int(8)));
  for (const parameter of type.parameters) parameters.push(parameterType(ctx, parameter.type));
  if (!declaration.body) {
    builder.declareFunction(id, result, parameters);
    builder.debug.name(id, declaration.name);
    builder.linkage(id, declaration.name, LinkageType.Import);
    return;
  }
  ctx.function = state;
  ctx.debug?.beginFunction(declaration, id);
  ctx.at(declaration.location);
  const ids = builder.beginFunction(id, result, parameters, control(ctx, declaration));
  // Consumers find an entry point by its name, so the function that is called instead has another name.
  const { name } = declaration;
  builder.debug.name(id, declaration.isKernel ? `__called_${name}` : name || 'block_invoke');
  if (declaration.external && !declaration.inlineOnly && !declaration.isKernel)
    builder.linkage(id, declaration.name, LinkageType.Export);
  builder.label();
  let next = 0;
  if (byAddress) state.resultPlace = placeAt(ctx, ids[next++]!, type.result, 'private');
  if (block) bindCaptures(ctx, block, ids[next++]!);
  for (const parameter of declaration.parameters) {
    const value = ids[next++]!;
    builder.debug.name(value, parameter.name);
    pointerAttributes(ctx, parameter, value);
    bind(ctx, parameter, value, types.isByAddress(parameter.type.type));
  }
  finish(ctx, state);
}

/** The form of an argument of the program's functions. */
function parameterType(ctx: LoweringContext, type: VariableDecl['type']['type']): Id {
  return ctx.types.isByAddress(type) ? ctx.types.pointerTo(type, 'private') : ctx.types.value(type);
}

/** Lowers a kernel as an entry point: records come by address (FuncParamAttr ByVal). */
export function lowerEntryPoint(ctx: LoweringContext, state: FunctionState): void {
  const { builder, types } = ctx;
  const { declaration, id } = state;
  const parameters = declaration.parameters.map(({ type: { type } }) =>
    type.kind === 'record' ? types.pointerTo(type, 'private') : types.value(type),
  );
  ctx.function = state;
  ctx.debug?.beginFunction(declaration, id);
  ctx.at(declaration.location);
  const ids = builder.beginFunction(id, builder.void(), parameters, control(ctx, declaration));
  builder.debug.name(id, declaration.name);
  builder.label();
  declaration.parameters.forEach((parameter, i) => {
    const value = ids[i]!;
    const isRecord = parameter.type.type.kind === 'record';
    builder.debug.name(value, parameter.name);
    if (isRecord) {
      builder.decorate(value, Decoration.FuncParamAttr, FunctionParameterAttribute.ByVal);
      builder.decorate(value, Decoration.Alignment, types.layout(parameter.type.type).align);
    }
    pointerAttributes(ctx, parameter, value);
    bind(ctx, parameter, value, isRecord);
  });
  finish(ctx, state);
}

/** Lowers the body and terminates the last block. */
function finish(ctx: LoweringContext, state: FunctionState): void {
  const { builder } = ctx;
  const { body, type } = state.declaration;
  invariant(body !== undefined, `function ${state.declaration.name} has no body`);
  lowerStatement(ctx, body);
  ctx.at(body.end);
  if (builder.isOpen) {
    endFunction(ctx);
    if (type.result.kind === 'void' || state.resultPlace) builder.terminate(Op.Return, []);
    // The result of a function that ends without a return is undefined.
    else builder.terminate(Op.ReturnValue, [builder.undef(ctx.types.value(type.result))]);
  }
  builder.endFunction();
  ctx.function = undefined;
}

function control(ctx: LoweringContext, declaration: FunctionDecl): FunctionControl {
  const { attributes } = declaration;
  if (attributes.noinline || (ctx.language.optDisable && !declaration.isKernel && !attributes.alwaysInline))
    return FunctionControl.DontInline;
  return attributes.alwaysInline ? FunctionControl.Inline : FunctionControl.None;
}

/** Gives a parameter its place: the memory in which it was passed, or a new variable. */
function bind(ctx: LoweringContext, parameter: VariableDecl, value: Id, inMemory: boolean): void {
  const { type, volatile } = parameter.type;
  const argument = ctx.current.declaration.parameters.indexOf(parameter) + 1;
  if (inMemory) {
    ctx.debug?.declare(parameter, value, argument);
    ctx.current.places.set(parameter, placeAt(ctx, value, type, 'private', 0, volatile));
    return;
  }
  const align = Math.max(parameter.attributes.align ?? 0, ctx.types.layout(type).align);
  const place = { ...makeTemporary(ctx, type, align), volatile };
  ctx.current.places.set(parameter, place);
  ctx.debug?.declare(parameter, place.pointer, argument);
  storeTo(ctx, place, value);
}

function pointerAttributes(ctx: LoweringContext, parameter: VariableDecl, value: Id): void {
  const { type, restrict } = parameter.type;
  if (type.kind !== 'pointer') return;
  const { builder } = ctx;
  if (restrict) builder.decorate(value, Decoration.FuncParamAttr, FunctionParameterAttribute.NoAlias);
  if (type.pointee.const && type.space !== 'constant')
    builder.decorate(value, Decoration.FuncParamAttr, FunctionParameterAttribute.NoWrite);
  if (type.pointee.volatile) builder.decorate(value, Decoration.Volatile);
  if (type.pointee.type.kind !== 'function')
    builder.decorate(value, Decoration.Alignment, ctx.types.layout(type.pointee.type).align);
}

function bindCaptures(ctx: LoweringContext, block: BlockLiteral, context: Id): void {
  if (block.captures.length === 0) return;
  const { builder } = ctx;
  const generic = ctx.types.storageClass('generic');
  const struct = ctx.pointerAs(context, builder.pointer(generic, ctx.captureStruct(block)));
  block.captures.forEach(({ inner }, i) => {
    const steps = [builder.constantInt(builder.int(32), i)];
    ctx.current.places.set(inner, { ...placeAt(ctx, struct, inner.type.type, 'generic'), steps });
  });
}
