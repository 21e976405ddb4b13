// SPDX-License-Identifier: MIT
import { SparseBytes } from './sparse-bytes';

test('says what plain bytes say', () => {
  const plain = new Uint8Array(20_000);
  const sparse = new SparseBytes(plain.length);
  const view = new DataView(plain.buffer);
  // Words over the ends of pages, bytes, and zeros over what is there.
  for (const [at, word] of [
    [0, 1],
    [4094, -1],
    [8190, 0],
    [12_286, 7],
    [12_288, 0],
    [16_000, 0],
  ] as const) {
    sparse.writeWord(at, word);
    view.setInt32(at, word, true);
  }
  for (const [at, bytes] of [
    [4095, [0, 0, 9]],
    [19_999, [255]],
    [9_000, [0, 0]],
  ] as const) {
    sparse.write(at, Uint8Array.from(bytes));
    plain.set(bytes, at);
  }
  expect(sparse.read(0, plain.length)).toEqual(plain);
  expect(sparse.read(4090, 10)).toEqual(plain.slice(4090, 4100));
  const copy = new Uint8Array(plain.length);
  sparse.copyInto(copy);
  expect(copy).toEqual(plain);
  for (const from of [0, 4095, 19_999]) {
    const zero = plain.indexOf(0, from);
    expect(sparse.zeroAfter(from)).toBe(zero < 0 ? plain.length : zero);
  }
});

test('zeros take nothing', () => {
  const sparse = new SparseBytes(2 ** 40);
  sparse.writeWord(2 ** 39, 5);
  sparse.writeWord(2 ** 38, 0);
  expect([...sparse.read(2 ** 39 - 1, 6)]).toEqual([0, 5, 0, 0, 0, 0]);
  expect(sparse.zeroAfter(2 ** 39)).toBe(2 ** 39 + 1);
});

test('is the same after its transfer, and is copied in steps', () => {
  const sparse = new SparseBytes(100_000);
  for (const at of [99_996, 3, 50_000, 8192]) sparse.writeWord(at, at);
  const parts = sparse.parts();
  const { numbers, bytes } = parts;
  const other = SparseBytes.from(structuredClone(parts, { transfer: [numbers.buffer, bytes.buffer] }));
  expect(bytes.length).toBe(0);
  other.writeWord(60_000, 7);
  sparse.writeWord(60_000, 7);
  expect(other.read(0, 100_000)).toEqual(sparse.read(0, 100_000));
  const [target, inSteps] = [new Uint8Array(100_000), new Uint8Array(100_000)];
  sparse.copyInto(target);
  expect([...other.copySteps(inSteps, 8192)]).toHaveLength(2);
  expect(inSteps).toEqual(target);
});
