// SPDX-License-Identifier: MIT
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Analyses } from '../analyses/analyses';
import { DIVERGENCE, Divergence } from '../analyses/divergence';
import { Program } from '../frontend/program';
import { parse } from '../ir/parse';
import { compileKernel } from '../pipeline';
import { chooseTile } from './tile';

/** Whether vectors of a kernel of 8 lanes are paired, on an engine that can. */
function pairs(statement: string): boolean | undefined {
  const text = `kernel void k(global const uint *a, global const uint *b, global uint *c) {
    const uint i = get_global_id(0);
    ${statement}
  }`;
  const module = compiledModule({ name: 'k.cl', text, options: '' });
  const program = new Program(module, { moduleOf: () => undefined });
  const engine = { relaxedSimd: false, wide: true };
  const options = { engine, lanes: 8, rows: 1 };
  return compileKernel({ translate: () => program.translate('k'), constants: program.image, options }).wide;
}

/** The lanes for a kernel whose work-items each add something of a row of their own. */
function lanesForRows(statement: string): number {
  const text = `kernel void k(global const uint *a, global const uint *t, global uint *c, int n) {
    const int x = get_global_id(0);
    uint s = 0;
    for (int i = 0; i < n; i++) { uint v = a[x * n + i]; ${statement} }
    c[x] = s;
  }`;
  const func = preparedKernel(text);
  const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
  return chooseTile(func, new Divergence(func), options).lanes;
}

test('eight lanes for rows, not sixteen', () => {
  expect(lanesForRows('s += v * i + (s >> 3);')).toBe(8);
  expect(lanesForRows('s += t[v & 255];')).toBe(8);
  // Much of this is the same for all lanes, for which there would be sixteen without the rows.
  expect(lanesForRows('s = s * 3 + v + t[i];')).toBe(8);
  expect(lanesForRows('s = t[(s ^ v) & 255] ^ (s >> 8);')).toBe(8);
});

test('eight lanes for bytes of a word that are computed alike, which are combined to a word', () => {
  const lanesFor = (bits: number) => {
    const func = preparedKernel(`kernel void k(global const uint *a, global uint *c) {
      const uint i = get_global_id(0), w = a[i];
      uint r = 0;
      for (int k = 0; k < 4; k++) {
        uchar d = w >> k * ${bits} & ${2 ** bits - 1};
        d = d > 9 ? d + 87 : d + 48;
        r |= (uint)d << 8 * k;
      }
      c[i] = r;
    }`);
    return chooseTile(func, new Divergence(func), { engine: { relaxedSimd: false }, lanes: 0, rows: 0 })
      .lanes;
  };
  expect(lanesFor(4)).toBe(8);
  // Each of these is at another place within a byte, and moved by itself.
  expect(lanesFor(6)).toBe(16);
});

test('four lanes for rows of which several share what a loop reads, where eight leave no registers for it', () => {
  const sums = Array.from({ length: 6 }, (_, j) => j);
  const text = `kernel void k(global const float *w, global const float *a, global float *c, int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    float ${sums.map((j) => `s${j} = 0`).join(', ')};
    for (int i = 0; i < n; i++) { float v = a[y * n + i]; ${sums.map((j) => `s${j} += w[(x + ${j}) * n + i] * v;`).join(' ')} }
    c[y * n + x] = ${sums.map((j) => `s${j}`).join(' + ')};
  }`;
  const tileFor = (source: string) => {
    const func = preparedKernel(source);
    const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
    return chooseTile(func, new Divergence(func), options);
  };
  expect(tileFor(text)).toMatchObject({ lanes: 4, rows: 1 });
});

/** The lanes for a kernel of one statement on arrays of a type. */
function lanesFor(statement: string, type = 'float'): number {
  const text = `kernel void k(global const ${type} *a, global ${type} *c, global const int *t, int n) {
    const int i = get_global_id(0);
    ${statement}
  }`;
  const func = preparedKernel(text);
  const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
  return chooseTile(func, new Divergence(func), options).lanes;
}

