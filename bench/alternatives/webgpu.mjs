// SPDX-License-Identifier: MIT
// The workloads with `webgpu`, Dawn for Node.js: node bench/alternatives/webgpu.mjs FOLDER, whose node_modules has it. Its Vulkan
// driver is the one that the environment names (VK_ICD_FILENAMES).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { first, measure, SIZES, second } from './workloads.mjs';

const load = createRequire(join(process.argv[2], 'package.json'));
const { create, globals } = await import(pathToFileURL(load.resolve('webgpu')));
Object.assign(globalThis, globals);
const gpu = create([]);
const adapter = await gpu.requestAdapter();
if (!adapter) throw new Error('webgpu has no adapter: it needs a Vulkan driver');
const device = await adapter.requestDevice();
const code = readFileSync(new URL('kernels.wgsl', import.meta.url), 'utf8');
const module = device.createShaderModule({ code });
const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;

function buffer(data, usage) {
  const made = device.createBuffer({ size: data.byteLength, usage: usage | COPY_DST });
  device.queue.writeBuffer(made, 0, data);
  return made;
}

function workload(entryPoint, size, elements, groups) {
  const layout = device.createBindGroupLayout({
    entries: ['storage', 'read-only-storage', 'read-only-storage', 'uniform'].map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    })),
  });
  const pipeline = device.createComputePipeline({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint },
  });
  const out = device.createBuffer({ size: elements * 4, usage: STORAGE | COPY_SRC });
  const inputs = [buffer(first(elements), STORAGE), buffer(second(elements), STORAGE)];
  const bound = [out, ...inputs, buffer(Uint32Array.of(size), UNIFORM)];
  const entries = bound.map((resource, binding) => ({ binding, resource: { buffer: resource } }));
  const bindGroup = device.createBindGroup({ layout, entries });
  return {
    async run() {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(...groups);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
    },
    async result() {
      const host = device.createBuffer({ size: elements * 4, usage: MAP_READ | COPY_DST });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(out, 0, host, 0, elements * 4);
      device.queue.submit([encoder.finish()]);
      await host.mapAsync(GPUMapMode.READ);
      return new Float32Array(host.getMappedRange());
    },
  };
}

/** Work-groups of 64 in rows of 65536 invocations: a dimension has at most 65535 groups. */
const rows = (n) => [Math.min(n, 65536) / 64, Math.ceil(n / 65536)];
const square = (n) => [n / 8, n / 8];
const { triad, mandelbrot, matmul, call } = SIZES;
await measure(adapter.info.description, {
  triad: workload('triad', triad, triad, rows(triad)),
  mandelbrot: workload('mandelbrot', mandelbrot, mandelbrot ** 2, square(mandelbrot)),
  matmul: workload('matmul', matmul, matmul ** 2, square(matmul)),
  call: workload('triad', call, call, rows(call)),
});
// Dawn's threads would keep the process.
process.exit(0);
