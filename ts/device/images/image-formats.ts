// SPDX-License-Identifier: MIT
// The image formats of the device, and their layout in memory.
import { ChannelOrder, ChannelType, MemObjectType } from '../../cl/constants.gen';

export interface ImageFormat {
  readonly order: ChannelOrder;
  readonly type: ChannelType;
}

const CHANNELS: ReadonlyMap<number, number> = new Map([
  [ChannelOrder.R, 1],
  [ChannelOrder.A, 1],
  [ChannelOrder.RG, 2],
  [ChannelOrder.RA, 2],
  [ChannelOrder.RGB, 3],
  [ChannelOrder.RGBA, 4],
  [ChannelOrder.BGRA, 4],
  [ChannelOrder.ARGB, 4],
  [ChannelOrder.ABGR, 4],
  [ChannelOrder.INTENSITY, 1],
  [ChannelOrder.LUMINANCE, 1],
  [ChannelOrder.DEPTH, 1],
  [ChannelOrder.Rx, 2],
  [ChannelOrder.RGx, 3],
  [ChannelOrder.RGBx, 4],
  [ChannelOrder.sRGB, 3],
  [ChannelOrder.sRGBx, 4],
  [ChannelOrder.sRGBA, 4],
  [ChannelOrder.sBGRA, 4],
]);

const BYTES: ReadonlyMap<number, number> = new Map([
  [ChannelType.SNORM_INT8, 1],
  [ChannelType.UNORM_INT8, 1],
  [ChannelType.SIGNED_INT8, 1],
  [ChannelType.UNSIGNED_INT8, 1],
  [ChannelType.SNORM_INT16, 2],
  [ChannelType.UNORM_INT16, 2],
  [ChannelType.SIGNED_INT16, 2],
  [ChannelType.UNSIGNED_INT16, 2],
  [ChannelType.HALF_FLOAT, 2],
  [ChannelType.SIGNED_INT32, 4],
  [ChannelType.UNSIGNED_INT32, 4],
  [ChannelType.FLOAT, 4],
]);

/** Formats whose channels share one word. */
const PACKED: ReadonlyMap<number, number> = new Map([
  [ChannelType.UNORM_SHORT_565, 2],
  [ChannelType.UNORM_SHORT_555, 2],
  [ChannelType.UNORM_INT_101010, 4],
  [ChannelType.UNORM_INT_101010_2, 4],
]);

/** Bytes of a pixel. */
export function elementSize({ order, type }: ImageFormat): number {
  return PACKED.get(type) ?? (CHANNELS.get(order) ?? 0) * (BYTES.get(type) ?? 0);
}

const NORMALIZED = [
  ChannelType.SNORM_INT8,
  ChannelType.SNORM_INT16,
  ChannelType.UNORM_INT8,
  ChannelType.UNORM_INT16,
];
const INTEGERS = [
  ChannelType.SIGNED_INT8,
  ChannelType.SIGNED_INT16,
  ChannelType.SIGNED_INT32,
  ChannelType.UNSIGNED_INT8,
  ChannelType.UNSIGNED_INT16,
  ChannelType.UNSIGNED_INT32,
];
const FLOATS = [ChannelType.HALF_FLOAT, ChannelType.FLOAT];
const ALL = [...NORMALIZED, ...INTEGERS, ...FLOATS];
const BYTE_TYPES = [
  ChannelType.UNORM_INT8,
  ChannelType.SNORM_INT8,
  ChannelType.SIGNED_INT8,
  ChannelType.UNSIGNED_INT8,
];

/** The channel types of each channel order. */
const SUPPORTED: readonly (readonly [ChannelOrder, readonly ChannelType[]])[] = [
  [ChannelOrder.R, ALL],
  [ChannelOrder.RG, ALL],
  [ChannelOrder.RGBA, ALL],
  [ChannelOrder.A, [...NORMALIZED, ...FLOATS]],
  [ChannelOrder.BGRA, BYTE_TYPES],
  [ChannelOrder.ARGB, BYTE_TYPES],
  [ChannelOrder.ABGR, BYTE_TYPES],
  [ChannelOrder.INTENSITY, [...NORMALIZED, ...FLOATS]],
  [ChannelOrder.LUMINANCE, [...NORMALIZED, ...FLOATS]],
  [
    ChannelOrder.RGB,
    [ChannelType.UNORM_SHORT_565, ChannelType.UNORM_SHORT_555, ChannelType.UNORM_INT_101010],
  ],
  [ChannelOrder.DEPTH, [ChannelType.UNORM_INT16, ChannelType.FLOAT]],
  [ChannelOrder.sRGBA, [ChannelType.UNORM_INT8]],
  [ChannelOrder.sBGRA, [ChannelType.UNORM_INT8]],
];

export const IMAGE_FORMATS: readonly ImageFormat[] = SUPPORTED.flatMap(([order, types]) =>
  types.map((type) => ({ order, type })),
);

/** The only types of depth images that OpenCL C has. */
const WITH_DEPTH: ReadonlySet<number> = new Set([MemObjectType.IMAGE2D, MemObjectType.IMAGE2D_ARRAY]);

/** The formats of a type of images. */
export const formatsOf = (imageType: number): readonly ImageFormat[] =>
  IMAGE_FORMATS.filter(({ order }) => order !== ChannelOrder.DEPTH || WITH_DEPTH.has(imageType));

export const isSupported = ({ order, type }: ImageFormat, imageType: number): boolean =>
  formatsOf(imageType).some((known) => known.order === order && known.type === type);
