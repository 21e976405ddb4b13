// SPDX-License-Identifier: MIT
//
// Function prototypes and definitions (6.9).
import type { Location } from '../../../diagnostics/diagnostic';
import { note } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { OpenFunction } from '../open-function';
import { checkBody } from '../statements/bodies';
import type { FunctionState } from '../symbols';
import { isComplete } from '../types/layout';
import { checkParameterType } from '../types/parameters';
import { spell } from '../types/spelling';
import type { TypeUse } from '../types/type-use';
import { checkFunctionHead } from './function-heads';
import { declareFunction } from './function-symbols';
import { checkKernel } from './kernels';
import { declareBroken } from './names';
import { anonymousParameter, declareParameters } from './parameters';

export function checkPrototype(
  c: Checker,
  specifiers: Syntax.Specifiers,
  init: Syntax.InitDeclarator,
  base: TypeUse,
): void {
  const head = checkFunctionHead(c, specifiers, init.declarator, init.attributes, base, false);
  if (specifiers.storage === 'static' && c.symbols.depth > 0) {
    c.reporter.report('static-function-in-block', init.declarator.location);
  }
  const outermost = init.declarator.parts.at(-1);
  const isBroken = outermost?.kind === 'function' && outermost.isBroken === true;
  if (head !== undefined && !isBroken && checkParameterNames(c, head.parameters)) {
    const entity = declareFunction(c, head);
    if (specifiers.kernel && entity) checkKernel(c, head, entity);
  } else if (init.declarator.name !== 'printf') declareBroken(c, init.declarator.name);
  if (init.init !== undefined) c.reporter.report('function-initializer', init.declarator.location);
}

export function checkFunctionDefinition(c: Checker, definition: Syntax.FunctionDefinition): void {
  const { specifiers, declarator, attributes, body } = definition;
  const base = c.rules.specifiers(c, specifiers);
  const outermost = declarator.parts.at(-1);
  const isBroken = outermost?.kind === 'function' && outermost.isBroken === true;
  const head = base && checkFunctionHead(c, specifiers, declarator, attributes, base, true);
  const entity =
    head && !isBroken && checkParameterNames(c, head.parameters) ? declareFunction(c, head) : undefined;
  if (head === undefined || entity === undefined) {
    checkBodyOfBrokenHead(c, definition);
    return;
  }
  if (outermost?.kind === 'function' && outermost.names !== undefined) {
    c.reporter.report('function-without-prototype', declarator.location);
    entity.isOldStyle = true;
  }
  const state: FunctionState = { outer: undefined, captures: new Map() };
  c.symbols.push();
  const current = new OpenFunction({
    state,
    entity,
    result: head.type.result,
    isKernel: entity.isKernel,
    isBlock: false,
    callees: new Set(),
    depth: c.symbols.depth,
  });
  entity.parameters = declareParameters(c, head.parameters, head.type, current);
  for (const { declarator: each } of head.parameters)
    if (each.name === undefined) c.reporter.report('parameter-name-omitted', each.location);
  if (entity.isKernel) checkKernel(c, head, entity);
  if (!isComplete(head.type.result) && head.type.result.kind !== 'void') {
    c.reporter.report('incomplete-result', declarator.location, { type: spell(head.type.result) });
  }
  c.observer?.scope(declarator.location, body.end);
  // Before the blocks in it, so that recursion through them is reported for the function.
  c.calls.set(entity, current.callees);
  entity.body = checkBody(c, body, current);
  c.symbols.pop();
}

/** A function whose declaration is wrong: its body is checked all the same, and calls of it are not reported. */
function checkBodyOfBrokenHead(c: Checker, { declarator, body }: Syntax.FunctionDefinition): void {
  c.observer?.scope(declarator.location, body.end);
  const { name } = declarator;
  if (name !== undefined && c.symbols.values.here(name) === undefined) {
    c.symbols.values.set(name, { kind: 'broken' });
  }
  c.symbols.push();
  const last = declarator.parts.at(-1);
  const hasUnknownParameters = last?.kind === 'function' && last.isBroken === true;
  for (const parameter of (last?.kind === 'function' && last.parameters) || []) {
    const type = checkParameterType(c, parameter);
    const { name: parameterName, location } = parameter.declarator;
    if (parameterName === undefined) continue;
    if (type === undefined) c.symbols.values.set(parameterName, { kind: 'broken' });
    else {
      const variable = { ...anonymousParameter(type), name: parameterName, location };
      c.symbols.values.set(parameterName, { kind: 'variable', variable, owner: undefined });
      c.observer?.declare(parameterName, { kind: 'variable', identity: variable }, location);
    }
  }
  const state: FunctionState = { outer: undefined, captures: new Map() };
  const depth = c.symbols.depth;
  checkBody(
    c,
    body,
    new OpenFunction({
      state,
      entity: undefined,
      result: undefined,
      isKernel: true,
      isBlock: true,
      isBroken: true,
      hasUnknownParameters,
      callees: new Set(),
      depth,
    }),
  );
  c.symbols.pop();
}

/** No two parameters may share a name. */
function checkParameterNames(c: Checker, parameters: readonly Syntax.Parameter[]): boolean {
  // A single parameter cannot repeat a name.
  if (parameters.length < 2) return true;
  let right = true;
  const seen = new Map<string, Location>();
  for (const { declarator } of parameters) {
    const { name, location } = declarator;
    if (name === undefined) continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, location);
    else {
      const notes = [note('previous-declaration', first)];
      c.reporter.report('redefinition-parameter', location, { name }, { notes });
      right = false;
    }
  }
  return right;
}
