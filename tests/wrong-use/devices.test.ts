// SPDX-License-Identifier: MIT
//
// Wrong use on the devices of this machine.
import { apiDevices, shutdownAll } from '../conformance/devices';
import { testEveryMethod } from './every-method';

afterAll(shutdownAll);

/** Uses objects of another platform, or of another context of the device if there is only one platform. */
const other = (i: number) => apiDevices[(i + 1) % apiDevices.length]![1];

describe.each(apiDevices.map(([name, device], i) => [name, device, other(i)] as const))(
  '%s',
  (_, device, foreign) =>
    testEveryMethod(
      () => device,
      () => foreign,
    ),
);
