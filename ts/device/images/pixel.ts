// SPDX-License-Identifier: MIT
// A colour as the bytes of a pixel, for clEnqueueFillImage.

import { halfBits } from '../../base/half';
import { ChannelOrder, ChannelType } from '../../cl/constants.gen';
import { elementSize, type ImageFormat } from './image-formats';

/** The component of (r, g, b, a) in each channel of a pixel. */
const ORDER: ReadonlyMap<number, readonly number[]> = new Map([
  [ChannelOrder.R, [0]],
  [ChannelOrder.A, [3]],
  [ChannelOrder.RG, [0, 1]],
  [ChannelOrder.RA, [0, 3]],
  [ChannelOrder.RGB, [0, 1, 2]],
  [ChannelOrder.RGBA, [0, 1, 2, 3]],
  [ChannelOrder.BGRA, [2, 1, 0, 3]],
  [ChannelOrder.ARGB, [3, 0, 1, 2]],
  [ChannelOrder.ABGR, [3, 2, 1, 0]],
  [ChannelOrder.INTENSITY, [0]],
  [ChannelOrder.LUMINANCE, [0]],
  [ChannelOrder.DEPTH, [0]],
  [ChannelOrder.sRGBA, [0, 1, 2, 3]],
  [ChannelOrder.sBGRA, [2, 1, 0, 3]],
]);

/** @param color four floats, ints or unsigned ints, as the format's type is read; one float for depth. */
export function encodePixel(format: ImageFormat, color: Uint8Array): Uint8Array {
  const pixel = new Uint8Array(elementSize(format));
  const view = new DataView(pixel.buffer);
  const source = new DataView(color.buffer, color.byteOffset, color.byteLength);
  const float = (i: number): number => source.getFloat32(4 * i, true);
  const srgb = format.order === ChannelOrder.sRGBA || format.order === ChannelOrder.sBGRA;
  const unorm = (i: number, bits: number): number =>
    toUnorm(srgb && i < 3 ? linearToSrgb(float(i)) : float(i), bits);
  switch (format.type) {
    case ChannelType.UNORM_SHORT_565:
      view.setUint16(0, (unorm(0, 5) << 11) | (unorm(1, 6) << 5) | unorm(2, 5), true);
      return pixel;
    case ChannelType.UNORM_SHORT_555:
      view.setUint16(0, (unorm(0, 5) << 10) | (unorm(1, 5) << 5) | unorm(2, 5), true);
      return pixel;
    case ChannelType.UNORM_INT_101010:
      view.setUint32(0, (unorm(0, 10) << 20) | (unorm(1, 10) << 10) | unorm(2, 10), true);
      return pixel;
  }
  const order = ORDER.get(format.order) ?? [];
  const bytes = pixel.length / Math.max(1, order.length);
  order.forEach((i, channel) => {
    const at = channel * bytes;
    switch (format.type) {
      case ChannelType.UNORM_INT8:
        view.setUint8(at, unorm(i, 8));
        break;
      case ChannelType.UNORM_INT16:
        view.setUint16(at, unorm(i, 16), true);
        break;
      case ChannelType.SNORM_INT8:
        view.setInt8(at, toSnorm(float(i), 8));
        break;
      case ChannelType.SNORM_INT16:
        view.setInt16(at, toSnorm(float(i), 16), true);
        break;
      case ChannelType.HALF_FLOAT:
        view.setUint16(at, halfBits(float(i)), true);
        break;
      case ChannelType.FLOAT:
        view.setFloat32(at, float(i), true);
        break;
      case ChannelType.SIGNED_INT8:
        view.setInt8(at, clamp(source.getInt32(4 * i, true), -128, 127));
        break;
      case ChannelType.SIGNED_INT16:
        view.setInt16(at, clamp(source.getInt32(4 * i, true), -32768, 32767), true);
        break;
      case ChannelType.UNSIGNED_INT8:
        view.setUint8(at, Math.min(source.getUint32(4 * i, true), 255));
        break;
      case ChannelType.UNSIGNED_INT16:
        view.setUint16(at, Math.min(source.getUint32(4 * i, true), 65535), true);
        break;
      default:
        view.setUint32(at, source.getUint32(4 * i, true), true);
    }
  });
  return pixel;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function toUnorm(value: number, bits: number): number {
  const most = 2 ** bits - 1;
  return Number.isNaN(value) ? 0 : roundToEven(clamp(value * most, 0, most));
}

function toSnorm(value: number, bits: number): number {
  const most = 2 ** (bits - 1) - 1;
  return Number.isNaN(value) ? 0 : roundToEven(clamp(value * most, -most - 1, most));
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
}

function linearToSrgb(value: number): number {
  if (!(value > 0)) return 0;
  if (value >= 1) return 1;
  return value < 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
