// SPDX-License-Identifier: MIT
import type { Diagnostic } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { Unit } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ResolveBuiltin } from '../builtins/builtin';
import type { LanguageOptions } from '../language';
import type { Token } from '../lex/token';
import { Parser } from '../parse/parser';
import { FunctionChecker } from './functions';

/** Extensions that programs name in pragmas though they bring nothing that a device could lack. */
const EXTENSION_NAME = /^(?:cl|__opencl_c)_\w+$/;

class UnitChecker extends FunctionChecker {
  check(parser: Parser): Unit {
    const { diagnostics } = this.reporter;
    for (;;) {
      const before = diagnostics.length;
      const declaration = parser.external();
      if (declaration !== undefined) this.external(declaration);
      if (parser.doubtful.length > 0) this.withdrawExplained(parser);
      if (diagnostics.length > before + 1) inSourceOrder(diagnostics, before);
      if (declaration === undefined) break;
    }
    this.completeTentative();
    this.checkRecursion();
    const { functions, variables, usesGenericSpace } = this;
    return { functions, variables, usesGenericSpace };
  }

  /** Drops messages of the parser that a mistake found since explains. */
  private withdrawExplained({ doubtful }: Parser): void {
    const { diagnostics, sources } = this.reporter;
    for (const { diagnostic, begin, end } of doubtful.splice(0)) {
      const [from, to] = [sources.position(begin), sources.position(end)];
      const explained = diagnostics.some((each) => {
        const { severity, position } = each;
        if (
          each === diagnostic ||
          severity !== 'error' ||
          !position ||
          !from ||
          !to ||
          position.file !== from.file
        )
          return false;
        const isBehind =
          position.line > from.line || (position.line === from.line && position.column >= from.column);
        return (
          isBehind && (position.line < to.line || (position.line === to.line && position.column < to.column))
        );
      });
      if (explained) this.reporter.withdraw(diagnostic);
    }
  }

  private external(declaration: Syntax.ExternalDeclaration): void {
    switch (declaration.kind) {
      case 'function':
        this.define(declaration);
        return;
      case 'declaration':
        this.declaration(declaration);
        return;
      case 'pragma':
        this.pragma(declaration);
        return;
      case 'static-assert':
        this.staticAssert(declaration);
        return;
      case 'empty':
        return;
    }
  }

  protected pragma({ text, location }: Syntax.Pragma): void {
    const contract = /^(?:OPENCL|STDC)\s+(FP_CONTRACT|CX_LIMITED_RANGE)\b\s*(\w*)\s*(.*)/.exec(text);
    if (contract) {
      const [, name, value = '', more] = contract;
      if (!/^(?:ON|OFF|DEFAULT)$/.test(value)) this.reporter.report('pragma-switch', location);
      else if (more !== '') this.reporter.report('pragma-extra', location);
      else if (name === 'FP_CONTRACT') this.contract = value !== 'OFF';
      return;
    }
    if (/^STDC\b/.test(text)) {
      const isAccess = /^STDC\s+FENV_ACCESS\b/.test(text);
      this.reporter.report(isAccess ? 'pragma-access' : 'pragma-standard', location);
      return;
    }
    const extension = /^OPENCL\s+EXTENSION\s+(\w+)\s*:\s*(\w+)\s*(.*)/.exec(text);
    if (extension === null) {
      if (/^OPENCL\s+EXTENSION\b/.test(text)) this.reporter.report('pragma-extension-form', location);
      return;
    }
    const [, name = '', behaviour = '', more = ''] = extension;
    if (more !== '') this.reporter.report('pragma-extension-extra', location);
    this.extension(name, behaviour, location);
  }

  private extension(name: string, behaviour: string, location: number): void {
    if (name === 'all') {
      if (behaviour === 'disable') this.enabledExtensions.clear();
      else this.reporter.report('pragma-extension-all', location);
      return;
    }
    if (behaviour === 'disable') this.enabledExtensions.delete(name);
    else if (behaviour === 'enable' || behaviour === 'require') {
      if (this.has(name)) this.enabledExtensions.add(name);
      else {
        const code = EXTENSION_NAME.test(name) ? 'extension-unsupported' : 'extension-unknown';
        this.reporter.report(code, location, { name });
      }
    } else if (behaviour !== 'begin' && behaviour !== 'end')
      this.reporter.report('pragma-extension-form', location);
  }
}

/** Within one declaration the parser's messages come before the checker's: puts those from `first` on in order. */
function inSourceOrder(diagnostics: Diagnostic[], first: number): void {
  const tail = diagnostics.slice(first);
  const file = tail[0]!.position?.file;
  if (tail.some(({ position }) => position === undefined || position.file !== file)) return;
  tail.sort((a, b) => a.position!.line - b.position!.line);
  diagnostics.splice(first, tail.length, ...tail);
}

/**
 * Parses and checks a translation unit. Undefined if there was an error; the reporter has it then.
 * `tokens` must end with one of kind `end`.
 */
export function checkUnit(
  tokens: readonly Token[],
  language: LanguageOptions,
  reporter: Reporter,
  resolve: ResolveBuiltin,
): Unit | undefined {
  const unit = new UnitChecker(language, reporter, resolve).check(new Parser(tokens, language, reporter));
  return reporter.errors === 0 && !reporter.stopped ? unit : undefined;
}
