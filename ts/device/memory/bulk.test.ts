// SPDX-License-Identifier: MIT

import { testNeeding } from '../../../tests/helpers/needs';
import { copyBytesWithin, fillBytes } from './bulk';
import { fillPattern } from './copies';
import { DeviceMemory, has64BitMemories } from './memory';

const LARGE = 100_001;

test('fills and copies in a device’s memory do what those of typed arrays do, before and after it grows', () => {
  const memory = new DeviceMemory();
  for (const more of [0, 1 << 26]) {
    const block = memory.allocate(more + 3 * LARGE)!;
    const bytes = memory.bytes(block.address, 3 * LARGE);
    const expected = new Uint8Array(3 * LARGE);
    fillBytes(bytes, 0);
    fillPattern(bytes.subarray(1, LARGE), Uint8Array.of(1, 2, 3, 4, 5));
    fillPattern(expected.subarray(1, LARGE), Uint8Array.of(1, 2, 3, 4, 5));
    fillBytes(bytes.subarray(LARGE + 1, 2 * LARGE), 7);
    expected.fill(7, LARGE + 1, 2 * LARGE);
    // Overlapping, in both directions.
    copyBytesWithin(bytes, 17, 3, 2 * LARGE);
    expected.copyWithin(17, 3, 3 + 2 * LARGE);
    copyBytesWithin(bytes, 0, 9, LARGE);
    expected.copyWithin(0, 9, 9 + LARGE);
    expect(Buffer.compare(bytes, expected)).toBe(0);
  }
});

test('above 2 GB, too', () => {
  const memory = new DeviceMemory();
  memory.allocate(2 ** 31);
  const { address } = memory.allocate(2 * LARGE)!;
  expect(address).toBeGreaterThan(2 ** 31);
  const bytes = memory.bytes(address, 2 * LARGE);
  fillBytes(bytes.subarray(0, LARGE), 3);
  copyBytesWithin(bytes, LARGE, 0, LARGE);
  expect(bytes.every((byte) => byte === 3)).toBe(true);
});

testNeeding('a Node.js with memory64', has64BitMemories())('across 4 GB and above', () => {
  const memory = new DeviceMemory({ addressBits: 64 });
  const { address } = memory.allocateAnywhere(6 * 2 ** 30)!;
  expect(address).toBe(2 ** 32);
  const { u8 } = memory;
  fillBytes(u8.subarray(2 ** 32 - LARGE, 2 ** 32 + LARGE), 3);
  copyBytesWithin(u8, 9 * 2 ** 30, 2 ** 32 - LARGE, 2 * LARGE);
  const copy = memory.bytes(9 * 2 ** 30 - 1, 2 * LARGE + 2);
  expect([copy[0], copy[1], copy.at(-2), copy.at(-1)]).toEqual([0, 3, 3, 0]);
  expect(copy.subarray(1, -1).every((byte) => byte === 3)).toBe(true);
});

test('small ranges, and arrays that are not the memory of a device', () => {
  const bytes = new Uint8Array(8);
  fillBytes(bytes.subarray(2, 4), 9);
  copyBytesWithin(bytes, 5, 2, 2);
  expect([...bytes]).toEqual([0, 0, 9, 9, 0, 9, 9, 0]);
});
