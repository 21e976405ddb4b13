// SPDX-License-Identifier: MIT

import { ErrorCode, MemMigrationFlags } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import { copyBytesWithin } from '../../../device/bulk';
import { copyBox, fillPattern } from '../../../device/copies';
import { ifNotDetached, putInto, stableSource } from '../../host-memory';
import { bufferBox, hostBox, offsetOf } from '../memory/boxes';
import { bytesOf, type SoftwareMemory } from '../memory/memory';
import type { Mapping } from './maps';
import type { Preparations } from './prepared';

export const BUFFER_COMMANDS: Preparations<
  | 'readBuffer'
  | 'writeBuffer'
  | 'readBufferRect'
  | 'writeBufferRect'
  | 'copyBuffer'
  | 'copyBufferRect'
  | 'fillBuffer'
  | 'unmap'
  | 'migrate'
> = {
  readBuffer({ buffer, offset, into }) {
    const from = buffer as SoftwareMemory;
    const size = into.byteLength;
    return { run: () => putInto(into, from.bytes(offset, size)), uses: [from] };
  },

  writeBuffer({ buffer, offset, from }) {
    const to = buffer as SoftwareMemory;
    const steady = stableSource(from);
    const run = ifNotDetached(steady, () => to.bytes(offset, steady.byteLength).set(bytesOf(steady)));
    return { run, uses: [to] };
  },

  readBufferRect({ buffer, rect, into }) {
    const from = buffer as SoftwareMemory;
    const run = ifNotDetached(into, () => copyBox(bufferBox(from, rect), hostBox(into, rect), rect.region));
    return { run, uses: [from] };
  },

  writeBufferRect({ buffer, rect, from }) {
    const to = buffer as SoftwareMemory;
    const steady = stableSource(from);
    const run = ifNotDetached(steady, () => copyBox(hostBox(steady, rect), bufferBox(to, rect), rect.region));
    return { run, uses: [to] };
  },

  copyBuffer({ from, to, fromOffset, toOffset, size }) {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const run = (): void => {
      const { u8 } = target.device.memory;
      copyBytesWithin(u8, target.address + toOffset, source.address + fromOffset, size);
    };
    return { run, uses: [source, target] };
  },

  copyBufferRect({ from, to, rect }) {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const run = (): void => {
      const { hostOrigin, hostRowPitch: rowPitch, hostSlicePitch: slicePitch } = rect;
      const offset = target.address + offsetOf(hostOrigin, rowPitch, slicePitch);
      const box = { bytes: target.device.memory.u8, offset, rowPitch, slicePitch };
      copyBox(bufferBox(source, rect), box, rect.region);
    };
    return { run, uses: [source, target] };
  },

  fillBuffer({ buffer, offset, size, pattern }) {
    const to = buffer as SoftwareMemory;
    const own = pattern.slice();
    return { run: () => fillPattern(to.bytes(offset, size), own), uses: [to] };
  },

  unmap({ memory, mapping }) {
    const object = memory as SoftwareMemory;
    const { writeBack } = mapping as Mapping;
    const run = (): void => {
      writeBack?.();
      object.mapCount--;
    };
    return { run, uses: [object] };
  },

  migrate({ memories, flags }) {
    if (flags & ~(MemMigrationFlags.HOST | MemMigrationFlags.CONTENT_UNDEFINED)) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueMigrateMemObjects',
        `there are no flags ${flags}`,
      );
    }
    return { run: undefined, uses: memories as readonly SoftwareMemory[] };
  },
};
