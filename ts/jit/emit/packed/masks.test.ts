// SPDX-License-Identifier: MIT
//
// Stores and parameters of bytes and shorts under conditions that are packed themselves, at every tile, with and without the right to
// write back what inactive lanes have.

import { checkTiles, foreign, ints, noise } from '../../../../tests/helpers/every-tile';

const WIDTH = 37;
const HEIGHT = 4;
const ITEMS = WIDTH * HEIGHT;

/** `a`, `b`: elements of two inputs; `i`: the index of the work-item's element of `out` and `other`. */
const kernelOf = (type: string, body: string) => `
  __kernel void k(__global const ${type} *in, __global ${type} *out, __global ${type} *other, int n) {
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
    ${type} a = in[i], b = in[i + 5];
    ${body}
  }`;

function check(type: string, body: string, few = false): void {
  const invocation = {
    global: [WIDTH, HEIGHT],
    local: [WIDTH, HEIGHT],
    args: [
      // Where few work-items are active, whole vectors have no active lane.
      { buffer: new Uint8Array(ints(ITEMS, (i) => (few && i % 24 !== 0 ? 0 : noise(i) * 2 ** 32)).buffer) },
      { buffer: new Uint8Array(ints(ITEMS, (i) => Math.imul(i, 0x9e3779b1)).buffer) },
      { buffer: new Uint8Array(ints(ITEMS, (i) => Math.imul(i, 0x85ebca6b)).buffer) },
      { value: new Uint8Array(Int32Array.of(33).buffer) },
    ],
  } as const;
  checkTiles(kernelOf(type, body), 'k', invocation, undefined, [2]);
}

foreign('masks of packed conditions', () => {
  test.each([
    ['a store', 'if (a > 60) out[i] = a + 1;'],
    ['a store where the condition is false', 'if (a > 60) ; else out[i] = a + b;'],
    ['stores on both sides', 'if (a > b) out[i] = a - b; else other[i] = b * 3;'],
    ['a constant', 'if (a > 60) out[i] = 77; other[i] = 9;'],
    ['a number that all share', 'if (a < b) out[i] = n; else other[i] = -n;'],
    [
      'a condition inside of another',
      'if (a > 20) { out[i] = a; if (b > a) other[i] = b; else out[i] = 3; }',
    ],
    [
      'conditions inside of the other side',
      'if (a > 90) out[i] = b; else { if (b < 40) out[i] = a ^ b; else if (a & 1) other[i] = a; }',
    ],
    ['a guard', 'if (x < n && a > 40) out[i] = a + 2;'],
    [
      'values where paths join',
      'if (a > b) { out[i] = a; a = b * 3; } else if (b > 50) a = 5; other[i] = a;',
    ],
    [
      'a loop on one side',
      'if (a > 30) { while (b < a && a > 30) { a -= 9; if (a > b) out[i] = a; } other[i] = a; } else out[i] = 4;',
    ],
    [
      'a loop that begins with the side',
      'if (a > b) do { out[i] = a; a = a / 2; if (a > 9) other[i] = a; } while (a > b && a > 0); else other[i] = 7;',
    ],
    ['a return on one side', 'if (a > 99) { out[i] = b; if (b > 99) return; } other[i] = a;'],
    ['scattered elements', 'if (a > 60) out[i ^ 1] = a; else if (b > 60) other[i] = a + b;'],
    ['conditions of two widths', 'int w = a * b; if (w > 999) { if (a > b) out[i] = w; else other[i] = a; }'],
  ])('%s', (_, body) => {
    for (const type of ['uchar', 'short']) {
      check(type, body);
      check(type, body, true);
    }
  });
});
