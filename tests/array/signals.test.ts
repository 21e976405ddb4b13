// SPDX-License-Identifier: MIT
//
// Fourier transforms, convolutions and padding on every device, against sums written out in doubles.
import { openSync, type Session } from '../../ts';
import { type Arrays, arrays, type ConvolveOptions, type Edge } from '../../ts/array';
import { apiDevices, shutdownAll } from '../conformance/devices';

afterAll(shutdownAll);

const numbers = (n: number, seed = 7): Float32Array => {
  let state = seed;
  return Float32Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
};

interface Complex {
  readonly re: ArrayLike<number>;
  readonly im: ArrayLike<number>;
}

/** The transform by its definition. */
function fourier({ re, im }: Complex, sign = -1): { re: number[]; im: number[] } {
  const n = re.length;
  const sums = Array.from({ length: n }, (_, j) => {
    let [a, b] = [0, 0];
    for (let k = 0; k < n; k++) {
      const angle = (sign * 2 * Math.PI * ((j * k) % n)) / n;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      a += re[k]! * c - im[k]! * s;
      b += re[k]! * s + im[k]! * c;
    }
    return [a, b] as const;
  });
  return { re: sums.map(([a]) => a), im: sums.map(([, b]) => b) };
}

/** The largest difference, as a part of the largest value. */
function distance(found: Complex, wanted: Complex): number {
  let [most, size] = [0, 0];
  for (let k = 0; k < wanted.re.length; k++) {
    most = Math.max(most, Math.hypot(found.re[k]! - wanted.re[k]!, found.im[k]! - wanted.im[k]!));
    size = Math.max(size, Math.hypot(wanted.re[k]!, wanted.im[k]!));
  }
  return found.re.length === wanted.re.length ? most / size : Number.NaN;
}

const OUTSIDE: Readonly<Record<string, (at: number, n: number) => number>> = {
  nearest: (at, n) => Math.min(Math.max(at, 0), n - 1),
  mirror: (at, n) => {
    const period = Math.max(2 * (n - 1), 1);
    const place = ((at % period) + period) % period;
    return n === 1 ? 0 : Math.min(place, period - place);
  },
  wrap: (at, n) => ((at % n) + n) % n,
};

const element = (x: ArrayLike<number>, at: number, edge: Edge): number => {
  if (at >= 0 && at < x.length) return x[at]!;
  return typeof edge === 'string' && edge !== 'zero' ? x[OUTSIDE[edge]!(at, x.length)]! : 0;
};

