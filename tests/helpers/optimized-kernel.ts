// SPDX-License-Identifier: MIT
//
// A kernel `k` after our compiler and the JIT's passes, for tests of later stages.

import type { KernelSignature } from '../../ts/base/kernel-abi';
import { Analyses } from '../../ts/jit/analyses/analyses';
import { Program } from '../../ts/jit/frontend/program';
import type { Func } from '../../ts/jit/ir/ir';
import { type Pass, runPasses } from '../../ts/jit/pass';
import { PREPARE_PASSES } from '../../ts/jit/pass-lists';
import { optimize } from '../../ts/jit/pipeline';
import { compiledModule } from './compiled-module';

export function optimizedKernel(text: string): Func {
  return kernelAfter(text, []).func;
}

/** With its signature, which tells what its arguments are; `separate`: their memory does not overlap. */
export function optimizedWithSignature(
  text: string,
  separate = false,
): { func: Func; signature: KernelSignature } {
  return kernelAfter(text, [], separate);
}

/** The same after the passes that prepare it for vectorization. */
export function preparedKernel(text: string): Func {
  return kernelAfter(text, PREPARE_PASSES).func;
}

function kernelAfter(
  text: string,
  passes: readonly Pass[],
  separate = false,
): { func: Func; signature: KernelSignature } {
  const module = compiledModule({ name: 'k.cl', text, options: '', target: 'spir' });
  const program = new Program(module, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k');
  func.separate = separate;
  const context = { signature, constants: program.image, fuse: false };
  optimize(func, context);
  runPasses(passes, new Analyses(func), context, { check: true });
  return { func, signature };
}
