// SPDX-License-Identifier: MIT
//
// Random samplers and coordinates, and what reads with them give.
import type { Chance } from '../chance';
import type { Format, Texel } from './formats';
import type { ImageModel } from './model';
import { layerOf, type SamplerModel, sampled, tapsOf } from './sampling';

const { fround } = Math;

export function randomSampler(
  chance: Chance,
  { kind }: Format,
  withIntegers: boolean,
  normalized: boolean,
): SamplerModel {
  const addressing = chance.pick(
    normalized
      ? (['none', 'clamp-to-edge', 'clamp', 'repeat', 'mirrored-repeat'] as const)
      : (['none', 'clamp-to-edge', 'clamp'] as const),
  );
  const filter = kind === 'float' && !withIntegers && chance.with(0.5) ? 'linear' : 'nearest';
  // A filter reads outside of an image of one texel.
  return {
    normalized,
    addressing: filter === 'linear' && addressing === 'none' ? 'clamp' : addressing,
    filter,
  };
}

/** Coordinates for all of the samplers: not so near to where rounding chooses a texel, unless places are exact. */
export function randomCoordinates(
  chance: Chance,
  image: ImageModel,
  samplers: readonly SamplerModel[],
  withIntegers: boolean,
): [number, number, number, number] {
  const isInside = samplers.some(({ addressing }) => addressing === 'none');
  const { normalized } = samplers[0]!;
  const at: [number, number, number, number] = [0, 0, 0, 0];
  for (let axis = 0; axis < image.axes; axis++) {
    const size = image.extent[axis]!;
    const texel = isInside
      ? chance.integer(0, size - 1)
      : chance.with(0.02)
        ? chance.pick([-1_000_000, 1_000_000])
        : chance.integer(-size - 2, 2 * size + 2);
    if (withIntegers) at[axis] = texel;
    else if (!normalized) at[axis] = fround(texel + chance.pick([0, 0, 0.5, 0.999, chance.random()]));
    else at[axis] = fround((texel + chance.pick([0.06, 0.56]) + chance.random() * 0.38) / size);
    // A million texels away places are not exact.
    if (normalized && Math.abs(texel) > 1000) at[axis] = fround(0.3 / size);
    if (isInside && !withIntegers && at[axis]! >= (normalized ? 1 : size)) at[axis] = 0;
  }
  if (image.layers !== undefined) {
    const layer = chance.integer(-2, image.layers + 1);
    at[image.axes] = withIntegers ? layer : fround(layer + (chance.random() - 0.5) * 0.9);
  }
  return at;
}

/** What is wrong with a read, or undefined. */
export function wrongSample(
  image: ImageModel,
  sampler: SamplerModel,
  at: readonly number[],
  withIntegers: boolean,
  actual: readonly number[],
): string | undefined {
  const { axes, layers, extent, format } = image;
  const taps = Array.from({ length: axes }, (_, axis) =>
    tapsOf(sampler, withIntegers ? at[axis]! : fround(at[axis]!), extent[axis]!),
  );
  const layer = layers === undefined ? [] : [layerOf(at[axes]!, layers)];
  const texel = (place: readonly number[]) => image.texel([...place, ...layer]);
  const isLinear = sampler.filter === 'linear';
  const { color, largest } = isLinear
    ? sampled(taps, texel)
    : { color: texel(taps.map(({ first }) => first)), largest: 0 };
  const error = largest * 1e-5;
  return isNear(format, color, actual, error)
    ? undefined
    : `at (${at.slice(0, axes + layer.length).join(', ')}) is ${actual.join(', ')}, not ${color.join(', ')}`;
}

/** `error`: that of the filter. */
export function isNear(format: Format, expected: Texel, actual: readonly number[], error: number): boolean {
  // One and a half units in the last place (8.3.1.1); a curve for sRGB.
  const relative = format.isExact ? 0 : 1.5 * 2 ** -23;
  const absolute = error + (format.isSrgb ? 2e-4 : 0);
  const count = format.order === 'depth' ? 1 : 4;
  return expected
    .slice(0, count)
    .every((value, k) => Math.abs(actual[k]! - value) <= absolute + relative * Math.abs(value));
}
