// SPDX-License-Identifier: MIT
import { node } from '../helpers/command';
import { stubSuite } from './stub';

const { library, suite } = stubSuite();

const KINDS = {
  arrays: ['BuildProgram', 'CreateProgramWithSource', 'EnqueueFillBuffer', 'WaitForEvents'],
  flow: ['BuildProgram', 'CreateCommandQueueWithProperties', 'EnqueueWriteBuffer', 'SetKernelArg'],
  schedule: ['CreateCommandQueueWithProperties', 'GetDeviceInfo', 'SetEventCallback'],
} as const;

// All of them take minutes.
const SOME = 'cumsum of columns,fft,unique,gather';

suite('a call that fails under each operation of arrays', () => {
  test('is an error that names it, and leaves no memory in use', () => {
    const env = { ANYCL_OPENCL_LIBRARY: library! };
    const { status, stdout, stderr } = node('tests/stub-icd/lost.mjs', ['operations', 'nth', '-5', SOME], {
      env,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    for (const name of ['CreateBuffer', 'EnqueueNDRangeKernel', 'EnqueueReadBuffer'])
      expect(stdout).toContain(`cl${name}: `);
  }, 120_000);
});

suite.each(Object.entries(KINDS))('a device that is lost under %s', (kind, functions) => {
  // Each call of the driver is the one that fails. The script checks that nothing hangs, is half-written or stays in use.
  test.each([
    ['nth', '-5'],
    ['lost', '-2'],
  ])('is an error of its own: %s %s', (verb, code) => {
    const env = { ANYCL_OPENCL_LIBRARY: library! };
    const { status, stdout, stderr } = node('tests/stub-icd/lost.mjs', [kind, verb, code], { env });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    for (const name of [...functions, 'EnqueueReadBuffer']) expect(stdout).toContain(`cl${name}: error`);
  });
});
