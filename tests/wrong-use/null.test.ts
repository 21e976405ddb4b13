// SPDX-License-Identifier: MIT
//
// Wrong use with nothing behind the API: what the API itself does not refuse is not refused at all.
import type { Device } from '../../ts';
import { testEveryMethod } from './every-method';

process.env.ANYCL_DEVICE = 'null';
const device = async (): Promise<Device> => (await import('../../ts')).platforms()[0]!.devices[0]!;

describe('the null device', () => {
  let found: Device;
  beforeAll(async () => {
    found = await device();
  });
  testEveryMethod(
    () => found,
    () => found,
  );
});
