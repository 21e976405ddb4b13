// SPDX-License-Identifier: MIT
//
// Image commands on the software device.
import { copyOfBox } from '../../../device/commands/host-work';
import { encodePixel } from '../../../device/images/pixel';
import { type Box, fillPattern } from '../../../device/memory/copies';
import { intact, stableSource } from '../../host-memory';
import { byteRegion, hostImageBox, packedBox } from '../memory/boxes';
import type { SoftwareImage } from '../memory/image';
import type { SoftwareMemory } from '../memory/memory';
import type { Preparations } from './prepared';

export const IMAGE_COMMANDS: Preparations<
  'readImage' | 'writeImage' | 'copyImage' | 'fillImage' | 'copyImageToBuffer' | 'copyBufferToImage'
> = {
  readImage({ image, origin, region, rowPitch, slicePitch, into }) {
    const source = image as SoftwareImage;
    const to = () => hostImageBox(source, region, rowPitch, slicePitch, into);
    const work = copyOfBox(() => source.box(origin), to, byteRegion(source, region), intact(into));
    return { work, uses: [source] };
  },

  writeImage({ image, origin, region, rowPitch, slicePitch, from }) {
    const target = image as SoftwareImage;
    const stable = stableSource(from);
    const source = () => hostImageBox(target, region, rowPitch, slicePitch, stable);
    const work = copyOfBox(source, () => target.box(origin), byteRegion(target, region), intact(stable));
    return { work, uses: [target] };
  },

  copyImage({ from, to, fromOrigin, toOrigin, region }) {
    const source = from as SoftwareImage;
    const target = to as SoftwareImage;
    const boxes = [() => source.box(fromOrigin), () => target.box(toOrigin)] as const;
    return { work: copyOfBox(...boxes, byteRegion(source, region)), uses: [source, target] };
  },

  fillImage({ image, origin, region, pattern }) {
    const target = image as SoftwareImage;
    const pixel = encodePixel(target.format, pattern);
    const row = new Uint8Array(region[0] * target.element);
    fillPattern(row, pixel);
    const from: Box = { bytes: row, offset: 0, rowPitch: 0, slicePitch: 0 };
    const work = copyOfBox(
      () => from,
      () => target.box(origin),
      byteRegion(target, region),
    );
    return { work, uses: [target] };
  },

  copyImageToBuffer({ from, to, origin, region, toOffset }) {
    const image = from as SoftwareImage;
    const buffer = to as SoftwareMemory;
    const boxes = [() => image.box(origin), () => packedBox(image, region, buffer, toOffset)] as const;
    return { work: copyOfBox(...boxes, byteRegion(image, region)), uses: [image, buffer] };
  },

  copyBufferToImage({ from, to, fromOffset, origin, region }) {
    const buffer = from as SoftwareMemory;
    const image = to as SoftwareImage;
    const boxes = [() => packedBox(image, region, buffer, fromOffset), () => image.box(origin)] as const;
    return { work: copyOfBox(...boxes, byteRegion(image, region)), uses: [buffer, image] };
  },
};
