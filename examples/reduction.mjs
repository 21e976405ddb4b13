// SPDX-License-Identifier: MIT
// The sum of four million numbers. Run: node examples/reduction.mjs [--device SEL]
import { local } from 'anycl';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('reduction');
const { cl, kernels } = example;
const n = 1 << 22;
const groups = 64;
const size = 256;
const data = cl.buffer(Float32Array.from({ length: n }, (_, i) => i & 15));
const sums = cl.buffer(Float32Array, groups);

const range = { global: groups * size, local: size };
const event = kernels.reduction.run(range, data, sums, local(Float32Array, size), n);
await event;
const sum = (await sums.read()).reduce((a, b) => a + b, 0);

check(sum === n * 7.5, `the sum is ${sum}, not ${n * 7.5}`);
report(`sum of ${n} numbers: ${sum}`, example, event);
cl.close();
