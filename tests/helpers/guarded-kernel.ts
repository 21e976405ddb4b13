// SPDX-License-Identifier: MIT
import { CHECKS } from '../../ts/base/checks';
import type { KernelBinary } from '../../ts/base/kernel-abi';
import { loadProgram } from '../../ts/jit';
import { compiledModule } from './compiled-module';

/** The kernel `k` of a source for one work-item at a time: robust, or with all checks that launches are proved to pass. */
export function guardedKernel(text: string, guard: 'robust' | 'checks' = 'checks'): KernelBinary {
  const module = compiledModule({ name: 'k.cl', text, options: '', target: 'spir' });
  const checks = CHECKS.filter((check) => check !== 'loops' && check !== 'arithmetic');
  return loadProgram(module, { moduleOf: () => undefined }).compileKernel('k', {
    engine: { relaxedSimd: false },
    lanes: 1,
    rows: 1,
    ...(guard === 'robust' ? { robust: true } : { checks }),
  });
}
