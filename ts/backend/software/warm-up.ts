// SPDX-License-Identifier: MIT
import { invariant } from '../../base/invariant';
import { COMPILER_EXTENSIONS } from './capabilities';
import type { Services } from './services';

/** What most kernels have: a call, a loop, vectors, a branch. */
const SOURCE = `
float length2(float4 v) { return dot(v, v) + fabs(v.x); }
__kernel void work(__global float *out, __global const float4 *in, const int n) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k++) sum += in[i + k] * 2.0f;
  if (i < n) out[i] = length2(sum);
}`;

/**
 * Compiles a small kernel and drops it. The compiler's and the JIT's own JavaScript, and V8's WebAssembly compiler, are
 * slow when they first run; the worker threads start meanwhile. No cache is touched.
 */
export function warmUp(services: Services): void {
  const { host, device, toolchain } = services;
  const { module, log } = toolchain.compile({
    name: '<warm-up>',
    text: SOURCE,
    options: '',
    target: 'spir',
    extensions: COMPILER_EXTENSIONS,
    readFile: () => undefined,
  });
  invariant(module, `the kernel of the warm-up does not compile: ${log}`);
  toolchain.encode(module);
  const program = toolchain.load(toolchain.link([module], { library: false }));
  host.compileWasm(program.compileKernel('work', services.settings()).module('whole-tiles').wasm);
  device.pool.prepare();
}
