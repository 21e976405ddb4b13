// SPDX-License-Identifier: MIT
import { preparedKernel } from '../../../tests/helpers/optimized-kernel';
import { Divergence } from '../analyses/divergence';
import { isColumnMajor } from './column-major';

function found(body: string): boolean {
  const text = `kernel void k(global const float *restrict in, global float *restrict out, global const int *index, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1); ${body} }`;
  const func = preparedKernel(text);
  return isColumnMajor(func, new Divergence(func));
}

test('what neighbours along y access side by side, and those along x do not', () => {
  expect(found('out[x * h + y] = in[y * w + x];')).toBe(true);
  expect(found('out[y * w + x] = in[x * h + y];')).toBe(true);
  expect(found('if (x < w) out[x * h + (h - 1 - y)] = in[y * w + x];')).toBe(true);
  expect(found('((global float4 *)out)[x * h + y] = ((global const float4 *)in)[y * w + x];')).toBe(true);
  expect(found('out[x * 1024 + y] = 0;')).toBe(true);
});

test('not rows, nor what is near in both directions, nor what nobody knows', () => {
  expect(found('out[y * w + x] = in[(y + 1) * w + x - 1];')).toBe(false);
  expect(found('out[y * 4 + x] = 0;')).toBe(false);
  expect(found('out[index[x] + y] = 0;')).toBe(false);
  expect(found('out[y * w + x] = in[y];')).toBe(false);
  expect(found('float s = 0; for (int k = 0; k < w; k++) s += in[x * w + k]; out[y * w + x] = s;')).toBe(
    false,
  );
});

test('an address of many sums, each of the one before with itself, takes no time', () => {
  const sums = 'z = z * 3 + (z << 4);'.repeat(40);
  expect(found(`int z = y * w + x; ${sums} out[z] = 0;`)).toBe(false);
  expect(found(`int z = index[y * w + x] + y; ${sums} out[x * h + y + (z & 1)] = 0;`)).toBe(false);
});
