// SPDX-License-Identifier: MIT
import { node } from '../helpers/command';
import { stubSuite } from './stub';

const { library, suite } = stubSuite();

suite('a device that is lost in the middle of a split', () => {
  // Each call of the driver is the one that fails.
  test.each([
    ['CL_DEVICE_NOT_AVAILABLE', '-2'],
    ['CL_OUT_OF_RESOURCES', '-5'],
  ])('is named, and the results of all other slices are there: %s', (_, code) => {
    const env = { ANYCL_OPENCL_LIBRARY: library! };
    const { status, stdout, stderr } = node('tests/stub-icd/split.mjs', [code], { env });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    for (const name of ['CreateCommandQueueWithProperties', 'CreateBuffer', 'GetDeviceInfo', 'SetKernelArg'])
      expect(stdout).toContain(`cl${name}`);
    for (const name of ['NDRangeKernel', 'ReadBuffer', 'WriteBuffer'])
      expect(stdout).toContain(`clEnqueue${name}`);
  });
});
