// SPDX-License-Identifier: MIT
//
// What the compiler's thread is asked, and what it answers: data that can be posted.
import type { ProgramBinary } from '../../base/kernel-abi';
import type { SparseBytesParts } from '../../base/sparse-bytes';
import type { BuildInput } from './build-program';

export type CompileRequest = { readonly kind: 'build'; readonly input: BuildInput };

/** A program that was built: all but the means to compile its kernels. */
export interface BuildReply {
  readonly kind: 'built';
  readonly binary: Omit<ProgramBinary, 'globals'> & { readonly globals: SparseBytesParts };
  readonly instructions: number;
  readonly spirv: Uint8Array;
  readonly log: string;
  readonly isNew: boolean;
}

export interface FailureReply {
  readonly kind: 'failure';
  readonly message: string;
  readonly stack: string;
  /** Whether it says what is wrong with the program: else it is our bug. */
  readonly forTheUser: boolean;
  readonly badOptions: boolean;
}

export type CompileReply = BuildReply | FailureReply;
