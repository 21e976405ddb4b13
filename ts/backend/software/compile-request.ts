// SPDX-License-Identifier: MIT
//
// What the compiler's thread is asked, and what it answers: data that can be posted.
import type {
  AtomicsKind,
  KernelModule,
  ModuleKind,
  PrintfFormat,
  ProgramBinary,
} from '../../base/kernel-abi';
import type { SparseBytesParts } from '../../base/sparse-bytes';
import type { JitOptions } from '../../jit/compiled';
import type { BuildInput } from './build-program';
import type { SourceInput } from './compile-cached';
import type { KernelFacts } from './stored-kernel';

/** A program that the thread keeps. */
export interface ProgramReference {
  readonly id: number;
  /** What it is made of again, where the thread does not have it. */
  readonly spirv?: Uint8Array;
  /** Whether nothing made of it can be in the disk cache. */
  readonly isNew: boolean;
}

/** A kernel of a program, and how it is compiled. */
export interface KernelReference {
  readonly program: ProgramReference;
  readonly name: string;
  readonly settings: JitOptions;
}

export type CompileRequest =
  /** The number that the thread keeps the program under. */
  | { readonly kind: 'build'; readonly input: BuildInput; readonly keepAs: number }
  | { readonly kind: 'compile'; readonly input: SourceInput }
  | {
      readonly kind: 'link';
      readonly inputs: readonly Uint8Array[];
      readonly library: boolean;
      readonly keepAs: number;
    }
  | { readonly kind: 'kernel'; readonly kernel: KernelReference }
  | {
      readonly kind: 'module';
      readonly kernel: KernelReference;
      readonly variant: ModuleKind;
      readonly atomics: AtomicsKind;
    };

/** Posted without an answer: the thread need not keep the program. */
export interface ForgetRequest {
  readonly kind: 'forget';
  readonly program: number;
}

/** A program that was built: all but the means to compile its kernels. */
export interface BuildReply {
  readonly kind: 'built';
  readonly binary: Omit<ProgramBinary, 'globals'> & { readonly globals: SparseBytesParts };
  readonly instructions: number;
  readonly spirv: Uint8Array;
  readonly log: string;
  readonly isNew: boolean;
}

export interface CompiledReply {
  readonly kind: 'compiled';
  readonly spirv: Uint8Array;
  readonly log: string;
}

export interface KernelReply {
  readonly kind: 'kernel';
  readonly facts: KernelFacts;
  readonly remarks: readonly string[] | undefined;
}

export interface ModuleReply {
  readonly kind: 'module';
  readonly module: KernelModule;
  readonly printfFormats: readonly PrintfFormat[];
}

/** The thread has neither a program nor its source. */
export interface UnknownProgramReply {
  readonly kind: 'unknown program';
}

export interface FailureReply {
  readonly kind: 'failure';
  readonly message: string;
  readonly stack: string;
  /** Whether it says what is wrong with the program: else it is our bug. */
  readonly forTheUser: boolean;
  readonly badOptions: boolean;
}

export type CompileReply =
  | BuildReply
  | CompiledReply
  | KernelReply
  | ModuleReply
  | UnknownProgramReply
  | FailureReply;

/** Posted once, before any answer: the thread has loaded what it runs. */
export interface ReadyNotice {
  readonly kind: 'ready';
}

/** The answer to each kind of request, where it has not failed. */
export interface Answers {
  readonly build: BuildReply;
  readonly compile: CompiledReply;
  /** A library is not built. */
  readonly link: BuildReply | CompiledReply;
  readonly kernel: KernelReply;
  readonly module: ModuleReply;
}
