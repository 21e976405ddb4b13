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

test.each([
  ['uchar', Uint8Array, 0, 255],
  ['char', Int8Array, -128, 127],
  ['ushort', Uint16Array, 0, 65535],
  ['short', Int16Array, -32768, 32767],
] as const)('floats to %s, saturating', async (type, array, low, high) => {
  const data = Float32Array.from({ length: 1024 + 5 }, (_, i) =>
    i < SPECIAL.length ? SPECIAL[i]! : Math.sin(i) * 10 ** (i % 12),
  );
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
