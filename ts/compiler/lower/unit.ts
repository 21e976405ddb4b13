// SPDX-License-Identifier: MIT
//
// Checked AST -> SPIR-V module, in the conventions of the OpenCL SPIR-V environment (Kernel, Physical addressing).
import type { Steps } from '../../base/steps';
import { Builder } from '../../spirv/builder';
import { Capability, SourceLanguage, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { SourceMap } from '../diagnostics/source-map';
import type { FunctionDecl, Unit } from '../frontend/ast/checked';
import type { LanguageOptions } from '../frontend/language';
import { lowerBlock } from './blocks';
import { lowerCondition } from './conditions';
import { lowerConstant } from './constants';
import { LoweringContext, type Lowerings } from './context';
import { DebugInfo } from './debug-info';
import { lowerEffect, lowerValue } from './expressions';
import { FunctionState } from './function-state';
import { lowerEntryPoint, lowerFunction } from './functions';
import { lowerGlobalVariable } from './globals';
import { declareArgumentInfo, declareExecutionModes } from './kernels';
import { lowerPlace } from './places';

export interface LoweringOptions {
  readonly language: LanguageOptions;
  /** The module's version: major << 16 | minor << 8. Without one it is 1.0, or the lowest version that has all features used. */
  readonly spirvVersion?: number;
}

const LOWERINGS: Lowerings = {
  value: lowerValue,
  place: lowerPlace,
  condition: lowerCondition,
  effect: lowerEffect,
  globalVariable: lowerGlobalVariable,
  constant: lowerConstant,
  block: lowerBlock,
};

const VERSION_1_4 = 0x10400;

/** The program needs a higher version than the requested one. */
export class VersionError extends Error {
  override readonly name = 'VersionError';

  constructor(
    readonly feature: string,
    readonly needed: number,
  ) {
    super(`${feature} needs a higher version of SPIR-V`);
  }
}

/**
 * Lowers a translation unit: its kernels, everything reachable from them, and everything that other units may refer to. Returns
 * the builder of the module, which is not optimized. Throws an `UnsupportedError` for a feature that the lowering does not
 * support, and a `VersionError`. Each function is a step.
 */
export function* lowerUnit(unit: Unit, options: LoweringOptions, sources: SourceMap): Steps<Builder> {
  const { language } = options;
  const builder = new Builder({
    addressBits: language.addressBits,
    ...(options.spirvVersion === undefined ? {} : { version: options.spirvVersion }),
  });
  const { version } = language;
  builder.debug.source(
    SourceLanguage.OpenCL_C,
    Math.floor(version / 100) * 100000 + Math.floor((version % 100) / 10) * 1000,
  );
  const ctx = new LoweringContext(builder, language, sources, LOWERINGS);
  if (language.debugInfo) ctx.debug = new DebugInfo(builder, ctx.types, sources, mainFileOf(unit, sources));
  const states = new Map<Id, FunctionState>();
  const entries: FunctionState[] = [];
  for (const variable of unit.variables) {
    const isVisible = variable.storage === 'program' && variable.external;
    if (isVisible && variable.type.type.kind !== 'opaque') ctx.globalVariable(variable);
  }
  for (const declaration of unit.functions) {
    if (declaration.isKernel && declaration.body) {
      const state = new FunctionState(builder.id(), declaration);
      entries.push(state);
      lowerEntryPoint(ctx, state);
    } else if (isExported(declaration)) ctx.functionId(declaration);
  }
  for (let state = ctx.nextPending(); state; state = ctx.nextPending()) {
    states.set(state.id, state);
    lowerFunction(ctx, state);
    yield;
  }
  // A module without entry points is a library.
  if (entries.length === 0) builder.capability(Capability.Linkage);
  for (const entry of entries) declareEntryPoint(ctx, entry, states);
  ctx.debug?.finish();
  if (options.spirvVersion !== undefined && builder.versionFor !== undefined)
    throw new VersionError(builder.versionFor, builder.module.version);
  builder.debug.placeStrings();
  return builder;
}

function mainFileOf(unit: Unit, sources: SourceMap): string {
  const [first] = unit.functions;
  return (first && sources.position(first.location)?.file) ?? '<source>';
}

function isExported(declaration: FunctionDecl): boolean {
  return declaration.body !== undefined && declaration.external && !declaration.inlineOnly;
}

function declareEntryPoint(
  ctx: LoweringContext,
  entry: FunctionState,
  states: ReadonlyMap<Id, FunctionState>,
): void {
  const { builder } = ctx;
  const reached = reachedFrom(entry, states);
  const globals = new Set<Id>();
  for (const state of reached) for (const id of state.globals) globals.add(id);
  const contractionOff = reached.some((state) => state.contractionOff);
  declareExecutionModes(ctx, entry.id, entry.declaration, contractionOff);
  declareArgumentInfo(ctx, entry.declaration);
  // Before 1.4 the interface has only Input and Output variables.
  const isListed = (id: Id) =>
    builder.module.version >= VERSION_1_4 || builder.storageOf(builder.typeOf(id)) === StorageClass.Input;
  builder.entryPoint(entry.id, entry.declaration.name, [...globals].filter(isListed));
}

function reachedFrom(entry: FunctionState, states: ReadonlyMap<Id, FunctionState>): FunctionState[] {
  const seen = new Set<FunctionState>([entry]);
  const reached = [entry];
  for (let i = 0; i < reached.length; i++) {
    for (const id of reached[i]!.callees) {
      const callee = states.get(id);
      if (callee && !seen.has(callee)) {
        seen.add(callee);
        reached.push(callee);
      }
    }
  }
  return reached;
}
