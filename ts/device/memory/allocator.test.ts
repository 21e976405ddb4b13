// SPDX-License-Identifier: MIT
import { Allocator, type Block } from './allocator';

test('blocks never overlap, are aligned, and all come back', () => {
  const start = 65536;
  const size = 4 << 20;
  const allocator = new Allocator(start, start + size);
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed / 2 ** 32;
  };
  const live = new Set<Block>();
  const owner = new Int32Array(size / 128);
  for (let i = 1; i < 20_000; i++) {
    if (random() < 0.55) {
      const bytes = Math.ceil(random() ** 4 * 100_000);
      const align = 128 << Math.floor(random() * 4);
      const block = allocator.allocate(bytes, align);
      if (!block) continue;
      expect(block.address % align).toBe(0);
      expect(block.size).toBeGreaterThanOrEqual(bytes);
      const at = (block.address - start) / 128;
      const range = owner.subarray(at, at + block.size / 128);
      expect(range.every((word) => word === 0)).toBe(true);
      range.fill(i);
      live.add(block);
    } else {
      for (const block of live) {
        owner.fill(0, (block.address - start) / 128, (block.address + block.size - start) / 128);
        allocator.free(block);
        live.delete(block);
        break;
      }
    }
  }
  for (const block of live) allocator.free(block);
  expect(allocator.used).toBe(0);
  expect(allocator.allocate(size)?.address).toBe(start);
});

test('what a block is shortened by can be given out again', () => {
  const allocator = new Allocator(128, 128 + 1024);
  const block = allocator.allocate(1024)!;
  allocator.shrink(block, 200);
  expect(block.size).toBe(256);
  expect(allocator.used).toBe(256);
  const rest = allocator.allocate(768)!;
  expect(rest.address).toBe(block.address + 256);
  allocator.shrink(rest, 768);
  expect(rest.size).toBe(768);
  allocator.free(block);
  allocator.free(rest);
  expect(allocator.allocate(1024)?.address).toBe(128);
});

test('says so when there is no room, and uses what is added', () => {
  const allocator = new Allocator(128, 1024);
  expect(allocator.allocate(1024)).toBeUndefined();
  const block = allocator.allocate(896)!;
  expect(allocator.allocate(1)).toBeUndefined();
  allocator.extend(2048);
  expect(allocator.allocate(1024)).toBeDefined();
  allocator.free(block);
  expect(allocator.allocate(896)).toBeDefined();
});

test('4 GB can be given out whole', () => {
  const allocator = new Allocator(65536, 2 ** 32 - 128);
  const block = allocator.allocate(2 ** 32 - 128 - 65536)!;
  expect(block.address).toBe(65536);
  expect(block.size).toBe(2 ** 32 - 128 - 65536);
});
