// SPDX-License-Identifier: MIT
import { DeviceMemory } from './memory';

const GB = 2 ** 30;

test('blocks at chosen addresses have neighbours, however much is allocated in between', () => {
  const memory = new DeviceMemory();
  const first = memory.allocateAt(2 * GB, 4096)!;
  expect(first.address).toBe(2 * GB);
  const others = [100, 5000, 70_000, 300_000_000].map((bytes) => memory.allocate(bytes)!);
  for (const { address, size } of others) expect(address + size).toBeLessThanOrEqual(2 * GB);
  expect(memory.allocateAt(2 * GB + 4096, 1 << 20)).toBeDefined();
  expect(memory.allocateAt(2 * GB + 4096, 4096)).toBeUndefined();
  memory.free(first);
  expect(memory.allocateAt(2 * GB, 4096)).toBeDefined();
});

test('other blocks get these addresses when there is no other room, and give them back', () => {
  const memory = new DeviceMemory();
  const chosen = memory.allocateAt(3 * GB, 4096)!;
  const large = memory.allocate(1.9 * GB)!;
  const above = memory.allocate(0.5 * GB)!;
  expect(large.address).toBeLessThan(2 * GB);
  expect(above.address).toBeGreaterThanOrEqual(2 * GB - (1 << 17));
  expect(memory.used).toBe(chosen.size + large.size + above.size);
  for (const block of [above, large, chosen]) memory.free(block);
  expect(memory.used).toBe(0);
});

test('a memory that has grown into the upper half before still has blocks at chosen addresses', () => {
  const memory = new DeviceMemory();
  memory.allocate(2.5 * GB);
  expect(memory.allocateAt(2.25 * GB, 4096)).toBeUndefined();
  expect(memory.allocateAt(3.5 * GB, 4096)).toBeDefined();
  expect(memory.allocateAt(3.5 * GB + 4096, 4096)).toBeDefined();
});
