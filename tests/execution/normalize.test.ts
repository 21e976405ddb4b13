// SPDX-License-Identifier: MIT
//
// Vectors whose components are of very different sizes: the small ones stay accurate to the last bit of a denormal.
import { platforms } from '../../ts';

const context = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!
  .createContext();

/** The least step between denormal floats. */
const STEP = 2 ** -149;

const VECTORS: readonly (readonly [number, number])[] = [
  [0x1359d3e * 2 ** 38, 0x19665b4 * 2 ** -97],
  [-(2 ** 62.5), 2 ** -80 * 1.3],
  [2 ** 65 * 1.7, -(2 ** -70) * 1.1],
  [2 ** 127, 2 ** -10 * 1.9],
  [2 ** -51, 2 ** -140 * 1.25],
  [2 ** -120, 2 ** -149],
  [3, 4],
];

test('small components of long and of short vectors', async () => {
  const program = await context
    .createProgram(
      'kernel void k(global const float2 *x, global float2 *y) { int i = get_global_id(0); y[i] = normalize(x[i]); }',
    )
    .build();
  const input = Float32Array.from(VECTORS.flat());
  const x = context.createBuffer(input);
  const y = context.createBuffer(Float32Array, input.length);
  await program.createKernel('k').run({ global: VECTORS.length }, x, y);
  const result = await y.read();
  for (let i = 0; i < input.length; i += 2) {
    const length = Math.hypot(input[i]!, input[i + 1]!);
    for (const at of [i, i + 1]) {
      const expected = input[at]! / length;
      // OpenCL C, 7.4: 2 + n ulp for n components; an ulp is no less than a denormal's.
      const ulp = Math.max(STEP, 2 ** (Math.floor(Math.log2(Math.abs(expected))) - 23));
      expect(Math.abs(result[at]! - expected) / ulp).toBeLessThanOrEqual(4);
    }
  }
});
