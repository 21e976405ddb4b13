// SPDX-License-Identifier: MIT
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
    for (let each = parser.external(); each !== undefined; each = parser.external()) this.external(each);
    this.checkRecursion();
    const { functions, variables, usesGenericSpace } = this;
    return { functions, variables, usesGenericSpace };
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
    const contract = /^(?:OPENCL|STDC)\s+FP_CONTRACT\s+(ON|OFF|DEFAULT)\b/.exec(text);
    if (contract) {
      this.contract = contract[1] !== 'OFF';
      return;
    }
    const extension = /^OPENCL\s+EXTENSION\s+(\w+)\s*:\s*(\w+)/.exec(text);
    if (extension === null) {
      if (/^OPENCL\s+EXTENSION\b/.test(text)) this.reporter.report('pragma-extension-form', location);
      return;
    }
    const [, name = '', behaviour = ''] = extension;
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
