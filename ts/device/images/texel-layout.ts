// SPDX-License-Identifier: MIT
//
// How the built-in library reads texels of a format: the words of the image descriptor that say where each component is and
// what becomes of its bits (kernels/lib/image.h). Worked out when an image is made: kernels need not look at its format.
import { IMAGE_DESCRIPTOR, TEXEL_DECODING } from '../../base/kernel-abi';
import { ChannelOrder, ChannelType } from '../../cl/constants.gen';
import type { ImageFormat } from './image-formats';

/** A component is the channel with that number, or a constant. */
type Source = number | 'zero' | 'one';
/** The components r, g, b, a. */
type Sources = readonly [Source, Source, Source, Source];

const R: Sources = [0, 'zero', 'zero', 'one'];
const RG: Sources = [0, 1, 'zero', 'one'];
const RGB: Sources = [0, 1, 2, 'one'];
const RGBA: Sources = [0, 1, 2, 3];
const BGRA: Sources = [2, 1, 0, 3];
const SOURCES: ReadonlyMap<number, Sources> = new Map([
  [ChannelOrder.R, R],
  [ChannelOrder.Rx, R],
  [ChannelOrder.DEPTH, R],
  [ChannelOrder.RG, RG],
  [ChannelOrder.RGx, RG],
  [ChannelOrder.RGB, RGB],
  [ChannelOrder.RGBx, RGB],
  [ChannelOrder.sRGB, RGB],
  [ChannelOrder.sRGBx, RGB],
  [ChannelOrder.RGBA, RGBA],
  [ChannelOrder.sRGBA, RGBA],
  [ChannelOrder.BGRA, BGRA],
  [ChannelOrder.sBGRA, BGRA],
  [ChannelOrder.ARGB, [1, 2, 3, 0]],
  [ChannelOrder.ABGR, [3, 2, 1, 0]],
  [ChannelOrder.A, ['zero', 'zero', 'zero', 0]],
  [ChannelOrder.RA, [0, 'zero', 'zero', 1]],
  [ChannelOrder.INTENSITY, [0, 0, 0, 0]],
  [ChannelOrder.LUMINANCE, [0, 0, 0, 'one']],
]);

/** Orders whose border has alpha 0 although their texels have alpha 1. */
const PADDED: ReadonlySet<number> = new Set([
  ChannelOrder.Rx,
  ChannelOrder.RGx,
  ChannelOrder.RGBx,
  ChannelOrder.sRGBx,
]);

const S_RGB: ReadonlySet<number> = new Set([
  ChannelOrder.sRGB,
  ChannelOrder.sRGBx,
  ChannelOrder.sRGBA,
  ChannelOrder.sBGRA,
]);

/** The place of a channel: bits of the texel, counted from the lowest one. */
interface Field {
  readonly at: number;
  readonly bits: number;
}

interface Encoding {
  readonly field: (channel: number) => Field;
  readonly signed: boolean;
  readonly decoding: number;
  /** The bit pattern of 1 for a component that is not divided. */
  readonly one: number;
  /** The divisor of a channel. */
  readonly scale: (channel: number) => number;
}

const inTurn = (bits: number) => (channel: number) => ({ at: channel * bits, bits });
const packed =
  (...fields: readonly (readonly [number, number])[]) =>
  (channel: number) => {
    const [at, bits] = fields[channel]!;
    return { at, bits };
  };
const all = (scale: number) => () => scale;

const unsignedNormalized = (field: Encoding['field']): Encoding => ({
  field,
  signed: false,
  decoding: TEXEL_DECODING.normalized,
  one: 1,
  scale: (channel) => 2 ** field(channel).bits - 1,
});
const signedNormalized = (bits: number): Encoding => ({
  field: inTurn(bits),
  signed: true,
  decoding: TEXEL_DECODING.normalized,
  one: 1,
  scale: all(2 ** (bits - 1) - 1),
});
const integer = (bits: number, signed: boolean): Encoding => ({
  field: inTurn(bits),
  signed,
  decoding: TEXEL_DECODING.normalized,
  one: 1,
  scale: all(1),
});
const float = (bits: number, decoding: number, one: number): Encoding => ({
  field: inTurn(bits),
  signed: false,
  decoding,
  one,
  scale: all(1),
});

