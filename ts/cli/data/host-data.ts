// SPDX-License-Identifier: MIT
//
// Contents of buffers and images before a run, and their way to files after it.

import type { ValueType } from '../../api/data/element-types';
import { formatByName } from '../../api/data/image-formats';
import { SCALARS, type ScalarTypeName } from '../../api/data/scalars';
import { halfBits, halfValue } from '../../base/half';
import { inputError, usageError } from '../exit';
import { readInput } from '../files';
import type { BufferSpec, ImageSpec } from '../run/argument-spec';
import { elements, fill, zeros } from './element-data';
import { decodeNpy, encodeNpy, isNpy } from './npy';
import { decodePng, encodePng, toRgba } from './png';

/** The initial contents of a buffer argument, as many bytes as the buffer has. */
export function bufferContents(spec: BufferSpec): Uint8Array {
  const { contents, type, count } = spec;
  if (contents.from !== 'file') {
    const bytes = zeros(type.size * count!, `${spec.typeName}[${count}]`);
    fill(type.scalar, bytes, contents);
    return bytes;
  }
  const file = fileBytes(contents.path, type);
  if (count === undefined) {
    if (file.byteLength < type.size)
      throw inputError(`'${contents.path}' does not hold one ${spec.typeName}`);
    return file.slice(0, Math.floor(file.byteLength / type.size) * type.size);
  }
  if (file.byteLength < type.size * count) {
    throw inputError(
      `'${contents.path}' has ${file.byteLength} bytes; ${spec.typeName}[${count}] needs ${type.size * count}`,
    );
  }
  return file.slice(0, type.size * count);
}

const NPY_KINDS: Readonly<Record<string, string>> = {
  u1: 'uchar',
  i1: 'char',
  b1: 'uchar',
  u2: 'ushort',
  i2: 'short',
  u4: 'uint',
  i4: 'int',
  u8: 'ulong',
  i8: 'long',
  f2: 'half',
  f4: 'float',
  f8: 'double',
};

function fileBytes(path: string, type: ValueType): Uint8Array {
  const file = readInput(path);
  if (!isNpy(file)) return file;
  const array = decodeNpy(file, path);
  const scalar = NPY_KINDS[array.descr.slice(1)];
  if (scalar !== type.scalar) {
    throw inputError(
      `'${path}' holds '${array.descr}' elements, not ${type.scalar}; convert it with astype() first`,
    );
  }
  return array.data;
}

export interface ImageContents {
  readonly size: readonly number[];
  readonly data: Uint8Array;
}

/** The pixels of an image argument. A PNG determines the size and is converted to the format's channels. */
export function imageContents(spec: ImageSpec): ImageContents {
  const format = formatByName(spec.format);
  const pixels = (size: readonly number[]): number => size.reduce((a, b) => a * b, 1);
  const { contents } = spec;
  if (contents.from !== 'file') {
    const size = spec.size!;
    const data = zeros(pixels(size) * format.pixelBytes, `an image of ${size.join('×')}`);
    fill(scalarOf(spec.format), data, contents);
    return { size, data };
  }
  if (!/\.png$/i.test(contents.path)) {
    const data = fileBytes(contents.path, { scalar: scalarOf(spec.format), components: 1, size: 1 });
    const needed = pixels(spec.size!) * format.pixelBytes;
    if (data.byteLength < needed)
      throw inputError(`'${contents.path}' has ${data.byteLength} bytes, the image ${needed}`);
    return { size: spec.size!, data: data.slice(0, needed) };
  }
  const png = decodePng(readInput(contents.path), contents.path);
  return { size: [png.width, png.height], data: fromRgba(png.rgba, spec.format) };
}

/** The type of one channel's values. */
export function scalarOf(formatName: string): ScalarTypeName {
  const kinds: Readonly<Record<string, ScalarTypeName>> = {
    '8': 'uchar',
    '16': 'ushort',
    '8snorm': 'char',
    '16snorm': 'short',
    '8ui': 'uchar',
    '16ui': 'ushort',
    '32ui': 'uint',
    '8i': 'char',
    '16i': 'short',
    '32i': 'int',
    '16f': 'half',
    '32f': 'float',
  };
  return kinds[formatName.replace(/^[a-z]+/, '')]!;
}

