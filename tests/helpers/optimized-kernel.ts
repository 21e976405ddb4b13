// SPDX-License-Identifier: MIT
//
// What our compiler and the JIT's passes make of a kernel `k`: for tests of what follows them.
import { compile } from '../../ts/compiler/compile';
import { Program } from '../../ts/jit/frontend/program';
import type { Func } from '../../ts/jit/ir/ir';
import { optimize } from '../../ts/jit/passes/pipeline';

export function optimizedKernel(text: string): Func {
  const { module, log } = compile({ name: 'k.cl', text, options: '', target: 'spir' });
  if (!module) throw new Error(log);
  const program = new Program(module, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k');
  optimize(func, { signature, constants: program.image, fuse: false });
  return func;
}
