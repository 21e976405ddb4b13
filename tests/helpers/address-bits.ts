// SPDX-License-Identifier: MIT
//
// With ANYCL_TEST_ADDRESS_BITS=64, Jest loads this file before each file of tests: they run on the software device with 64-bit addresses
// in place of the usual one, with all buffers above 4 GB. Contexts that check, count or confine kernels have a memory with
// 32-bit addresses nevertheless. It needs Node.js 24.
import { SoftwareBackend } from '../../ts/backend/software';
import { placement } from '../../ts/device/memory/memory';

placement.mostBelow = 0;
const { platforms } = SoftwareBackend.prototype;
SoftwareBackend.prototype.platforms = function () {
  const wide = platforms.call(this).slice(1);
  if (wide.length === 0) throw new Error('there is no device with 64-bit addresses: it needs Node.js 24');
  return wide;
};
