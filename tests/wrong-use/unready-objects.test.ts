// SPDX-License-Identifier: MIT
//
// Errors of objects that are not ready, or have no such value: they name the function that was called, and what to do.
import { openSync, type Session } from '../../ts';

/** Calls as of a script without types. */
// biome-ignore lint/suspicious/noExplicitAny: as JavaScript has it.
type Untyped = any;

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

const SOURCE = 'kernel void k(global int *x) {}';

describe('a program without an executable', () => {
  test.each([
    ['createKernel', () => cl.context.createProgram(SOURCE).createKernel('k'), 'clCreateKernel'],
    ['createKernels', () => cl.context.createProgram(SOURCE).createKernels(), 'clCreateKernelsInProgram'],
    ['kernels', () => cl.context.createProgram(SOURCE).kernels.k, 'clCreateKernel'],
  ])('%s says that it is not built', (_name, act, functionName) => {
    expect(act).toThrow(
      new RegExp(`^${functionName}: CL_INVALID_PROGRAM_EXECUTABLE .*await \`build\\(\\)\``),
    );
  });

  test('a compiled one is linked first', async () => {
    const program = cl.context.createProgram(SOURCE);
    await program.compile();
    expect(() => program.createKernel('k')).toThrow(/clCreateKernel.*`context\.link\(\)`/);
  });

  test('a binary for each device', () => {
    expect(() => cl.context.createProgramWithBinary([])).toThrow(
      'the context has 1 device, and each needs a binary; 0 were given',
    );
  });
});

describe('properties', () => {
  test('the end of a name suggests the name', () => {
    const program = cl.buildSync(SOURCE) as Untyped;
    expect(() => program.buildInfo('STATUS')).toThrow("did you mean 'BUILD_STATUS'?");
  });

  test('a version that the device has is not asked for', () => {
    expect(() => cl.queue.info('SIZE')).toThrow("'SIZE' is not known here: this object has no value for it");
    expect(() => cl.buffer(4).info('USES_SVM_POINTER_ARM')).toThrow(/it needs cl_arm_shared_virtual_memory$/);
  });
});

test('a command of the host on a queue of the device names its own function', () => {
  const queue = cl.context.createQueue({ onDevice: {}, outOfOrder: true });
  expect(() => queue.enqueueFill(cl.buffer(4), Uint8Array.of(1))).toThrow(
    /^clEnqueueFillBuffer: CL_INVALID_COMMAND_QUEUE/,
  );
});

test('a partition that the device does not have is named', () => {
  if (cl.device.info('MAX_COMPUTE_UNITS') === 1) return;
  expect(() => cl.device.partition({ byAffinity: 'numa' })).toThrow(
    /not by CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN$/,
  );
});

test('a kernel that a signal ends', async () => {
  const { spin } = cl.buildSync(
    'kernel void spin(global volatile int *x) { while (x[0] == 0) x[1]++; }',
  ).kernels;
  const stop = new AbortController();
  const event = spin.run({ global: 1, signal: stop.signal }, cl.buffer(new Int32Array(2)));
  while (event.status !== 'running') await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort();
  await expect(event).rejects.toThrow("kernel 'spin' was ended, as its signal was aborted");
});
