// SPDX-License-Identifier: MIT
//
// Maps show the device's memory itself, or the host memory that the object uses, which is then loaded before and written back after.
import { MapFlags } from '../../../cl/constants.gen';
import { type Box, copyBox } from '../../../device/copies';
import type { BackendMapping, ImageOrigin, Triple } from '../../command';
import { ifNotDetached } from '../../host-memory';
import { byteRegion } from '../memory/boxes';
import type { SoftwareImage } from '../memory/image';
import type { SoftwareMemory } from '../memory/memory';

const WRITES = MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;

/** A mapping of the software device. */
export interface Mapping extends BackendMapping {
  /** Writes mapped host memory back; undefined if the mapping is the memory itself. */
  readonly writeBack: (() => void) | undefined;
}

interface PreparedMap {
  readonly mapped: Mapping;
  /** Loads host memory when the command runs; undefined if there is nothing to load. */
  readonly load: (() => void) | undefined;
}

export function prepareMapBuffer(
  buffer: SoftwareMemory,
  flags: number,
  offset: number,
  size: number,
): PreparedMap {
  buffer.mapCount++;
  if (flags & WRITES) buffer.device.checked?.written(buffer.address + offset, size);
  const own = () => buffer.bytes(offset, size);
  const host = buffer.host?.subarray(offset, offset + size);
  if (!host)
    return { mapped: { bytes: own(), rowPitch: 0, slicePitch: 0, writeBack: undefined }, load: undefined };
  const writeBack = flags & WRITES ? ifNotDetached(host, () => own().set(host)) : undefined;
  const load =
    flags & MapFlags.WRITE_INVALIDATE_REGION ? undefined : ifNotDetached(host, () => host.set(own()));
  return { mapped: { bytes: host, rowPitch: 0, slicePitch: 0, writeBack }, load };
}

export function prepareMapImage(
  image: SoftwareImage,
  flags: number,
  origin: ImageOrigin,
  region: Triple,
): PreparedMap {
  const { host, hostLayout } = image;
  image.mapCount++;
  const bytes = byteRegion(image, region);
  const spanOf = ({ rowPitch, slicePitch }: Pick<Box, 'rowPitch' | 'slicePitch'>) =>
    (bytes[2] - 1) * slicePitch + (bytes[1] - 1) * rowPitch + bytes[0];
  if (!(host && hostLayout)) {
    const { offset, rowPitch, slicePitch } = image.box(origin);
    const view = image.device.memory.bytes(offset, spanOf({ rowPitch, slicePitch }));
    return { mapped: { bytes: view, rowPitch, slicePitch, writeBack: undefined }, load: undefined };
  }
  const { rowPitch, slicePitch } = hostLayout;
  const offset = origin[2] * slicePitch + origin[1] * rowPitch + origin[0] * image.element;
  const target: Box = { bytes: host, offset, rowPitch, slicePitch };
  const writeBack =
    flags & WRITES ? ifNotDetached(host, () => copyBox(target, image.box(origin), bytes)) : undefined;
  const load =
    flags & MapFlags.WRITE_INVALIDATE_REGION
      ? undefined
      : ifNotDetached(host, () => copyBox(image.box(origin), target, bytes));
  const shown = host.subarray(offset, offset + spanOf(hostLayout));
  return { mapped: { bytes: shown, rowPitch, slicePitch, writeBack }, load };
}
