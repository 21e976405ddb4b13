// SPDX-License-Identifier: MIT
//
// `switch`, `case` and `default`.
import type { Location } from '../../../diagnostics/diagnostic';
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

/** The most values of GNU's `case a ... b:` that become cases of their own. */
const CASES_OF_RANGE = 1024n;

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
    ranges: [],
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
  const { defaultAt, cases } = context;
  const made: Stmt = { kind: 'switch', value, body, cases, location: statement.location };
  if (warnUnhandled(c.reporter, switched, context, defaultAt !== undefined, statement.value.begin))
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
  if (context.switched !== undefined && given !== undefined) {
    warnCaseOverflow(c.reporter, context.switched, given, statement.value.begin);
  }
  if (first === undefined || last === undefined) return requiredStatement(c, statement.body);
  if (last < first) c.reporter.report('case-range-empty', statement.value.begin, {});
  const isLong = last - first >= CASES_OF_RANGE;
  const values = isLong ? [first] : [...numbersBetween(first, last)];
  reportDuplicates(c, context, values, isLong ? last : undefined, statement.value.begin);
  // They precede labels inside the body, which is checked first.
  let place = context.cases.length + values.length;
  context.cases.length = place;
  let body: Stmt = requiredStatement(c, statement.body);
  for (const value of values.reverse()) {
    const made: CaseStmt = { kind: 'case', value, ...(isLong ? { last } : {}), body, location };
    context.cases[--place] = made;
    body = made;
  }
  return body;
}

function* numbersBetween(first: bigint, last: bigint): Generator<bigint> {
  for (let value = first; value <= last; value++) yield value;
}

/** Reports values that another case of the switch has, and notes these for later ones. */
function reportDuplicates(
  { reporter }: Checker,
  { seen, ranges }: OpenSwitch,
  values: readonly bigint[],
  last: bigint | undefined,
  at: Location,
): void {
  const report = (value: bigint, before: Location): void =>
    reporter.report('duplicate-case', at, { value }, { notes: [note('previous-case', before)] });
  for (const value of values) {
    const range = ranges.find((other) => other.first <= (last ?? value) && value <= other.last);
    const before = seen.get(value);
    if (range) report(value > range.first ? value : range.first, range.at);
    else if (before) report(value, before);
    else if (last === undefined) seen.set(value, at);
  }
  if (last === undefined) return;
  const [first] = values as [bigint];
  for (const [value, before] of seen) if (first < value && value <= last) report(value, before);
  ranges.push({ first, last, at });
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
