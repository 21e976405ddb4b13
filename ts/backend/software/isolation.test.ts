// SPDX-License-Identifier: MIT
// A context whose kernels write everywhere that they can, beside one that must not notice.

import { settingsWith } from '../../../tests/helpers/settings';
import { MemFlags } from '../../cl/constants.gen';
import { NodeHost } from '../../host/node/node-host';
import type { BackendContext, BackendDevice } from '../backend';
import type { BackendKernel, BackendQueue } from '../backend-queue';
import { SoftwareBackend } from '.';
import { defaultToolchain } from './build/default-toolchain';

class TestHost extends NodeHost {
  constructor() {
    super(settingsWith({ ANYCL_TIMEOUT: '1000', ANYCL_CACHE: '0' }));
  }

  override writeOut(): void {}
}

const backend = new SoftwareBackend(new TestHost(), defaultToolchain);
const device: BackendDevice = backend.platforms()[0]!.devices()[0]!;
afterAll(() => backend.shutdown());

interface Place {
  readonly context: BackendContext;
  readonly queue: BackendQueue;
}

function place(): Place {
  const context = device.createContext([device], []);
  return { context, queue: context.createQueue(device, []) };
}

async function kernelOf({ context }: Place, source: string): Promise<BackendKernel> {
  const program = context.createProgramWithSource([source]);
  await program.build([device], '');
  return program.createKernel(program.kernelNames()[0]!);
}

/** Words from address 0 to far beyond the end: some writes succeed, and some trap. */
const WILD = [
  // One work-item writes word after word until the memory ends.
  'kernel void w(uint v) { for (ulong a = 0; a < 1ul << 32; a += 4) *(volatile global uint *)(size_t)a = v; }',
  // By all work-items at once, without a loop: this may run on the calling thread.
  'kernel void w(uint v) { *(volatile global uint *)(size_t)(get_global_id(0) * 4) = v; }',
  // Stacks that wait at a barrier, and the printf ring.
  `kernel void w(uint v) {
    uint a[16];
    for (uint i = 0; i < 16; i++) a[i & v] = i;
    printf("%u %s", v, "text");
    for (uint i = 0; i < 1 << 14; i++) *(volatile global uint *)(size_t)((get_global_id(0) << 16) + i * 4) = v;
    barrier(CLK_GLOBAL_MEM_FENCE);
    printf("%u", a[v & 15]);
  }`,
];

describe.each([0, 1, 0xffffffff, 0x7fffffff, 0x10000])('kernels that write %d everywhere', (value) => {
  test.each(WILD)('%s', async (source) => {
    const good = place();
    const data = Uint32Array.from({ length: 1 << 16 }, (_, i) => i * 7);
    const buffer = good.context.createBuffer(MemFlags.COPY_HOST_PTR, data.byteLength, data);
    const work = await kernelOf(good, 'kernel void k(global uint *p) { p[get_global_id(0)] += 1; }');
    work.setArg(0, buffer);

    const bad = place();
    const wild = await kernelOf(bad, source);
    wild.setArg(0, new Uint32Array([value]));
    const events = [1, 256, 1 << 16].map(
      (size) => bad.queue.enqueueKernel(wild, { global: [size] }, undefined, true)!,
    );
    good.queue.enqueueKernel(work, { global: [data.length] }, undefined, false);
    // Their results do not matter; they must end.
    await Promise.all(events.map((event) => new Promise((resolve) => event.onComplete(resolve))));

    const read = new Uint32Array(data.length);
    good.queue.enqueueKernel(work, { global: [data.length] }, undefined, false);
    good.queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: read }, undefined, false);
    await good.queue.finish();
    expect(read.every((word, i) => word === i * 7 + 2)).toBe(true);
  });
});

test('a context finds nothing of one that is gone', async () => {
  const fill = 'kernel void k(global uint *p) { p[get_global_id(0)] = 0x5ec2e7; }';
  for (let round = 0; round < 3; round++) {
    const first = place();
    const secret = first.context.createBuffer(0, 1 << 20);
    const kernel = await kernelOf(first, fill);
    kernel.setArg(0, secret);
    first.queue.enqueueKernel(kernel, { global: [1 << 18] }, undefined, false);
    await first.queue.finish();
    for (const object of [kernel, secret, first.queue, first.context]) object.release();

    const second = place();
    const search = await kernelOf(
      second,
      `kernel void s(global uint *found) {
        for (uint a = 0; a < 1 << 22; a += 4) if (*(volatile global uint *)(size_t)a == 0x5ec2e7) found[0]++;
      }`,
    );
    const found = second.context.createBuffer(MemFlags.COPY_HOST_PTR, 4, new Uint32Array(1));
    search.setArg(0, found);
    const read = new Uint32Array([1]);
    second.queue.enqueueKernel(search, { global: [1] }, undefined, false);
    second.queue.enqueue({ op: 'readBuffer', buffer: found, offset: 0, into: read }, undefined, false);
    await second.queue.finish();
    expect(read[0]).toBe(0);
    for (const object of [search, found, second.queue, second.context]) object.release();
  }
});
