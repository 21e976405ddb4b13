// SPDX-License-Identifier: MIT
//
// Functions by their names: first and further declarations, and overloads.
import { note } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';
import { type FunctionType, sameType } from '../../types';
import { checkAttributes } from '../attributes/attributes';
import { checkParameterAttributes } from '../attributes/parameter-attributes';
import { isOverloadable } from '../attributes/placement';
import type { Checker } from '../checker';
import type { FunctionEntity, FunctionSymbol, Overload } from '../symbols';
import type { FunctionHead } from './function-heads';
import { mangle } from './mangling';
import { checkPredefined } from './names';
import { parameterVariables } from './parameters';

export function declareFunction(c: Checker, head: FunctionHead): FunctionEntity | undefined {
  const name = head.declarator.name!;
  const { location } = head.declarator;
  const before = c.symbols.values.here(name);
  if (name === 'main' && !head.specifiers.kernel) c.reporter.report('function-main', location);
  if (before === undefined && checkPredefined(c, name, location)) return undefined;
  if (before === undefined) {
    if (conflictsWithBuiltin(c, head)) return undefined;
    return addOverload(c, newSymbol(c, name), head);
  }
  if (before.kind === 'broken') return undefined;
  if (before.kind !== 'function') {
    c.reporter.report('redefinition-kind', location, { name });
    return undefined;
  }
  const same = before.overloads.find((each) => sameSignature(each.entity.type, head.type));
  if (same !== undefined) {
    if (same.overloadable && !isOverloadable(head.attributes)) {
      const notes = [note('previous-declaration', same.entity.location)];
      c.reporter.report('overloadable-missing', location, { name }, { notes });
      return undefined;
    }
    return mergeFunction(c, before, same, head);
  }
  const [first] = before.overloads;
  const bare = before.overloads.find((each) => !each.overloadable);
  if (!isOverloadable(head.attributes) && bare !== undefined && before.overloads.length > 1) {
    const notes = [note('previous-declaration', bare.entity.location)];
    c.reporter.report('overload-lacks-attribute', location, { name }, { notes });
    return undefined;
  }
  if (isOverloadable(head.attributes) || before.overloads.some((each) => each.overloadable)) {
    return addOverload(c, before, head);
  }
  const notes = [note('previous-declaration', first!.entity.location)];
  c.reporter.report('conflicting-types', location, { name }, { notes });
  return undefined;
}

/** Whether a built-in function has the same parameters and another result, so that calls would be ambiguous. */
function conflictsWithBuiltin(c: Checker, { declarator, type }: FunctionHead): boolean {
  const name = declarator.name!;
  const args = type.parameters.map((each) => ({
    type: each.type,
    isNull: false,
    isIntegerConstant: false,
  }));
  const found = c.resolve(name, args, c.language);
  // The program may define functions that clang's header does not have yet.
  if (!found.ok || found.builtin.lowering.kind !== 'extended') return false;
  const { parameters, result } = found.builtin;
  if (!parameters.every((each, i) => sameType(each, args[i]!.type))) return false;
  if (sameType(result, type.result)) return false;
  c.reporter.report('conflicting-types', declarator.location, { name });
  return true;
}

function newSymbol(c: Checker, name: string): FunctionSymbol {
  const symbol: FunctionSymbol = { kind: 'function', name, overloads: [] };
  c.symbols.values.set(name, symbol);
  return symbol;
}

function addOverload(c: Checker, symbol: FunctionSymbol, head: FunctionHead): FunctionEntity {
  const { specifiers, declarator, type } = head;
  const overloadable = isOverloadable(head.attributes);
  const isKernel = specifiers.kernel;
  const entity: FunctionEntity = {
    kind: 'function',
    name: overloadable && !isKernel ? mangle(symbol.name, type) : symbol.name,
    location: declarator.location,
    type,
    parameters: [],
    isKernel,
    external: specifiers.storage !== 'static',
    inlineOnly: isInlineOnly(specifiers),
    attributes: {
      ...checkAttributes(c, head.attributes, isKernel ? 'kernel' : 'function'),
      ...(specifiers.noreturn && { noReturn: true }),
    },
    body: undefined,
  };
  if (entity.attributes.mustUse && type.result.kind === 'void') {
    const { location } = head.attributes.find(({ name }) => name === 'warn_unused_result')!;
    c.reporter.report('must-use-void', location);
  }
  entity.parameters = parameterVariables(c, head.parameters, type);
  checkParameterAttributes(c, head.attributes, type.parameters);
  symbol.overloads.push({ entity, overloadable });
  c.observer?.declare(
    symbol.name,
    { kind: 'function', identity: entity, name: symbol.name },
    declarator.location,
  );
  c.functions.push(entity);
  return entity;
}

function mergeFunction(
  c: Checker,
  symbol: FunctionSymbol,
  overload: Overload,
  head: FunctionHead,
): FunctionEntity | undefined {
  const { entity } = overload;
  const { specifiers, declarator, type } = head;
  const { name } = symbol;
  const notes = [note('previous-declaration', entity.location)];
  if (!sameType(entity.type.result, type.result)) {
    c.reporter.report('conflicting-types', declarator.location, { name }, { notes });
    return undefined;
  }
  c.observer?.declare(name, { kind: 'function', identity: entity, name }, declarator.location);
  if (head.isDefinition && entity.body !== undefined) {
    const definition = [note('previous-definition', entity.location)];
    c.reporter.report('redefinition', declarator.location, { name }, { notes: definition });
    return undefined;
  }
  if (specifiers.storage === 'static' && entity.external && !entity.inlineOnly) {
    c.reporter.report('static-after-extern', declarator.location, { name }, { notes });
  }
  if (specifiers.storage === 'static') entity.external = false;
  if (!isInlineOnly(specifiers) && specifiers.storage !== 'static') entity.inlineOnly = false;
  if (specifiers.kernel) entity.isKernel = true;
  if (head.attributes.length > 0) {
    entity.attributes = {
      ...entity.attributes,
      ...checkAttributes(c, head.attributes, entity.isKernel ? 'kernel' : 'function'),
    };
  }
  if (head.isDefinition) {
    entity.location = declarator.location;
    entity.type = type;
  }
  return entity;
}

const isInlineOnly = (specifiers: Syntax.Specifiers): boolean =>
  specifiers.inline && specifiers.storage === undefined;

function sameSignature(a: FunctionType, b: FunctionType): boolean {
  return (
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => sameType(parameter.type, b.parameters[i]!.type))
  );
}
