// SPDX-License-Identifier: MIT
//
// Which names are types where: C cannot be parsed without.
import type { Token } from '../lex/token';
import { predefinedType } from '../predefined-types';
import { ExpressionParser } from './expressions';

/** Kinds of keywords that can begin the specifiers of a type name. */
const TYPE_STARTS: ReadonlySet<string> = new Set([
  'base',
  'image',
  'qualifier',
  'space',
  'access',
  'record',
  'enum',
  'typeof',
  'auto-type',
  'pipe',
]);
/** … and those that can only begin a declaration's. */
const DECLARATION_STARTS: ReadonlySet<string> = new Set([
  'storage',
  'inline',
  'kernel',
  'noreturn',
  'attribute',
  'alignas',
  'static-assert',
  'unsupported',
]);

/** What can follow the name that a declarator declares. */
const BEHIND_NAME: ReadonlySet<string> = new Set(['=', ';', ',', '[', '(', ')', '{', '}']);

export abstract class NameParser extends ExpressionParser {
  /** Names of the scopes around the current token: true for typedefs, false for all others. */
  private readonly names = new Map<string, boolean>();
  private readonly hidden: { readonly name: string; readonly was: boolean | undefined }[] = [];
  private scopes = 0;

  /** Declares a name in the innermost scope. */
  protected declareName(name: string | undefined, isTypedef: boolean): void {
    if (name === undefined) return;
    const was = this.names.get(name);
    if (was === isTypedef) return;
    // At file scope that is an error, and what follows goes on meaning the type.
    if (this.scopes === 0 && predefinedType(name, this.language) !== undefined) return;
    this.hidden.push({ name, was });
    this.names.set(name, isTypedef);
  }

  protected inScope<T>(parse: () => T): T {
    const mark = this.hidden.length;
    this.scopes++;
    try {
      return parse();
    } finally {
      this.scopes--;
      while (this.hidden.length > mark) {
        const { name, was } = this.hidden.pop()!;
        if (was === undefined) this.names.delete(name);
        else this.names.set(name, was);
      }
    }
  }

  protected isTypeNameToken(token: Token): boolean {
    if (token.kind !== 'identifier') return false;
    return this.names.get(token.text) ?? predefinedType(token.text, this.language) !== undefined;
  }

  protected isTypeStart(distance = 0): boolean {
    const token = this.peek(distance);
    if (token.kind !== 'identifier') return false;
    const keyword = this.keywords.get(token.text);
    return keyword === undefined ? this.isTypeNameToken(token) : TYPE_STARTS.has(keyword.kind);
  }

  private isBehindName({ kind, text }: Token): boolean {
    return kind === 'end' || (kind === 'punctuator' && BEHIND_NAME.has(text));
  }

  protected isDeclarationStart(): boolean {
    const { token } = this;
    if (token.kind !== 'identifier') return false;
    const keyword = this.keywords.get(token.text);
    if (keyword === undefined) {
      if (this.isTypeNameToken(token)) return !this.isAt(1, ':');
      // `unknown x;`: only a declaration looks like this.
      return !this.names.has(token.text) && this.isIdentifier(this.peek()) && this.isBehindName(this.peek(2));
    }
    if (keyword.kind === 'extension') {
      const next = this.peek();
      const kind = this.keyword(next)?.kind;
      return kind === undefined
        ? this.isTypeNameToken(next)
        : TYPE_STARTS.has(kind) || DECLARATION_STARTS.has(kind);
    }
    return TYPE_STARTS.has(keyword.kind) || DECLARATION_STARTS.has(keyword.kind);
  }
}
