// SPDX-License-Identifier: MIT
import type { Check, CheckTable } from '../base/checks';
import type { CoverageKind } from '../base/coverage';
import type { KernelBinary, KernelSignature, ProgramBinary } from '../base/kernel-abi';
import type { Steps } from '../base/steps';
import type { Module } from '../spirv/module';
import type { DebugItem, DebugRun } from './debug/debug-item';
import type { Func } from './ir/ir';

/** The features of the machine's WebAssembly engine; the backend detects them at run time. */
export interface EngineFeatures {
  readonly relaxedSimd: boolean;
  /** Whether relaxed multiplication and addition round once, as `fma` must. */
  readonly fusedMultiplyAdd?: boolean;
  /**
   * Whether the processor is x86-64: there i32x4.dot_i16x8_s is one instruction and i32x4.mul several, and i8x16.popcnt is eight, which
   * begin with two constants.
   */
  readonly isX64?: boolean;
  /**
   * Whether the engine can pair vectors of 128 bits to such of 256, where code has the form of `emit/pairs.ts`; `always`: also where it
   * does not pay, for tests.
   */
  readonly wide?: boolean | 'always';
  /** Whether the engine moves what does not change out of loops, so that code need not do it for the rows of tiles. */
  readonly hoists?: boolean;
}

export interface ZeroedMemory {
  readonly local: boolean;
  readonly private: boolean;
}

export interface JitOptions {
  readonly engine: EngineFeatures;
  /** Work-items per vector; 0 lets the cost model choose, 1 gives scalar code. */
  readonly lanes: number;
  /** Rows of a tile: work-items along y; 0 lets the cost model choose. */
  readonly rows: number;
  /** Memory that starts as zeros: a work-group's local memory, a work-item's private variables. */
  readonly zeroed?: ZeroedMemory;
  /** The faults that kernels report. Checked kernels run one work-item at a time. */
  readonly checks?: readonly Check[];
  /** It counts what it executes (base/coverage.ts), and what its accesses cost (base/memory-traffic.ts): then with `checks`. */
  readonly coverage?: CoverageKind;
  /** Each access is kept to the memory that the launch was given. Checked kernels are so in any case. */
  readonly robust?: true;
  /** For launches whose buffer arguments do not overlap (docs/adr/0047-separate-arguments.md). */
  readonly separate?: true;
  /** Stores to arguments mark the bytes that they are to (docs/adr/0048-watched-launches.md). */
  readonly watched?: true;
  /** Of a device with such addresses. Programs are loaded for them; here they distinguish what is stored. */
  readonly addressBits?: 64;
  /** The number of regions that a block may belong to before those that can end there do (jit/regions/cuts.ts), for tests. */
  readonly mostRegions?: number;
  /** False: x and y are not exchanged (vectorize/passes/loops/interchange.ts). */
  readonly interchange?: false;
  /** Compile for exactly this local size. */
  readonly localSize?: readonly [number, number, number];
}

/** A linked module prepared for its kernels' compilation. `jit/index.ts`: `loadProgram(module, library): JitProgram`. */
export interface JitProgram {
  readonly binary: ProgramBinary;
  /** The number of SPIR-V instructions in all of its functions. */
  readonly instructions: number;
  /** Compiles one kernel; throws a `JitError` (a message for the user, such as an unsupported instruction) or an invariant. */
  compileKernel(name: string, options: JitOptions, trace?: KernelTrace): KernelBinary;
  /** `compileKernel` in steps. */
  kernelSteps(name: string, options: JitOptions, trace?: KernelTrace): Steps<KernelBinary>;
  /** The kernel for a debugger, with checks. */
  debugKernel(name: string, options: JitOptions): DebuggedKernel;
}

/** A kernel that runs instruction by instruction. */
export interface DebuggedKernel {
  readonly signature: KernelSignature;
  readonly checks: CheckTable;
  /** The source lines that have code. */
  readonly lines: readonly { readonly file: string; readonly line: number }[];
  /** The work-items of a group, whose private memory begins at `env.privateBase`. */
  group(env: DebugRun, group: readonly number[]): DebugItem[];
  /** Ends the wait of a group's work-items, which have all reached an operation of the whole group or ended. */
  release(items: readonly DebugItem[]): void;
}

/** Watches a compilation. */
export interface KernelTrace {
  /** Verify the IR after each pass. */
  readonly check?: boolean;
  /** Called after each pass with the function in its current state. */
  readonly observe?: (pass: string, func: Func) => void;
  /** Called with a kernel's text at each stage. */
  readonly stage?: (stage: Stage, text: string) => void;
}

/** The forms of a kernel that `anycl compile --emit` shows. */
export type Stage = 'ir' | 'ir-vectorized' | 'plan';

/** The built-in library (kernels/lib) for the JIT: functions by name, decoded on their first use. */
export interface Library {
  /** The module that defines `name`, such as `__anycl_sin_f32`, or undefined. */
  moduleOf(name: string): Module | undefined;
}
