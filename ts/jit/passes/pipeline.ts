// SPDX-License-Identifier: MIT
//
// The passes over kernel IR in their order. What follows (analyses, vectorization, emission) is jit/pipeline.ts.
import type { KernelSignature } from '../../base/kernel-abi';
import type { Func } from '../ir/ir';
import { verify } from '../ir/verify';
import { cleanUpFlow } from './clean-up-flow';
import { removeDeadCode } from './dead-code';
import { promote } from './promote';
import { type ConstantMemory, simplify } from './simplify';

export interface PassOptions {
  readonly signature: KernelSignature;
  readonly constants?: ConstantMemory;
  /** Products and sums become MulAdd where contraction is allowed. */
  readonly fuse: boolean;
  /** Verify the IR behind each pass. */
  readonly check?: boolean;
}

interface Pass {
  readonly name: string;
  run(func: Func, options: PassOptions): void;
}

const cleanUp: Pass = { name: 'clean-up-flow', run: cleanUpFlow };
const registers: Pass = { name: 'promote', run: promote };
const arithmetic: Pass = { name: 'simplify', run: (func, options) => simplify(func, options.constants) };
const dead: Pass = { name: 'dead-code', run: removeDeadCode };

const PASSES: readonly Pass[] = [
  // The inlined calls' seams.
  cleanUp,
  // Variables into values; then most of -O0's code folds away.
  registers,
  arithmetic,
  cleanUp,
  dead,
];

export function optimize(func: Func, options: PassOptions): void {
  for (const pass of PASSES) {
    pass.run(func, options);
    if (options.check) verify(func, pass.name);
  }
}
