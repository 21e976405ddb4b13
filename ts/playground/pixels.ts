// SPDX-License-Identifier: MIT
//
// Pictures as elements of buffers and images, and back.
import type { ValueType } from '../api/data/element-types';
import { elements } from '../cli/data/element-data';
import type { Picture } from './messages';

/** The picture's pixels as elements of a type. Vectors of four are RGBA, scalars are the brightness; floats are from 0 to 1. */
export function pixelsAs({ rgba }: Picture, type: ValueType): Uint8Array {
  const { scalar, components } = type;
  if (components !== 1 && components !== 4)
    throw new Error('a picture fills elements of one or four components');
  if (scalar !== 'uchar' && scalar !== 'float' && scalar !== 'int' && scalar !== 'uint')
    throw new Error('a picture fills elements of uchar, int, uint or float');
  const scale = scalar === 'float' ? 1 / 255 : 1;
  const bytes = new Uint8Array((rgba.length / 4) * type.size);
  const out = elements(scalar, bytes);
  for (let i = 0; i < out.length; i++) {
    const value =
      components === 4
        ? rgba[i]!
        : Math.round((rgba[4 * i]! * 77 + rgba[4 * i + 1]! * 151 + rgba[4 * i + 2]! * 28) / 256);
    out[i] = value * scale;
  }
  return bytes;
}

/** Elements as a picture of this size; undefined if their number is another one, or if their type cannot hold colours. */
export function pictureOf(
  bytes: Uint8Array,
  type: ValueType,
  size: readonly number[],
  isFloat: boolean,
): Picture | undefined {
  const [width = 0, height = 0] = size;
  const { scalar, components } = type;
  if (components === 2 || components > 4 || width < 8 || height < 8) return undefined;
  if (
    bytes.byteLength !== width * height * type.size ||
    scalar === 'long' ||
    scalar === 'ulong' ||
    scalar === 'half'
  )
    return undefined;
  const source = elements(scalar, bytes);
  const step = components === 3 ? 4 : components;
  const scale = isFloat ? 255 : 1;
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let c = 0; c < 4; c++) {
      const from = components === 1 ? 0 : c;
      rgba[4 * pixel + c] = c === 3 && components < 4 ? 255 : Number(source[pixel * step + from]) * scale;
    }
  return { width, height, rgba: new Uint8Array(rgba.buffer) };
}
