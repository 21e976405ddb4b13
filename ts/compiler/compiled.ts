// SPDX-License-Identifier: MIT
import type { Module } from '../spirv/module';
import type { Diagnostic } from './diagnostics/diagnostic';

/** Input of one compilation: a translation unit and what it may include. */
export interface CompileInput {
  /** Name for messages and `__FILE__`; `<source>` for programs from strings. */
  readonly name: string;
  readonly text: string | Uint8Array;
  /** Options as for clBuildProgram, one string: `-DN=4 -I include -cl-std=CL3.0`. */
  readonly options: string;
  /** Headers by the name that `#include` gives, before any folder is looked at (clCompileProgram's). */
  readonly headers?: ReadonlyMap<string, string>;
  /**
   * Reads a file for `#include`; without it only `headers` are found. Whoever reads decides what may be read: `folders`, which
   * the options name with `-I`, are what a program from a string may ask for.
   */
  readonly readFile?: (path: string, folders: readonly string[]) => Uint8Array | undefined;
  readonly target?: 'spir' | 'spir64';
  readonly spirvVersion?: '1.0' | '1.1' | '1.2' | '1.3' | '1.4' | '1.5' | '1.6';
  /** As `--cl-ext`: `+name,-name`. */
  readonly extensions?: string;
}

export interface CompileResult {
  /** Undefined if there was an error. */
  readonly module: Module | undefined;
  /** Set where the options are wrong, and the source was not looked at. */
  readonly badOptions?: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** All diagnostics as text, in clang's form, uncoloured: the build log. */
  readonly log: string;
}
