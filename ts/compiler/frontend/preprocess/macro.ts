// SPDX-License-Identifier: MIT
//
// A macro's definition (C99, 6.10.3), its replacement list prepared for substitution.
import type { Location } from '../../diagnostics/diagnostic';
import type { PpToken } from '../lex/pp-token';
import type { Named } from '../name-observer';

/**
 * One element of a replacement list; `#` and its parameter are one element, and `##` is a property of the
 * element before it.
 */
export interface BodyItem {
  readonly token: PpToken;
  /** Index of the parameter that it names; -1 for other tokens. */
  readonly parameter: number;
  readonly stringize: boolean;
  /** `##` follows. */
  pasteNext: boolean;
  /** Of `__VA_OPT__(…)`: what stands for it if there are variable arguments. */
  readonly optional?: { readonly body: readonly BodyItem[]; readonly close: PpToken };
}

/** The most tokens of a replacement list; a macro with more can be defined, but not used. */
export const LONGEST_BODY = 500_000;

/** Computes a macro such as `__LINE__` from the place of its use; returns the text of one token. */
export type Dynamic = (use: Location) => string;

export class Macro {
  /** Whether it is being expanded: its name is not expanded inside its own expansion. */
  active = false;

  constructor(
    readonly name: string,
    readonly location: Location,
    /** Undefined for an object-like macro. The last one of a variadic macro takes all remaining arguments. */
    readonly parameters: readonly string[] | undefined,
    readonly variadic: boolean,
    readonly body: readonly BodyItem[],
    /** Whether the language defines it, not the source or `-D`. */
    readonly predefined = false,
    readonly dynamic: Dynamic | undefined = undefined,
  ) {}

  /** The text that a user would write after `#define`. */
  get text(): string {
    const parameters = this.parameters?.map((each, i, all) =>
      this.variadic && i === all.length - 1 ? each.replace(/^__VA_ARGS__$/, '...') : each,
    );
    return `${this.name}${parameters ? `(${parameters.join(', ')})` : ''} ${textOf(this.body).trim()}`.trim();
  }

  get bodyStart(): Location {
    return this.body[0]!.token.location;
  }

  get bodyLength(): number {
    const { token, optional } = this.body.at(-1)!;
    return (optional?.close ?? token).end - this.bodyStart;
  }

  /** Whether this redefinition is equal to the definition (6.10.3p2). */
  equals(other: Macro): boolean {
    return (
      this.variadic === other.variadic &&
      this.parameters?.join() === other.parameters?.join() &&
      sameBody(this.body, other.body)
    );
  }
}

function textOf(body: readonly BodyItem[]): string {
  const words = body.map(({ token, stringize, pasteNext, optional }) => {
    const text = `${token.text}${optional ? `(${textOf(optional.body)})` : ''}`;
    return `${token.space ? ' ' : ''}${stringize ? '#' : ''}${text}${pasteNext ? ' ##' : ''}`;
  });
  return words.join('');
}

function sameBody(body: readonly BodyItem[], other: readonly BodyItem[]): boolean {
  return (
    body.length === other.length &&
    body.every((item, i) => {
      const twin = other[i]!;
      return (
        item.token.text === twin.token.text &&
        item.parameter === twin.parameter &&
        item.stringize === twin.stringize &&
        item.pasteNext === twin.pasteNext &&
        (i === 0 || item.token.space === twin.token.space) &&
        sameBody(item.optional?.body ?? [], twin.optional?.body ?? [])
      );
    })
  );
}

export const namedMacro = (macro: Macro): Named => ({
  kind: 'macro',
  identity: macro,
  get text() {
    return macro.text;
  },
});