describe.each(apiDevices)('%s', (_name, device) => {
  let cl: Session;
  let nd: Arrays;
  beforeAll(() => {
    cl = openSync({ device });
    nd = arrays(cl);
  });
  afterAll(() => {
    nd.release();
    cl.close();
  });

  const read = async (x: { re: { read(): Promise<unknown> }; im: { read(): Promise<unknown> } }) => ({
    re: (await x.re.read()) as Float32Array,
    im: (await x.im.read()) as Float32Array,
  });

  test.each([1, 2, 7, 8, 30, 210, 448, 500, 512])('transforms %d numbers', async (n) => {
    const [a, b] = [numbers(n), numbers(n, 11)];
    const x = { re: nd.array(a), im: nd.array(b) };
    const found = nd.fft(x);
    expect(distance(await read(found), fourier({ re: a, im: b }))).toBeLessThan(1e-6);
    expect(distance(await read(nd.ifft(found)), { re: a, im: b })).toBeLessThan(1e-6);
  });

  test.each([11, 121])('transforms %d numbers by a chirp', async (n) => {
    const [a, b] = [numbers(n), numbers(n, 11)];
    const found = nd.fft({ re: nd.array(a), im: nd.array(b) });
    expect(distance(await read(found), fourier({ re: a, im: b }))).toBeLessThan(2e-6);
    expect(distance(await read(nd.ifft(found)), { re: a, im: b })).toBeLessThan(2e-6);
  });

  test('computes a transform once if both parts are read at the same time', async () => {
    // New kernels each time, because only the first use of a kernel waits for its build.
    const transformed = async (together: boolean) => {
      const fresh = arrays(cl, {});
      const { re, im } = fresh.fft(fresh.array(numbers(64)));
      if (together) await Promise.all([re.read(), im.read()]);
      else for (const part of [re, im]) await part.read();
      im.evaluateSync();
      re.release();
      im.release();
      const { used, made, reused } = fresh.pool;
      fresh.release();
      return { used, taken: made + reused };
    };
    expect(await transformed(true)).toEqual(await transformed(false));
  });

  test('transforms real numbers, and integers as floats', async () => {
    const a = numbers(96);
    const zeros = new Float32Array(96);
    expect(distance(await read(nd.fft(nd.array(a))), fourier({ re: a, im: zeros }))).toBeLessThan(1e-6);
    const back = fourier({ re: a, im: zeros }, 1);
    const scaled = { re: back.re.map((v) => v / 96), im: back.im.map((v) => v / 96) };
    expect(distance(await read(nd.ifft(nd.array(a))), scaled)).toBeLessThan(1e-6);
    const counts = Int32Array.from({ length: 24 }, (_, k) => k * k);
    const found = nd.fft(nd.array(counts));
    expect(found.re.dtype).toBe('float32');
    expect(distance(await read(found), fourier({ re: counts, im: new Int32Array(24) }))).toBeLessThan(1e-6);
  });

  test('transforms rows, columns, and both', async () => {
    const [h, w] = [6, 20];
    const a = numbers(h * w);
    const x = nd.array(a, [h, w]);
    const rows = await read(nd.fft(x));
    const row = { re: a.slice(3 * w, 4 * w), im: new Float32Array(w) };
    const part = ({ re, im }: Complex, places: number[]) => ({
      re: places.map((k) => re[k]!),
      im: places.map((k) => im[k]!),
    });
    const third = Array.from({ length: w }, (_, k) => 3 * w + k);
    expect(distance(part(rows, third), fourier(row))).toBeLessThan(1e-6);
    const both = await read(nd.fft(x, { axis: [0, 1] }));
    const column = Array.from({ length: h }, (_, k) => k * w + 5);
    expect(distance(part(both, column), fourier(part(rows, column)))).toBeLessThan(1e-6);
    expect(
      distance(await read(nd.ifft(nd.fft(x, { axis: [0, 1] }), { axis: [1, 0] })), {
        re: a,
        im: a.map(() => 0),
      }),
    ).toBeLessThan(1e-6);
  });

  test('transforms doubles, where there are some', async () => {
    if (Number(device.info('DOUBLE_FP_CONFIG')) === 0) return;
    const a = Float64Array.from(numbers(210));
    const found = nd.fft(nd.array(a));
    expect(found.re.dtype).toBe('float64');
    const result = { re: await found.re.read(), im: await found.im.read() };
    expect(distance(result, fourier({ re: a, im: new Float64Array(210) }))).toBeLessThan(1e-14);
  });

  const edges: readonly Edge[] = ['zero', 'nearest', 'mirror', 'wrap'];
  test.each(edges)('adds elements around an array: %s', async (edge) => {
    const a = numbers(5);
    const wanted = Float32Array.from({ length: 5 + 7 + 12 }, (_, k) => element(a, k - 7, edge));
    expect(
      await nd
        .array(a)
        .pad([[7, 12]], edge)
        .read(),
    ).toEqual(wanted);
    expect(await nd.array(a.slice(0, 1)).pad(2, edge).read()).toEqual(
      Float32Array.from({ length: 5 }, (_, k) => element(a.slice(0, 1), k - 2, edge)),
    );
  });

  test('adds elements around each axis', async () => {
    const x = nd
      .arange(24)
      .reshape(2, 3, 4)
      .pad([1, [0, 2], 1], { value: -5 });
    expect(x.shape).toEqual([4, 5, 6]);
    const wanted = Array.from({ length: 4 }, (_, z) =>
      Array.from({ length: 5 }, (_, y) =>
        Array.from({ length: 6 }, (_, c) =>
          z < 1 || z > 2 || y > 2 || c < 1 || c > 4 ? -5 : (z - 1) * 12 + y * 4 + c - 1,
        ),
      ),
    );
    expect(await x.toArray()).toEqual(wanted);
    expect(await nd.zeros([0, 2], 'int32').pad([1, 0], { value: 3 }).toArray()).toEqual([
      [3, 3],
      [3, 3],
    ]);
  });

  const sizes = ['same', 'full', 'valid'] as const satisfies readonly ConvolveOptions['size'][];
  test.each(sizes)('convolves by weights: %s', async (size) => {
    const x = Int32Array.from({ length: 50 }, (_, k) => (k * 37) % 23);
    for (const weights of [[3], [1, -2], [1, 2, 5], [4, 0, -1, 2, 7, 1]]) {
      const k = weights.length;
      const first = size === 'full' ? 0 : size === 'same' ? (k - 1) >> 1 : k - 1;
      const count = size === 'full' ? 50 + k - 1 : size === 'same' ? 50 : 50 - k + 1;
      for (const edge of edges) {
        const wanted = Int32Array.from({ length: count }, (_, i) =>
          weights.reduce((sum, weight, j) => sum + weight * element(x, i + first - j, edge), 0),
        );
        const found = nd.array(x).convolve(nd.array(Int32Array.from(weights)), { size, edge });
        expect(await found.read()).toEqual(wanted);
      }
    }
  });

  test('convolves images', async () => {
    const [h, w] = [11, 70];
    const image = Float32Array.from({ length: 2 * h * w }, (_, k) => (k * 31) % 17);
    const weights = [
      [1, 2, 0],
      [-3, 1, 4],
    ];
    const at = (plane: number, y: number, x: number) =>
      y < 0 || y >= h || x < 0 || x >= w ? 0 : image[plane * h * w + y * w + x]!;
    const wanted = Float32Array.from(image, (_, k) => {
      const [plane, y, x] = [Math.floor(k / (h * w)), Math.floor(k / w) % h, k % w];
      let sum = 0;
      weights.forEach((row, j) => {
        row.forEach((weight, i) => {
          sum += weight * at(plane, y - j, x + 1 - i);
        });
      });
      return sum;
    });
    expect(await nd.array(image, [2, h, w]).convolve(nd.array(weights)).read()).toEqual(wanted);
    const none = nd.ones([1, 2]).convolve(nd.ones([2, 2]), { size: 'valid' });
    expect(none.shape).toEqual([0, 1]);
    expect(await none.read()).toEqual(new Float32Array(0));
  });

  test('refuses what has no meaning', () => {
    const x = nd.ones([2, 3]);
    expect(() => nd.fft({ re: x, im: nd.ones(3) })).toThrow(
      'the real parts have the shape [2, 3], the imaginary ones [3]',
    );
    expect(() => nd.fft(nd.zeros(0))).toThrow('has no transform along the axes [0]');
    expect(() => nd.fft(x, { axis: [1, -1] })).toThrow('each is given once');
    expect(() => nd.fft(x, { axis: 2 })).toThrow('there is no axis 2');
    expect(() => nd.ifft(5 as never)).toThrow('an operand must be an array');
    expect(() => x.convolve(nd.ones([1, 1, 1]))).toThrow('has no convolution by weights of shape [1, 1, 1]');
    expect(() => x.convolve(nd.ones(2), { size: 'all' as never })).toThrow("'same', 'full' or 'valid'");
    expect(() => x.convolve(nd.ones(2), { edge: 'nil' as never })).toThrow("'nearest'");
    expect(() => x.pad([1])).toThrow('1 widths for the 2 axes');
    expect(() => x.pad(-1)).toThrow('a width must be a whole number');
    expect(() => nd.zeros([0]).pad(1, 'wrap')).toThrow('axis 0 of shape [0] has no element to repeat');
  });
});
