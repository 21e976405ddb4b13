// SPDX-License-Identifier: MIT
//
// External declarations: those at file scope (C99, 6.9).
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkDeclaration } from './declarations';
import { checkFunctionDefinition } from './functions';
import { checkPragma } from './pragmas';
import { checkStaticAssert } from './static-asserts';

export function checkExternal(c: Checker, declaration: Syntax.ExternalDeclaration): void {
  switch (declaration.kind) {
    case 'function':
      checkFunctionDefinition(c, declaration);
      return;
    case 'declaration':
      checkDeclaration(c, declaration);
      return;
    case 'pragma':
      checkPragma(c, declaration, true);
      return;
    case 'static-assert':
      checkStaticAssert(c, declaration);
      return;
    case 'empty':
      return;
  }
}
