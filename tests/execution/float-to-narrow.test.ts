// SPDX-License-Identifier: MIT
//
// Conversions of floats to bytes and halves, which sixteen lanes narrow together: with the engine's own instructions, whichever they are.
import { openSync, type Session } from '../../ts';

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

const SPECIAL = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -0,
  1e-40,
  -1e-40,
  ...[
    0.5, 0.99, 1, 126.5, 127, 127.99, 128, 129, 254.99, 255, 255.5, 256, 32767.5, 32768, 65534.9, 65535.5,
    65536,
  ],
  ...[8388607.5, 2147483520, 2147483648, 3e9, 4294967040, 4294967296, 1e20, 3.4e38],
].flatMap((x) => [x, -x]);

const data = Float32Array.from({ length: 1024 + 5 }, (_, i) =>
  i < SPECIAL.length ? SPECIAL[i]! : Math.sin(i) * 10 ** (i % 12),
);

const TYPES = [
  ['uchar', Uint8Array, 0, 255],
  ['char', Int8Array, -128, 127],
  ['ushort', Uint16Array, 0, 65535],
  ['short', Int16Array, -32768, 32767],
] as const;

test.each(TYPES)('floats to %s, saturating', async (type, array, low, high) => {
  const { kernels } = await cl.build(`
    kernel void packed(global const float *in, global ${type} *out) { int i = get_global_id(0); out[i] = convert_${type}_sat(in[i]); }
    kernel void widened(global const float *in, global int *out) { int i = get_global_id(0); out[i] = convert_${type}_sat(in[i]); }
    kernel void used(global const float *in, global ${type} *out) {
      int i = get_global_id(0); ${type} v = convert_${type}_sat(in[i]); out[i] = v > 7 ? v : (${type})(v + 1); }`);
  const expected = Array.from(data, (x) =>
    Number.isNaN(x) ? 0 : Math.trunc(Math.min(high, Math.max(low, x))) + 0,
  );
  const results = async (name: string, out: ArrayBufferView & { length: number }) => {
    const buffer = cl.buffer(out as Int32Array);
    await kernels[name]!.run({ global: data.length }, cl.buffer(data), buffer);
    return Array.from(await buffer.read());
  };
  expect(await results('packed', new array(data.length))).toEqual(expected);
  expect(await results('widened', new Int32Array(data.length))).toEqual(expected);
  expect(await results('used', new array(data.length))).toEqual(expected.map((v) => (v > 7 ? v : v + 1)));
});

/** Limits, and what they make of NaNs, in C and in JavaScript. */
const LIMITED: readonly [c: string, forNaN: (low: number, high: number) => number][] = [
  ['fmin(fmax(x, LOW), HIGH)', (low) => low],
  ['fmax(fmin(x, HIGH), LOW)', (_, high) => high],
  ['clamp(x, LOW, HIGH)', (low) => low],
  ['x < LOW ? LOW : x > HIGH ? HIGH : x', () => 0],
  ['!(x > LOW) ? LOW : !(x < HIGH) ? HIGH : x', (low) => low],
  ['!(x < HIGH) ? HIGH : !(x > LOW) ? LOW : x', (_, high) => high],
  ['x > HIGH ? HIGH : !(x >= LOW) ? LOW : x', (low) => low],
  ['rint(fmin(fmax(x, LOW), HIGH))', (low) => low],
];

test.each(TYPES)('floats that are clamped, to %s', async (type, array, least, most) => {
  const rint = (x: number) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
  for (const [low, high] of [[least, most], [least - 3, most + 0.5], [least + 2, most - 9]] as const) // biome-ignore format: a table
    for (const [expression, forNaN] of LIMITED) {
      const c = (number: number) => `${number.toFixed(1)}f`;
      const limited = expression.replaceAll('LOW', c(low)).replaceAll('HIGH', c(high));
      const { kernels } = await cl.build(`
        kernel void one(global const float *in, global ${type} *out) { int i = get_global_id(0); float x = in[i]; out[i] = (${type})(${limited}); }
        kernel void wide(global const float *in, global int *out) { int i = get_global_id(0); float x = in[i]; out[i] = (int)(${limited}); }
        kernel void two(global const float *in, global ${type} *out) {
          int i = get_global_id(0); float x = in[i]; ${type} v = (${type})(${limited});
          out[2 * i] = v; out[2 * i + 1] = convert_${type}_sat(in[i] * -2.0f); }`);
      const saturated = (x: number) =>
        Number.isNaN(x) ? 0 : Math.trunc(Math.min(most, Math.max(least, x))) + 0;
      const inLimits = (x: number) =>
        Number.isNaN(x) ? forNaN(low, high) : Math.min(high, Math.max(low, x));
      const float = (x: number) => (expression.startsWith('rint') ? rint(inLimits(x)) : inLimits(x));
      const results = async (name: string, out: ArrayBufferView & { length: number }) => {
        const buffer = cl.buffer(out as Int32Array);
        await kernels[name]!.run({ global: data.length }, cl.buffer(data), buffer);
        return Array.from(await buffer.read());
      };
      expect(await results('wide', new Int32Array(data.length))).toEqual(
        Array.from(data, (x) => Math.trunc(float(x)) + 0),
      );
      // What does not fit the type is undefined otherwise.
      const expected = Array.from(data, (x) => saturated(float(x)));
      expect([limited, ...(await results('one', new array(data.length)))]).toEqual([limited, ...expected]);
      expect([limited, ...(await results('two', new array(data.length * 2)))]).toEqual([
        limited,
        ...expected.flatMap((v, i) => [v, saturated(Math.fround(data[i]! * -2))]),
      ]);
    }
});
