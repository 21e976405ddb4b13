// SPDX-License-Identifier: MIT
//
// Attributes, and the pragmas that change how declarations are read.
import type { Attribute, Expr, TypeName } from '../ast/syntax';
import type { Token } from '../lex/token';
import { NameParser } from './names';

const DOUBLE_PRAGMA = /^OPENCL\s+EXTENSION\s+(?:cl_khr_fp64|all)\s*:\s*(enable|disable)\b/;

export abstract class AttributeParser extends NameParser {
  private readonly packs: { readonly pack: number | undefined; readonly label: string }[] = [];
  protected pack: number | undefined;

  /** Appends the attributes that stand here, if any. */
  protected attributes(before: readonly Attribute[]): readonly Attribute[] {
    let all: Attribute[] | undefined;
    while (this.keyword()?.kind === 'attribute') {
      this.next();
      const outer = this.open('(');
      const inner = this.open('(');
      all ??= [...before];
      while (!this.is(')')) {
        if (this.accept(',')) continue;
        all.push(this.attribute());
        if (!this.is(',')) break;
      }
      this.close(')', inner);
      this.close(')', outer);
    }
    return all ?? before;
  }

  /** `_Alignas(16)` and `_Alignas(int4)` of C11: what `aligned` says. */
  protected alignas(): Attribute {
    const { location } = this.next();
    const opener = this.open('(');
    const begin = this.token.location;
    const operand = this.isTypeStart() ? this.typeName() : this.conditional();
    this.close(')', opener);
    const alignment: Expr =
      operand.kind === 'type-name'
        ? { kind: 'type-query', query: 'alignof', operand, location: begin, begin, end: operand.end }
        : operand;
    return { name: 'aligned', arguments: [alignment], type: undefined, isAlignas: true, location };
  }

  private attribute(): Attribute {
    const { text, location, kind } = this.token;
    if (kind !== 'identifier') this.fail('expected-identifier');
    this.next();
    const name = text.startsWith('__') && text.endsWith('__') && text.length > 4 ? text.slice(2, -2) : text;
    const args: Expr[] = [];
    let type: TypeName | undefined;
    if (this.is('(')) {
      const opener = this.open('(');
      while (!this.is(')')) {
        if (name === 'vec_type_hint' && this.isTypeStart()) {
          type = this.typeName();
          break;
        }
        args.push(this.conditional());
        if (!this.accept(',')) break;
      }
      this.close(')', opener);
    }
    return { name, arguments: args, type, location };
  }

  /** Keeps `#pragma pack`; false for other pragmas, which are the checker's. */
  protected pragma(token: Token): boolean {
    const double = DOUBLE_PRAGMA.exec(token.text);
    if (double) this.doubleEnabled = double[1] !== 'disable';
    const match = /^pack\s*\(\s*(?:(push|pop)\s*(?:,\s*([A-Za-z_]\w*)\s*)?)?(?:,?\s*(\d+)\s*)?\)/.exec(
      token.text,
    );
    if (!match) {
      const isPack = /^pack\b/.test(token.text);
      if (isPack) this.reporter.report('pragma-pack', token.location);
      return isPack;
    }
    if (match[0].length < token.text.trimEnd().length)
      this.reporter.report('pragma-pack-extra', token.location);
    const [, action, label = '', width] = match;
    if (action === 'push') this.packs.push({ pack: this.pack, label });
    if (action === 'pop') {
      let top = this.packs.pop();
      while (top !== undefined && label !== '' && top.label !== label) top = this.packs.pop();
      this.pack = top?.pack;
    }
    if (width !== undefined) this.pack = Number(width) || undefined;
    else if (action === undefined) this.pack = undefined;
    return true;
  }
}