const ENCODINGS: ReadonlyMap<number, Encoding> = new Map([
  [ChannelType.UNORM_INT8, unsignedNormalized(inTurn(8))],
  [ChannelType.UNORM_INT16, unsignedNormalized(inTurn(16))],
  [ChannelType.UNORM_SHORT_565, unsignedNormalized(packed([11, 5], [5, 6], [0, 5]))],
  [ChannelType.UNORM_SHORT_555, unsignedNormalized(packed([10, 5], [5, 5], [0, 5]))],
  [ChannelType.UNORM_INT_101010, unsignedNormalized(packed([20, 10], [10, 10], [0, 10]))],
  [ChannelType.UNORM_INT_101010_2, unsignedNormalized(packed([22, 10], [12, 10], [2, 10], [0, 2]))],
  [ChannelType.SNORM_INT8, signedNormalized(8)],
  [ChannelType.SNORM_INT16, signedNormalized(16)],
  [ChannelType.UNSIGNED_INT8, integer(8, false)],
  [ChannelType.UNSIGNED_INT16, integer(16, false)],
  [ChannelType.UNSIGNED_INT32, integer(32, false)],
  [ChannelType.SIGNED_INT8, integer(8, true)],
  [ChannelType.SIGNED_INT16, integer(16, true)],
  [ChannelType.SIGNED_INT32, integer(32, true)],
  [ChannelType.HALF_FLOAT, float(16, TEXEL_DECODING.half, 0x3c00)],
  [ChannelType.FLOAT, float(32, TEXEL_DECODING.float, 0x3f800000)],
]);

/** Writes a descriptor's words about the texels of a format. */
export function describeTexels(descriptor: DataView, { order, type }: ImageFormat): void {
  const sources = SOURCES.get(order);
  const encoding = ENCODINGS.get(type);
  if (!sources || !encoding) throw new Error(`no texels of order ${order} and type ${type}`);
  const { componentOffset, componentShift, componentMask, componentSign, componentBias, componentScale } =
    IMAGE_DESCRIPTOR;
  sources.forEach((source, component) => {
    const set = (table: number, word: number) => descriptor.setInt32(table + component * 4, word, true);
    const { offset, shift, mask, sign, bias, scale } = fieldOf(source, encoding);
    set(componentOffset, offset);
    set(componentShift, shift);
    set(componentMask, mask);
    set(componentSign, sign);
    set(componentBias, bias);
    descriptor.setFloat32(componentScale + component * 4, scale, true);
  });
  const alphaBias = descriptor.getInt32(componentBias + 12, true);
  descriptor.setInt32(IMAGE_DESCRIPTOR.borderAlphaBias, PADDED.has(order) ? 0 : alphaBias, true);
  descriptor.setInt32(IMAGE_DESCRIPTOR.decoding, decodingOf(order, encoding), true);
}

function fieldOf(source: Source, { field, signed, one, scale }: Encoding) {
  // No bits; the bias decides between 0 and 1.
  if (typeof source !== 'number')
    return { offset: 0, shift: 0, mask: 0, sign: 0, bias: source === 'one' ? -one : 0, scale: 1 };
  const { at, bits } = field(source);
  // Sign extension: flips the sign bit and subtracts it. A whole word needs none.
  const sign = signed && bits < 32 ? 2 ** (bits - 1) : 0;
  return {
    offset: (at >> 5) * 4,
    shift: at & 31,
    mask: 2 ** bits - 1,
    sign,
    bias: sign,
    scale: scale(source),
  };
}

function decodingOf(order: number, { decoding }: Encoding): number {
  return S_RGB.has(order) && decoding === TEXEL_DECODING.normalized ? TEXEL_DECODING.sRGB : decoding;
}
