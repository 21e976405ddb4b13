// SPDX-License-Identifier: MIT
//
// frexp, ilogb, logb and ldexp on the software device, bit by bit: the usual numbers, whose code is short, and zeros, subnormal
// numbers, infinities and NaNs between them or alone in a vector, which take a branch.
import { join } from 'node:path';
import { root } from '../helpers/command';

type Anycl = typeof import('../../ts/index');
type Session = Awaited<ReturnType<Anycl['open']>>;

const { open } = require(join(root, 'dist/index.cjs')) as Anycl;
let session: Session;
beforeAll(async () => {
  session = await open({ device: 'software' });
});
afterAll(() => session.close());

/** A finite number other than 0 as a significand in [1, 2), with its sign, and an exponent. */
function parts(x: number): [significand: number, exponent: number] {
  const scale = Math.abs(x) < 2 ** -1022 ? 64 : 0;
  const [bits] = new BigUint64Array(Float64Array.of(x * 2 ** scale).buffer);
  const exponent = Number((bits! >> 52n) & 0x7ffn) - 1023;
  const significand = (bits! & 0x800fffffffffffffn) | 0x3ff0000000000000n;
  return [new Float64Array(BigUint64Array.of(significand).buffer)[0]!, exponent - scale];
}
const isSplit = (x: number) => x !== 0 && Number.isFinite(x);

const frexp = (x: number): [number, number] => {
  if (!isSplit(x)) return [x, 0];
  const [significand, exponent] = parts(x);
  return [significand / 2, exponent + 1];
};
const ilogb = (x: number) => (isSplit(x) ? parts(x)[1] : x === 0 ? -(2 ** 31) : 2 ** 31 - 1);
const logb = (x: number) => (isSplit(x) ? parts(x)[1] : x === 0 ? Number.NEGATIVE_INFINITY : x * x);

/** x * 2^n as a double, rounded once; zero and infinite powers are avoided. */
function ldexp(x: number, n: number): number {
  if (!isSplit(x)) return x;
  const [significand, exponent] = parts(x);
  const power = Math.max(Math.min(exponent + n, 1100), -1100);
  if (power > 1023) return significand * Number.POSITIVE_INFINITY;
  return power < -1074 ? (significand * 2 ** (power + 100)) / 2 ** 100 : significand * 2 ** power;
}

const TYPES = {
  float: { Numbers: Float32Array, significand: 23, least: -149, greatest: 127 },
  double: { Numbers: Float64Array, significand: 52, least: -1074, greatest: 1023 },
} as const;

/** Numbers of each size, with runs of usual ones and of special ones, and powers that reach each result from each of them. */
function samples(type: keyof typeof TYPES) {
  const { Numbers, significand, least, greatest } = TYPES[type];
  const count = 1 << 15;
  const x = new Numbers(count);
  const n = new Int32Array(count);
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const special = [0, -0, Infinity, -Infinity, NaN, 2 ** least, -(2 ** least), 2 ** (least + significand)];
  const farthest = [
    0,
    1,
    -1,
    least,
    2 * least,
    3 * least,
    -least,
    -2 * least,
    2 ** 31 - 1,
    -(2 ** 31),
    -400,
    400,
  ];
  for (let i = 0; i < count; i++) {
    // Runs of 64: usual, usual and special, special, subnormal.
    const kind = (i >> 6) & 3;
    const sign = random() < 0.5 ? -1 : 1;
    const power = kind === 3 ? between(least, least + significand) : between(-20, 20);
    const few = 1 + (random() < 0.5 ? Math.floor(random() * 4) / 4 : random());
    x[i] = kind === 2 || (kind === 1 && i % 5 === 0) ? special[between(0, 7)]! : sign * few * 2 ** power;
    if (i >= count / 2 && kind === 1) x[i] = sign * few * 2 ** between(least, greatest);
    n[i] =
      kind === 0
        ? between(-30, 30)
        : random() < 0.3
          ? farthest[between(0, 11)]!
          : between(2 * least, -2 * least);
    // Results beside the subnormal numbers' limits.
    if (random() < 0.3 && isSplit(x[i]!))
      n[i] = between(least - 2, least + significand + 2) - parts(x[i]!)[1];
  }
  return { x, n, count, Numbers };
}

function wrong(x: ArrayLike<number>, n: ArrayLike<number>, is: ArrayLike<number>, should: number[]) {
  return should.flatMap((value, i) =>
    Object.is(is[i], value) ? [] : [`${x[i]}, ${n[i]}: ${is[i]}, not ${value}`],
  );
}

describe.each(Object.keys(TYPES) as (keyof typeof TYPES)[])('%s', (type) => {
  test.each(['', '4'])('exponents are exact, of %s components', async (components) => {
    const { x, n, count, Numbers } = samples(type);
    const [vector, integers] = [type + components, `int${components}`];
    const { kernels } = await session.build(`
kernel void k(global const ${vector} *x, global const ${integers} *n, global ${vector} *scaled, global ${vector} *fraction,
              global ${integers} *exponent, global ${integers} *log, global ${vector} *number) {
  size_t i = get_global_id(0);
  scaled[i] = ldexp(x[i], n[i]);
  ${integers} e;
  fraction[i] = frexp(x[i], &e);
  exponent[i] = e;
  log[i] = ilogb(x[i]);
  number[i] = logb(x[i]);
}`);
    const numbers = () => session.buffer(Numbers as Float64ArrayConstructor, count);
    const [scaled, fraction, number] = [numbers(), numbers(), numbers()];
    const [exponent, log] = [session.buffer(Int32Array, count), session.buffer(Int32Array, count)];
    const global = count / (components === '' ? 1 : 4);
    await kernels.k!.run(
      { global },
      session.buffer(x),
      session.buffer(n),
      scaled,
      fraction,
      exponent,
      log,
      number,
    );
    const all = [...x];
    const rounded = (list: number[]) => [...Numbers.from(list)];
    expect(wrong(x, n, await scaled.read(), rounded(all.map((value, i) => ldexp(value, n[i]!))))).toEqual([]);
    expect(wrong(x, n, await fraction.read(), rounded(all.map((value) => frexp(value)[0])))).toEqual([]);
    expect(
      wrong(
        x,
        n,
        await exponent.read(),
        all.map((value) => frexp(value)[1]),
      ),
    ).toEqual([]);
    expect(wrong(x, n, await log.read(), all.map(ilogb))).toEqual([]);
    expect(wrong(x, n, await number.read(), rounded(all.map(logb)))).toEqual([]);
  });
});
