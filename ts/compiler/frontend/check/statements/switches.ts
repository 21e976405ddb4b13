// SPDX-License-Identifier: MIT
//
// `switch`, `case` and `default`.
import { note } from '../../../diagnostics/reporter';
import type { CaseStmt, DefaultStmt, Stmt } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { ScalarType } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { wrapInteger } from '../constants/values';
import { promote, rvalue } from '../conversions/implicit';
import { underline } from '../extents';
import type { OpenSwitch } from '../open-function';
import { asScalar, isInteger } from '../types/predicates';
import { spell } from '../types/spelling';
import { isTruthValue } from '../warnings/operators';
import { warnCaseOverflow, warnUnhandled } from '../warnings/switches';
import { requiredStatement, scopedStatement } from './compound';

/** The most values of GNU's `case a ... b:`. */
const CASE_RANGE_LIMIT = 1024;

export function checkSwitch(c: Checker, statement: Syntax.SwitchStmt): Stmt | undefined {
  const raw = c.rules.expression(c, statement.value);
  const unpromoted = raw && rvalue(c, raw);
  const value = unpromoted && promote(unpromoted);
  if (unpromoted !== undefined && isTruthValue(unpromoted)) {
    c.reporter.report('switch-bool', statement.location, {}, underline(statement.value));
  }
  let type: ScalarType | undefined;
  if (value !== undefined) {
    if (isInteger(value.type)) type = asScalar(value.type);
    else {
      const args = { type: spell(value.type) };
      c.reporter.report('switch-not-integer', statement.location, args, underline(statement.value));
    }
  }
  const context: OpenSwitch = {
    type: type ?? { kind: 'scalar', scalar: 'int' },
    switched: unpromoted?.type,
    cases: [],
    seen: new Map(),
    defaultAt: undefined,
  };
  c.function!.switches.push(context);
  c.function!.breakables++;
  const body = scopedStatement(c, statement.body);
  c.function!.breakables--;
  c.function!.switches.pop();
  if (value === undefined || type === undefined || unpromoted === undefined) return undefined;
  const enumerators = unpromoted.type.kind === 'enum' ? unpromoted.type.enumerators : undefined;
  const switched = { type: unpromoted.type, enumerators };
  const { seen, defaultAt, cases } = context;
  const made: Stmt = { kind: 'switch', value, body, cases, location: statement.location };
  if (warnUnhandled(c.reporter, switched, seen, defaultAt !== undefined, statement.value.begin))
    c.facts.exhaustive.add(made);
  return made;
}

export function checkCase(c: Checker, statement: Syntax.CaseStmt): Stmt | undefined {
  const { location } = statement;
  const context = c.function!.switches.at(-1);
  const given = checkConstantInteger(c, statement.value);
  const givenLast = statement.last === undefined ? given : checkConstantInteger(c, statement.last);
  const inType = (value: bigint | undefined) =>
    value !== undefined && context !== undefined ? wrapInteger(value, context.type.scalar) : value;
  const [first, last] = [inType(given), inType(givenLast)];
  if (context === undefined) {
    c.reporter.report('case-outside', location, { what: 'case' });
    return c.rules.statement(c, statement.body);
  }
  const values: bigint[] = [];
  if (first !== undefined && last !== undefined) {
    if (last - first >= BigInt(CASE_RANGE_LIMIT)) {
      c.reporter.report('case-range', location, { limit: CASE_RANGE_LIMIT });
    } else if (last < first) c.reporter.report('case-range-empty', statement.value.begin, {});
    else for (let value = first; value <= last; value++) values.push(value);
  }
  if (context.switched !== undefined && given !== undefined) {
    warnCaseOverflow(c.reporter, context.switched, given, statement.value.begin);
  }
  for (const value of values) {
    const before = context.seen.get(value);
    if (before === undefined) context.seen.set(value, statement.value.begin);
    else {
      const notes = [note('previous-case', before)];
      c.reporter.report('duplicate-case', statement.value.begin, { value }, { notes });
    }
  }
  // They precede labels inside the body, which is checked first.
  let place = context.cases.length + values.length;
  context.cases.length = place;
  let body: Stmt = requiredStatement(c, statement.body);
  for (const value of values.reverse()) {
    const made: CaseStmt = { kind: 'case', value, body, location };
    context.cases[--place] = made;
    body = made;
  }
  return body;
}

export function checkDefault(c: Checker, statement: Syntax.DefaultStmt): Stmt | undefined {
  const { location } = statement;
  const context = c.function!.switches.at(-1);
  if (context === undefined) {
    c.reporter.report('case-outside', location, { what: 'default' });
    return requiredStatement(c, statement.body);
  }
  // As in clang, the last one is valid, and the ones before it are duplicates.
  if (context.defaultAt !== undefined) c.reporter.report('duplicate-default', context.defaultAt);
  context.defaultAt = location;
  const place = context.cases.length++;
  const body = requiredStatement(c, statement.body);
  const made: DefaultStmt = { kind: 'default', body, location };
  context.cases[place] = made;
  return made;
}
