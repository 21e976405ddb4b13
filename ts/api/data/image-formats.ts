// SPDX-License-Identifier: MIT
//
// Image formats by short names: channels, bits, kind (`rgba8` is normalized, `rgba8ui` unsigned, `rgba32f` float …).

import type { ImageFormat } from '../../backend/backend';
import { ChannelOrder, ChannelType, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { HALF_ARRAY, type HalfArray, type TypedArrayConstructor } from './typed-arrays';

const ORDERS = {
  r: { order: ChannelOrder.R, channels: 1 },
  a: { order: ChannelOrder.A, channels: 1 },
  rg: { order: ChannelOrder.RG, channels: 2 },
  ra: { order: ChannelOrder.RA, channels: 2 },
  rgba: { order: ChannelOrder.RGBA, channels: 4 },
  bgra: { order: ChannelOrder.BGRA, channels: 4 },
  argb: { order: ChannelOrder.ARGB, channels: 4 },
  abgr: { order: ChannelOrder.ABGR, channels: 4 },
  srgba: { order: ChannelOrder.sRGBA, channels: 4 },
  sbgra: { order: ChannelOrder.sBGRA, channels: 4 },
  intensity: { order: ChannelOrder.INTENSITY, channels: 1 },
  luminance: { order: ChannelOrder.LUMINANCE, channels: 1 },
  depth: { order: ChannelOrder.DEPTH, channels: 1 },
} as const;

const TYPES = {
  '8': { type: ChannelType.UNORM_INT8, array: Uint8Array },
  '16': { type: ChannelType.UNORM_INT16, array: Uint16Array },
  '8snorm': { type: ChannelType.SNORM_INT8, array: Int8Array },
  '16snorm': { type: ChannelType.SNORM_INT16, array: Int16Array },
  '8ui': { type: ChannelType.UNSIGNED_INT8, array: Uint8Array },
  '16ui': { type: ChannelType.UNSIGNED_INT16, array: Uint16Array },
  '32ui': { type: ChannelType.UNSIGNED_INT32, array: Uint32Array },
  '8i': { type: ChannelType.SIGNED_INT8, array: Int8Array },
  '16i': { type: ChannelType.SIGNED_INT16, array: Int16Array },
  '32i': { type: ChannelType.SIGNED_INT32, array: Int32Array },
  '16f': { type: ChannelType.HALF_FLOAT, array: HALF_ARRAY },
  '32f': { type: ChannelType.FLOAT, array: Float32Array },
} as const;

/** Formats whose channels share one element; the digits are the bits of each channel. */
const PACKED = {
  rgb565: { order: ChannelOrder.RGB, type: ChannelType.UNORM_SHORT_565, array: Uint16Array },
  rgb555: { order: ChannelOrder.RGB, type: ChannelType.UNORM_SHORT_555, array: Uint16Array },
  rgb101010: { order: ChannelOrder.RGB, type: ChannelType.UNORM_INT_101010, array: Uint32Array },
} as const;

/** A format: the order of the channels, then their type: `rgba8`, `r32f`, `bgra8`, `rg16ui`; or a packed one, such as `rgb565`. */
export type ImageFormatName = `${keyof typeof ORDERS}${keyof typeof TYPES}` | keyof typeof PACKED;

/** The typed array in which `Image.read` returns halves: their bits if there is no `Float16Array`. */
type HalfPixels = [HalfArray] extends [never] ? Uint16Array : HalfArray;

/** The typed array in which `Image.read` returns pixels of a format. */
export type PixelArray<F extends ImageFormatName> = F extends keyof typeof PACKED
  ? InstanceType<(typeof PACKED)[F]['array']>
  : ChannelArray<F>;

type ChannelArray<F extends ImageFormatName> = {
  [T in keyof typeof TYPES]: F extends `${keyof typeof ORDERS}${T}`
    ? T extends '16f'
      ? HalfPixels
      : InstanceType<(typeof TYPES)[T]['array']>
    : never;
}[keyof typeof TYPES];

/** A format as `context.supportedImageFormats` lists it. */
export interface NamedImageFormat extends ImageFormat {
  /** As `cl.image` takes it, such as `rgba8`. */
  readonly name: string;
}

export interface FormatTraits extends ImageFormat {
  /** Elements of a pixel in the array: one for each channel, or one for all in packed formats. */
  readonly channels: number;
  /** Bytes of one pixel. */
  readonly pixelBytes: number;
  /** The typed array of these elements. */
  readonly array: TypedArrayConstructor;
}

/** Throws IMAGE_FORMAT_NOT_SUPPORTED for a name that does not exist. */
export function formatByName(name: string): FormatTraits {
  if (Object.hasOwn(PACKED, name)) {
    const packed = PACKED[name as keyof typeof PACKED];
    return { ...packed, channels: 1, pixelBytes: packed.array.BYTES_PER_ELEMENT };
  }
  const match = /^([a-z]+?)(\d.*)$/.exec(name);
  const order = match && ORDERS[match[1] as keyof typeof ORDERS];
  const type = match && TYPES[match[2] as keyof typeof TYPES];
  if (!order || !type) {
    const orders = Object.keys(ORDERS).join(', ');
    throw new OpenCLError(
      ErrorCode.IMAGE_FORMAT_NOT_SUPPORTED,
      'clCreateImage',
      `no image format '${name}': a format is one of ${orders}, then one of ${Object.keys(TYPES).join(', ')}; or ${Object.keys(PACKED).join(', ')}`,
    );
  }
  return {
    order: order.order,
    type: type.type,
    channels: order.channels,
    pixelBytes: order.channels * type.array.BYTES_PER_ELEMENT,
    array: type.array,
  };
}

/** The short name of a format, or OpenCL's names if it has none. */
export function formatName({ order, type }: ImageFormat): string {
  const orderName = Object.entries(ORDERS).find(([, known]) => known.order === order)?.[0];
  const typeName = Object.entries(TYPES).find(([, known]) => known.type === type)?.[0];
  if (orderName && typeName) return `${orderName}${typeName}`;
  const packed = Object.entries(PACKED).find(([, known]) => known.order === order && known.type === type);
  if (packed) return packed[0];
  return `${ChannelOrder[order] ?? order}/${ChannelType[type] ?? type}`;
}
