// SPDX-License-Identifier: MIT
//
// WebAssembly as a target of vector plans.
import type { VectorTarget } from '../vectorize/plan';
import { vectorInstruction } from './tables';

export const WASM_TARGET: VectorTarget = {
  hasVectorInstruction: (op, type) => vectorInstruction(op, type) !== undefined,
};
