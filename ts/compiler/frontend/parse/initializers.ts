// SPDX-License-Identifier: MIT
//
// Initializers: lists in braces and their designators.
import type { Designator, ErrorExpr, Expr, InitItem, InitList } from '../ast/syntax';
import { SYNTAX_ERROR } from './cursor';
import { LiteralParser } from './literals';

export abstract class InitializerParser extends LiteralParser {
  protected abstract assignment(): Expr;
  protected abstract conditional(): Expr;

  /** What stands behind `=`. */
  protected initializer(): Expr {
    return this.is('{') ? this.initList() : this.assignment();
  }

  protected initList(): InitList | ErrorExpr {
    const begin = this.token.location;
    const { depth } = this;
    try {
      return this.bracedList();
    } catch (error) {
      this.unwind(error, depth + 1);
      if (this.depth > depth) {
        this.skipUntil(['}'], 'only');
        this.unwind(error, depth);
      }
      return { kind: 'error', location: begin, begin, end: this.previousEnd };
    }
  }

  /** Braces where an expression should be; what is in them is not looked at. */
  protected misplacedList(): Expr {
    const begin = this.token.location;
    this.reporter.report('expected-expression', begin);
    this.skipUntil([',', ')'], 'only');
    return { kind: 'error', location: begin, begin, end: this.previousEnd };
  }

  private bracedList(): InitList {
    const begin = this.open('{');
    const items: InitItem[] = [];
    while (!this.is('}')) {
      const designators: Designator[] = [];
      for (;;) {
        if (this.is('.')) {
          this.next();
          designators.push(this.fieldDesignator());
        } else if (this.is('[')) designators.push(this.indexDesignator());
        else break;
      }
      if (designators.length > 0) this.designated(designators);
      else if (this.isIdentifier() && this.isAt(1, ':')) {
        this.reporter.report('designator-old-style', this.token.location);
        designators.push(this.fieldDesignator());
        this.next();
      }
      items.push({ designators, value: this.initializer() });
      if (!this.accept(',')) break;
    }
    if (!this.close('}', begin)) throw SYNTAX_ERROR;
    return { kind: 'init-list', items, location: begin, begin, end: this.previousEnd };
  }

  private designated(designators: readonly Designator[]): void {
    if (this.accept('=')) return;
    const [first] = designators;
    if (designators.length === 1 && first!.kind === 'index') {
      this.reporter.report('designator-missing-equal', this.token.location);
      return;
    }
    this.reporter.report('expected-designator', this.token.location);
    throw SYNTAX_ERROR;
  }

  protected fieldDesignator(): Designator {
    const { text, location, kind } = this.token;
    if (kind !== 'identifier') this.fail('expected-identifier');
    this.next();
    return { kind: 'field', name: text, location };
  }

  protected indexDesignator(): Designator {
    const location = this.open('[');
    const index = this.conditional();
    const last = this.accept('...') ? this.conditional() : undefined;
    this.close(']', location);
    return { kind: 'index', index, last, location };
  }
}
