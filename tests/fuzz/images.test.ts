// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/images.mjs, and that its model is not indifferent.
import { node } from '../helpers/command';
import { Format } from './images/formats';
import { tapsOf } from './images/sampling';

test('random programs of images give what the specification says', () => {
  const { status, stdout } = node('scripts/fuzz/images.mjs', ['1', '12']);
  expect(stdout).toBe('12 programs on anycl software device, seeds 1 to 12: 0 faults\n');
  expect(status).toBe(0);
});

test('a texel that is a little off is not accepted', () => {
  const format = new Format('bgra8');
  const accepts = (...bytes: number[]) =>
    format.accepts([0.5, 0, 1, 2], new DataView(Uint8Array.from(bytes).buffer), 0);
  expect(accepts(255, 0, 128, 255)).toBe(true);
  expect(accepts(255, 0, 127, 255)).toBe(true);
  expect(accepts(255, 0, 126, 255)).toBe(false);
  expect(accepts(128, 0, 255, 255)).toBe(false);
});

test.each([
  ['clamp', -0.25, { first: -1, second: -1, weight: 0 }],
  ['clamp-to-edge', 3.5, { first: 3, second: 3, weight: 0 }],
  ['repeat', -0.25, { first: 2, second: 3, weight: 0.5 }],
  ['mirrored-repeat', 1.25, { first: 2, second: 3, weight: 0.5 }],
] as const)('texels of %s at %d', (addressing, s, taps) => {
  const filter = addressing.includes('repeat') ? 'linear' : 'nearest';
  expect(tapsOf({ normalized: true, addressing, filter }, s, 4)).toEqual(taps);
});
