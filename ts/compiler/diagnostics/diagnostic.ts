// SPDX-License-Identifier: MIT

/**
 * A place in the source in the compiler's form: an offset into one space, in which the source map places all files and macro
 * expansions one after the other. 0 means "nowhere".
 */
export type Location = number;

export interface SourceRange {
  readonly begin: Location;
  /** After the last character. */
  readonly end: Location;
}

/** A place in the user's form. Lines and columns count from 1; columns count UTF-16 units. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Severity = 'error' | 'warning' | 'note';

/** One finished message for the author of a kernel. `render` (render.ts) prints it in clang's form. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable name of the message in the table (messages.ts), such as `undeclared-identifier`. */
  readonly code: string;
  /** The `-W` name that turns a warning on and off, without `-W`. */
  readonly flag?: string;
  /** A warning that `-Werror` turned into an error. */
  readonly promoted?: boolean;
  /** An error that ended the compilation. */
  readonly fatal?: boolean;
  readonly message: string;
  /** Absent for messages about the whole input. */
  readonly position?: Position;
  /** The `#include` lines that lead to the file, innermost first; absent in the main file. */
  readonly includedFrom?: readonly Position[];
  /** The source line, for the caret; absent if the file is not available. */
  readonly sourceLine?: string;
  /** Ranges to underline on that line, as columns from 1; the end is after the last one. */
  readonly ranges: readonly { readonly begin: number; readonly end: number }[];
  readonly notes: readonly Diagnostic[];
}
