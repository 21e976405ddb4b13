// SPDX-License-Identifier: MIT
//
// Binary semaphores on the software device.
import { type CommandQueue, type Context, type Device, platforms } from '../../ts';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

let context: Context;
let queues: readonly [CommandQueue, CommandQueue];
beforeEach(() => {
  context = software.createContext();
  queues = [context.createQueue(), context.createQueue()];
});
afterEach(() => context.release());

test('it is claimed, and tells of itself', () => {
  expect(software.extensions).toContain('cl_khr_semaphore');
  expect(software.info('SEMAPHORE_TYPES_KHR')).toEqual([1]);
  expect(software.platform.info('SEMAPHORE_TYPES_KHR')).toEqual([1]);
  const semaphore = context.createSemaphore();
  expect(semaphore.info('TYPE_KHR')).toBe(1);
  expect(semaphore.info('PAYLOAD_KHR')).toBe(0n);
  expect(semaphore.info('CONTEXT_KHR')).toBe(context);
  expect(semaphore.info('PROPERTIES_KHR')).toEqual([0x203dn, 1n, 0n]);
});

test.each(['before', 'after'])('a wait that is enqueued %s its signal is released by it', async (order) => {
  const semaphore = context.createSemaphore();
  const buffer = context.createBuffer(Int32Array.of(0));
  const gate = context.createUserEvent();
  const signal = () => {
    queues[0].enqueueFill(buffer, Int32Array.of(5), { waitFor: [gate] });
    semaphore.signal({ queue: queues[0] });
  };
  if (order === 'after') signal();
  const waited = semaphore.wait({ queue: queues[1] });
  const read = buffer.read({ queue: queues[1] });
  if (order === 'before') signal();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(waited.status).not.toBe('complete');
  gate.complete();
  expect(Array.from(await read)).toEqual([5]);
  expect(semaphore.info('PAYLOAD_KHR')).toBe(0n);
});

test('a signal is kept until it is waited for, and releases one wait', async () => {
  const semaphore = context.createSemaphore();
  await semaphore.signal({ queue: queues[0] });
  expect(semaphore.info('PAYLOAD_KHR')).toBe(1n);
  await semaphore.wait({ queue: queues[1] });
  expect(semaphore.info('PAYLOAD_KHR')).toBe(0n);
  const second = semaphore.wait({ queue: queues[1] });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(second.status).not.toBe('complete');
  await semaphore.signal({ queue: queues[0] });
  await second;
});

test('nothing outside of the process shares it', () => {
  expect(() => context.createSemaphore({ exportAs: ['sync-fd'] })).toThrow('CL_INVALID_PROPERTY');
  expect(() => context.createSemaphore().exportHandle('sync-fd')).toThrow('CL_INVALID_VALUE');
});

test('nor is memory imported', () => {
  const external = { type: 'opaque-fd', handle: 3 } as const;
  expect(software.extensions).not.toContain('cl_khr_external_memory');
  expect(() => context.createBuffer(64, { external })).toThrow(/CL_INVALID_PROPERTY.*cl_khr_external_memory/);
  expect(() => context.createImage({ format: 'rgba8', width: 4 }, undefined, { external })).toThrow(
    /CL_INVALID_PROPERTY.*cl_khr_external_memory/,
  );
});
