// SPDX-License-Identifier: MIT
//
// Sub-devices of the software device: what they say of themselves, and that only their workers run their kernels.
import { type Device, platforms } from '../../ts';

const threads = process.env.ANYCL_THREADS;
process.env.ANYCL_THREADS = '4';
const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;
afterAll(() => {
  if (threads === undefined) delete process.env.ANYCL_THREADS;
  else process.env.ANYCL_THREADS = threads;
});

const units = (devices: readonly Device[]) => devices.map((device) => device.info('MAX_COMPUTE_UNITS'));

test('equal parts, as many as there are', () => {
  expect(software.info('PARTITION_PROPERTIES')).toEqual([0x1086n, 0x1087n]);
  expect(software.info('PARTITION_MAX_SUB_DEVICES')).toBe(4);
  expect(software.info('PARTITION_TYPE')).toEqual([]);
  const parts = software.partition({ equally: 2 });
  expect(units(parts)).toEqual([2, 2]);
  expect(units(software.partition({ equally: 3 }))).toEqual([3]);
  expect(parts[0]!.info('PARTITION_TYPE')).toEqual([0x1086n, 2n, 0n]);
  expect(parts[0]!.info('PARENT_DEVICE')).toBe(software);
  expect(parts[0]!.info('REFERENCE_COUNT')).toBe(1);
  parts[0]!.release();
  expect(() => parts[0]!.info('NAME')).toThrow('CL_INVALID_DEVICE');
});

test('parts by counts, and parts of parts', () => {
  const parts = software.partition({ byCounts: [3, 1] });
  expect(units(parts)).toEqual([3, 1]);
  expect(parts[0]!.info('PARTITION_TYPE')).toEqual([0x1087n, 3n, 1n, 0n, 0n]);
  expect(units(parts[0]!.partition({ byCounts: [1, 2] }))).toEqual([1, 2]);
  expect(parts[1]!.info('PARTITION_PROPERTIES')).toEqual([0n]);
  expect(() => parts[1]!.partition({ equally: 1 })).toThrow('CL_DEVICE_PARTITION_FAILED');
});

test('what cannot be divided so is refused', () => {
  expect(() => software.partition({ equally: 4 })).toThrow('CL_DEVICE_PARTITION_FAILED');
  expect(() => software.partition({ equally: 5 })).toThrow('CL_INVALID_DEVICE_PARTITION_COUNT');
  expect(() => software.partition({ byCounts: [3, 2] })).toThrow('CL_INVALID_DEVICE_PARTITION_COUNT');
  expect(() => software.partition({ byAffinity: 'numa' })).toThrow('CL_INVALID_VALUE');
});

const SOURCE = `
kernel void together(volatile global int *state) {
  int running = atomic_inc(state) + 1;
  atomic_max(state + 1, running);
  barrier(CLK_GLOBAL_MEM_FENCE);  // Groups run one by one, not several as one vector.
  volatile int wait = 0;
  for (int i = 0; i < 20000; i++) wait++;
  atomic_dec(state);
  atomic_inc(state + 2);
}`;

/** The number of work-groups that ran at the same time. */
async function most(device: Device): Promise<number> {
  const context = device.createContext();
  const program = await context.createProgram(SOURCE).build();
  const state = context.createBuffer(Int32Array.of(0, 0, 0));
  const kernel = program.createKernel('together');
  await kernel.run({ global: 300, local: 1 }, state);
  const [running, together, done] = await state.read();
  expect([running, done]).toEqual([0, 300]);
  context.release();
  return together!;
}

test('only its workers run a sub-device’s kernels', async () => {
  const [pair, one, other] = software.partition({ byCounts: [2, 1, 1] });
  expect(await most(one!)).toBe(1);
  expect(await most(other!)).toBe(1);
  expect(await most(pair!)).toBeLessThanOrEqual(2);
  expect(await Promise.all([most(one!), most(pair!), most(software)])).toEqual([
    1,
    expect.any(Number),
    expect.any(Number),
  ]);
});

test('the parts of a device share a context', async () => {
  const parts = software.partition({ equally: 1 });
  const { Context } = await import('../../ts');
  const context = Context.create(parts);
  const program = await context
    .createProgram('kernel void add(global int *x) { x[get_global_id(0)] += 1; }')
    .build();
  const buffer = context.createBuffer(Int32Array, 1000);
  const queues = parts.map((device) => context.createQueue({ device }));
  queues[0]!.enqueueFill(buffer, Int32Array.of(0));
  for (const queue of queues) {
    const kernel = program.createKernel('add');
    kernel.setArgs(buffer);
    queue.enqueueNDRange(kernel, { global: 1000 });
    await queue.finish();
  }
  expect(new Set(await buffer.read())).toEqual(new Set([4]));
  context.release();
});
