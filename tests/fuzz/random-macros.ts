// SPDX-License-Identifier: MIT
//
// Random sources for the preprocessor: definitions, calls, conditions, headers. Line splices, comments, digraphs and trigraphs are
// in odd places.
import { Chance } from './chance';

/** How a macro is called. */
interface Signature {
  /** The number of parameters, that of `...` included; undefined for an object-like macro. */
  readonly parameters: number | undefined;
  readonly variadic: boolean;
}

const NAMES = ['A', 'B', 'C', 'D', 'AB', 'F', 'G', 'H', 'FG', 'f'];
const WORDS = [...NAMES, 'x', 'y', 'z1', 'xy', 'L', 'u', 'e', 'define', 'if', 'defined', '_'];
const NUMBERS = [
  '0',
  '1',
  '7',
  '12u',
  '0x1f',
  '.5',
  '1.5e3f',
  '0x1p-2',
  '1e',
  '09',
  '1.2.3',
  '2L',
  '1ul',
  '3_x',
];
const PUNCTUATORS =
  '+ - * / % & | ^ < > = ! ~ ? : ; . [ ] { } ++ -- -> << >> <= == && || += <<= ... <: :> <% %> ## #'.split(
    ' ',
  );
const LITERALS = [
  '"s"',
  '"a\\"b"',
  '"\\\\"',
  "'c'",
  "'\\''",
  "'\"'",
  '"\'"',
  '"\\n"',
  '"/*"',
  '"//"',
  '" two  blanks "',
  "'\\\\'",
  'L"w"',
  '"("',
  '","',
];
const OPERATORS = '+ - * / % & | ^ << >> < > <= >= == != && ||'.split(' ');
const VALUES = [
  '0',
  '1',
  '2',
  '3',
  '63',
  '64',
  '0u',
  '1u',
  '0xffffffff',
  '0x80000000',
  '0x7fffffffffffffff',
  '0x8000000000000000u',
  '0xffffffffffffffffu',
  '9223372036854775807',
  "'a'",
  "'\\n'",
  "'\\0'",
  "'\\x41'",
  "'\\101'",
  '010',
  '5L',
  '6UL',
  '-1',
]; // prettier-ignore

const REST = /^(?:__VA_ARGS__|rest)$/;

/** No two in different folders have the same name: headers by name are found from everywhere. */
const HEADERS = ['one.h', 'two.h', 'sub/three.h', 'sub/four.h', 'sub/deep/five.h', 'twice.h'];
const HEADER_FOLDER = 'include';

export interface RandomSource {
  readonly text: string;
  /** Headers by their paths below `folder`. */
  readonly headers: ReadonlyMap<string, string>;
  readonly folder: string;
}

export function randomMacros(seed: number): RandomSource {
  const chance = new Chance(seed);
  const macros = new Map<string, Signature>();
  const headers = new Map<string, string>();
  if (chance.with(0.5)) {
    // A header includes those before it.
    for (const path of HEADERS)
      if (chance.with(0.6)) headers.set(path, guarded(chance, headers.size, header(chance, macros, headers)));
  }
  return { text: new Source(chance, macros, [...headers.keys()]).text(), headers, folder: HEADER_FOLDER };
}

function header(
  chance: Chance,
  macros: Map<string, Signature>,
  headers: ReadonlyMap<string, string>,
): string {
  return new Source(chance, macros, [...headers.keys()]).text();
}

function guarded(chance: Chance, number: number, text: string): string {
  const kind = chance.random();
  if (kind < 0.3) return `#ifndef GUARD${number}\n#define GUARD${number}\n${text}#endif\n`;
  return kind < 0.6 ? `#pragma once\n${text}` : text;
}

const TRIGRAPHS: Readonly<Record<string, string>> = {
  '#': '=',
  '[': '(',
  ']': ')',
  '\\': '/',
  '{': '<',
  '}': '>',
  '|': '!',
  '^': "'",
  '~': '-',
};

class Source {
  private readonly lines: string[] = [];