test.each([
  [16, 'c[i] = a[i] * 2.5f;'],
  [16, 'if (i < n) c[i] += a[i];'],
  [16, 'if (i >= n) return; float v = a[i] + a[0]; c[i] = v > 0 ? v : v * 0.1f;'],
  // A branch on data, other places, another dimension, the group, and more to compute.
  [8, 'if (a[i] > 3) c[i] = 2;'],
  [8, 'c[i] = a[t[i]];'],
  [8, 'c[i + n * get_global_id(1)] = a[i];'],
  [8, 'c[i] = a[i] * get_local_id(0);'],
  // Five values at a time.
  [
    8,
    'c[i] = fmax(fmin(a[i], a[i + 1]), fmin(a[i + 2], fmax(a[i + 3], a[i + 4]))) + a[i] * a[i + 2] + a[i + 4];',
  ],
  [8, `float v = a[i]; ${'v = v * v + 3; '.repeat(20)} c[i] = v;`],
])('%i lanes for %s', (lanes, statement) => {
  expect(lanesFor(statement)).toBe(lanes);
});

test.each([
  [32, 'uchar', 'c[i] = a[i] * 3 + 7;'],
  [32, 'uchar', 'if (i < n) c[i] = a[i] > 9 ? a[i] - 9 : a[i + 1] / 2;'],
  [32, 'char', 'if (a[i] > 3) c[i] = 2;'],
  [16, 'short', 'if (a[i] > 3) c[i] = a[i] * 5;'],
  [16, 'ushort', `ushort v = a[i]; ${'v = v * v + 3; '.repeat(20)} c[i] = v;`],
  [16, 'ushort', 'c[i] = (a[i] >> 11) * 255 / 31 + ((a[i] >> 5) & 63) * 255 / 63;'],
  // Not where words are computed, loops run, elements are apart or of another dimension, or all lanes take one of two paths.
  [16, 'uchar', 'c[i] = a[i] * 3.5f;'],
  [8, 'short', `float v = a[i]; ${'v = v * v + 3; '.repeat(20)} c[i] = v;`],
  [16, 'uchar', 'uchar v = a[i]; for (int k = 0; k < n; k++) v = v * 3 + a[i + k]; c[i] = v;'],
  [16, 'uchar', 'c[i + n * get_global_id(1)] = a[i] * 3 + 7;'],
  [16, 'uchar', `uchar v = a[i]; if (n > 3) { ${'v = v * v + 3; '.repeat(20)} } c[i] = v;`],
])('%i lanes for a kernel on %s that does %s', (lanes, type, statement) => {
  expect(lanesFor(statement, type)).toBe(lanes);
});

const XORSHIFT = 'x ^= x << 13; x ^= x >> 7; x ^= x << 17;';

test.each([
  [8, `ulong x = t[i]; for (int j = 0; j < n; j++) { ${XORSHIFT} } c[i] = x;`],
  // No loop, and more values than registers.
  [4, `ulong x = t[i]; ${XORSHIFT} c[i] = x;`],
  [
    4,
    `ulong x = t[i], y = x + 1, z = x + 2, w = x + 3;
     for (int j = 0; j < n; j++) { ${XORSHIFT} y ^= x; z += y; w ^= z; x += w; } c[i] = x + y + z + w;`,
  ],
])('%i lanes for words of 64 bits: %s', (lanes, statement) => {
  expect(lanesFor(statement)).toBe(lanes);
});

describe('vectors are paired', () => {
  test('where neighbouring work-items read neighbouring elements', () => {
    expect(pairs('c[i] = a[i] * 3 + b[i];')).toBe(true);
  });

  test('where few reads are scattered', () => {
    expect(
      pairs('uint x = a[b[i] & 255]; for (int k = 0; k < 9; k++) x = x * 3 + (x >> 7) ^ b[i]; c[i] = x;'),
    ).toBe(true);
  });

  test('not where most reads are scattered', () => {
    expect(pairs('c[i] = a[b[i] & 255] + a[b[i] >> 24] + a[c[i] & 255];')).toBeUndefined();
  });

  test('not where the address of a scattered read depends on another', () => {
    expect(
      pairs(
        'uint x = a[a[b[i] & 255] & 255]; for (int k = 0; k < 29; k++) x = x * 3 + (x >> 7) ^ b[i]; c[i] = x;',
      ),
    ).toBeUndefined();
  });
});

