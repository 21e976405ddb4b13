// SPDX-License-Identifier: MIT
//
// How one row of the message table is written: `'undeclared-identifier': error("use of undeclared identifier '{name}'")`.
// Words in braces are the row's placeholders; the type of the text carries them, so that every report is checked.

export interface Message<Text extends string = string> {
  readonly severity: 'fatal' | 'error' | 'warning' | 'note';
  readonly text: Text;
  /** The `-W` name of a warning. */
  readonly flag?: string;
  /** A warning that is reported only if enabled (`-Wname`, `-Wextra`, `-pedantic`, `-Weverything`). */
  readonly offByDefault?: boolean;
  /** Reported only in reachable code: not after a `return`, nor in a branch that a constant excludes. */
  readonly whereReached?: boolean;
}

/** An error that ends the compilation, because further messages would be meaningless. */
export function fatal<const T extends string>(text: T): Message<T> {
  return { severity: 'fatal', text };
}

export function error<const T extends string>(text: T): Message<T> {
  return { severity: 'error', text };
}

/** A warning without a flag can only be silenced by `-w`. */
export function warning<const T extends string>(
  flag: string | undefined,
  text: T,
  more?: { readonly whereReached: true },
): Message<T> {
  return { severity: 'warning', text, ...(flag !== undefined && { flag }), ...more };
}

export const WHERE_REACHED = { whereReached: true } as const;

/** A warning that is off unless its flag is given. */
export function remark<const T extends string>(flag: string, text: T): Message<T> {
  return { severity: 'warning', text, flag, offByDefault: true };
}

export function note<const T extends string>(text: T): Message<T> {
  return { severity: 'note', text };
}

/** The words in braces of a text. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export type MessageValue = string | number | bigint;

/** The text with its placeholders filled in. */
export function format(text: string, args: Readonly<Record<string, MessageValue>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
}
