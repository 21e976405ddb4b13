// SPDX-License-Identifier: MIT
//
// cl_khr_terminate_context on the software device: kernels that never end are ended, with everything else of their context.
import { type Context, type Device, type Event, OpenCLError, platforms } from '../../ts';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

const SOURCE = `
kernel void forever(volatile global int *go) { while (*go) {} }
kernel void add(global int *x) { atomic_inc(x); }`;

const TERMINATED = -1121;

async function build(context: Context) {
  const program = await context.createProgram(SOURCE).build();
  return { forever: program.createKernel('forever'), add: program.createKernel('add') };
}

async function codeOf(event: Event): Promise<number> {
  try {
    await event.wait();
    return 0;
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    return error.code;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('what runs and what waits ends with an error; other contexts go on; later calls are refused', async () => {
  expect(software.extensions).toContain('cl_khr_terminate_context');
  expect(software.info('TERMINATE_CAPABILITY_KHR')).toBe(1);
  const context = software.createContext({ terminable: true });
  const { forever, add } = await build(context);
  const go = context.createBuffer(Int32Array.of(1));
  const [first, second] = [context.createQueue(), context.createQueue({ outOfOrder: true })];
  forever.setArgs(go);
  add.setArgs(go);
  const gate = context.createUserEvent();
  const events = [
    first.enqueueNDRange(forever, { global: 64, local: 1 }),
    first.enqueueNDRange(add, { global: 10 }),
    first.enqueueMarker(),
    second.enqueueNDRange(add, { global: 10 }, { waitFor: [gate] }),
    second.enqueueFill(go, Int32Array.of(7), { waitFor: [gate] }),
  ];
  await pause(50);
  expect(events.map(({ status }) => status)).not.toContain('complete');

  const other = software.createContext();
  const kernels = await build(other);
  const counter = other.createBuffer(new Int32Array(1));
  context.terminate();
  const codes = Promise.all(events.map(codeOf));
  await kernels.add.run({ global: 1000 }, counter);
  expect(Array.from(await counter.read())).toEqual([1000]);
  expect(await codes).toEqual(events.map(() => TERMINATED));

  expect(() => context.createBuffer(4)).toThrow('CL_CONTEXT_TERMINATED_KHR');
  expect(() => first.enqueueNDRange(add, { global: 1 })).toThrow('CL_CONTEXT_TERMINATED_KHR');
  expect(() => first.enqueueMarker()).toThrow('CL_CONTEXT_TERMINATED_KHR');
  expect(() => context.terminate()).toThrow('CL_CONTEXT_TERMINATED_KHR');
  gate.complete();
  // All workers run again.
  const again = kernels.add.run({ global: 100000, local: 1 }, counter);
  expect(await codeOf(again)).toBe(0);
  expect(Array.from(await counter.read())).toEqual([101000]);
  context.release();
  other.release();
});

test('contexts that were not created for it are not terminated', () => {
  const context = software.createContext();
  expect(() => context.terminate()).toThrow('CL_INVALID_OPERATION');
  context.release();
});

test('what waits for a semaphore ends, and its signal is refused', async () => {
  const context = software.createContext({ terminable: true });
  const queue = context.createQueue();
  const semaphore = context.createSemaphore();
  const buffer = context.createBuffer(new Int32Array(1));
  const events = [semaphore.wait({ queue }), queue.enqueueFill(buffer, Int32Array.of(1))];
  await pause(20);
  expect(events.map(({ status }) => status)).not.toContain('complete');
  context.terminate();
  expect(await Promise.all(events.map(codeOf))).toEqual([TERMINATED, TERMINATED]);
  expect(() => semaphore.signal({ queue })).toThrow('CL_CONTEXT_TERMINATED_KHR');
  semaphore.release();
  context.release();
});
