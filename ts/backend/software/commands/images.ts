// SPDX-License-Identifier: MIT
import { type Box, copyBox, fillPattern } from '../../../device/copies';
import { encodePixel } from '../../../device/pixel';
import { ifNotDetached, stableSource } from '../../host-memory';
import { byteRegion, hostImageBox, packedBox } from '../memory/boxes';
import type { SoftwareImage } from '../memory/image';
import type { SoftwareMemory } from '../memory/memory';
import type { Preparations } from './prepared';

export const IMAGE_COMMANDS: Preparations<
  'readImage' | 'writeImage' | 'copyImage' | 'fillImage' | 'copyImageToBuffer' | 'copyBufferToImage'
> = {
  readImage({ image, origin, region, rowPitch, slicePitch, into }) {
    const source = image as SoftwareImage;
    const run = ifNotDetached(into, () => {
      const to = hostImageBox(source, region, rowPitch, slicePitch, into);
      copyBox(source.box(origin), to, byteRegion(source, region));
    });
    return { run, uses: [source] };
  },

  writeImage({ image, origin, region, rowPitch, slicePitch, from }) {
    const target = image as SoftwareImage;
    const steady = stableSource(from);
    const run = ifNotDetached(steady, () => {
      const source = hostImageBox(target, region, rowPitch, slicePitch, steady);
      copyBox(source, target.box(origin), byteRegion(target, region));
    });
    return { run, uses: [target] };
  },

  copyImage({ from, to, fromOrigin, toOrigin, region }) {
    const source = from as SoftwareImage;
    const target = to as SoftwareImage;
    const run = (): void => copyBox(source.box(fromOrigin), target.box(toOrigin), byteRegion(source, region));
    return { run, uses: [source, target] };
  },

  fillImage({ image, origin, region, pattern }) {
    const target = image as SoftwareImage;
    const pixel = encodePixel(target.format, pattern);
    const run = (): void => {
      const row = new Uint8Array(region[0] * target.element);
      fillPattern(row, pixel);
      const from: Box = { bytes: row, offset: 0, rowPitch: 0, slicePitch: 0 };
      copyBox(from, target.box(origin), byteRegion(target, region));
    };
    return { run, uses: [target] };
  },

  copyImageToBuffer({ from, to, origin, region, toOffset }) {
    const image = from as SoftwareImage;
    const buffer = to as SoftwareMemory;
    const run = (): void =>
      copyBox(image.box(origin), packedBox(image, region, buffer, toOffset), byteRegion(image, region));
    return { run, uses: [image, buffer] };
  },

  copyBufferToImage({ from, to, fromOffset, origin, region }) {
    const buffer = from as SoftwareMemory;
    const image = to as SoftwareImage;
    const run = (): void =>
      copyBox(packedBox(image, region, buffer, fromOffset), image.box(origin), byteRegion(image, region));
    return { run, uses: [buffer, image] };
  },
};
