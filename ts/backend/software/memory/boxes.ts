// SPDX-License-Identifier: MIT
//
// The location of a region's bytes in a buffer, in an image, or in a command's host memory.
import type { Box } from '../../../device/memory/copies';
import type { BackendSvm } from '../../backend-objects';
import type { RectLayout, Triple } from '../../command';
import type { SoftwareImage } from './image';
import { bytesOf, type SoftwareMemory } from './memory';
import { SoftwareSvm } from './svm';

export function offsetOf([x, y, z]: Triple, rowPitch: number, slicePitch: number): number {
  return z * slicePitch + y * rowPitch + x;
}

export function bufferBox(memory: SoftwareMemory, rect: RectLayout): Box {
  const { bufferOrigin, bufferRowPitch: rowPitch, bufferSlicePitch: slicePitch } = rect;
  const offset = memory.address + offsetOf(bufferOrigin, rowPitch, slicePitch);
  return { bytes: memory.device.memory.u8, offset, rowPitch, slicePitch };
}

export function hostBox(view: ArrayBufferView, rect: RectLayout): Box {
  const { hostOrigin, hostRowPitch: rowPitch, hostSlicePitch: slicePitch } = rect;
  return { bytes: bytesOf(view), offset: offsetOf(hostOrigin, rowPitch, slicePitch), rowPitch, slicePitch };
}

/** An image's region in bytes of a row, rows, slices. */
export function byteRegion(image: SoftwareImage, [width, height, depth]: Triple): Triple {
  return [width * image.element, height, depth];
}

export function hostImageBox(
  image: SoftwareImage,
  region: Triple,
  rowPitch: number,
  slicePitch: number,
  view: ArrayBufferView,
): Box {
  const row = rowPitch || region[0] * image.element;
  // The layers of a 1D array are a slice pitch apart, and are the rows of its region.
  const layers = image.isArrayOf1D && slicePitch ? slicePitch : row;
  const slice = slicePitch || row * region[1];
  return { bytes: bytesOf(view), offset: 0, rowPitch: layers, slicePitch: slice };
}

export function packedBox(image: SoftwareImage, region: Triple, buffer: SoftwareMemory, offset: number): Box {
  const rowPitch = region[0] * image.element;
  return {
    bytes: buffer.device.memory.u8,
    offset: buffer.address + offset,
    rowPitch,
    slicePitch: rowPitch * region[1],
  };
}

export function hostBytes(memory: BackendSvm | ArrayBufferView, offset: number, size: number): Uint8Array {
  const bytes = memory instanceof SoftwareSvm ? memory.bytes : bytesOf(memory as ArrayBufferView);
  return bytes.subarray(offset, offset + size);
}
