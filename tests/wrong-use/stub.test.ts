// SPDX-License-Identifier: MIT
//
// Wrong use of what no driver at hand has: the stub claims every extension.
import type { Device } from '../../ts';
import { describeNeeding } from '../helpers/needs';
import { buildStub } from '../stub-icd/stub';
import { testEveryMethod } from './every-method';

const library = buildStub(true);
const suite = describeNeeding('the stub driver', Boolean(library));

suite('the stub library', () => {
  let found: Device;
  beforeAll(async () => {
    process.env.ANYCL_OPENCL_LIBRARY = library;
    found = (await import('../../ts')).platforms()[0]!.devices[0]!;
  });
  testEveryMethod(
    () => found,
    () => found,
  );
});
