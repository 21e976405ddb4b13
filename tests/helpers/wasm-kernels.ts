// SPDX-License-Identifier: MIT
//
// Kernels as the device runs them, written by hand: `run(dispatch, x, y, z, count, local, scratch)`.

const bytes = (...parts: (number | readonly number[])[]): number[] => parts.flat();
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];

function module(code: readonly number[]): Uint8Array {
  const body = [1, 1, 0x7f, ...code, 0x0b];
  return new Uint8Array(
    bytes(
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [1, 0x60, 7, ...Array<number>(7).fill(0x7f), 0]),
      section(2, bytes(1, name('env'), name('memory'), [2, 3, 1, 0x80, 0x80, 4])),
      section(3, [1, 0]),
      section(7, bytes(1, name('run'), [0, 0])),
      section(10, bytes(1, body.length, body)),
    ),
  );
}

const get = (local: number): number[] => [0x20, local];
/** for (i = x; i < x + count; i++) out[i] += i + 1, where the first argument is `out`. */
export const ADD_INDEX = module(
  bytes(
    get(1),
    [0x21, 7],
    [0x03, 0x40],
    get(0),
    [0x28, 2, 64],
    get(7),
    [0x41, 2, 0x74, 0x6a],
    get(0),
    [0x28, 2, 64],
    get(7),
    [0x41, 2, 0x74, 0x6a],
    [0x28, 2, 0],
    get(7),
    [0x41, 1, 0x6a, 0x6a],
    [0x36, 2, 0],
    get(7),
    [0x41, 1, 0x6a, 0x22, 7],
    get(1),
    get(4),
    [0x6a, 0x48, 0x0d, 0, 0x0b],
  ),
);
export const TRAP = module([0x00]);
export const FOREVER = module([0x03, 0x40, 0x0c, 0, 0x0b]);
/** 2^24 iterations of a loop for each group: more than 5 ms. */
export const SLOW = module(
  bytes(
    [0x03, 0x40],
    [0x41, ...[0x80, 0x80, 0x80, 0x08], 0x21, 7],
    [0x03, 0x40, 0x20, 7, 0x41, 1, 0x6b, 0x22, 7, 0x0d, 0, 0x0b],
    [0x20, 4, 0x41, 1, 0x6b, 0x22, 4, 0x0d, 0, 0x0b],
  ),
);
