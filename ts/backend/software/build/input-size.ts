// SPDX-License-Identifier: MIT
//
// Which compilations are long, and which are too short for any other thread, by the size of their input.

import type { CompileRequest } from '../compile-thread/compile-request';
import type { BuildInput } from './build-program';

interface Sizes {
  /** Characters of source text. */
  readonly text: number;
  /** Bytes of SPIR-V. */
  readonly spirv: number;
}

/** Inputs from here on take longer to build than a thread takes to start. */
const LONG: Sizes = { text: 40_000, spirv: 200_000 };
/** Smaller inputs take a few milliseconds, also where the compiler's code runs for the first time. */
const SHORTEST: Sizes = { text: 500, spirv: 2000 };
/** Kernels of programs with this many instructions may take longer than some tens of milliseconds. */
const LONG_PROGRAM = 2000;

type Input = Pick<BuildInput & { kind: 'source' }, 'kind' | 'text'> | { kind: 'spirv'; bytes: Uint8Array };

const atLeast = (sizes: Sizes, input: Input): boolean =>
  input.kind === 'source' ? input.text.length >= sizes.text : input.bytes.length >= sizes.spirv;

export const isLong = (input: Input): boolean => atLeast(LONG, input);
export const isShortest = (input: Input): boolean => !atLeast(SHORTEST, input);

export function isLongSpirv(inputs: readonly Uint8Array[]): boolean {
  return inputs.reduce((bytes, input) => bytes + input.length, 0) >= LONG.spirv;
}

/** Whether others should not wait for a request. */
export function isLongRequest(request: CompileRequest): boolean {
  switch (request.kind) {
    case 'build':
      return isLong(request.input);
    case 'compile':
      return isLong({ kind: 'source', text: request.input.text });
    case 'link':
      return isLongSpirv(request.inputs.map(({ bytes }) => bytes));
    case 'kernel':
    case 'module':
      return request.kernel.program.instructions >= LONG_PROGRAM;
  }
}
