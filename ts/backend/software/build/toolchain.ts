// SPDX-License-Identifier: MIT
import type { Host } from '../../../base/host';
import type { AddressBits } from '../../../base/kernel-abi';
import type { Steps } from '../../../base/steps';
import type { CompileInput, CompileResult } from '../../../compiler/compiled';
import type { JitProgram } from '../../../jit/compiled';
import type { Module } from '../../../spirv/module';

/** The values of specialization constants, by their SpecId: little-endian bytes. */
export type SpecializationValues = ReadonlyMap<number, Uint8Array>;

/** Whether pointers and `size_t` have 32 bits or 64 in programs from source. */
export type Target = 'spir' | 'spir64';

/** The parts of the compiler, of SPIR-V's tools and of the JIT that the software backend uses. */
export interface Toolchain {
  compile(input: CompileInput): Steps<CompileResult>;
  encode(module: Module): Uint8Array;
  /** Throws an error whose message says what is wrong with the bytes. */
  decode(bytes: Uint8Array): Module;
  /** Repairs in place what translators from LLVM get wrong in a module, which may be invalid otherwise. */
  repair(module: Module): void;
  /** The module with copies of arguments that translators from LLVM leave to the callee. */
  copyArguments(module: Module): Module;
  /** The first rule that a module breaks; undefined for a valid one. */
  validate(module: Module): string | undefined;
  specialize(module: Module, values: SpecializationValues): Module;
  /** Throws an error whose message is for the link log. `library` leaves unresolved imports and exports in place. */
  link(modules: readonly Module[], options: { readonly library: boolean }): Module;
  /** For a device whose memory has addresses of this many bits: 32 unless given. */
  load(module: Module, addressBits?: AddressBits): JitProgram;
}

/** The tools for building a program, on the calling thread and on the compiler's. */
export interface BuildTools {
  readonly host: Host;
  readonly toolchain: Toolchain;
  /** Of the device's memory. */
  readonly addressBits: AddressBits;
}
