// SPDX-License-Identifier: MIT
import type { Device, DeviceType } from './objects/device';
import { preferredDevice } from './preference';

const device = (type: DeviceType, platform: string, name: string, version = 'OpenCL 3.0'): Device =>
  ({ type, name, platform: { name: platform, version } }) as unknown as Device;

const software = device('software', 'anycl', 'anycl software device');
const pocl = device('cpu', 'Portable Computing Language', 'pthread-skylake', 'OpenCL 3.0 PoCL 3.1');
const poclGpu = device('gpu', 'Portable Computing Language', 'NVIDIA GeForce', 'OpenCL 3.0 PoCL 7.1');
const llvmpipe = device('cpu', 'rusticl', 'llvmpipe (LLVM 15.0.6, 256 bits)');
const llvmpipeGpu = device('gpu', 'Clover', 'llvmpipe (LLVM 9, 256 bits)');
const intel = device('cpu', 'Intel(R) OpenCL', 'Intel(R) Xeon(R)');
const oclgrind = device('cpu', 'Oclgrind', 'Oclgrind Simulator');
const fpga = device('accelerator', 'Intel(R) FPGA', 'Arria');
const gpu = device('gpu', 'NVIDIA CUDA', 'NVIDIA H200');

test.each([
  ['a GPU before all', [pocl, software, fpga, gpu], gpu, /first GPU/],
  ['an accelerator before the processor', [pocl, intel, software, fpga], fpga, /no GPU/],
  ['a vectorizing driver of the processor', [pocl, intel, software], intel, /driver for the processor/],
  ['the software device before PoCL', [pocl, software], software, /PoCL takes some 3 times as long/],
  ['a GPU through PoCL', [poclGpu, software], poclGpu, /first GPU/],
  ['the software device before rusticl on llvmpipe', [llvmpipe, software], software, /llvmpipe.* 10 times/],
  ['no llvmpipe that says it were a GPU', [llvmpipeGpu, software], software, /llvmpipe/],
  ['no interpreter', [oclgrind, software], software, /Oclgrind/],
  ['whatever there is', [pocl], pocl, /no other/],
])('%s', (_what, devices, best, reason) => {
  const choice = preferredDevice(devices);
  expect(choice.device).toBe(best);
  expect(choice.reason).toMatch(reason);
});
