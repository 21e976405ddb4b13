// SPDX-License-Identifier: MIT
//
// An image as bytes: where each texel is, and what regions contain.
import type { Chance } from '../chance';
import type { Format, Texel } from './formats';

export type ImageType = '1d' | '1d-array' | '1d-buffer' | '2d' | '2d-array' | '3d';
export type Triple = readonly [number, number, number];

/** How many coordinates are filtered, and whether a layer follows them. */
export const TYPES = {
  '1d': { axes: 1, arrayed: false },
  '1d-array': { axes: 1, arrayed: true },
  '1d-buffer': { axes: 1, arrayed: false },
  '2d': { axes: 2, arrayed: false },
  '2d-array': { axes: 2, arrayed: true },
  '3d': { axes: 3, arrayed: false },
} as const satisfies Record<ImageType, object>;

export interface Box {
  readonly origin: Triple;
  readonly region: Triple;
}

export class ImageModel {
  readonly view: DataView;

  /** @param extent as in regions: layers are the last used coordinate */
  constructor(
    readonly type: ImageType,
    readonly format: Format,
    readonly extent: Triple,
    /** The buffer's bytes, for an image over one. */
    readonly bytes: Uint8Array,
    readonly rowPitch: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get axes(): number {
    return TYPES[this.type].axes;
  }

  get layers(): number | undefined {
    return TYPES[this.type].arrayed ? this.extent[this.axes] : undefined;
  }

  address(at: readonly number[]): number {
    const [x = 0, y = 0, z = 0] = at;
    return (z * this.extent[1] + y) * this.rowPitch + x * this.format.pixelBytes;
  }

  /** A texel, or the border. */
  texel(at: readonly number[]): Texel {
    const isInside = at.every((i, axis) => i >= 0 && i < this.extent[axis]!);
    return isInside ? this.format.load(this.view, this.address(at)) : this.format.border;
  }

  /** The rows of a box, without gaps. */
  read({ origin: [x, y, z], region: [width, height, depth] }: Box): Uint8Array {
    const row = width * this.format.pixelBytes;
    const out = new Uint8Array(row * height * depth);
    for (let k = 0; k < depth; k++)
      for (let j = 0; j < height; j++) {
        const from = this.address([x, y + j, z + k]);
        out.set(this.bytes.subarray(from, from + row), (k * height + j) * row);
      }
    return out;
  }

  write({ origin: [x, y, z], region: [width, height, depth] }: Box, data: Uint8Array): void {
    const row = width * this.format.pixelBytes;
    for (let k = 0; k < depth; k++)
      for (let j = 0; j < height; j++) {
        const from = (k * height + j) * row;
        this.bytes.set(data.subarray(from, from + row), this.address([x, y + j, z + k]));
      }
  }
}

export function randomBox(chance: Chance, extent: Triple): Box {
  if (chance.with(0.3)) return { origin: [0, 0, 0], region: extent };
  const origin = extent.map((size) => chance.integer(0, size - 1)) as unknown as Triple;
  const region = extent.map((size, i) => chance.integer(1, size - origin[i]!)) as unknown as Triple;
  return { origin, region };
}

/** Random texels: floats are finite, as filters of others are undefined. */
export function randomTexels(chance: Chance, format: Format, count: number): Uint8Array {
  const bytes = new Uint8Array(count * format.pixelBytes);
  const view = new DataView(bytes.buffer);
  const { channel } = format;
  for (let at = 0; at < bytes.length; at += channel.bytes) {
    if (format.name.endsWith('32f'))
      view.setFloat32(at, (chance.random() - 0.5) * 10 ** chance.integer(-2, 3), true);
    else if (format.name.endsWith('16f'))
      view.setUint16(at, chance.integer(0, 0x5fff) | (chance.with(0.5) ? 0x8000 : 0), true);
    else
      for (let k = 0; k < channel.bytes; k++)
        bytes[at + k] = chance.pick([0, 255, 128, 127, chance.integer(0, 255), chance.integer(0, 255)]);
  }
  return bytes;
}
