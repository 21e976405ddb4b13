// SPDX-License-Identifier: MIT
//
// Operators with the form of calls, some of whose arguments are types.

import type { Location } from '../../../diagnostics/diagnostic';
import type { AsTypeExpr, Designator, Expr, TypeName } from '../../ast/syntax';
import { parseFieldDesignator, parseIndexDesignator } from '../declarations/designators';
import type { Parser } from '../parser';

export function parseOffsetof(p: Parser): Expr {
  const { location } = p.next();
  const opener = p.open('(');
  const type = p.rules.typeName(p);
  p.expect(',');
  const path: Designator[] = [parseFieldDesignator(p)];
  for (;;) {
    if (p.accept('.')) path.push(parseFieldDesignator(p));
    else if (p.is('[')) path.push(parseIndexDesignator(p));
    else break;
  }
  p.close(')', opener);
  return { kind: 'offsetof', type, path, location, begin: location, end: p.previousEnd };
}

export function parseAsType(p: Parser, form: AsTypeExpr['form']): Expr {
  const { location } = p.next();
  const opener = p.open('(');
  let operand: Expr;
  let type: TypeName;
  if (form === 'bit-cast') {
    type = p.rules.typeName(p);
    p.expect(',');
    operand = p.rules.assignment(p);
  } else {
    operand = p.rules.assignment(p);
    p.expect(',');
    type = p.rules.typeName(p);
  }
  p.close(')', opener);
  return { kind: 'astype', form, operand, type, location, begin: location, end: p.previousEnd };
}

export function parseTypesCompatible(p: Parser): Expr {
  const { location } = p.next();
  const opener = p.open('(');
  const left = p.rules.typeName(p);
  p.expect(',');
  const right = p.rules.typeName(p);
  p.close(')', opener);
  return { kind: 'types-compatible', left, right, location, begin: location, end: p.previousEnd };
}

export function parseGeneric(p: Parser): Expr {
  const { location } = p.next();
  const opener = p.open('(');
  const control = p.rules.assignment(p);
  const cases: { type: TypeName | undefined; value: Expr; location: Location }[] = [];
  while (p.accept(',')) {
    const at = p.token.location;
    let type: TypeName | undefined;
    if (p.isWord('default')) p.next();
    else type = p.rules.typeName(p);
    p.expect(':');
    cases.push({ type, value: p.rules.assignment(p), location: at });
  }
  p.close(')', opener);
  return { kind: 'generic', control, cases, location, begin: location, end: p.previousEnd };
}
