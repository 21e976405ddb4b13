// SPDX-License-Identifier: MIT
//
// Addressing and filtering by the formulas of OpenCL C ("Image Addressing and Filtering"), in floats as they are written there.
import type { Texel } from './formats';

export interface SamplerModel {
  readonly normalized: boolean;
  readonly addressing: 'none' | 'clamp-to-edge' | 'clamp' | 'repeat' | 'mirrored-repeat';
  readonly filter: 'nearest' | 'linear';
}

/** The texels along one axis, and the weight of the second. */
interface Taps {
  readonly first: number;
  readonly second: number;
  readonly weight: number;
}

const { fround, floor, min, max, abs } = Math;
const clamp = (value: number, least: number, most: number) => min(max(value, least), most);

function rint(x: number): number {
  const down = floor(x);
  const rest = x - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
}

export function tapsOf({ normalized, addressing, filter }: SamplerModel, s: number, size: number): Taps {
  const isLinear = filter === 'linear';
  const around = (u: number) => {
    const v = fround(u - 0.5);
    return { low: floor(v), weight: fround(v - floor(v)) };
  };
  const one = (first: number): Taps => ({ first, second: first, weight: 0 });
  switch (addressing) {
    case 'repeat': {
      const u = fround(fround(s - floor(s)) * size);
      if (!isLinear) return one(floor(u) > size - 1 ? floor(u) - size : floor(u));
      const { low, weight } = around(u);
      const high = low + 1;
      return { first: low < 0 ? size + low : low, second: high > size - 1 ? high - size : high, weight };
    }
    case 'mirrored-repeat': {
      const even = 2 * rint(fround(0.5 * s));
      const u = fround(abs(fround(s - even)) * size);
      if (!isLinear) return one(min(floor(u), size - 1));
      const { low, weight } = around(u);
      return { first: max(low, 0), second: min(low + 1, size - 1), weight };
    }
    default: {
      const u = normalized ? fround(s * size) : s;
      const mode = (i: number) =>
        addressing === 'clamp-to-edge'
          ? clamp(i, 0, size - 1)
          : addressing === 'clamp'
            ? clamp(i, -1, size)
            : i;
      if (!isLinear) return one(mode(floor(u)));
      const { low, weight } = around(u);
      return { first: mode(low), second: mode(low + 1), weight };
    }
  }
}

/** The layer that a coordinate of an array names. */
export const layerOf = (coordinate: number, layers: number): number => clamp(rint(coordinate), 0, layers - 1);

/** The colour, and the largest number of those that it is mixed of. */
export function sampled(
  axes: readonly Taps[],
  texel: (at: readonly number[]) => Texel,
): { readonly color: Texel; readonly largest: number } {
  const color: [number, number, number, number] = [0, 0, 0, 0];
  let largest = 0;
  for (let tap = 0; tap < 1 << axes.length; tap++) {
    let weight = 1;
    const at = axes.map((taps, axis) => {
      const isSecond = ((tap >> axis) & 1) === 1;
      weight *= isSecond ? taps.weight : 1 - taps.weight;
      return isSecond ? taps.second : taps.first;
    });
    if (weight === 0) continue;
    for (const [k, value] of texel(at).entries()) {
      color[k]! += weight * value;
      largest = max(largest, abs(value));
    }
  }
  return { color, largest };
}
