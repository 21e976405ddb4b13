// SPDX-License-Identifier: MIT
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { libraryParts } from './library-parts';

function partsOf(text: string): string[][] {
  const module = compiledModule({ name: 'lib.cl', text, options: '-cl-std=CL3.0', target: 'spir' });
  return libraryParts(module)
    .map((names) => [...names].sort())
    .sort();
}

const LONG = 'x = x * 3 + (x >> 2); x ^= x << 5; x = x * 7 - (x >> 9); x += x * x; x ^= 0x1234;';

test('functions that share little are apart, as those are that share nothing', () => {
  const parts = partsOf(`
    static int small(int x) { return x + 1; }
    int one(int x) { ${LONG} return small(x); }
    int two(int x) { ${LONG} return small(x) * 2; }
    int three(int x) { return x; }`);
  expect(parts).toEqual([['one'], ['three'], ['two']]);
});

test('functions that share most of their code are together', () => {
  const parts = partsOf(`
    static int most(int x) { ${LONG} return x; }
    int one(int x) { return most(x) + 1; }
    int other(int x) { return x; }
    int two(int x) { return most(x) * 2; }`);
  expect(parts).toEqual([['one', 'two'], ['other']]);
});

test('what a program has once is in one module: variables, and functions that are kept out of line', () => {
  const variable = partsOf(`
    __constant int TABLE[4] = { 1, 2, 3, 4 };
    int one(int x) { ${LONG} return TABLE[x & 3]; }
    int two(int x) { ${LONG} return TABLE[x & 1]; }`);
  expect(variable).toEqual([['one', 'two']]);
  const rare = partsOf(`
    static __attribute__((noinline)) int rare(int x) { return x - 1; }
    int one(int x) { ${LONG} return x > 0 ? x : rare(x); }
    int two(int x) { ${LONG} return x < 9 ? x : rare(x); }`);
  expect(rare).toEqual([['one', 'two']]);
});

test('a function that has something in common with two of them joins both', () => {
  const parts = partsOf(`
    __constant int A[2] = { 1, 2 };
    __constant int B[2] = { 3, 4 };
    int one(int x) { ${LONG} return A[x & 1]; }
    int two(int x) { ${LONG} return B[x & 1]; }
    int both(int x) { ${LONG} return A[x & 1] + B[x & 1]; }`);
  expect(parts).toEqual([['both', 'one', 'two']]);
});
