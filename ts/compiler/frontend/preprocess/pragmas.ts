// SPDX-License-Identifier: MIT
//
// Pragmas that the preprocessor handles: messages, levels of warnings, saved macros. The parser handles the others.
import type { Location } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { WarningLevel } from '../../diagnostics/warning-pragmas';
import type { Macro } from './macro';

interface Macros {
  lookup(name: string): Macro | null;
  define(macro: Macro): void;
  undefine(name: string): void;
}

const LEVELS: Readonly<Record<string, WarningLevel | undefined>> = {
  ignored: 'ignored',
  warning: 'warning',
  error: 'error',
  fatal: 'error',
};

export class PragmaReader {
  private readonly saved = new Map<string, (Macro | null)[]>();

  constructor(
    private readonly reporter: Reporter,
    private readonly macros: Macros,
  ) {}

  /** True if the pragma was one of these. */
  read(text: string, at: Location): boolean {
    const [, space, word = ''] = /^(?:(GCC|clang)\s+)?(\w+)/.exec(text) ?? [];
    if (space !== undefined && word === 'diagnostic') this.diagnostic(text, at);
    else if (word === 'message' || (space === 'GCC' && (word === 'warning' || word === 'error')))
      this.message(text, word, at);
    else if (space === undefined && (word === 'push_macro' || word === 'pop_macro'))
      this.macro(text, word, at);
    else return false;
    return true;
  }

  private message(text: string, word: string, at: Location): void {
    const strings = /\b(?:message|warning|error)\s*(\(?)\s*((?:"(?:[^"\\]|\\.)*"\s*)+)(\)?)\s*$/.exec(text);
    if (strings === null || (strings[1] === '') !== (strings[3] === '')) {
      this.reporter.report('pragma-message-form', at, { word });
      return;
    }
    const message = strings[2]!.replace(/"((?:[^"\\]|\\.)*)"\s*/g, '$1').replace(/\\(.)/g, '$1');
    this.reporter.report(word === 'error' ? 'pragma-error' : 'pragma-message', at, { text: message });
  }

  private diagnostic(text: string, at: Location): void {
    const { warningPragmas } = this.reporter;
    const [, action = '', rest = ''] = /diagnostic\s*(\w*)\s*(.*)$/.exec(text) ?? [];
    if (action === 'push') warningPragmas.push();
    else if (action === 'pop') {
      if (!warningPragmas.pop(at)) this.reporter.report('pragma-diagnostic-pop', at);
    } else {
      const level = LEVELS[action];
      const name = /^"([^"]*)"\s*$/.exec(rest)?.[1];
      if (level === undefined) this.reporter.report('pragma-diagnostic-action', at);
      else if (name === undefined) this.reporter.report('pragma-diagnostic-string', at);
      else if (!/^-[WR]/.test(name)) this.reporter.report('pragma-diagnostic-name', at);
      else warningPragmas.set(at, name.slice(2), level);
    }
  }

  /** `push_macro("name")`, `pop_macro("name")` */
  private macro(text: string, word: string, at: Location): void {
    const name = /^\w+\s*\(\s*"([A-Za-z_]\w*)"\s*\)/.exec(text)?.[1];
    if (name === undefined) {
      this.reporter.report('pragma-macro-form', at, { word });
      return;
    }
    const stack = this.saved.get(name) ?? [];
    this.saved.set(name, stack);
    if (word === 'push_macro') {
      stack.push(this.macros.lookup(name));
      return;
    }
    const before = stack.pop();
    if (before === undefined) this.reporter.report('pragma-pop-macro', at, { name });
    else if (before === null) this.macros.undefine(name);
    else this.macros.define(before);
  }
}
