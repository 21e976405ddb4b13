// SPDX-License-Identifier: MIT
// y = a * x + y over a million numbers. Run: node examples/saxpy.mjs [--device SEL]
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('saxpy');
const { cl, kernels } = example;
const n = 1_000_000;
const x = cl.buffer(Float32Array.from({ length: n }, (_, i) => i));
const y = cl.buffer(new Float32Array(n).fill(1));

const event = kernels.saxpy.run({ global: n }, 2.5, x, y);
await event;
const result = await y.read();

check(
  result.every((value, i) => Math.abs(value - (2.5 * i + 1)) <= 1e-6 * value),
  'y is not 2.5 x + 1',
);
report(`saxpy of ${n} numbers: y[3] = ${result[3]}, y[${n - 1}] = ${result[n - 1]}`, example, event);
cl.close();
