// SPDX-License-Identifier: MIT
//
// A work-item that comes to an OpUnreachable traps, and so ends the launch; a kernel without loops ends in any case, as it may
// run on the thread that enqueues it.
import { compile } from '../../ts/compiler/compile';
import { Program } from '../../ts/jit/frontend/program';
import { Op } from '../../ts/jit/ir/ir';
import { compileKernel } from '../../ts/jit/pipeline';
import { runCompiled } from '../helpers/compiled-kernel';
import { TILES } from '../helpers/every-tile';

const SOURCE = `kernel void k(global int *out) {
  local int n;
  if (get_local_id(0) == 0) n = get_local_size(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = n;
}`;

test.each(TILES)('after a barrier, tiles of %i x %i', (lanes, rows) => {
  const { module } = compile({ name: 'k.cl', text: SOURCE, options: '', target: 'spir' });
  const program = new Program(module!, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k');
  for (const { terminator } of func.blocks) if (terminator.op === Op.Return) terminator.op = Op.Unreachable;
  const binary = compileKernel({
    translate: () => ({ func, signature }),
    constants: program.image,
    options: { engine: { relaxedSimd: false }, lanes, rows },
    trace: { check: true },
  });
  expect(binary.bounded).toBe(true);
  const args = [{ buffer: new Int32Array(16) }];
  const run = () => runCompiled(binary, program.binary, { global: [16], local: [8], args });
  expect(run).toThrow(WebAssembly.RuntimeError);
  expect(run).toThrow('unreachable');
});
