// SPDX-License-Identifier: MIT
//
// -Wunsequenced: a variable that an expression modifies twice, or modifies and reads, with no order between the two.
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import type * as Syntax from '../../ast/syntax';

type Places = Map<string, Location>;

/** The effects of an expression's evaluation on variables, and their places. */
interface Effects {
  readonly reads: Places;
  /** Modifications that are complete when the value is computed. */
  readonly done: Places;
  /** … and modifications that may be complete later. */
  readonly pending: Places;
}

const NOTHING: Places = new Map();
const NO_EFFECTS: Effects = { reads: NOTHING, done: NOTHING, pending: NOTHING };

/** Checks a full expression: a statement's, a condition, an initializer. */
export function warnUnsequenced(reporter: Reporter, expr: Syntax.Expr): void {
  // Nearly all expressions modify only the target of their assignment.
  const whole = expr.kind === 'assign' ? expr.right : expr.kind === 'postfix' ? expr.operand : expr;
  if (!modifies(whole) && !(expr.kind === 'assign' && modifies(expr.left))) return;
  new Sequencing(reporter).effects(expr);
}

class Sequencing {
  private readonly reported = new Set<string>();

  constructor(private readonly reporter: Reporter) {}

  effects(expr: Syntax.Expr): Effects {
    switch (expr.kind) {
      case 'name':
        return { ...NO_EFFECTS, reads: new Map([[expr.name, expr.location]]) };
      case 'paren':
        return this.effects(expr.inner);
      case 'unary':
        if (expr.op === '++' || expr.op === '--') return this.increment(expr);
        return expr.op === '&' ? this.place(expr.operand) : this.effects(expr.operand);
      case 'postfix':
        return this.increment(expr);
      case 'cast':
      case 'astype':
        return this.effects(expr.operand);
      case 'member':
        return expr.arrow ? this.effects(expr.base) : this.place(expr.base);
      case 'index':
        return this.unordered([this.effects(expr.base), this.effects(expr.index)]);
      case 'binary':
        return this.binary(expr);
      case 'assign':
        return this.assignment(expr);
      case 'conditional': {
        const condition = finished(this.effects(expr.condition));
        const sides = [expr.then, expr.otherwise].map((side) => (side ? this.effects(side) : NO_EFFECTS));
        return [condition, ...sides].reduce(join);
      }
      case 'call':
        // The arguments' effects are complete when the function runs.
        return finished(this.unordered(expr.arguments.map((argument) => this.effects(argument))));
      case 'init-list':
        return this.unordered(expr.items.map(({ value }) => this.effects(value)));
      default:
        return NO_EFFECTS;
    }
  }

  /** The effects of an lvalue that is not read. */
  private place(expr: Syntax.Expr): Effects {
    if (expr.kind === 'paren') return this.place(expr.inner);
    return expr.kind === 'name' ? NO_EFFECTS : this.effects(expr);
  }

  private increment({ operand, location }: Syntax.UnaryExpr | Syntax.PostfixExpr): Effects {
    const name = nameOf(operand);
    if (name === undefined) return this.place(operand);
    return { ...NO_EFFECTS, pending: new Map([[name, location]]) };
  }

  private assignment({ left, right, op, location }: Syntax.AssignExpr): Effects {
    const name = nameOf(left);
    const value = this.effects(right);
    if (name === undefined) return this.unordered([this.place(left), value]);
    const before = value.pending.get(name);
    if (before !== undefined) this.report('unsequenced-modifications', name, before);
    const own = new Map([[name, location]]);
    const reads = op === undefined ? NOTHING : own;
    return join(value, { reads, done: NOTHING, pending: own });
  }

  /** Chains grow to the left: they are walked, not recursed into. */
  private binary(expr: Syntax.BinaryExpr): Effects {
    const chain: Syntax.BinaryExpr[] = [];
    let at: Syntax.Expr = expr;
    while (at.kind === 'binary') {
      chain.push(at);
      at = at.left;
    }
    let left = this.effects(at);
    for (const { op, right } of chain.reverse()) {
      const inOrder = op === ',' || op === '&&' || op === '||';
      const other = this.effects(right);
      left = inOrder ? join(finished(left), other) : this.unordered([left, other]);
    }
    return left;
  }

  /** The union of the effects of unsequenced parts, after a check for conflicts between them. */
  private unordered(parts: readonly Effects[]): Effects {
    return parts.reduce((left, right) => {
      this.compare(left, right);
      this.compare(right, left);
      return join(left, right);
    }, NO_EFFECTS);
  }

  private compare(a: Effects, b: Effects): void {
    for (const modified of [a.pending, a.done]) {
      for (const [name, location] of modified) {
        if (b.pending.has(name) || b.done.has(name)) this.report('unsequenced-modifications', name, location);
        else if (b.reads.has(name)) this.report('unsequenced-access', name, location);
      }
    }
  }

  private report(
    code: 'unsequenced-modifications' | 'unsequenced-access',
    name: string,
    location: Location,
  ): void {
    if (this.reported.has(name)) return;
    this.reported.add(name);
    this.reporter.report(code, location, { name });
  }
}

const union = (a: Places, b: Places): Places => (a.size === 0 ? b : b.size === 0 ? a : new Map([...a, ...b]));
const join = (a: Effects, b: Effects): Effects => ({
  reads: union(a.reads, b.reads),
  done: union(a.done, b.done),
  pending: union(a.pending, b.pending),
});
const finished = ({ reads, done, pending }: Effects): Effects => ({
  reads,
  done: union(done, pending),
  pending: NOTHING,
});

function nameOf(expr: Syntax.Expr): string | undefined {
  if (expr.kind === 'paren') return nameOf(expr.inner);
  return expr.kind === 'name' ? expr.name : undefined;
}

/** Whether the expression modifies anything. */
function modifies(expr: Syntax.Expr): boolean {
  switch (expr.kind) {
    case 'assign':
    case 'postfix':
      return true;
    case 'unary':
      return expr.op === '++' || expr.op === '--' || modifies(expr.operand);
    case 'paren':
      return modifies(expr.inner);
    case 'cast':
    case 'astype':
      return modifies(expr.operand);
    case 'member':
      return modifies(expr.base);
    case 'index':
      return modifies(expr.base) || modifies(expr.index);
    case 'binary': {
      let at: Syntax.Expr = expr;
      while (at.kind === 'binary') {
        if (modifies(at.right)) return true;
        at = at.left;
      }
      return modifies(at);
    }
    case 'conditional':
      return (
        modifies(expr.condition) ||
        (expr.then !== undefined && modifies(expr.then)) ||
        modifies(expr.otherwise)
      );
    case 'call':
      return expr.arguments.some(modifies);
    case 'init-list':
      return expr.items.some(({ value }) => modifies(value));
    default:
      return false;
  }
}
