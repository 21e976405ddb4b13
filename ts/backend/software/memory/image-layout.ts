// SPDX-License-Identifier: MIT
//
// Where the texels of an image are located: its levels, one after the other, each of slices of rows.
import { MOST_MIP_LEVELS } from '../../../base/kernel-abi';
import { ErrorCode, MemObjectType } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Triple } from '../../../device/memory/copies';
import type { ImageDescription } from '../../backend';
import { IMAGE_LIMITS } from '../device/limits';

const CREATE = 'clCreateImage';

/**
 * Extents in the order of clEnqueue…Image's regions: array layers are in the place of the type's next
 * dimension.
 */
export interface Layout {
  readonly extent: Triple;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** A mip level, `offset` bytes after the first one. */
export interface Level extends Layout {
  readonly offset: number;
}

/** The number of a texel's coordinates, and how many of them shrink from level to level. */
const DIMENSIONS: ReadonlyMap<number, { readonly coordinates: number; readonly axes: number }> = new Map([
  [MemObjectType.IMAGE1D, { coordinates: 1, axes: 1 }],
  [MemObjectType.IMAGE1D_BUFFER, { coordinates: 1, axes: 1 }],
  [MemObjectType.IMAGE1D_ARRAY, { coordinates: 2, axes: 1 }],
  [MemObjectType.IMAGE2D, { coordinates: 2, axes: 2 }],
  [MemObjectType.IMAGE2D_ARRAY, { coordinates: 3, axes: 2 }],
  [MemObjectType.IMAGE3D, { coordinates: 3, axes: 3 }],
]);

function dimensionsOf(type: number) {
  const known = DIMENSIONS.get(type);
  if (!known)
    throw new OpenCLError(ErrorCode.INVALID_IMAGE_DESCRIPTOR, CREATE, `${type} is not a type of image`);
  return known;
}

export const coordinatesOf = (type: number): number => dimensionsOf(type).coordinates;

function extentOf({ type, width, height, depth, arraySize }: ImageDescription): Triple {
  const { coordinates, axes } = dimensionsOf(type);
  const sizes = [
    width,
    ...[height, depth].slice(0, axes - 1),
    ...(coordinates > axes ? [arraySize] : []),
    1,
    1,
  ];
  return [sizes[0]!, sizes[1]!, sizes[2]!];
}

/** The largest extent of each type, in the order of `extentOf`. */
function limitsOf({ type }: ImageDescription): Triple {
  const { width2D, height2D, size3D, bufferPixels, layers } = IMAGE_LIMITS;
  switch (type) {
    case MemObjectType.IMAGE1D_BUFFER:
      return [bufferPixels, 1, 1];
    case MemObjectType.IMAGE1D_ARRAY:
      return [width2D, layers, 1];
    case MemObjectType.IMAGE3D:
      return [size3D, size3D, size3D];
    default:
      return [width2D, height2D, layers];
  }
}

/** The extent of an image's first level, if the device can have such an image. */
export function checkedExtent(description: ImageDescription): Triple {
  const extent = extentOf(description);
  if (extent.some((n) => n < 1)) {
    throw new OpenCLError(ErrorCode.INVALID_IMAGE_SIZE, CREATE, `an image of ${extent.join('×')}`);
  }
  const limits = limitsOf(description);
  if (extent.some((n, i) => n > limits[i]!)) {
    throw new OpenCLError(
      ErrorCode.INVALID_IMAGE_SIZE,
      CREATE,
      `an image of ${extent.join('×')} is larger than the ${limits.join('×')} that the device takes`,
    );
  }
  checkLevels(description);
  return extent;
}

/** Levels after the one with a single texel have one texel, too: OpenCL has no limit for their number. */
function checkLevels({ mipLevels, parent }: ImageDescription): void {
  if (mipLevels <= 1) return;
  const refuse = (detail: string) => new OpenCLError(ErrorCode.INVALID_IMAGE_DESCRIPTOR, CREATE, detail);
  if (parent) throw refuse('an image over other memory has no mip levels');
  if (mipLevels > MOST_MIP_LEVELS) {
    throw refuse(`an image has ${MOST_MIP_LEVELS} mip levels at most, not ${mipLevels}`);
  }
}

/** Bytes of one whole level. */
export function sizeOf({ extent, rowPitch, slicePitch }: Layout, element: number): number {
  const [width, height, depth] = extent;
  return (depth - 1) * slicePitch + (height - 1) * rowPitch + width * element;
}

/** A layout without gaps. */
function packedLayout(extent: Triple, element: number): Layout {
  const rowPitch = extent[0] * element;
  return { extent, rowPitch, slicePitch: rowPitch * extent[1] };
}

/** All levels of an image without gaps between rows and levels. */
export function packedLevels(
  { type, mipLevels }: ImageDescription,
  extent: Triple,
  element: number,
): readonly [Level, ...Level[]] {
  const { axes } = dimensionsOf(type);
  const first: Level = { ...packedLayout(extent, element), offset: 0 };
  const levels: [Level, ...Level[]] = [first];
  let offset = sizeOf(first, element);
  for (let level = 1; level < mipLevels; level++) {
    const size = (axis: number) => (axis < axes ? Math.max(1, extent[axis]! >> level) : extent[axis]!);
    const layout = packedLayout([size(0), size(1), size(2)], element);
    levels.push({ ...layout, offset });
    offset += sizeOf(layout, element);
  }
  return levels;
}