/** Channel order within a pixel, as indices into red, green, blue, alpha. */
const channelOrder = (formatName: string): readonly number[] => {
  const order = /^[a-z]+/.exec(formatName)![0].replace(/^s/, '');
  if (['intensity', 'luminance', 'depth'].includes(order)) return [0];
  return [...order].map((letter) => 'rgba'.indexOf(letter));
};

function fromRgba(rgba: Uint8Array, formatName: string): Uint8Array {
  const { channels } = formatByName(formatName);
  const order = channelOrder(formatName);
  const scalar = scalarOf(formatName);
  const bytes = new Uint8Array((rgba.length / 4) * channels * SCALARS[scalar].bytes);
  const out = elements(scalar, bytes);
  const kind = formatName.replace(/^[a-z]+/, '');
  const convert: (byte: number) => number =
    kind === '32f'
      ? (b) => b / 255
      : kind === '16f'
        ? (b) => halfBits(b / 255)
        : kind === '16'
          ? (b) => b * 257
          : kind === '8snorm'
            ? (b) => Math.round((b / 255) * 127)
            : kind === '16snorm'
              ? (b) => Math.round((b / 255) * 32767)
              : (b) => b;
  for (let pixel = 0; pixel < rgba.length / 4; pixel++) {
    for (let c = 0; c < channels; c++) out[pixel * channels + c] = convert(rgba[pixel * 4 + order[c]!]!);
  }
  return bytes;
}

/** The shape of saved data: the element type, and the size of an image. */
export interface SavedShape {
  readonly type: ValueType;
  /** [width, height], if known. */
  readonly size?: readonly number[];
  readonly imageFormat?: string;
}

/** The bytes of a file by its extension: .npy, .png, otherwise raw. */
export function encodeForFile(path: string, bytes: Uint8Array, shape: SavedShape): Uint8Array {
  if (/\.npy$/i.test(path)) {
    const kind = Object.entries(NPY_KINDS).find(
      ([key, name]) => name === shape.type.scalar && key !== 'b1',
    )![0];
    const stored = SCALARS[shape.type.scalar].bytes;
    const components = shape.type.size / stored;
    const count = bytes.byteLength / shape.type.size;
    return encodeNpy({
      descr: `${stored === 1 ? '|' : '<'}${kind}`,
      shape: components === 1 ? [count] : [count, components],
      data: bytes,
    });
  }
  if (!/\.png$/i.test(path)) return bytes;
  const size = shape.size;
  if (size?.length !== 2)
    throw usageError(`--save ${path}: the width and height of a PNG come from a two-dimensional --global`);
  const [width, height] = size as [number, number];
  return encodePng({
    width,
    height,
    rgba: toRgba(toBytes(bytes, shape, width * height, path), channelsOf(bytes, shape, width * height, path)),
  });
}

function channelsOf(bytes: Uint8Array, shape: SavedShape, pixels: number, path: string): number {
  const channels = bytes.byteLength / SCALARS[shape.type.scalar].bytes / pixels;
  if (![1, 2, 3, 4].includes(channels)) {
    throw usageError(`--save ${path}: ${bytes.byteLength} bytes are not ${pixels} pixels of 1 to 4 channels`);
  }
  return channels;
}

/** Channel values as bytes: floats from 0 to 1 are scaled, integers above 255 clamped; BGRA is put in order. */
function toBytes(bytes: Uint8Array, shape: SavedShape, pixels: number, path: string): Uint8Array {
  const channels = channelsOf(bytes, shape, pixels, path);
  const source = elements(shape.type.scalar, bytes);
  const floating = SCALARS[shape.type.scalar].domain === 'float';
  const order = shape.imageFormat ? channelOrder(shape.imageFormat) : [0, 1, 2, 3];
  const out = new Uint8ClampedArray(source.length);
  for (let i = 0; i < source.length; i++) {
    const raw = shape.type.scalar === 'half' ? halfValue(source[i] as number) : Number(source[i]);
    const to = channels === 4 ? i - (i % 4) + order[i % 4]! : i;
    out[to] = floating ? raw * 255 : raw;
  }
  return new Uint8Array(out.buffer);
}
