// SPDX-License-Identifier: MIT
//
// Declarations (C99, 6.7): of variables, typedefs, functions and tags.
import type { VariableDecl } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { rvalue } from '../conversions/implicit';
import type { TypeUse } from '../types/type-use';
import { checkPrototype } from './functions';
import { declareBroken } from './names';
import { checkTypedef, vectorOfAttributes } from './typedefs';
import { checkVariable } from './variables';

export function checkDeclaration(c: Checker, declaration: Syntax.Declaration): VariableDecl[] {
  const { specifiers, declarators } = declaration;
  if (specifiers.type.kind === 'auto') return checkAutoDeclaration(c, declaration);
  const base = c.rules.specifiers(c, specifiers);
  if (base === undefined) {
    for (const { declarator } of declarators) declareBroken(c, declarator.name);
    return [];
  }
  if (declarators.length === 0) {
    const { kind } = specifiers.type;
    const declares =
      (kind === 'record' || kind === 'enum') &&
      !(base.type.kind === 'record' && base.type.name === undefined);
    if (specifiers.inline) c.reporter.report('inline-not-function', specifiers.location);
    else if (specifiers.noreturn) c.reporter.report('noreturn-not-function', specifiers.location);
    else if (specifiers.storage === 'typedef') c.reporter.report('typedef-nameless', declaration.location);
    else if (!declares) c.reporter.report('declares-nothing', declaration.location);
    else warnIgnoredSpecifiers(c, specifiers);
    return [];
  }
  const variables: VariableDecl[] = [];
  for (const each of declarators) {
    const variable = checkInitDeclarator(c, specifiers, each, base);
    if (variable !== undefined) variables.push(variable);
  }
  return variables;
}

/** Returns the variables on the stack; all others are added to the unit's. */
export function checkLocalDeclaration(c: Checker, declaration: Syntax.Declaration): VariableDecl[] {
  return checkDeclaration(c, declaration).filter((variable) => variable.storage === 'local-scope');
}

/** Qualifiers of a declaration that only declares a tag. */
function warnIgnoredSpecifiers(
  c: Checker,
  { storage, storageLocation, qualifiers, location }: Syntax.Specifiers,
): void {
  if (storage !== undefined) c.reporter.report('specifier-ignored', storageLocation, { specifier: storage });
  for (const specifier of ['const', 'volatile', 'restrict'] as const)
    if (qualifiers[specifier]) c.reporter.report('specifier-ignored', location, { specifier });
}

function checkInitDeclarator(
  c: Checker,
  specifiers: Syntax.Specifiers,
  init: Syntax.InitDeclarator,
  base: TypeUse,
): VariableDecl | undefined {
  const { declarator } = init;
  const name = declarator.name!;
  const declared = c.rules.declarator(c, base, declarator);
  if (declared === undefined) {
    declareBroken(c, name);
    return undefined;
  }
  if (specifiers.storage === 'typedef') {
    if (specifiers.inline) c.reporter.report('inline-not-function', specifiers.location);
    if (specifiers.kernel) c.reporter.report('kernel-not-function', specifiers.location);
    if (declarator.parts.length === 0 && c.types.deviceSizedNames.has(specifiers.spelling)) {
      c.types.deviceSizedNames.add(name);
    }
    checkTypedef(c, name, declared.use, init, specifiers);
    return undefined;
  }
  if (declared.use.type.kind === 'function') {
    checkPrototype(c, specifiers, init, base);
    return undefined;
  }
  return checkVariable(c, specifiers, init, vectorOfAttributes(c, init, declared.use));
}

function checkAutoDeclaration(c: Checker, declaration: Syntax.Declaration): VariableDecl[] {
  const variables: VariableDecl[] = [];
  for (const each of declaration.declarators) {
    const raw = each.init && each.init.kind !== 'init-list' ? c.rules.expression(c, each.init) : undefined;
    if (raw === undefined) {
      if (each.init === undefined)
        c.reporter.report('auto-type-without-initializer', each.declarator.location);
      declareBroken(c, each.declarator.name);
      continue;
    }
    const { type } = rvalue(c, raw);
    const { qualifiers } = declaration.specifiers;
    const use: TypeUse = {
      type,
      const: qualifiers.const,
      volatile: qualifiers.volatile,
      restrict: false,
      space: qualifiers.space,
    };
    const variable = checkVariable(c, declaration.specifiers, each, use);
    if (variable !== undefined) variables.push(variable);
  }
  return variables;
}
