// SPDX-License-Identifier: MIT
//
// Buffer commands on the software device.
import { ErrorCode, MemMigrationFlags } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import { copyOfBox, followedBy, NOTHING, onBytes } from '../../../device/commands/host-work';
import { copyBytesWithin } from '../../../device/memory/bulk';
import { fillPattern } from '../../../device/memory/copies';
import { intact, putInto, stableSource } from '../../host-memory';
import { bufferBox, hostBox, offsetOf } from '../memory/boxes';
import type { SoftwareMemory } from '../memory/memory';
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
    const read = (at: number, bytes: number): void => putInto(into, from.bytes(offset + at, bytes), at);
    return { work: onBytes(size, read), uses: [from] };
  },

  writeBuffer({ buffer, offset, from }) {
    const to = buffer as SoftwareMemory;
    const stable = stableSource(from);
    const write = (at: number, bytes: number): void =>
      to.bytes(offset + at, bytes).set(new Uint8Array(stable.buffer, stable.byteOffset + at, bytes));
    return { work: onBytes(stable.byteLength, write, intact(stable)), uses: [to] };
  },

  readBufferRect({ buffer, rect, into }) {
    const from = buffer as SoftwareMemory;
    const boxes = [() => bufferBox(from, rect), () => hostBox(into, rect)] as const;
    return { work: copyOfBox(...boxes, rect.region, intact(into)), uses: [from] };
  },

  writeBufferRect({ buffer, rect, from }) {
    const to = buffer as SoftwareMemory;
    const stable = stableSource(from);
    const boxes = [() => hostBox(stable, rect), () => bufferBox(to, rect)] as const;
    return { work: copyOfBox(...boxes, rect.region, intact(stable)), uses: [to] };
  },

  copyBuffer({ from, to, fromOffset, toOffset, size }) {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const [start, targetStart] = [source.address + fromOffset, target.address + toOffset];
    const copy = (at: number, bytes: number): void =>
      copyBytesWithin(target.device.memory.u8, targetStart + at, start + at, bytes);
    return { work: onBytes(size, copy, undefined, targetStart > start), uses: [source, target] };
  },

  copyBufferRect({ from, to, rect }) {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const { hostOrigin, hostRowPitch: rowPitch, hostSlicePitch: slicePitch } = rect;
    const offset = target.address + offsetOf(hostOrigin, rowPitch, slicePitch);
    const targetBox = () => ({ bytes: target.device.memory.u8, offset, rowPitch, slicePitch });
    return {
      work: copyOfBox(() => bufferBox(source, rect), targetBox, rect.region),
      uses: [source, target],
    };
  },

  fillBuffer({ buffer, offset, size, pattern }) {
    const to = buffer as SoftwareMemory;
    const own = pattern.slice();
    const fill = (at: number, bytes: number): void => fillPattern(to.bytes(offset + at, bytes), own);
    return { work: onBytes(size, fill), uses: [to] };
  },

  unmap({ memory, mapping }) {
    const object = memory as SoftwareMemory;
    const { writeBack } = mapping as Mapping;
    const unmapped = (): void => {
      object.countMap(-1);
    };
    return { work: followedBy(writeBack, unmapped), uses: [object] };
  },

  migrate({ memories, flags }) {
    if (flags & ~(MemMigrationFlags.HOST | MemMigrationFlags.CONTENT_UNDEFINED)) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueMigrateMemObjects',
        `there are no flags ${flags}`,
      );
    }
    return { work: NOTHING, uses: memories as readonly SoftwareMemory[] };
  },
};
