// SPDX-License-Identifier: MIT
//
// `return`.
import type { Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { sameType, VOID } from '../../types';
import type { Checker } from '../checker';
import { convertAsIfAssigned } from '../conversions/assignment';
import { rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import { spell } from '../types/spelling';
import { warnUnsequenced } from '../warnings/sequencing';
import { warnStackAddress } from '../warnings/stack-addresses';

export function checkReturn(c: Checker, statement: Syntax.ReturnStmt): Stmt | undefined {
  const { location } = statement;
  const current = c.function!;
  const raw = statement.value && c.rules.expression(c, statement.value);
  if (statement.value !== undefined && raw === undefined)
    return { kind: 'return', value: undefined, location };
  const value = raw && rvalue(c, raw);
  if (current.isBroken) return { kind: 'return', value, location };
  if (current.result === undefined) {
    current.result = value?.type ?? VOID;
    current.resultIsInferred = true;
  }
  const { result } = current;
  if (current.resultIsInferred && value !== undefined && !sameType(value.type, result)) {
    const types = { type: spell(value.type), before: spell(result) };
    c.reporter.report('block-result-differs', location, types, underline(statement.value!));
    return undefined;
  }
  const name = current.entity?.name ?? 'block';
  if (value === undefined) {
    if (result.kind !== 'void') c.reporter.report('return-without-value', location, { name });
    return { kind: 'return', value: undefined, location };
  }
  if (result.kind === 'void') {
    if (value.type.kind === 'void') {
      c.reporter.report('return-void-expression', location, { name }, underline(statement.value!));
      return { kind: 'return', value, location };
    }
    c.reporter.report('return-with-value', location, { name }, underline(statement.value!));
    return undefined;
  }
  warnStackAddress(c.reporter, value, statement.value!);
  warnUnsequenced(c.reporter, statement.value!);
  const converted = convertAsIfAssigned(c, value, result, { what: 'return' }, statement.value!);
  return converted && { kind: 'return', value: converted, location };
}
