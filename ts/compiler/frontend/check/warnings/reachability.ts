// SPDX-License-Identifier: MIT
//
// Whether control may reach the end of a function that should return a value.

import { holds } from '../../../../base/integer-arithmetic';
import type { Location } from '../../../diagnostics/diagnostic';
import type { CompoundStmt, Expr, IfStmt, Stmt } from '../../ast/checked';

/**
 * Facts of the checker about a function's statements: calls that do not return, switches without a default that cover every
 * value.
 */
export interface FlowFacts {
  readonly endless: WeakSet<Expr>;
  readonly exhaustive: WeakSet<Stmt>;
}

/** `never`: no return at all. `sometimes`: not on all paths. */
export function missingReturn(body: CompoundStmt, facts: FlowFacts): 'never' | 'sometimes' | undefined {
  const flow = new Flow(facts);
  if (!flow.passes(body, true)) return undefined;
  return flow.returns ? 'sometimes' : 'never';
}

/** Where a function that must not return does so: at a `return`, or at its end. */
export function endOf(body: CompoundStmt, facts: FlowFacts): Location | 'end' | undefined {
  const flow = new Flow(facts);
  const ends = flow.passes(body, true);
  for (const { kind, location } of flow.reached) if (kind === 'return') return location;
  return ends ? 'end' : undefined;
}

/** The reachable statements. */
export function reachedStatements(body: CompoundStmt, facts: FlowFacts): ReadonlySet<Stmt> {
  const flow = new Flow(facts);
  flow.passes(body, true);
  return flow.reached;
}

/** A label counts as reachable, since some goto refers to it. */
class Flow {
  returns = false;
  readonly reached = new Set<Stmt>();
  /** Whether the innermost breakable statement is left by a break, and the innermost loop continued. */
  private broken = false;
  private continued = false;

  constructor(private readonly facts: FlowFacts) {}

  /** Whether control leaves the statement at its end, if it enters it at its beginning. */
  passes(statement: Stmt, entered: boolean): boolean {
    if (entered) this.reached.add(statement);
    switch (statement.kind) {
      case 'return':
        this.returns ||= entered;
        return false;
      case 'goto':
        return false;
      case 'break':
        this.broken ||= entered;
        return false;
      case 'continue':
        this.continued ||= entered;
        return false;
      case 'compound': {
        let reached = entered;
        for (const each of statement.statements) reached = this.passes(each, reached);
        return reached;
      }
      case 'if':
        return this.choice(statement, entered);
      case 'label':
      case 'case':
      case 'default':
        return this.passes(statement.body, true);
      case 'expression': {
        const { expression } = statement;
        let reached = entered;
        if (expression.kind === 'statement-expression')
          for (const each of expression.statements) reached = this.passes(each, reached);
        return reached && !this.facts.endless.has(expression);
      }
      case 'while':
        return this.loop(statement.body, entered, truth(statement.condition), false);
      case 'do':
        return this.loop(statement.body, entered, truth(statement.condition), true);
      case 'for': {
        const constant = statement.condition === undefined ? true : truth(statement.condition);
        if (entered && statement.init !== undefined) this.reached.add(statement.init);
        return this.loop(statement.body, entered, constant, false);
      }
      case 'switch': {
        const { broken } = this;
        this.broken = false;
        const passed = this.passes(statement.body, false);
        const hasDefault = statement.cases.some((each) => each.kind === 'default');
        const skipped = entered && !hasDefault && !this.facts.exhaustive.has(statement);
        const result = passed || skipped || this.broken;
        this.broken = broken;
        return result;
      }
      default:
        return entered;
    }
  }

  /** Chains of `else if` may be long. */
  private choice(statement: IfStmt, entered: boolean): boolean {
    let passes = false;
    let reached = entered;
    for (let at = statement; ; ) {
      if (reached) this.reached.add(at);
      const constant = truth(at.condition);
      if (this.passes(at.then, reached && constant !== false)) passes = true;
      reached &&= constant !== true;
      const { otherwise } = at;
      if (otherwise?.kind === 'if') at = otherwise;
      else return (otherwise === undefined ? reached : this.passes(otherwise, reached)) || passes;
    }
  }

  private loop(body: Stmt, entered: boolean, constant: boolean | undefined, bodyFirst: boolean): boolean {
    const { broken, continued } = this;
    this.broken = false;
    this.continued = false;
    const passed = this.passes(body, entered && (bodyFirst || constant !== false));
    const tested = bodyFirst ? passed || this.continued : entered || passed;
    const result = (tested && constant !== true) || this.broken;
    this.broken = broken;
    this.continued = continued;
    return result;
  }
}

/** Of logical expressions: each operand of a long chain is asked for the value of all that precede it. */
const known = new WeakMap<Expr, { readonly value: boolean | undefined }>();

/** The value of a constant condition. */
export function truth(condition: Expr): boolean | undefined {
  if (condition.kind !== 'logical') return constantTruth(condition);
  const before = known.get(condition);
  if (before) return before.value;
  const value = constantTruth(condition);
  known.set(condition, { value });
  return value;
}

function constantTruth(condition: Expr): boolean | undefined {
  switch (condition.kind) {
    case 'integer':
      return condition.value !== 0n;
    case 'not': {
      const operand = truth(condition.operand);
      return operand === undefined ? undefined : !operand;
    }
    case 'logical': {
      const [left, right] = [truth(condition.left), truth(condition.right)];
      const decisive = condition.op === '||';
      if (left === decisive || right === decisive) return decisive;
      return left === undefined || right === undefined ? undefined : !decisive;
    }
    case 'compare': {
      const { left, right, op } = condition;
      if (left.kind !== 'integer' || right.kind !== 'integer') return undefined;
      return holds(op, left.value, right.value);
    }
    case 'load': {
      if (condition.from.kind !== 'variable-ref') return undefined;
      const { init, type } = condition.from.variable;
      return init?.kind === 'integer' && type.const && !type.volatile ? init.value !== 0n : undefined;
    }
    case 'cast':
      return condition.cast === 'integer' || condition.cast === 'to-bool'
        ? truth(condition.operand)
        : undefined;
    default:
      return undefined;
  }
}
