// SPDX-License-Identifier: MIT
import { invariant } from '../../../base/invariant';
import type { Steps } from '../../../base/steps';
import type { JitOptions } from '../../../jit/compiled';
import { COMPILER_EXTENSIONS } from '../device/capabilities';
import type { Services } from '../services';

/** A kernel with the usual parts: a call, a loop, vectors, a branch. */
const SOURCE = `
float length2(float4 v) { return dot(v, v) + fabs(v.x); }
__kernel void work(__global float *out, __global const float4 *in, const int n) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k++) sum += in[i + k] * 2.0f;
  if (i < n) out[i] = length2(sum);
}`;

/**
 * Compiles a small kernel and discards it. The JavaScript of compiler and JIT, and V8's WebAssembly compiler, are slow when
 * they first run. The worker threads start meanwhile, so that they do not take the first build's core. The caches are not
 * used. The event loop continues between the steps, and an abort ends them.
 */
export async function warmUp(services: Services, signal: AbortSignal): Promise<void> {
  const { host, processor, turns } = services;
  // Finding out what the engine has sets flags too.
  const settings = services.settings();
  await host.nextTurn();
  const wasm = await turns.run(smallKernel(services, settings), (step) => step(), signal);
  // While flags are set, including those of compileWasm, threads start without Node.js's code cache and take twice as long.
  await processor.pool.started();
  signal.throwIfAborted();
  await host.compileWasmInBackground(wasm);
}

function* smallKernel(services: Services, settings: JitOptions): Steps<Uint8Array> {
  yield* services.processor.pool.threads.startSteps();
  yield* services.host.loadToolchain();
  const { toolchain, target, addressBits } = services;
  yield;
  const { module, log } = yield* toolchain.compile({
    name: '<warm-up>',
    text: SOURCE,
    options: '',
    target,
    extensions: COMPILER_EXTENSIONS,
    readFile: () => undefined,
  });
  invariant(module, `the kernel of the warm-up does not compile: ${log}`);
  yield;
  toolchain.encode(module);
  const program = toolchain.load(toolchain.link([module], { library: false }), addressBits);
  yield;
  const kernel = yield* program.kernelSteps('work', settings);
  return (yield* kernel.moduleSteps('whole-tiles')).wasm;
}
