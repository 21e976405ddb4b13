// SPDX-License-Identifier: MIT
import type { Module } from '../spirv/module';
import type { Diagnostic } from './diagnostics/diagnostic';

/** The input of a compilation: a translation unit and the files that it may include. */
export interface CompileInput {
  /** Name for messages and `__FILE__`; `<source>` for programs from strings. */
  readonly name: string;
  readonly text: string | Uint8Array;
  /** Options as for clBuildProgram, one string: `-DN=4 -I include -cl-std=CL3.0`. */
  readonly options: string;
  /** Headers by the name in `#include`, which take precedence over folders (those of clCompileProgram). */
  readonly headers?: ReadonlyMap<string, string>;
  /**
   * Reads a file for `#include`; without it only `headers` are found. The reader decides which files are allowed: `folders`,
   * which the options name with `-I`, are those that a program from a string may read. It returns 'forbidden' for an
   * existing file that is not allowed, if the user may know that it exists.
   */
  readonly readFile?: (path: string, folders: readonly string[]) => Uint8Array | 'forbidden' | undefined;
  readonly target?: 'spir' | 'spir64';
  readonly spirvVersion?: '1.0' | '1.1' | '1.2' | '1.3' | '1.4' | '1.5' | '1.6';
  /** As `--cl-ext`: `+name,-name`. */
  readonly extensions?: string;
}

export interface CompileResult {
  /** Undefined if there was an error. */
  readonly module: Module | undefined;
  /** Set if the options are wrong, so that the source was not compiled. */
  readonly badOptions?: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** All diagnostics as text, in clang's form, uncoloured: the build log. */
  readonly log: string;
}
