// SPDX-License-Identifier: MIT
//
// Kernels on the software device below the public API, without a cache.
import { SoftwareBackend } from '../../ts/backend/software';
import { defaultToolchain } from '../../ts/backend/software/build/default-toolchain';
import type { SoftwareKernel } from '../../ts/backend/software/programs/kernel';
import { NodeHost } from '../../ts/host/node/node-host';
import { settingsWith } from './settings';

/** A context and a queue of a device with this many threads, which ends after the tests of the file that calls this. */
export function softwareKernels(threads: number) {
  const host = new NodeHost(settingsWith({ ANYCL_CACHE: '0', ANYCL_THREADS: `${threads}` }));
  const backend = new SoftwareBackend(host, defaultToolchain);
  const device = backend.platforms()[0]!.devices()[0]!;
  const context = device.createContext([device], []);
  const queue = context.createQueue(device, []);
  afterAll(() => backend.shutdown());
  async function kernelOf(source: string): Promise<SoftwareKernel> {
    const program = context.createProgramWithSource([source]);
    await program.build([device], '-cl-std=CL3.0');
    return program.createKernel(program.kernelNames()[0]!) as SoftwareKernel;
  }
  return { device, context, queue, kernelOf };
}
