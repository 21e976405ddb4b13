// SPDX-License-Identifier: MIT
//
// Sorts, selections, histograms, random numbers and products of matrices on every device, in both styles of kernels.
import { openSync, type Session } from '../../ts';
import { type Arrays, arrays, type NDArray } from '../../ts/array';
import { apiDevices, shutdownAll } from '../conformance/devices';

afterAll(shutdownAll);

const styles = apiDevices.flatMap(([name, device]) =>
  (['cores', 'lanes'] as const).map((style) => [`${name}, ${style}`, device, style] as const),
);

function generator(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

describe.each(styles)('%s', (_name, device, style) => {
  const random = generator();
  let cl: Session;
  let nd: Arrays;
  beforeAll(() => {
    cl = openSync({ device });
    nd = arrays(cl, { profile: { style, units: 3 } });
  });
  afterAll(() => {
    nd.release();
    cl.close();
  });

  test.each([0, 1, 1000, 70_001])('sorts %d integers', async (n) => {
    const list = Int32Array.from({ length: n }, () => random() | 0);
    expect(await nd.array(list).sort().read()).toEqual(list.slice().sort());
  });

  test('sorts floats as JavaScript does: -0 before 0, NaN last', async () => {
    const list = Float32Array.from({ length: 5000 }, (_, k) =>
      k % 100 === 0 ? Number.NaN : k % 7 === 0 ? (k % 2) * -0 : (random() - 2 ** 31) / 1000,
    );
    expect(await nd.array(list).sort().read()).toEqual(list.slice().sort());
  });

  test('sorts other types, and in descending order', async () => {
    const bytes = Uint8Array.from({ length: 3000 }, random);
    expect(await nd.array(bytes).sort().read()).toEqual(bytes.slice().sort());
    const shorts = Int16Array.from({ length: 3000 }, random);
    expect(await nd.array(shorts).sort({ descending: true }).read()).toEqual(shorts.slice().sort().reverse());
    const longs = BigInt64Array.from({ length: 3000 }, () => BigInt(random() - 2 ** 31) * 12345678n);
    expect(await nd.array(longs).sort().read()).toEqual(longs.slice().sort());
  });

  test('sorts keys that differ in few bits', async () => {
    const n = 40_000;
    const few = Int32Array.from({ length: n }, () => (random() & 0x3ff00) - 0x20000);
    const keys = nd.array(few);
    expect(await keys.sort().read()).toEqual(few.slice().sort());
    expect(await keys.mul(3).sort({ descending: true }).read()).toEqual(
      few
        .map((value) => 3 * value)
        .sort()
        .reverse(),
    );
    const order = Uint32Array.from([...few.keys()].sort((a, b) => few[a]! - few[b]!));
    expect(await keys.argsort().read()).toEqual(order);
  });

  test('sorts wide keys that differ in few bits, and equal ones', async () => {
    const n = 40_000;
    const longs = BigInt64Array.from({ length: n }, () => BigInt((random() & 0x3ff00) - 0x20000) << 20n);
    expect(await nd.array(longs).sort().read()).toEqual(longs.slice().sort());
    expect(await nd.full(n, -7, 'int16').sort().read()).toEqual(new Int16Array(n).fill(-7));
    expect((await nd.full(n, 1).argsort().read()).every((place, k) => place === k)).toBe(true);
  });

  test('keeps the order of equal keys', async () => {
    const list = Int32Array.from({ length: 20_000 }, () => random() >>> 24);
    const keys = nd.array(list);
    const up = Uint32Array.from([...list.keys()].sort((a, b) => list[a]! - list[b]!));
    const down = Uint32Array.from([...list.keys()].sort((a, b) => list[b]! - list[a]!));
    expect(await keys.argsort().read()).toEqual(up);
    expect(await keys.argsort({ descending: true }).read()).toEqual(down);
    const values = nd.arange(20_000).mul(2);
    expect(await values.sortBy(keys).read()).toEqual(Int32Array.from(up, (place) => 2 * place));
  });

  test('sorts along axes', async () => {
    const list = Float32Array.from({ length: 40 * 30 }, () => random() % 1000);
    const x = nd.array(list, [40, 30]);
    const row = (r: number) => list.slice(r * 30, r * 30 + 30).sort();
    expect(await x.sort().slice(5).read()).toEqual(row(5));
    const column = Float32Array.from({ length: 40 }, (_, r) => list[r * 30 + 7]!).sort();
    expect(await x.sort({ axis: 0 }).slice(undefined, 7).read()).toEqual(column);
  });

  test('sorts, scans and reduces along the middle one of three axes', async () => {
    const list = Int32Array.from({ length: 3 * 5 * 4 }, () => (random() >>> 8) % 1000);
    const x = nd.array(list, [3, 5, 4]);
    const column = list.filter((_, k) => k >= 40 && k % 4 === 1);
    const part = async (array: NDArray): Promise<unknown> => array.slice(2, undefined, 1).read();
    expect(await part(x.sort({ axis: 1 }))).toEqual(column.slice().sort());
    const greatest = column.map((_, k) => Math.max(...column.slice(0, k + 1)));
    expect(await part(x.cummax({ axis: 1 }))).toEqual(greatest);
    expect(await part(x.cumsum({ axis: -2 }))).toEqual(
      column.map((_, k) => column.slice(0, k + 1).reduce((a, b) => a + b)),
    );
    const most = await x.max({ axis: [0, 2] }).read();
    expect(most).toEqual(
      Int32Array.from({ length: 5 }, (_, row) => Math.max(...list.filter((__, k) => (k >> 2) % 5 === row))),
    );
  });

  test('rounds to halves in whatever kernel', async () => {
    const x = nd.array([0.1, 1e6, 2049]).as('float16');
    expect(await x.as('float32').toArray()).toEqual([0.0999755859375, Number.POSITIVE_INFINITY, 2048]);
    const dice = await nd.random(1).integers(50, { to: 6, dtype: 'float16' }).as('float32').read();
    expect(dice.every((value) => value >= 0 && value < 6 && value % 1 === 0)).toBe(true);
  });

  test('takes the last element for indices beyond the signed integers', async () => {
    const places = nd.array(BigUint64Array.of(2n ** 64n - 1n, 1n, 2n ** 63n));
    expect(await nd.array([10, 20, 30]).gather(places).toArray()).toEqual([30, 20, 30]);
  });

  test('selects elements, and each once', async () => {
    for (const n of [0, 1, 9999, 70_003]) {
      const list = Int32Array.from({ length: n }, () => random() % 100);
      const x = nd.array(list);
      expect(await (await x.compact(x.gt(50))).read()).toEqual(list.filter((value) => value > 50));
    }
    const list = Float32Array.from({ length: 5000 }, (_, k) => (k % 50 === 3 ? Number.NaN : random() % 77));
    const once = Float32Array.from(new Set(list)).sort();
    expect(await (await nd.array(list).unique()).read()).toEqual(once);
    const many = Uint16Array.from({ length: 70_003 }, () => random() >>> 20);
    expect(
      await nd
        .array(many)
        .unique()
        .then((found) => found.read()),
    ).toEqual(Uint16Array.from(new Set(many)).sort());
    expect(nd.array([3, 1, 3]).uniqueSync().readSync()).toEqual(Float32Array.of(1, 3));
  });

  test('counts in bins', async () => {
    const list = Uint8Array.from({ length: 50_001 }, random);
    const counts = new Uint32Array(256);
    for (const value of list) counts[value]!++;
    expect(await nd.array(list).histogram({ bins: 256 }).read()).toEqual(counts);
    const floats = nd.array([0, 0.5, 1, -1, 2, Number.NaN]);
    expect(await floats.histogram({ bins: 2, to: 1 }).toArray()).toEqual([1, 2]);
    const many = await nd.arange(100_000).histogram({ bins: 50_000, to: 100_000 }).read();
    expect(many.every((count) => count === 2)).toBe(true);
  });

  test.each([
    ['Int32Array', [-(2 ** 31), 2 ** 31 - 1, -1, 0, 1], 2 ** 31 - 3, 2 ** 31, [0, 0, 1]],
    ['Int32Array', [-(2 ** 31), 2 ** 31 - 1, -1, 0], 2 ** 31 - 3, 2 ** 31 + 2, [0, 0, 1, 0, 0]],
    ['Int32Array', [-(2 ** 31), 2 ** 31 - 1, -1], -(2 ** 31), -(2 ** 31) + 2, [1, 0]],
    ['Uint32Array', [0, 2 ** 32 - 1, 2 ** 31], 2 ** 32 - 2, 2 ** 32, [0, 1]],
    ['Uint8Array', [0, 255, 7], -1, 2, [0, 1, 0]],
    [
      'Int8Array',
      [-128, 127, -1],
      -2,
      300,
      [0, 1, ...Array<number>(127).fill(0), 1, ...Array<number>(172).fill(0)],
    ],
  ] as const)(
    'counts %s %j in bins at the ends of the range, from %d to %d',
    async (type, list, from, to, counts) => {
      const data = globalThis[type].from(list);
      expect(
        await nd
          .array(data)
          .histogram({ bins: to - from, from, to })
          .toArray(),
      ).toEqual(counts);
    },
  );

  test('counts where differences to the first bin leave their type, and refuses bins that nothing can compute', async () => {
    const words = nd.array(BigUint64Array.of(2n ** 64n - 5n, 0n, 2n ** 63n, 7n));
    expect(await words.histogram({ bins: 20, from: -10, to: 10 }).sum().item()).toBe(2);
    expect(await words.histogram({ bins: 4, from: 0, to: 2 ** 60 }).toArray()).toEqual([2, 0, 0, 0]);
    expect(await words.histogram({ bins: 2, from: -5, to: -3 }).toArray()).toEqual([0, 0]);
    const longs = nd.array(BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 3n));
    expect(await longs.histogram({ bins: 2, from: -4, to: 4 }).toArray()).toEqual([0, 1]);
    expect(await longs.histogram({ bins: 1, from: 10, to: 2 ** 62 }).toArray()).toEqual([0]);
    expect(() => longs.histogram({ bins: 16, from: -(2 ** 62), to: 2 ** 62 })).toThrow(
      'elements of int64 cannot be divided into 16 bins',
    );
    const floats = nd.array([-3e38, 0, 3e38, 1e38]);
    expect(await floats.histogram({ bins: 3, from: -1.6e38, to: 1.6e38 }).toArray()).toEqual([0, 1, 1]);
    expect(() => floats.histogram({ bins: 3, from: -3e38, to: 3e38 })).toThrow(
      'elements of float32 cannot be divided into 3 bins',
    );
    expect(() => floats.histogram({ bins: 3, from: 0, to: 1e300 })).toThrow(
      'cannot be divided into 3 bins from 0 to 1e+300',
    );
  });

  test('gathers and scatters', async () => {
    const x = nd.array([10, 20, 30]);
    expect(
      await x
        .gather(
          nd.array(
            [
              [2, -1],
              [0, 9],
            ],
            'int32',
          ),
        )
        .toArray(),
    ).toEqual([
      [30, 30],
      [10, 30],
    ]);
    expect(await x.scatter(nd.array([1, 9], 'int32'), nd.array([5, 6])).toArray()).toEqual([10, 5, 30]);
    const places = nd.array([1, 1, -1], 'int32');
    expect(await x.scatter(places, nd.array([5, 6, 1]), 'add').toArray()).toEqual([10, 31, 31]);
    expect(() => x.gather(x)).toThrow(/indices must be integers/);
  });

  test('joins arrays along an axis', async () => {
    const [a, b] = [nd.arange(6).reshape(2, 3), nd.arange(10, 14).reshape(2, 2)];
    expect(await nd.concatenate([a, b], 1).toArray()).toEqual([
      [0, 1, 2, 10, 11],
      [3, 4, 5, 12, 13],
    ]);
    const rows = nd.concatenate([a, nd.zeros([0, 3], 'int32'), a.slice({ step: -1 }).mul(10)]);
    expect(await rows.toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [30, 40, 50],
      [0, 10, 20],
    ]);
    const long = nd.concatenate([nd.full(4097, 1), nd.full(1000, 2), nd.full(4096, 3)]);
    expect(await long.sum().item()).toBe(4097 + 2000 + 3 * 4096);
    expect((await long.slice({ from: 4096, to: 4098 }).toArray()) as number[]).toEqual([1, 2]);
    expect(
      await nd
        .stack([a, a.add(1)])
        .sum({ axis: [1, 2] })
        .toArray(),
    ).toEqual([15, 21]);
    expect(() => nd.concatenate([a, b])).toThrow('shapes [2, 3] and [2, 2] differ elsewhere than in axis 0');
    expect(() => nd.concatenate([])).toThrow('at least one array');
    expect(() => nd.stack([nd.ones(2), nd.ones(3)])).toThrow('stack: ');
  });

  test('makes the random words that the authors of Philox published', async () => {
    // Random123's kat_vectors, philox4x32 with ten rounds.
    const words = async (seed: bigint, counter: bigint) =>
      [...(await nd.random(seed, { counter }).bits(4).read())]
        .map((word) => word.toString(16).padStart(8, '0'))
        .join(' ');
    expect(await words(0n, 0n)).toBe('6627e8d5 e169c58d bc57ac4c 9b00dbd8');
    expect(await words(2n ** 64n - 1n, 2n ** 128n - 1n)).toBe('408f276d 41c83b0e a20bc7c6 6d5451fd');
    expect(await words(0x299f31d0a4093822n, 0x0370734413198a2e85a308d3243f6a88n)).toBe(
      'd16cfe09 94fdcceb 5001e420 24126ea1',
    );
  });

  test('makes random numbers of distributions', async () => {
    const mean = (list: ArrayLike<number>) => Array.from(list).reduce((a, b) => a + b, 0) / list.length;
    const uniform = await nd.random(1).uniform(100_000).read();
    expect(uniform.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(mean(uniform)).toBeCloseTo(0.5, 2);
    const normal = await nd.random(1).normal(100_000, { mean: 1, deviation: 2 }).read();
    expect(Math.abs(mean(normal) - 1)).toBeLessThan(0.03);
    expect(Math.abs(mean(normal.map((value) => (value - 1) ** 2)) - 4)).toBeLessThan(0.1);
    const whole = await nd.random(3).integers(10_001, { from: -3, to: 4 }).read();
    expect([...new Set(whole)].sort((a, b) => a - b)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
  });

  test('multiplies matrices', async () => {
    for (const [m, k, n] of [
      [1, 1, 1],
      [65, 33, 70],
      [9, 5, 3],
      [0, 3, 2],
      [2, 0, 2],
    ] as const) {
      const a = Float32Array.from({ length: m * k }, () => random() % 10);
      const b = Float32Array.from({ length: k * n }, () => random() % 10);
      const product = new Float32Array(m * n);
      for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j++)
          for (let t = 0; t < k; t++) product[i * n + j]! += a[i * k + t]! * b[t * n + j]!;
      const [left, right] = [nd.array(a, [m, k]), nd.array(b, [k, n])];
      expect(await left.matmul(right).read()).toEqual(product);
      expect(await left.as('int32').matmul(right.as('int32')).read()).toEqual(Int32Array.from(product));
    }
    expect(() => nd.ones([2, 3]).matmul(nd.ones([2, 3]))).toThrow(/have no product/);
  });

  test('shows its kernels', async () => {
    const text = await nd.array([1, 2]).mul(2).sum().explain();
    expect(text).toContain('kernel void reduce_sum');
  });

  test('reduces on processors in groups that read memory in order', async () => {
    const text = await nd.ones(100_000).sum().explain();
    expect(text.includes('r < to; r += 16)')).toBe(style === 'cores');
  });
});
