// SPDX-License-Identifier: MIT
// How often each brightness occurs in a photograph. Run: node examples/histogram.mjs [--device SEL]
import { readFileSync } from 'node:fs';
import { decodePng } from './shared/png.mjs';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('histogram');
const { cl, kernels } = example;
const photo = decodePng(readFileSync(new URL('raccoon.png', import.meta.url)));
const green = Uint8Array.from({ length: photo.width * photo.height }, (_, i) => photo.data[i * 4 + 1]);
const counts = cl.buffer(new Uint32Array(256));

const range = { global: 16 * 256, local: 256 };
const event = kernels.histogram.run(range, cl.buffer(green), counts, green.length);
await event;
const result = await counts.read();

const expected = new Uint32Array(256);
for (const value of green) expected[value]++;
check(
  result.every((count, i) => count === expected[i]),
  'the counts differ',
);
const bars = Array.from({ length: 16 }, (_, i) =>
  result.subarray(i * 16, i * 16 + 16).reduce((a, b) => a + b, 0),
);
const most = Math.max(...bars);
bars.forEach((count, i) => {
  console.log(`${String(i * 16).padStart(4)} ${'█'.repeat(Math.round((count / most) * 50))} ${count}`);
});
report(`histogram of ${green.length} pixels`, example, event);
cl.close();
