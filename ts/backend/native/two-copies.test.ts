// SPDX-License-Identifier: MIT
// A thread that loads the package twice, as bundlers and test runners do, has one addon: each copy hears of its own
// commands, and what one copy releases is its own.
import type { BackendDevice } from '../backend';
import { createNativeBackend } from '.';

const device = createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY)
  .platforms()
  .map((platform) => platform.devices()[0])
  .find((found) => found !== undefined);

function useOf(one: BackendDevice) {
  const context = one.createContext([one], []);
  const queue = context.createQueue(one, []);
  return {
    context,
    queue,
    release: () => {
      queue.release();
      context.release();
    },
  };
}

(device ? it : it.skip)('two copies of the package in one thread', async () => {
  const first = useOf(device!);
  const early = first.queue.finish();
  let second = first;
  jest.isolateModules(() => {
    const copy = require('.') as { createNativeBackend: typeof createNativeBackend };
    second = useOf(copy.createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY).platforms()[0]!.devices()[0]!);
  });
  await early;
  first.queue.finishSync();
  await Promise.all([first.queue.finish(), second.queue.finish()]);
  first.queue.release();
  expect(() => first.queue.info(0x1090)).toThrow('released');
  second.queue.finishSync();
  second.release();
  first.context.release();
});
