// SPDX-License-Identifier: MIT
//
// Which accesses of kernels to a buffer are faults wherever they are in it.
import { FORBIDDEN } from '../../../base/checks';
import { MemFlags } from '../../../cl/constants.gen';
import type { SoftwareMemory } from '../memory/memory';

/** `FORBIDDEN`, by the flags of the buffer's creation and by what the host has mapped of it now. */
export function forbiddenOf({ device, flags, address, size }: SoftwareMemory): number {
  const byFlags =
    flags & MemFlags.READ_ONLY ? FORBIDDEN.writes : flags & MemFlags.WRITE_ONLY ? FORBIDDEN.reads : 0;
  return byFlags | (device.checked?.maps.forbidden(address, size) ?? 0);
}
