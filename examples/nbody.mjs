// SPDX-License-Identifier: MIT
// Gravity between 4096 bodies, ten steps. Run: node examples/nbody.mjs [--device SEL]
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('nbody');
const { cl, kernels } = example;
const n = 4096;
const start = new Float32Array(n * 4);
for (let i = 0; i < n; i++) {
  const angle = i * 2.399963;
  const radius = Math.sqrt((i + 0.5) / n);
  start.set([radius * Math.cos(angle), radius * Math.sin(angle), 0.01 * Math.sin(i), 1 / n], i * 4);
}
let position = cl.buffer(start);
let next = cl.buffer(Float32Array, n * 4);
const velocity = cl.buffer(new Float32Array(n * 4));

let event;
for (let step = 0; step < 10; step++) {
  event = kernels.nbody.run({ global: n }, position, velocity, next, n, 0.01, 1e-4);
  [position, next] = [next, position];
}
await event;
const result = await position.read();

// Momentum is conserved: the centre of mass stays where it was.
const centre = (data) =>
  [0, 1, 2].map((c) => data.reduce((sum, v, i) => (i % 4 === c ? sum + v / n : sum), 0));
const [before, after] = [centre(start), centre(result)];
check(
  after.every((v, c) => Math.abs(v - before[c]) < 1e-3),
  `the centre of mass moved from ${before} to ${after}`,
);
report(
  `n-body: ${n} bodies, 10 steps, centre of mass stays at (${after.map((v) => v.toFixed(5)).join(', ')})`,
  example,
  event,
);
cl.close();
