// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import type { CompileInput, CompileResult } from '../../compiler/compiled';
import type { JitProgram } from '../../jit/compiled';
import type { Module } from '../../spirv/module';

/** The values of specialization constants, by their SpecId: little-endian bytes. */
export type SpecializationValues = ReadonlyMap<number, Uint8Array>;

/** What the software backend needs of the compiler, of SPIR-V's tools and of the JIT. */
export interface Toolchain {
  compile(input: CompileInput): CompileResult;
  encode(module: Module): Uint8Array;
  /** Throws an error whose message says what is wrong with the bytes. */
  decode(bytes: Uint8Array): Module;
  /** What is wrong with a module, the first rule that it breaks; undefined if nothing is. */
  validate(module: Module): string | undefined;
  specialize(module: Module, values: SpecializationValues): Module;
  /** Throws an error whose message is for the link log. `library` leaves unresolved imports and exports in place. */
  link(modules: readonly Module[], options: { readonly library: boolean }): Module;
  load(module: Module): JitProgram;
}

/** What a program is built with, on the thread that calls and on the compiler's. */
export interface BuildTools {
  readonly host: Host;
  readonly toolchain: Toolchain;
}
