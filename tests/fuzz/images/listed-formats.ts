// SPDX-License-Identifier: MIT
import { formatName } from '../../../ts/api/data/image-formats';
import { type ImageType, TYPES } from './model';

/** The formats that a device lists and that have a name, by type of image; those whose channels share a number have no model. */
export function listedFormats(context: {
  supportedImageFormats(type: string): readonly { order: number; type: number }[];
}): Map<ImageType, string[]> {
  const types = Object.keys(TYPES) as ImageType[];
  return new Map(
    types.map((type) => [
      type,
      context
        .supportedImageFormats(type)
        .map(formatName)
        .filter((name) => !name.includes('/') && !/^rgb\d/.test(name)),
    ]),
  );
}
