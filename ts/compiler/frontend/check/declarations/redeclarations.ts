// SPDX-License-Identifier: MIT
//
// A second declaration of a variable at file scope.
import { note } from '../../../diagnostics/reporter';
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { sameType } from '../../types';
import type { Checker } from '../checker';
import type { ValueSymbol, VariableEntity } from '../symbols';
import { spell } from '../types/spelling';

/** A second declaration at file scope completes the first. */
export function mergeVariable(
  c: Checker,
  before: ValueSymbol,
  made: VariableEntity,
  init: Syntax.InitDeclarator,
  specifiers: Syntax.Specifiers,
): VariableEntity | undefined {
  const { name, location } = made;
  if (before.kind === 'broken') return undefined;
  if (before.kind !== 'variable') {
    const notes = before.kind === 'function' ? [] : [note('previous-definition', before.location)];
    c.reporter.report('redefinition-kind', location, { name }, { notes });
    return undefined;
  }
  const first = before.variable as VariableEntity;
  const notes = [note('previous-definition', first.location)];
  const shared = (storage: VariableDecl['storage']) => storage === 'program' || storage === 'extern';
  if (!shared(made.storage) || !shared(first.storage)) {
    c.reporter.report('redefinition', location, { name }, { notes });
    return undefined;
  }
  const sameArray =
    made.type.type.kind === 'array' &&
    first.type.type.kind === 'array' &&
    sameType(made.type.type.element.type, first.type.type.element.type) &&
    (made.type.type.count === undefined || first.type.type.count === undefined);
  if (!sameArray && (!sameType(made.type.type, first.type.type) || made.type.space !== first.type.space)) {
    const types = { name, type: spell(made.type.type), before: spell(first.type.type) };
    c.reporter.report('redefinition-type', location, types, { notes });
    return undefined;
  }
  if (init.init !== undefined && first.init !== undefined) {
    c.reporter.report('redefinition', location, { name }, { notes });
    return undefined;
  }
  if (sameArray && made.type.type.kind === 'array' && made.type.type.count !== undefined)
    first.type = made.type;
  if (made.storage === 'program') first.storage = 'program';
  if (first.external && !made.external && made.storage === 'program') {
    c.reporter.report('static-after-extern', location, { name }, { notes });
  } else if (!first.external && made.external && specifiers.storage !== 'extern') {
    c.reporter.report('extern-after-static', location, { name }, { notes });
  }
  return first;
}
