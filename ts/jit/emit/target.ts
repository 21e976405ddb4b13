// SPDX-License-Identifier: MIT
//
// WebAssembly as a target of vector plans.
import type { VectorTarget } from '../vectorize/plan';
import { vectorInstruction } from './arithmetic/tables';

/** The size of a vector of WebAssembly. */
export const VECTOR_BYTES = 16;

export const WASM_TARGET: VectorTarget = {
  hasVectorInstruction: (op, type) => vectorInstruction(op, type) !== undefined,
};
