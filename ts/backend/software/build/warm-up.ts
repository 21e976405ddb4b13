// SPDX-License-Identifier: MIT
import { invariant } from '../../../base/invariant';
import type { Module } from '../../../spirv/module';
import { COMPILER_EXTENSIONS } from '../device/capabilities';
import type { Services } from '../services';
import type { Target, Toolchain } from './toolchain';

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
 * used. Each step has a turn of the event loop of its own.
 */
export async function warmUp(services: Services): Promise<void> {
  const { host, processor } = services;
  // Finding out what the engine has sets flags too.
  const settings = services.settings();
  const started = processor.pool.start();
  await host.nextTurn();
  const { toolchain } = services;
  await host.nextTurn();
  const module = smallModule(toolchain, services.target);
  await host.nextTurn();
  const program = toolchain.load(toolchain.link([module], { library: false }), services.addressBits);
  const kernel = program.compileKernel('work', settings);
  await host.nextTurn();
  const { wasm } = kernel.module('whole-tiles');
  // While flags are set, including those of compileWasm, threads start without Node.js's code cache and take twice as long.
  await started;
  host.compileWasm(wasm);
}

function smallModule(toolchain: Toolchain, target: Target): Module {
  const { module, log } = toolchain.compile({
    name: '<warm-up>',
    text: SOURCE,
    options: '',
    target,
    extensions: COMPILER_EXTENSIONS,
    readFile: () => undefined,
  });
  invariant(module, `the kernel of the warm-up does not compile: ${log}`);
  toolchain.encode(module);
  return module;
}
