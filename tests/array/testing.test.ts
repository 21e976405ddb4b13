// SPDX-License-Identifier: MIT
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../ts';
import { captureCase, checkKernel, compare, type KernelCase, testDevices } from '../../ts/testing';
import { shutdownAll } from '../conformance/devices';
import { node, root } from '../helpers/command';

afterAll(shutdownAll);

const halve: KernelCase = {
  source:
    'kernel void halve(global const float *x, global float *y, float by) { size_t i = get_global_id(0); y[i] = x[i] / by; }',
  kernel: 'halve',
  range: { global: 4 },
  args: [Float32Array.of(1, 2, 3, Number.NaN), new Float32Array(4), 2],
  reference: (x: Float32Array, y: Float32Array, by: number) => {
    for (let i = 0; i < 4; i++) y[i] = x[i]! / by;
  },
};

test('floats are compared by units in the last place, integers exactly', () => {
  const one = Float32Array.of(1, -0, Number.NaN, 1);
  expect(compare(one, Float32Array.of(1, 0, Number.NaN, 1 + 2 ** -23), { ulp: 1 })).toBeUndefined();
  expect(compare(one, Float32Array.of(1, 0, Number.NaN, 1 + 2 ** -22), { ulp: 1 })).toEqual(
    expect.objectContaining({ index: 3, got: 1, ulp: 2, count: 1 }),
  );
  expect(compare(Float64Array.of(5e-324), Float64Array.of(-5e-324))).toEqual(
    expect.objectContaining({ ulp: 2 }),
  );
  expect(compare(Float32Array.of(1e-9), Float32Array.of(0), { absolute: 1e-8 })).toBeUndefined();
  expect(compare(one, Float32Array.of(1, 0, 0, 1))).toEqual(expect.objectContaining({ index: 2 }));
  expect(compare(Int32Array.of(1, 2, 3), Int32Array.of(1, 3, 4))).toEqual({
    index: 1,
    got: 2,
    wanted: 3,
    count: 2,
  });
  expect(() => compare(Int32Array.of(1), Uint32Array.of(1))).toThrow(/cannot be compared/);
  expect(() => compare(one, one, { ulps: 1 } as never)).toThrow(
    new TypeError(
      'compare: `tolerance.ulps` is not an option: did you mean `ulp`? Known are `ulp`, `absolute`',
    ),
  );
});

test('a member of another name is refused', async () => {
  const misspelt = { ...halve, tolerence: { ulp: 1 } };
  await expect(checkKernel(misspelt)).rejects.toThrow(
    new TypeError(
      "a kernel's case: `tolerence` is not an option: did you mean `tolerance`? Known are `source`, `kernel`, `range`, `args`, `reference`, `options`, `tolerance`",
    ),
  );
});

test('a kernel is as its reference on every device', async () => {
  expect(testDevices().length).toBeGreaterThan(0);
  await checkKernel(halve);
});

test('the first difference is shown by argument, element and work-item', async () => {
  const wrong: KernelCase = {
    ...halve,
    source: halve.source.toString().replace('x[i] / by', 'i == 2 ? 7 : x[i] / by'),
  };
  await expect(checkKernel(wrong, testDevices('software'))).rejects.toThrow(
    /^kernel 'halve' on 'anycl software device': argument 1 \('y'\), element 2 \(work-item 2\) is 7, and 1\.5 in the reference, \d+ ULP apart \(0 allowed\); 1 of 4 elements differ$/,
  );
});

test('a captured launch reproduces itself', () => {
  // In the package, so that `anycl` is found.
  const folder = mkdtempSync(join(root, 'build', 'capture-'));
  try {
    const good = captureCase(halve, join(folder, 'good'));
    const run = node(good, ['software'], { bare: true });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('argument 1: as in the reference');
    const bad = captureCase({ ...halve, reference: () => {} }, join(folder, 'bad'));
    expect(node(bad, ['software'], { bare: true }).status).toBe(1);
    expect(readFileSync(join(folder, 'bad', 'kernel.cl'), 'utf8')).toBe(halve.source);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(() => captureCase({ ...halve, args: [{} as never], reference: () => {} }, tmpdir())).toThrow(
    /cannot be written/,
  );
});
