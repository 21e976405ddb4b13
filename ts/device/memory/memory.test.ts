// SPDX-License-Identifier: MIT
import { testNeeding } from '../../../tests/helpers/needs';
import { DeviceMemory, has64BitMemories, placement } from './memory';

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

test('bytes are known as those of the memory, also when another memory has grown in between', () => {
  const memory = new DeviceMemory();
  const other = new DeviceMemory();
  const before = memory.bytes(4096, 16);
  other.allocate(64 << 20);
  const after = memory.bytes(8192, 16);
  expect([before, after].map((view) => memory.addressOf(view))).toEqual([4096, 8192]);
  expect(other.addressOf(after)).toBeUndefined();
});

const testWide = testNeeding('a Node.js with memory64', has64BitMemories());

testWide(
  'with 64-bit addresses, buffers are above 4 GB where there is no room below, and nothing else is',
  () => {
    const memory = new DeviceMemory({ addressBits: 64, limit: 10 * GB });
    const small = memory.allocateAnywhere(4096)!;
    expect(small.address).toBeLessThan(4 * GB);
    const large = memory.allocateAnywhere(5 * GB)!;
    expect(large.address).toBe(4 * GB);
    expect(memory.u8.length).toBeGreaterThanOrEqual(9 * GB);
    // What is not a buffer stays below, up to the last granule.
    const rest = memory.allocate(3.9 * GB)!;
    expect(rest.address + rest.size).toBeLessThan(4 * GB);
    expect(memory.allocate(GB)).toBeUndefined();
    expect(memory.allocateAnywhere(2 * GB)).toBeUndefined();
    const second = memory.allocateAnywhere(GB / 2)!;
    expect(second.address).toBeGreaterThanOrEqual(large.address + large.size);
    expect(memory.used).toBe(small.size + large.size + rest.size + second.size);
    for (const block of [small, large, rest, second]) memory.free(block);
    expect(memory.used).toBe(0);
  },
);

testWide('what a context left above 4 GB is cleared for the next', () => {
  const { mostBelow } = placement;
  const memory = new DeviceMemory({ addressBits: 64 });
  placement.mostBelow = 0;
  const block = memory.allocateAnywhere(300)!;
  placement.mostBelow = mostBelow;
  memory.bytes(block.address, 300).fill(7);
  memory.free(block);
  memory.wipe();
  expect([...new Set(memory.bytes(block.address, 300))]).toEqual([0]);
});

test('there is memory behind each block, as inactive lanes read beyond what active ones read', () => {
  const memory = new DeviceMemory();
  let size = memory.u8.length;
  let least = size;
  for (const bytes of [1 << 20, 1 << 10, 128])
    for (let grown = false; !grown; ) {
      const block = memory.allocate(bytes)!;
      grown = memory.u8.length > size;
      size = memory.u8.length;
      least = Math.min(least, size - block.address - block.size);
    }
  expect(least).toBe(1024);
});
