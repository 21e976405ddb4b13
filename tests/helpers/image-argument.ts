// SPDX-License-Identifier: MIT
//
// Two-dimensional images as arguments of kernels that run in this thread: their bytes and their descriptor.
import { IMAGE_DESCRIPTOR } from '../../ts/base/kernel-abi';
import { describeTexels } from '../../ts/device/images/texel-layout';

/** `cl_channel_order` and `cl_channel_type`, as in CL/cl.h. */
export const CHANNEL = {
  R: 0x10b0, RGBA: 0x10b5,
  SIGNED_INT8: 0x10d7, SIGNED_INT16: 0x10d8, SIGNED_INT32: 0x10d9,
  UNSIGNED_INT8: 0x10da, UNSIGNED_INT16: 0x10db, UNSIGNED_INT32: 0x10dc, FLOAT: 0x10de,
} as const; // biome-ignore format: a table

export interface ImageFormat {
  readonly order: number;
  readonly type: number;
}

export interface ImageArgument {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly texels: Uint8Array;
}

export function bytesPerTexel({ order, type }: ImageFormat): number {
  const isByte = type === CHANNEL.SIGNED_INT8 || type === CHANNEL.UNSIGNED_INT8;
  const isShort = type === CHANNEL.SIGNED_INT16 || type === CHANNEL.UNSIGNED_INT16;
  return (order === CHANNEL.RGBA ? 4 : 1) * (isByte ? 1 : isShort ? 2 : 4);
}

/** Writes the descriptor of an image whose texels are at `data` to `at`. */
export function describeImage(memory: DataView, at: number, data: number, image: ImageArgument): void {
  const { format, width, height } = image;
  const element = bytesPerTexel(format);
  const words: [number, number][] = [
    [IMAGE_DESCRIPTOR.data, data],
    [IMAGE_DESCRIPTOR.width, width],
    [IMAGE_DESCRIPTOR.height, height],
    [IMAGE_DESCRIPTOR.depth, 1],
    [IMAGE_DESCRIPTOR.rowPitch, width * element],
    [IMAGE_DESCRIPTOR.slicePitch, width * height * element],
    [IMAGE_DESCRIPTOR.channelOrder, format.order],
    [IMAGE_DESCRIPTOR.channelType, format.type],
    [IMAGE_DESCRIPTOR.elementSize, element],
    [IMAGE_DESCRIPTOR.arraySize, 1],
    [IMAGE_DESCRIPTOR.mipLevels, 1],
    [IMAGE_DESCRIPTOR.samples, 1],
  ];
  for (let offset = 0; offset < IMAGE_DESCRIPTOR.bytes; offset += 4) memory.setUint32(at + offset, 0, true);
  for (const [offset, word] of words) memory.setUint32(at + offset, word, true);
  describeTexels(new DataView(memory.buffer, memory.byteOffset + at, IMAGE_DESCRIPTOR.bytes), format);
}
