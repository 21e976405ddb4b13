// SPDX-License-Identifier: MIT
//
// The address space and storage of a variable (6.5, 6.8).
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { AddressSpace } from '../../types';
import type { Checker } from '../checker';
import { isSampler } from '../types/predicates';
import type { TypeUse } from '../types/type-use';

/** The address space and storage of a variable; undefined, and reported, if it may not be there. */
export function placeVariable(
  c: Checker,
  specifiers: Syntax.Specifiers,
  use: TypeUse,
  declarator: Syntax.Declarator,
): { space: AddressSpace; storage: VariableDecl['storage'] } | undefined {
  const { location } = declarator;
  const { space } = use;
  const current = c.function;
  const { storage } = specifiers;
  if (space === 'generic') {
    c.reporter.report('variable-space', location, { space });
    return undefined;
  }
  if (storage === 'static' && current !== undefined && c.language.version < 200) {
    c.reporter.report('static-in-function', location);
    return undefined;
  }
  const isStatic = storage === 'static' || storage === 'extern';
  if (current === undefined || isStatic) {
    const kind = storage === 'extern' ? 'extern' : current === undefined ? 'program' : 'static';
    if (isSampler(use.type)) {
      if (use.const || space === 'constant' || current !== undefined)
        return { space: 'constant', storage: kind };
      c.reporter.report('sampler-space', location);
      return undefined;
    }
    if (space === 'constant') return { space, storage: kind };
    if (c.hasProgramScopeVariables && (space === undefined || space === 'global')) {
      return { space: 'global', storage: kind };
    }
    const where = current === undefined ? 'program scope' : storage === 'static' ? 'static local' : 'extern';
    const spaces = c.hasProgramScopeVariables ? 'global or constant' : 'constant';
    c.reporter.report('program-scope-space', location, { where, spaces });
    return undefined;
  }
  if (space === undefined || space === 'private') return { space: 'private', storage: 'local-scope' };
  if (space === 'global') {
    c.reporter.report('variable-space', location, { space });
    return undefined;
  }
  if (!current.isKernel) {
    c.reporter.report('non-kernel-variable', location, { space });
    return undefined;
  }
  if (c.symbols.depth !== current.depth) {
    c.reporter.report('local-not-outermost', location, { space });
    return undefined;
  }
  return { space, storage: 'static' };
}
