// SPDX-License-Identifier: MIT
import { runCompiled } from '../../../tests/helpers/compiled-kernel';
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { MAX_WORK_GROUP_SIZE } from '../../base/kernel-abi';
import { Program } from '../frontend/program';
import { compileKernel } from '../pipeline';

test.each([
  ['without barriers', ''],
  ['with a barrier', 'barrier(CLK_GLOBAL_MEM_FENCE);'],
])('a kernel %s traps where its sizes are larger than any work-group', (_, statement) => {
  const source = `kernel void k(global int *p) { ${statement} p[get_global_id(0)] = get_local_id(1); }`;
  const program = new Program(compiledModule({ name: 'k.cl', text: source, options: '' }), {
    moduleOf: () => undefined,
  });
  const { func, signature } = program.translate('k');
  const binary = compileKernel({
    translate: () => ({ func, signature }),
    constants: program.image,
    options: { engine: { relaxedSimd: false, isX64: true }, lanes: 4, rows: 1 },
  });
  const run = (...local: [number, number, number]) =>
    runCompiled(binary, program.binary, {
      global: local,
      local,
      args: [{ buffer: new Int32Array(MAX_WORK_GROUP_SIZE) }],
    });
  expect(() => run(MAX_WORK_GROUP_SIZE / 4, 4, 1)).not.toThrow();
  expect(() => run(MAX_WORK_GROUP_SIZE / 4, 4, 2)).toThrow('unreachable');
  expect(() => run(2 ** 30, 4, 2 ** 31)).toThrow('unreachable');
});