describe('kernels of very many instructions get few lanes, because engines limit the size of functions', () => {
  test.each([
    [100, 16],
    [40_000, 4],
    [70_000, 1],
  ])('%i instructions: %i lanes', (count, lanes) => {
    const sums = Array.from({ length: count }, (_, i) => `  %${i + 3}: I32 = Add %${i + 2}, %1`);
    const text = [
      'func k {',
      'b0:',
      '  %0: I32 = Argument [index 0, space global]',
      '  %1: I32 = GlobalId [dimension 0]',
      '  %2: I32 = Load %0 [align 4, space global]',
      ...sums,
      `  Store %0, %${count + 2} [align 4, space global]`,
      '  Return',
      '}',
    ].join('\n');
    const [func] = parse(text);
    const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
    expect(chooseTile(func!, new Divergence(func!), options).lanes).toBe(lanes);
  });
});

/** The lanes for a kernel whose work-items have an array of their own. */
function lanesForArrays(statement: string): number {
  const text = `kernel void k(global const uchar *a, global uint *c, int n) {
    const int x = get_global_id(0);
    uint h[64], j = 0;
    for (int i = 0; i < 64; i++) h[i] = i;
    for (int i = 0; i < n; i++) { uint v = a[x * n + i] & 63; ${statement} }
    for (int i = 0; i < 64; i++) c[x * 64 + i] = h[i];
  }`;
  const func = preparedKernel(text);
  const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
  return chooseTile(func, new Analyses(func).get(DIVERGENCE), options).lanes;
}

test('one lane for counters of each work-item', () => {
  expect(lanesForArrays('h[v]++;')).toBe(1);
  expect(lanesForArrays('h[v] = min(h[v], (uint)i);')).toBe(1);
});

test('eight lanes where each quotient of 64 bits waits for the one before', () => {
  const lanesFor = (type: string, statements: string) => {
    const text = `kernel void k(global const ${type} *a, global const ${type} *b, global ${type} *c) {
      const int i = get_global_id(0);
      ${type} x = a[i], y = b[i], r = 1;
      ${statements}
      c[i] = r;
    }`;
    const func = preparedKernel(text);
    return chooseTile(func, new Divergence(func), { engine: { relaxedSimd: false }, lanes: 0, rows: 0 })
      .lanes;
  };
  // Euclid's algorithm, sums modulo a number, and digits, whose quotients take no longer than what else the loop does.
  expect(lanesFor('ulong', 'while (y) { ulong t = x % y; x = y; y = t; } r = x;')).toBe(8);
  expect(lanesFor('ulong', 'for (; y; y >>= 1) r = (r + (x ^ y)) % 1000000007;')).toBe(8);
  expect(lanesFor('ulong', 'for (; x; x /= 10) r += x % 10;')).toBe(1);
});

test('one lane for counts of ulongs in rows of an unknown length, several for those next to each other', () => {
  const lanesFor = (index: string) => {
    const func =
      preparedKernel(`kernel void k(global const ulong *a, global const ulong *q, global uint *c, int n) {
      const int x = get_global_id(0);
      uint s = 0;
      for (int i = 0; i < n; i++) s += (uint)popcount(a[${index}] ^ q[i]);
      c[x] = s;
    }`);
    const options = { engine: { relaxedSimd: false }, lanes: 0, rows: 0 };
    return chooseTile(func, new Divergence(func), options).lanes;
  };
  expect(lanesFor('x * n + i')).toBe(1);
  expect(lanesFor('x + i')).toBeGreaterThan(1);
});
