// SPDX-License-Identifier: MIT
//
// cl_khr_priority_hints and cl_khr_throttle_hints on the software device: taken, checked and told.
import { type Device, platforms } from '../../ts';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

test('hints are kept, and do not change what a queue does', async () => {
  expect(software.extensions).toEqual(
    expect.arrayContaining(['cl_khr_priority_hints', 'cl_khr_throttle_hints']),
  );
  const context = software.createContext();
  const queue = context.createQueue({ priority: 'low', throttle: 'high' });
  expect(queue.info('PROPERTIES_ARRAY')).toEqual([0x1096n, 4n, 0x1097n, 1n, 0n]);
  const buffer = context.createBuffer(Int32Array.of(1, 2, 3));
  queue.enqueueFill(buffer, Int32Array.of(7));
  expect(Array.from(await buffer.read({ queue }))).toEqual([7, 7, 7]);
  context.release();
});

test.each([
  [0x1096, 'CL_QUEUE_PRIORITY_KHR'],
  [0x1097, 'CL_QUEUE_THROTTLE_KHR'],
])('a value that is none is refused (0x%x)', (key, name) => {
  const context = software.createContext();
  expect(() => context.createQueue({ properties: [[key, 3]] })).toThrow(`${name} takes 1, 2, 4, not 3`);
  context.release();
});
