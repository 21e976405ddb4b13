// SPDX-License-Identifier: MIT
//
// Variables: whether one may exist, how it is declared and initialized (6.5, 6.8, 6.9).
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { AddressSpace, Type } from '../../types';
import { checkAlignas } from '../attributes/alignment';
import { checkAttributes } from '../attributes/attributes';
import type { Checker } from '../checker';
import { isConstantExpression } from '../constants/constant-expressions';
import { underline } from '../extents';
import { checkInitializer } from '../initializers/initializers';
import type { FunctionState, VariableEntity } from '../symbols';
import { alignOf, isComplete } from '../types/layout';
import { contains } from '../types/predicates';
import { spell } from '../types/spelling';
import type { TypeUse } from '../types/type-use';
import { warnUnsequenced } from '../warnings/sequencing';
import { checkBuiltinName, checkPredefined, declareBroken } from './names';
import { mergeVariable } from './redeclarations';
import { placeVariable } from './storage';

export function checkVariable(
  c: Checker,
  specifiers: Syntax.Specifiers,
  init: Syntax.InitDeclarator,
  use: TypeUse,
): VariableDecl | undefined {
  const { declarator } = init;
  const { location } = declarator;
  const name = declarator.name!;
  const placed = placeVariable(c, specifiers, use, declarator);
  if (placed === undefined || !checkVariableType(c, use.type, placed, init)) {
    declareBroken(c, name);
    if (init.init !== undefined && init.init.kind !== 'init-list' && placed !== undefined)
      c.rules.expression(c, init.init);
    return undefined;
  }
  if (specifiers.kernel) c.reporter.report('kernel-not-function', specifiers.location);
  if (specifiers.inline) c.reporter.report('inline-not-function', specifiers.location);
  if (specifiers.noreturn) c.reporter.report('noreturn-not-function', specifiers.location);
  if (checkPredefined(c, name, location) || checkBuiltinName(c, name, location)) return undefined;
  const { space, storage } = placed;
  const before = c.symbols.values.here(name);
  const all = [...specifiers.attributes, ...init.attributes];
  const attributes = checkAttributes(c, all, storage === 'local-scope' ? 'local' : 'global');
  if (all.length > 0 && isComplete(use.type)) checkAlignas(c, all, alignOf(use.type, c.language), use.type);
  const made: VariableEntity = {
    kind: 'variable',
    name,
    location,
    type: { ...use, space },
    storage,
    external: (storage === 'program' || storage === 'extern') && specifiers.storage !== 'static',
    attributes: use.align === undefined ? attributes : { align: use.align, ...attributes },
    init: undefined,
    typeName: specifiers.spelling,
  };
  let variable = made;
  if (before !== undefined) {
    const merged = mergeVariable(c, before, made, init, specifiers);
    if (merged === undefined) return undefined;
    variable = merged;
  } else {
    const owner: FunctionState | undefined = c.function?.state;
    c.symbols.values.set(name, { kind: 'variable', variable, owner });
    if (storage !== 'local-scope') c.variables.push(variable);
  }
  c.observer?.declare(name, { kind: 'variable', identity: variable }, location);
  initializeVariable(c, variable, init, specifiers);
  return variable;
}

function initializeVariable(
  c: Checker,
  variable: VariableEntity,
  init: Syntax.InitDeclarator,
  specifiers: Syntax.Specifiers,
): void {
  const { location, name } = variable;
  const { space, type } = variable.type;
  if (init.init === undefined) {
    if (space === 'constant' && specifiers.storage !== 'extern') {
      c.reporter.report('constant-uninitialized', location);
    }
    return;
  }
  if (space === 'local') {
    c.reporter.report('local-initializer', location);
    return;
  }
  if (specifiers.storage === 'extern' && c.function !== undefined) {
    c.reporter.report('extern-initializer', location, { name });
    return;
  }
  if (type.kind === 'atomic' && space !== 'global') {
    c.reporter.report('atomic-assign', location, { what: 'initialized' });
    return;
  }
  if (specifiers.storage === 'extern') c.reporter.report('extern-with-initializer', location);
  if (variable.storage === 'extern') variable.storage = 'program';
  warnUnsequenced(c.reporter, init.init);
  const value = checkInitializer(c, init.init, type);
  if (value === undefined) {
    c.facts.brokenInitializers.add(variable);
    return;
  }
  if (type.kind === 'array' && type.count === undefined) {
    variable.type = { ...variable.type, type: value.type };
  }
  variable.init = value;
  if (variable.storage !== 'local-scope' && !isConstantExpression(c, value)) {
    c.reporter.report('initializer-not-constant', init.init.begin, {}, underline(init.init));
  }
}

function checkVariableType(
  c: Checker,
  type: Type,
  placed: { readonly storage: VariableDecl['storage']; readonly space: AddressSpace },
  init: Syntax.InitDeclarator,
): boolean {
  const { location } = init.declarator;
  if (contains(type, (each) => each.kind === 'image' || each.kind === 'pipe')) {
    c.reporter.report('opaque-variable', location, { type: spell(type) });
    return false;
  }
  if (type.kind === 'opaque' && placed.space === 'local' && /^(?:sampler|event)_t$/.test(type.name)) {
    c.reporter.report('opaque-in-local', location, { type: type.name });
    return false;
  }
  if (!c.hasHalf && isHalf(type)) {
    c.reporter.report('half-not-allowed', location, { what: 'variable' });
    return false;
  }
  if (type.kind === 'opaque' && NOT_IN_PROGRAM_SCOPE.has(type.name) && c.function === undefined) {
    c.reporter.report('event-variable', location, { type: type.name });
    return false;
  }
  if (type.kind === 'array' && type.count === undefined) {
    // At file scope a later declaration may still give the size.
    if (placed.storage === 'extern' || placed.storage === 'program' || init.init !== undefined) return true;
    c.reporter.report('array-needs-size', location);
    return false;
  }
  // At file scope the type may still be completed.
  const isTentative =
    placed.storage === 'program' &&
    init.init === undefined &&
    (type.kind === 'record' || type.kind === 'enum');
  if (!isComplete(type) && placed.storage !== 'extern' && !isTentative) {
    c.reporter.report('variable-incomplete', location, { type: spell(type) });
    return false;
  }
  if (type.kind === 'block' && init.init === undefined) {
    c.reporter.report('block-needs-initializer', location);
    return false;
  }
  return true;
}

/** Handles of objects that live as long as a kernel runs. */
const NOT_IN_PROGRAM_SCOPE: ReadonlySet<string> = new Set([
  'event_t',
  'clk_event_t',
  'queue_t',
  'reserve_id_t',
]);

function isHalf(type: Type): boolean {
  if (type.kind === 'array') return isHalf(type.element.type);
  return type.kind === 'scalar' && type.scalar === 'half';
}

/** Variables whose type was never completed; and arrays without a size in any declaration have one element (C99, 6.9.2). */
export function completeTentative(c: Checker): void {
  for (const each of c.variables) {
    const variable = each as VariableEntity;
    const { type } = variable.type;
    if (variable.storage === 'program' && type.kind !== 'array' && !isComplete(type))
      c.reporter.report('never-completed', variable.location, { type: spell(type) });
    if (variable.storage !== 'program' || type.kind !== 'array' || type.count !== undefined) continue;
    if (variable.init !== undefined || c.facts.brokenInitializers.has(variable)) continue;
    c.reporter.report('tentative-array', variable.location);
    variable.type = { ...variable.type, type: { ...type, count: 1 } };
  }
}
