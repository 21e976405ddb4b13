// SPDX-License-Identifier: MIT
//
// Whether control may reach the end of a function that should return a value.
import type { CompoundStmt, Expr, IfStmt, Stmt } from '../../ast/checked';

/** What of a function's statements the checker knows besides: calls that do not return, switches without a default that take every value. */
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

/** A label counts as reachable: somebody goes there, or it would not be. */
class Flow {
  returns = false;
  /** Whether the innermost breakable statement is left by a break, and the innermost loop continued. */
  private broken = false;
  private continued = false;

  constructor(private readonly facts: FlowFacts) {}

  /** Whether control leaves the statement at its end, if it enters it at its beginning. */
  passes(statement: Stmt, entered: boolean): boolean {
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
      case 'expression':
        return entered && !this.facts.endless.has(statement.expression);
      case 'while':
        return this.loop(statement.body, entered, truth(statement.condition), false);
      case 'do':
        return this.loop(statement.body, entered, truth(statement.condition), true);
      case 'for': {
        const constant = statement.condition === undefined ? true : truth(statement.condition);
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

const truth = (condition: Expr): boolean | undefined =>
  condition.kind === 'integer' ? condition.value !== 0n : undefined;
