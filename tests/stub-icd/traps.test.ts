// SPDX-License-Identifier: MIT
import { node } from '../helpers/command';
import { stubSuite } from './stub';

const { library, suite } = stubSuite();

suite('a driver that replaces the handler of memory faults', () => {
  test.each(['build', 'buildSync'])('leaves traps of the software device errors: %s', (method) => {
    const env = { ANYCL_OPENCL_LIBRARY: library! };
    const { status, stdout, stderr } = node('tests/stub-icd/traps.mjs', [method], { env });
    expect(stderr).toBe('');
    expect(stdout).toBe('ok\n');
    expect(status).toBe(0);
  });
});
