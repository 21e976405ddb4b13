// SPDX-License-Identifier: MIT
import { createNativeBackend } from '../../ts/backend/native';
import { node } from '../helpers/command';
import { describeNeeding } from '../helpers/needs';
import { buildStub } from './stub';

const library = buildStub();
const here = library !== undefined && createNativeBackend(library).platforms().length > 0;

describeNeeding('the stub driver', here)('a driver that replaces the handler of memory faults', () => {
  test.each(['build', 'buildSync'])('leaves traps of the software device errors: %s', (method) => {
    const env = { ANYCL_OPENCL_LIBRARY: library! };
    const { status, stdout, stderr } = node('tests/stub-icd/traps.mjs', [method], { env });
    expect(stderr).toBe('');
    expect(stdout).toBe('ok\n');
    expect(status).toBe(0);
  });
});
