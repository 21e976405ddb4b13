// SPDX-License-Identifier: MIT
//
// What the compiler's thread is asked, and what it answers: data that can be posted.
import type {
  AddressBits,
  AtomicsKind,
  KernelModule,
  ModuleKind,
  PrintfFormat,
  ProgramBinary,
} from '../../../base/kernel-abi';
import type { SparseBytesParts } from '../../../base/sparse-bytes';
import type { JitOptions } from '../../../jit/compiled';
import type { BuildInput, SpirvInput } from '../build/build-program';
import type { SourceInput } from '../build/compile-cached';
import type { KernelFacts } from '../build/stored-kernel';
import type { PostedSignatures } from './posted-signatures';

/** A program that the compiler's thread keeps. */
export interface ProgramReference {
  readonly id: number;
  /** Its source, in case that the thread does not have it. */
  readonly spirv?: Uint8Array;
  /** Whether nothing derived from it can be in the disk cache. */
  readonly isNew: boolean;
  /** How many it has. */
  readonly instructions: number;
  /** Of the device's memory. */
  readonly addressBits: AddressBits;
}

/** A kernel of a program, and how it is compiled. */
export interface KernelReference {
  readonly program: ProgramReference;
  readonly name: string;
  readonly settings: JitOptions;
}

export type CompileRequest =
  /** The thread's number of the program. */
  | {
      readonly kind: 'build';
      readonly input: BuildInput;
      readonly keepAs: number;
      readonly addressBits: AddressBits;
    }
  | { readonly kind: 'compile'; readonly input: SourceInput }
  | {
      readonly kind: 'link';
      readonly inputs: readonly SpirvInput[];
      readonly library: boolean;
      readonly keepAs: number;
      readonly addressBits: AddressBits;
    }
  | { readonly kind: 'kernel'; readonly kernel: KernelReference }
  | {
      readonly kind: 'module';
      readonly kernel: KernelReference;
      readonly variant: ModuleKind;
      readonly atomics: AtomicsKind;
    };

/** Posted without an answer before the request that it belongs to: the next part of its text. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** All that is posted to the thread. */
export type Posted = CompileRequest | ForgetRequest | TextPart;

/** Posted without an answer: the thread need not keep the program. */
export interface ForgetRequest {
  readonly kind: 'forget';
  readonly program: number;
}

/** A built program, without the code to compile its kernels. */
export interface BuildReply {
  readonly kind: 'built';
  readonly binary: Omit<ProgramBinary, 'globals' | 'kernels' | 'relocations'> & {
    readonly globals: SparseBytesParts;
    readonly kernels: PostedSignatures;
    readonly relocations: Uint32Array<ArrayBuffer>;
  };
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
  /** Whether the program is at fault; otherwise it is a bug of anycl. */
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

/** Posted once, before any answer: the thread has loaded its code. */
export interface ReadyNotice {
  readonly kind: 'ready';
}

/** The answer to each kind of request that did not fail. */
export interface Answers {
  readonly build: BuildReply;
  readonly compile: CompiledReply;
  /** Undefined for libraries, which are not built. */
  readonly link: BuildReply | CompiledReply;
  readonly kernel: KernelReply;
  readonly module: ModuleReply;
}
