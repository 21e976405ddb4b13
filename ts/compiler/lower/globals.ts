// SPDX-License-Identifier: MIT
//
// Variables of program scope, static ones of functions, and those in local and constant memory.
import { Decoration, LinkageType } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type { VariableDecl } from '../frontend/ast/checked';
import type { Type } from '../frontend/types';
import type { LoweringContext } from './context';
import { UnsupportedError } from './unsupported';

/** The module-scope variable of a declaration; created on first use. */
export function lowerGlobalVariable(ctx: LoweringContext, variable: VariableDecl): Id {
  const known = ctx.globals.get(variable);
  if (known !== undefined) return known;
  const { builder } = ctx;
  const { type, space, volatile } = variable.type;
  const isImport = variable.storage === 'extern' && variable.init === undefined;
  const initializer = isImport || space === 'local' ? NO_ID : initialValue(ctx, variable, type);
  // The initializer of a long array has another type.
  const pointer =
    initializer === NO_ID || type.kind !== 'array'
      ? ctx.types.pointerTo(type, space)
      : builder.pointer(ctx.types.storageClass(space), builder.typeOf(initializer));
  const id = builder.globalVariable(pointer, initializer);
  ctx.globals.set(variable, id);
  builder.debug.name(id, variable.name);
  if (space === 'constant') builder.decorate(id, Decoration.Constant);
  if (volatile) builder.decorate(id, Decoration.Volatile);
  const align = Math.max(variable.attributes.align ?? 0, ctx.types.layout(type).align);
  builder.decorate(id, Decoration.Alignment, align);
  if (isImport) builder.linkage(id, variable.name, LinkageType.Import);
  else if (variable.external && space !== 'local') builder.linkage(id, variable.name, LinkageType.Export);
  if (!isImport && type.kind !== 'opaque')
    ctx.debug?.declareGlobal(variable, id, ctx.function !== undefined && !isOfProgram(variable));
  return id;
}

const isOfProgram = ({ storage }: VariableDecl): boolean => storage === 'program' || storage === 'extern';

function initialValue(ctx: LoweringContext, variable: VariableDecl, type: Type): Id {
  if (variable.init === undefined) return ctx.builder.constantNull(ctx.types.memory(type));
  // SPIR-V has no constant that refers to a variable before that is defined.
  if (ctx.initializing.has(variable))
    throw new UnsupportedError(
      `the address of '${variable.name}' in its own initializer`,
      variable.init.location,
    );
  const open = ctx.function;
  ctx.function = undefined;
  ctx.initializing.add(variable);
  const value = ctx.constant(variable.init, type);
  ctx.initializing.delete(variable);
  ctx.function = open;
  if (value === undefined)
    throw new UnsupportedError(`this initializer of '${variable.name}'`, variable.init.location);
  return value;
}
