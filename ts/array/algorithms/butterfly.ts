// SPDX-License-Identifier: MIT
//
// The text of small discrete Fourier transforms, of as many values as a pass of the fast transform combines.

/** The names of a complex number's parts, or expressions for them. */
export interface Complex {
  readonly re: string;
  readonly im: string;
}

export interface ButterflyWriter {
  /** Declares a variable with a value, and returns its name. */
  define(value: string): string;
  /** A number as OpenCL C has it. */
  number(value: number): string;
}

/** The least prime factor. */
const factorOf = (n: number): number => {
  for (let p = 2; p * p <= n; p++) if (n % p === 0) return p;
  return n;
};

/**
 * The transform X[j] = sum of x[k] * exp(-2 pi i j k / n). Composite sizes are divided by their least factor, primes are written out;
 * pairs of a prime's terms that are each other's conjugates are added first.
 */
export function butterfly(writer: ButterflyWriter, x: readonly Complex[]): Complex[] {
  const n = x.length;
  if (n === 1) return [...x];
  const p = factorOf(n);
  if (p === n) return n === 2 ? pair(writer, x[0]!, x[1]!) : prime(writer, x);
  const m = n / p;
  const parts = Array.from({ length: p }, (_, r) =>
    butterfly(
      writer,
      x.filter((_, k) => k % p === r),
    ),
  );
  const out = new Array<Complex>(n);
  for (let j = 0; j < m; j++) {
    const turned = parts.map((part, r) => rotated(writer, part[j]!, r * j, n));
    butterfly(writer, turned).forEach((value, q) => {
      out[j + q * m] = value;
    });
  }
  return out;
}

const add = (writer: ButterflyWriter, a: Complex, b: Complex): Complex => ({
  re: writer.define(`${a.re} + ${b.re}`),
  im: writer.define(`${a.im} + ${b.im}`),
});
const subtract = (writer: ButterflyWriter, a: Complex, b: Complex): Complex => ({
  re: writer.define(`${a.re} - ${b.re}`),
  im: writer.define(`${a.im} - ${b.im}`),
});
const pair = (writer: ButterflyWriter, a: Complex, b: Complex): Complex[] => [
  add(writer, a, b),
  subtract(writer, a, b),
];

/** `x * exp(-2 pi i k / n)`; quarters of a turn need no product, eighths two. */
function rotated(writer: ButterflyWriter, x: Complex, k: number, n: number): Complex {
  const eighths = (8 * k) / n;
  if (eighths === 0) return x;
  if (eighths === 2) return { re: x.im, im: writer.define(`-${x.re}`) };
  if (eighths === 4) return { re: writer.define(`-${x.re}`), im: writer.define(`-${x.im}`) };
  const half = writer.number(Math.SQRT1_2);
  if (eighths === 1)
    return {
      re: writer.define(`(${x.re} + ${x.im}) * ${half}`),
      im: writer.define(`(${x.im} - ${x.re}) * ${half}`),
    };
  if (eighths === 3)
    return {
      re: writer.define(`(${x.im} - ${x.re}) * ${half}`),
      im: writer.define(`-(${x.re} + ${x.im}) * ${half}`),
    };
  const [c, s] = [writer.number(cosine(k, n)), writer.number(sine(k, n))];
  return {
    re: writer.define(`${x.re} * ${c} + ${x.im} * ${s}`),
    im: writer.define(`${x.im} * ${c} - ${x.re} * ${s}`),
  };
}

function prime(writer: ButterflyWriter, x: readonly Complex[]): Complex[] {
  const n = x.length;
  const half = (n - 1) / 2;
  const pairs = Array.from({ length: half }, (_, k) => ({
    sum: add(writer, x[k + 1]!, x[n - 1 - k]!),
    difference: subtract(writer, x[k + 1]!, x[n - 1 - k]!),
  }));
  const [first] = x as [Complex];
  const total = (part: 're' | 'im') => [first[part], ...pairs.map(({ sum }) => sum[part])].join(' + ');
  const out: Complex[] = [{ re: writer.define(total('re')), im: writer.define(total('im')) }];
  for (let j = 1; j <= half; j++) {
    const even = (part: 're' | 'im') =>
      writer.define(
        [
          first[part],
          ...pairs.map(({ sum }, k) => `${sum[part]} * ${writer.number(cosine(j * (k + 1), n))}`),
        ].join(' + '),
      );
    const odd = (part: 're' | 'im') =>
      writer.define(
        pairs
          .map(({ difference }, k) => `${difference[part]} * ${writer.number(sine(j * (k + 1), n))}`)
          .join(' + '),
      );
    const [c, s] = [
      { re: even('re'), im: even('im') },
      { re: odd('im'), im: odd('re') },
    ];
    out[j] = { re: writer.define(`${c.re} + ${s.re}`), im: writer.define(`${c.im} - ${s.im}`) };
    out[n - j] = { re: writer.define(`${c.re} - ${s.re}`), im: writer.define(`${c.im} + ${s.im}`) };
  }
  return out;
}

/** The cosine of `k / n` of a turn. The angle is brought near to 0 first, where the functions are most exact. */
export function cosine(k: number, n: number): number {
  const at = ((k % n) + n) % n;
  const near = Math.min(at, n - at);
  if (4 * near === n) return 0;
  if (4 * near > n) return -cosine(n / 2 - near, n);
  return 8 * near > n ? Math.sin(2 * Math.PI * ((n / 4 - near) / n)) : Math.cos(2 * Math.PI * (near / n));
}

/** The sine of `k / n` of a turn. */
export const sine = (k: number, n: number): number => cosine(k - n / 4, n);
