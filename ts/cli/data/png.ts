// SPDX-License-Identifier: MIT
//
// PNG files.
import { inputError } from '../exit';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel: red, green, blue, alpha. */
  readonly rgba: Uint8Array;
}

/** Loaded on demand: it requires streams and compression, which few commands need. */
const pngjs = (): typeof import('pngjs') => require('pngjs');

export function decodePng(bytes: Uint8Array, name: string): Pixels {
  try {
    const { width, height, data } = pngjs().PNG.sync.read(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    return { width, height, rgba: data };
  } catch (error) {
    throw inputError(`'${name}' is not a PNG file that can be read: ${(error as Error).message}`);
  }
}

export function encodePng({ width, height, rgba }: Pixels): Uint8Array {
  const { PNG } = pngjs();
  const png = new PNG({ width, height });
  png.data = Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  return PNG.sync.write(png);
}

/** Widens grey, grey with alpha or colour bytes to four bytes per pixel. */
export function toRgba(bytes: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return bytes;
  const rgba = new Uint8Array((bytes.length / channels) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += channels, to += 4) {
    const colour = channels === 3;
    rgba[to] = bytes[from]!;
    rgba[to + 1] = bytes[from + (colour ? 1 : 0)]!;
    rgba[to + 2] = bytes[from + (colour ? 2 : 0)]!;
    rgba[to + 3] = channels === 2 ? bytes[from + 1]! : 255;
  }
  return rgba;
}
