// SPDX-License-Identifier: MIT
// Sine and cosine of one angle are computed together: with the same results as each for itself.
import { join } from 'node:path';

type Anycl = typeof import('../../ts/index');
const { openSync } = require(join(__dirname, '../..', 'dist', 'index.cjs')) as Anycl;

const SOURCE = `
  kernel void apart(global float *s, global float *c, global const float *x, int which) {
    int i = get_global_id(0);
    if (which == 0) s[i] = sin(x[i]);
    else c[i] = cos(x[i]);
  }
  kernel void together(global float *s, global float *c, global const float *x) {
    int i = get_global_id(0);
    float angle = x[i];
    c[i] = cos(angle);
    s[i] = sin(angle);
  }`;

/** Angles of all magnitudes, including those that need all of 2/pi. */
function angles(): Float32Array {
  const bits = new Uint32Array(4096);
  for (let i = 0; i < bits.length; i++) bits[i] = Math.imul(i, 0x9e3779b1) >>> 0;
  bits.set([0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x463b8000, 0x463b8001]);
  return new Float32Array(bits.buffer);
}

test('sine and cosine of one angle are what they are apart, and what they should be', async () => {
  const cl = openSync({ device: 'software' });
  const { kernels } = await cl.build(SOURCE);
  const values = angles();
  const n = values.length;
  const x = cl.buffer(values);
  const make = () => cl.buffer(Float32Array, n);
  const [s, c, sines, cosines] = [make(), make(), make(), make()];
  await kernels.apart!.run({ global: n }, s, c, x, 0);
  await kernels.apart!.run({ global: n }, s, c, x, 1);
  await kernels.together!.run({ global: n }, sines, cosines, x);
  const sine = await sines.read();
  expect(sine).toEqual(await s.read());
  expect(await cosines.read()).toEqual(await c.read());
  values.forEach((angle, i) => {
    if (!Number.isFinite(angle)) expect(sine[i]).toBeNaN();
    else expect(Math.abs(Number(sine[i]) - Math.sin(angle))).toBeLessThanOrEqual(3e-7);
  });
  await cl.close?.();
});
