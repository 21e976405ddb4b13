// SPDX-License-Identifier: MIT
//
// Maps show the device's memory itself, or the host memory that the object uses, which is then loaded before and written back after.
import { MapFlags } from '../../../cl/constants.gen';
import type { HostWork } from '../../../device/commands/command';
import { copyOfBox, followedBy, NOTHING, onBytes } from '../../../device/commands/host-work';
import type { Box } from '../../../device/memory/copies';
import type { BackendMapping, ImageOrigin, Triple } from '../../command';
import { intact } from '../../host-memory';
import { byteRegion } from '../memory/boxes';
import type { SoftwareImage } from '../memory/image';
import type { SoftwareMemory } from '../memory/memory';

const WRITES = MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;

/** A mapping of the software device. */
export interface Mapping extends BackendMapping {
  /** Writes mapped host memory back; nothing if the mapping is the memory itself. */
  readonly writeBack: HostWork;
}

interface PreparedMap {
  readonly mapped: Mapping;
  /** Loads host memory when the command runs, if there is something to load. */
  readonly load: HostWork;
}

export function prepareMapBuffer(
  buffer: SoftwareMemory,
  flags: number,
  offset: number,
  size: number,
): PreparedMap {
  buffer.countMap(1);
  if (flags & WRITES) buffer.device.checked?.written(buffer.address + offset, size);
  const isForWriting = (flags & WRITES) !== 0;
  const noted = (work: HostWork, note: 'noteMapped' | 'noteUnmapped') =>
    buffer.device.checked ? followedBy(work, () => buffer[note](offset, size, isForWriting)) : work;
  const prepared = (bytes: Uint8Array, writeBack: HostWork, load: HostWork): PreparedMap => ({
    mapped: { bytes, rowPitch: 0, slicePitch: 0, writeBack: noted(writeBack, 'noteUnmapped') },
    load: noted(load, 'noteMapped'),
  });
  const own = (at = 0, bytes = size) => buffer.bytes(offset + at, bytes);
  const host = buffer.host?.subarray(offset, offset + size);
  if (!host) return prepared(own(), NOTHING, NOTHING);
  const isIntact = intact(host);
  const save = (at: number, bytes: number): void => own(at, bytes).set(host.subarray(at, at + bytes));
  const writeBack = isForWriting ? onBytes(size, save, isIntact) : NOTHING;
  const load =
    flags & MapFlags.WRITE_INVALIDATE_REGION
      ? NOTHING
      : onBytes(size, (at, bytes) => host.set(own(at, bytes), at), isIntact);
  return prepared(host, writeBack, load);
}

export function prepareMapImage(
  image: SoftwareImage,
  flags: number,
  origin: ImageOrigin,
  region: Triple,
): PreparedMap {
  const { host, hostLayout } = image;
  image.countMap(1);
  const bytes = byteRegion(image, region);
  const spanOf = ({ rowPitch, slicePitch }: Pick<Box, 'rowPitch' | 'slicePitch'>) =>
    (bytes[2] - 1) * slicePitch + (bytes[1] - 1) * rowPitch + bytes[0];
  if (!(host && hostLayout)) {
    const { offset, rowPitch, slicePitch } = image.box(origin);
    const view = image.device.memory.bytes(offset, spanOf({ rowPitch, slicePitch }));
    return {
      mapped: { bytes: view, ...shownPitches(image, rowPitch, slicePitch), writeBack: NOTHING },
      load: NOTHING,
    };
  }
  const { rowPitch, slicePitch } = hostLayout;
  const offset = origin[2] * slicePitch + origin[1] * rowPitch + origin[0] * image.element;
  const target: Box = { bytes: host, offset, rowPitch, slicePitch };
  const own = () => image.box(origin);
  const isIntact = intact(host);
  const writeBack = flags & WRITES ? copyOfBox(() => target, own, bytes, isIntact) : NOTHING;
  const load =
    flags & MapFlags.WRITE_INVALIDATE_REGION ? NOTHING : copyOfBox(own, () => target, bytes, isIntact);
  const shown = host.subarray(offset, offset + spanOf(hostLayout));
  return { mapped: { bytes: shown, ...shownPitches(image, rowPitch, slicePitch), writeBack }, load };
}

/** The slices of an array of lines are its lines, which are rows here. */
const shownPitches = (image: SoftwareImage, rowPitch: number, slicePitch: number) => ({
  rowPitch,
  slicePitch: image.isArrayOf1D ? rowPitch : slicePitch,
});
