// SPDX-License-Identifier: MIT
import { IMAGE_DESCRIPTOR, TEXEL_DECODING } from '../../base/kernel-abi';
import { ChannelOrder, ChannelType } from '../../cl/constants.gen';
import { IMAGE_FORMATS, type ImageFormat } from './image-formats';
import { describeTexels } from './texel-layout';

function descriptorOf(format: ImageFormat): DataView {
  const descriptor = new DataView(new ArrayBuffer(IMAGE_DESCRIPTOR.bytes));
  describeTexels(descriptor, format);
  return descriptor;
}

/** As the built-in library does it. */
function components(format: ImageFormat, texel: readonly number[]): number[] {
  const descriptor = descriptorOf(format);
  const memory = new DataView(new Uint8Array([...texel, 0xaa, 0xaa, 0xaa, 0xaa]).buffer);
  return [0, 4, 8, 12].map((at) => {
    const word = (table: number) => descriptor.getInt32(table + at, true);
    const bits = memory.getUint32(word(IMAGE_DESCRIPTOR.componentOffset), true);
    const field = (bits >>> word(IMAGE_DESCRIPTOR.componentShift)) & word(IMAGE_DESCRIPTOR.componentMask);
    return ((field ^ word(IMAGE_DESCRIPTOR.componentSign)) - word(IMAGE_DESCRIPTOR.componentBias)) | 0;
  });
}

test.each([
  ['R', 'UNSIGNED_INT8', [200], [200, 0, 0, 1]],
  ['RG', 'SIGNED_INT8', [200, 3], [-56, 3, 0, 1]],
  ['RGBA', 'UNSIGNED_INT8', [1, 2, 3, 4], [1, 2, 3, 4]],
  ['BGRA', 'SIGNED_INT8', [1, 2, 3, 255], [3, 2, 1, -1]],
  ['ARGB', 'UNORM_INT8', [1, 2, 3, 4], [2, 3, 4, 1]],
  ['ABGR', 'UNORM_INT8', [1, 2, 3, 4], [4, 3, 2, 1]],
  ['A', 'UNORM_INT8', [7], [0, 0, 0, 7]],
  ['INTENSITY', 'SNORM_INT8', [128], [-128, -128, -128, -128]],
  ['LUMINANCE', 'HALF_FLOAT', [1, 2], [0x201, 0x201, 0x201, 0x3c00]],
  ['RGBA', 'SIGNED_INT16', [1, 0, 2, 0, 3, 0, 255, 255], [1, 2, 3, -1]],
  ['RG', 'SIGNED_INT32', [1, 0, 0, 128, 2, 0, 0, 0], [1 - 2 ** 31, 2, 0, 1]],
  ['R', 'FLOAT', [1, 0, 0, 0], [1, 0, 0, 0x3f800000]],
  ['RGB', 'UNORM_SHORT_565', [0x41, 0x08], [1, 2, 1, 1]],
  ['RGB', 'UNORM_INT_101010', [3, 8, 16, 0], [1, 2, 3, 1]],
] as const)('%s %s', (order, type, texel, expected) => {
  expect(components({ order: ChannelOrder[order], type: ChannelType[type] }, texel)).toEqual(expected);
});

test('each format of the device has a layout', () => {
  for (const format of IMAGE_FORMATS) expect(() => descriptorOf(format)).not.toThrow();
});

test('the border of padded orders is transparent', () => {
  const biasOf = (order: ChannelOrder) =>
    descriptorOf({ order, type: ChannelType.UNORM_INT8 }).getInt32(IMAGE_DESCRIPTOR.borderAlphaBias, true);
  expect(biasOf(ChannelOrder.RGBx)).toBe(0);
  expect(biasOf(ChannelOrder.RGB)).toBe(-1);
});

test('sRGB is decoded as such', () => {
  const format = { order: ChannelOrder.sRGBA, type: ChannelType.UNORM_INT8 };
  const descriptor = descriptorOf(format);
  expect(descriptor.getInt32(IMAGE_DESCRIPTOR.decoding, true)).toBe(TEXEL_DECODING.sRGB);
  expect(descriptor.getFloat32(IMAGE_DESCRIPTOR.componentScale, true)).toBe(255);
});