  constructor(
    private readonly chance: Chance,
    private readonly macros: Map<string, Signature>,
    /** The headers that it may include. */
    private readonly headers: readonly string[],
  ) {}

  text(): string {
    const { chance } = this;
    for (let i = chance.integer(2, 6); i > 0; i--) this.define();
    for (let i = chance.integer(4, 16); i > 0; i--) this.item(0);
    let text = this.lines.join('\n');
    // Which line is the one after a `#line` of several lines is open.
    if (chance.with(0.4) && !text.includes('#line')) text = this.splice(text);
    const amount = chance.pick([0, 0, 0, 0.1, 0.5, 1]);
    if (amount > 0)
      text = text.replace(/[#[\]\\{}|^~]/g, (c) => (chance.with(amount) ? `??${TRIGRAPHS[c]!}` : c));
    return `${text}${chance.with(0.9) ? '\n' : ''}`;
  }

  private item(depth: number): void {
    const { chance } = this;
    const kind = chance.random();
    if (this.headers.length > 0 && chance.with(0.2)) this.include();
    else if (kind < 0.3) this.define();
    else if (kind < 0.35) this.directive(`undef ${chance.pick(NAMES)}`);
    else if (kind < 0.38) this.lines.push(`#line ${chance.pick(['7', '100', '1', '2000 "other"', '0012'])}`);
    else if (kind < 0.55 && depth < 3) this.conditional(depth);
    else if (kind < 0.56)
      this.lines.push(`x _Pragma(${chance.pick(['"unroll"', 'L"a \\\\ b"', '"c \\"d\\""'])}) y`);
    else if (kind < 0.57) this.directive(chance.pick(['', '/* nothing */', ' ']));
    // In a call of several lines its value is unspecified.
    else if (kind < 0.62) this.lines.push('x __LINE__ __INCLUDE_LEVEL__;');
    else this.lines.push(this.join(this.tokens(chance.integer(1, 10), [], 2), false));
  }

  private include(): void {
    const { chance } = this;
    const path = chance.with(0.97) ? chance.pick(this.headers) : 'none.h';
    const quoted = chance.pick([`"${path}"`, `<${path}>`]);
    const kind = chance.random();
    if (kind < 0.7) this.directive(`include${chance.pick(['', ' ', '/* c */'])}${quoted}`);
    else if (kind < 0.85) {
      this.directive('undef HEADER');
      this.directive(`define HEADER ${quoted}`);
      this.directive(`include HEADER`);
    } else {
      this.directive(`ifdef GUARD${chance.integer(0, 3)}`);
      this.directive(`include ${quoted}`);
      this.directive('endif');
    }
    if (chance.with(0.5)) this.lines.push('x __INCLUDE_LEVEL__ __LINE__ __FILE__;');
  }

  private directive(text: string): void {
    const { chance } = this;
    const lead = chance.pick(['', '', '', ' ', '/* c */', '\t']);
    const hash = chance.pick(['#', '#', '#', '# ', '%:', '#/* d */']);
    this.lines.push(
      lead + hash + text + chance.pick(['', '', '', ' ', ' // end', ' /* end */', ' /* e\nnd */']),
    );
  }

  private define(): void {
    const { chance } = this;
    const name = chance.pick(NAMES);
    if (this.macros.has(name)) this.directive(`undef ${name}`);
    const parameters = chance.with(0.35) ? undefined : chance.integer(0, 3);
    const variadic = parameters !== undefined && chance.with(0.3);
    const names = ['x', 'y', 'A'].slice(0, parameters ?? 0);
    // GNU's `rest...` gives the rest a name.
    const rest = variadic && chance.with(0.3) ? 'rest' : '__VA_ARGS__';
    const all = variadic ? [...names, rest === 'rest' ? 'rest...' : '...'] : names;
    const known = variadic ? [...names, rest] : names;
    const blank = () => chance.pick(['', '', ' ', '/**/']);
    const list = parameters === undefined ? '' : `(${blank()}${all.join(`${blank()},${blank()}`)}${blank()})`;
    const tokens = this.body(known, parameters !== undefined);
    if (rest === '__VA_ARGS__' && variadic && chance.with(0.4))
      tokens.splice(this.gap(tokens), 0, ...this.optional(known));
    const body = this.join(tokens, true);
    this.directive(`define ${name}${list} ${body}`);
    this.macros.set(name, { parameters: parameters === undefined ? undefined : all.length, variadic });
  }

  private body(parameters: readonly string[], functional: boolean): string[] {
    const { chance } = this;
    const count = chance.pick([0, 1, 1, 2, 3, 5, 8]);
    const result: string[] = [];
    for (let i = 0; i < count; i++) {
      const kind = chance.random();
      if (functional && kind < 0.12 && parameters.length > 0) result.push('#', chance.pick(parameters));
      else if (kind < 0.3) {
        const operands = [...parameters, ...parameters, 'x', 'A', 'F', '1', 'G'];
        result.push(chance.pick(operands), '##', chance.pick(operands));
        if (chance.with(0.2)) result.push('##', chance.pick(operands));
      } else if (kind < 0.6 && parameters.length > 0) result.push(chance.pick(parameters));
      else if (kind < 0.63 && REST.test(parameters.at(-1)!)) result.push(',', '##', parameters.at(-1)!);
      else result.push(...this.tokens(1, parameters, 1, functional));
    }
    return result;
  }

  /** What is there only if the call has a rest. */
  private optional(parameters: readonly string[]): string[] {
    const { chance } = this;
    const inner = chance.with(0.3) ? [','] : this.body(parameters, true);
    return ['__VA_OPT__', '(', ...inner, ')'];
  }

  /** A place between tokens, mostly not beside `#` and `##`. */
  private gap(tokens: readonly string[]): number {
    const { chance } = this;
    const at = chance.integer(0, tokens.length);
    const pastes = (token: string | undefined) => token === '#' || token === '##';
    return (pastes(tokens[at]) || pastes(tokens[at - 1])) && chance.with(0.8) ? tokens.length : at;
  }

  /** Calls mostly have as many arguments as the macro has parameters. */
  private tokens(count: number, parameters: readonly string[], depth: number, body = false): string[] {
    const { chance } = this;
    const result: string[] = [];
    for (; count > 0; count--) {
      const kind = chance.random();
      if (kind < 0.35 && this.macros.size > 0) {
        const [name, { parameters: arity }] = chance.pick([...this.macros]);
        result.push(name);
        if (arity !== undefined && depth > 0 && chance.with(0.85))
          result.push(...this.call(arity, parameters, depth));
      } else if (kind < 0.5) result.push(chance.pick([...WORDS, ...parameters]));
      else if (kind < 0.6) result.push(chance.pick(NUMBERS));
      else if (kind < 0.75) {
        const token = chance.pick(PUNCTUATORS);
        result.push(token.startsWith('#') && (body || result.length === 0) ? '+' : token);
      } else if (kind < 0.8) result.push(chance.pick(LITERALS));
      else if (kind < 0.84) result.push('__COUNTER__');
      else if (kind < 0.9) result.push('(', ...this.tokens(chance.integer(0, 2), parameters, 0, body), ')');
      else result.push(chance.pick(['x', '1', 'F', 'G']));
    }
    return result;
  }

  private call(arity: number, parameters: readonly string[], depth: number): string[] {
    const { chance } = this;
    const result = ['('];
    const count = chance.with(0.04) ? chance.integer(0, 4) : arity;
    for (let i = 0; i < count; i++) {
      if (i > 0) result.push(',');
      const kind = chance.random();
      if (kind < 0.15) continue;
      if (kind < 0.3) result.push('(', chance.pick(WORDS), ',', chance.pick(NUMBERS), ')');
      else if (kind < 0.55) result.push(chance.pick([...NAMES, ...parameters]));
      else result.push(...this.tokens(chance.integer(1, 3), parameters, depth - 1, true));
    }
    return [...result, ')'];
  }

  private conditional(depth: number): void {
    const { chance } = this;
    const test = () =>
      chance.pick([
        () => `if ${this.expression(3)}`,
        () => `if ${this.expression(4)}`,
        () => `ifdef ${chance.pick(NAMES)}`,
        () => `ifndef ${chance.pick(NAMES)}`,
      ])();
    const group = () => {
      if (chance.with(0.1))
        this.lines.push(chance.pick(["it isn't", '#bad directive', '/* #endif\n*/', '"open', '# 1x', "'"]));
      this.lines.push(`group${this.lines.length}`);
      for (let i = chance.integer(0, 2); i > 0; i--) this.item(depth + 1);
    };
    this.directive(test());
    group();
    for (let i = chance.pick([0, 0, 1, 2]); i > 0; i--) {
      this.directive(`elif ${this.expression(3)}`);
      group();
    }
    if (chance.with(0.6)) {
      this.directive('else');
      group();
    }
    this.directive('endif');
  }

  /** A condition. Divisions by zero are mostly where they are not evaluated. */
  private expression(depth: number): string {
    const { chance } = this;
    const kind = chance.random();
    const inner = () => this.expression(depth - 1);
    if (depth === 0 || kind < 0.1) {
      const leaf = chance.random();
      if (leaf < 0.7) return chance.pick(VALUES);
      if (leaf < 0.8) return chance.pick(['x', 'zz', '__LINE__', 'true', ...this.objects()]);
      const name = chance.pick(NAMES);
      return chance.with(0.5) ? `defined ${name}` : `defined${chance.pick(['', ' '])}(${name})`;
    }
    if (kind < 0.25)
      return `${chance.pick(['-', '~', '!', '+', '- -', '!!'])}${inner()}`.replace(/--|\+\+/g, '- ');
    if (kind < 0.4) return `(${inner()})`;
    if (kind < 0.5) return `${inner()} ? ${inner()} : ${inner()}`;
    if (kind < 0.55)
      return chance.pick(['0 && 1/0', '1 || 1%0', '1 ? 2 : 1/0', '0 ? 1%0 : 3', '(0 && (1/0 == 1))']);
    if (kind < 0.58) return `(${inner()} , ${inner()})`;
    let operator = chance.pick(OPERATORS);
    // In parentheses, so that no further operator adds to the amount: more than 63 is undefined.
    if (operator === '<<' || operator === '>>')
      return `(${inner()} ${operator} ${chance.pick(['0', '1', '3', '31', '63'])})`;
    if ((operator === '/' || operator === '%') && chance.with(0.5)) operator += ' 3 +';
    return `${inner()} ${operator} ${inner()}`;
  }

  private objects(): string[] {
    return [...this.macros].filter(([, { parameters }]) => parameters === undefined).map(([name]) => name);
  }

  /** Tokens with blanks, comments and, but in directives, line ends between them. */
  private join(tokens: readonly string[], directive: boolean): string {
    const { chance } = this;
    const odd = chance.pick([0, 0.1, 0.4]);
    let text = '';
    for (const [index, token] of tokens.entries()) {
      if (index > 0) {
        if (chance.with(odd))
          text += chance.pick(
            directive ? ['  ', '/* c */', '\t', ' /* a\nb */ '] : ['  ', '/**/', '\n', ' // c\n', '/* a\n*/'],
          );
        else if (!/[\w.]$/.test(text) || !/^[\w."']/.test(token)) text += chance.with(0.5) ? ' ' : '';
        else text += ' ';
      }
      text += token;
    }
    // A `#` at the start of a line would begin a directive.
    return directive
      ? text
      : text.replace(/^(\s*)(#|%:)/gm, '$1+').replace(/^(\s*(?:\/\*[^*]*\*\/\s*)*)(#|%:)/gm, '$1+');
  }

  private splice(text: string): string {
    const { chance } = this;
    let result = text;
    for (let i = chance.integer(1, 5); i > 0; i--) {
      const at = chance.integer(0, result.length - 1);
      if (result[at] === '\n' && result[at - 1] === '\\') continue;
      result = `${result.slice(0, at)}\\\n${result.slice(at)}`;
    }
    return result;
  }
}
