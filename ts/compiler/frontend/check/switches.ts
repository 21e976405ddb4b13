// SPDX-License-Identifier: MIT
//
// `switch`, `case` and `default`.
import type { Location } from '../../diagnostics/diagnostic';
import { note } from '../../diagnostics/reporter';
import type { CaseStmt, DefaultStmt, Stmt } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ScalarType, Type } from '../types';
import { wrapInteger } from './constant-values';
import { ExpressionChecker } from './expressions';
import { spell } from './spelling';
import { asScalar, isInteger } from './type-rules';
import { isTruthValue } from './warnings/operators';
import { warnCaseOverflow, warnUnhandled } from './warnings/switches';

interface Switch {
  readonly type: ScalarType;
  /** The type before promotion. */
  readonly switched: Type | undefined;
  /** In the order of the source. */
  readonly cases: (CaseStmt | DefaultStmt)[];
  readonly seen: Map<bigint, Location>;
  /** Where its `default` is. */
  defaultAt: Location | undefined;
}

/** What GNU's `case a ... b:` may span. */
const CASE_RANGE_LIMIT = 1024;

export abstract class SwitchChecker extends ExpressionChecker {
  /** Those around the current statement. */
  protected switches: Switch[] = [];
  /** How many statements around the current one a `break` may leave. */
  protected breakables = 0;
  /** Switches that have a case for each value of their enum. */
  protected readonly exhaustive = new WeakSet<Stmt>();

  protected abstract statement(statement: Syntax.Stmt): Stmt | undefined;
  protected abstract required(statement: Syntax.Stmt): Stmt;
  protected abstract scoped(statement: Syntax.Stmt): Stmt;

  protected switchStatement(statement: Syntax.SwitchStmt): Stmt | undefined {
    const raw = this.expression(statement.value);
    const unpromoted = raw && this.value(raw);
    const value = unpromoted && this.promote(unpromoted);
    if (unpromoted !== undefined && isTruthValue(unpromoted)) {
      this.reporter.report('switch-bool', statement.location, {}, this.underline(statement.value));
    }
    let type: ScalarType | undefined;
    if (value !== undefined) {
      if (isInteger(value.type)) type = asScalar(value.type);
      else {
        const args = { type: spell(value.type) };
        this.reporter.report('switch-not-integer', statement.location, args, this.underline(statement.value));
      }
    }
    const context: Switch = {
      type: type ?? { kind: 'scalar', scalar: 'int' },
      switched: unpromoted?.type,
      cases: [],
      seen: new Map(),
      defaultAt: undefined,
    };
    this.switches.push(context);
    this.breakables++;
    const body = this.scoped(statement.body);
    this.breakables--;
    this.switches.pop();
    if (value === undefined || type === undefined || unpromoted === undefined) return undefined;
    const enumerators = unpromoted.type.kind === 'enum' ? unpromoted.type.enumerators : undefined;
    const switched = { type: unpromoted.type, enumerators };
    const { seen, defaultAt, cases } = context;
    const made: Stmt = { kind: 'switch', value, body, cases, location: statement.location };
    if (warnUnhandled(this.reporter, switched, seen, defaultAt !== undefined, statement.value.begin))
      this.exhaustive.add(made);
    return made;
  }

  protected caseStatement(statement: Syntax.CaseStmt): Stmt | undefined {
    const { location } = statement;
    const context = this.switches.at(-1);
    const given = this.constantInteger(statement.value);
    const givenLast = statement.last === undefined ? given : this.constantInteger(statement.last);
    const inType = (value: bigint | undefined) =>
      value !== undefined && context !== undefined ? wrapInteger(value, context.type.scalar) : value;
    const [first, last] = [inType(given), inType(givenLast)];
    if (context === undefined) {
      this.reporter.report('case-outside', location, { what: 'case' });
      return this.statement(statement.body);
    }
    const values: bigint[] = [];
    if (first !== undefined && last !== undefined) {
      if (last - first >= BigInt(CASE_RANGE_LIMIT)) {
        this.reporter.report('case-range', location, { limit: CASE_RANGE_LIMIT });
      } else if (last < first) this.reporter.report('case-range-empty', statement.value.begin, {});
      else for (let value = first; value <= last; value++) values.push(value);
    }
    if (context.switched !== undefined && given !== undefined) {
      warnCaseOverflow(this.reporter, context.switched, given, statement.value.begin);
    }
    for (const value of values) {
      const before = context.seen.get(value);
      if (before === undefined) context.seen.set(value, statement.value.begin);
      else {
        const notes = [note('previous-case', before)];
        this.reporter.report('duplicate-case', statement.value.begin, { value }, { notes });
      }
    }
    // Their places come before those of labels inside of the body, which is checked first.
    let place = context.cases.length + values.length;
    context.cases.length = place;
    let body: Stmt = this.required(statement.body);
    for (const value of values.reverse()) {
      const made: CaseStmt = { kind: 'case', value, body, location };
      context.cases[--place] = made;
      body = made;
    }
    return body;
  }

  protected defaultStatement(statement: Syntax.DefaultStmt): Stmt | undefined {
    const { location } = statement;
    const context = this.switches.at(-1);
    if (context === undefined) {
      this.reporter.report('case-outside', location, { what: 'default' });
      return this.required(statement.body);
    }
    // As in clang the last one is right, and those before it are too many.
    if (context.defaultAt !== undefined) this.reporter.report('duplicate-default', context.defaultAt);
    context.defaultAt = location;
    const place = context.cases.length++;
    const body = this.required(statement.body);
    const made: DefaultStmt = { kind: 'default', body, location };
    context.cases[place] = made;
    return made;
  }
}
