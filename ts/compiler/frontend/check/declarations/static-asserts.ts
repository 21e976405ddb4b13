// SPDX-License-Identifier: MIT
//
// `_Static_assert`.
import type * as Syntax from '../../ast/syntax';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { underline } from '../extents';

export function checkStaticAssert(c: Checker, declaration: Syntax.StaticAssert): void {
  const value = checkConstantInteger(c, declaration.condition);
  if (declaration.message === undefined)
    c.reporter.report('static-assert-without-message', declaration.location);
  if (value !== 0n) return;
  const text = declaration.message ? `: ${new TextDecoder().decode(declaration.message.bytes)}` : '';
  c.reporter.report(
    'static-assert-failed',
    declaration.condition.begin,
    { text },
    underline(declaration.condition),
  );
}
