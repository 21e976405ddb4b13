// SPDX-License-Identifier: MIT
import { rectsOverlap } from './overlap';

type Triple = readonly [number, number, number];

function* bytesOf(
  origin: Triple,
  [x, y, z]: Triple,
  rowPitch: number,
  slicePitch: number,
): Generator<number> {
  for (let k = 0; k < z; k++)
    for (let j = 0; j < y; j++)
      for (let i = 0; i < x; i++)
        yield origin[0] + i + (origin[1] + j) * rowPitch + (origin[2] + k) * slicePitch;
}

test('two rectangles overlap where they share a byte', () => {
  let shared = 0;
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 16) % below;
  };
  const ROUNDS = 20000;
  for (let round = 0; round < ROUNDS; round++) {
    const region = [1 + random(4), 1 + random(3), 1 + random(3)] as const;
    const rowPitch = region[0] + random(4);
    const slicePitch = rowPitch * (region[1] + random(3));
    const origin = (): Triple => [random(8), random(5), random(4)];
    const [bufferOrigin, hostOrigin] = [origin(), origin()];
    const source = new Set(bytesOf(bufferOrigin, region, rowPitch, slicePitch));
    const overlap = [...bytesOf(hostOrigin, region, rowPitch, slicePitch)].some((at) => source.has(at));
    if (overlap) shared++;
    const pitches = {
      bufferRowPitch: rowPitch,
      bufferSlicePitch: slicePitch,
      hostRowPitch: rowPitch,
      hostSlicePitch: slicePitch,
    };
    const rect = { region, bufferOrigin, hostOrigin, ...pitches };
    expect({ rect, overlap: rectsOverlap(rect, 0, 0) }).toEqual({ rect, overlap });
  }
  expect(shared).toBeGreaterThan(ROUNDS / 10);
  expect(shared).toBeLessThan(ROUNDS * 0.9);
});

test('rectangles of two sub-buffers overlap by where these begin', () => {
  const pitches = { bufferRowPitch: 4, bufferSlicePitch: 8, hostRowPitch: 4, hostSlicePitch: 8 };
  const rect = { region: [4, 2, 1], bufferOrigin: [0, 0, 0], hostOrigin: [0, 0, 0], ...pitches } as const;
  expect(rectsOverlap(rect, 0, 8)).toBe(false);
  expect(rectsOverlap(rect, 0, 7)).toBe(true);
  expect(rectsOverlap({ ...rect, hostRowPitch: 5, hostSlicePitch: 10 }, 2, 0)).toBe(true);
});
