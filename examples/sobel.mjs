// SPDX-License-Identifier: MIT
// Edges of a photograph. Run: node examples/sobel.mjs [--device SEL] [--in FILE.png] [--out FILE.png]
import { readFileSync, writeFileSync } from 'node:fs';
import { decodePng, encodePng } from './shared/png.mjs';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('sobel', { in: { type: 'string' } });
const { cl, kernels, flags } = example;
const { width, height, data } = decodePng(readFileSync(flags.in ?? new URL('raccoon.png', import.meta.url)));
const input = cl.buffer(data);
const output = cl.buffer(Uint8Array, width * height * 4);

const event = kernels.sobel.run({ global: [width, height] }, input, output, width, height);
await event;
const edges = await output.read();

const file = flags.out ?? 'sobel.png';
writeFileSync(file, encodePng(width, height, edges));
check(
  edges.some((value, i) => i % 4 === 0 && value > 128),
  'there are no edges',
);
report(`edges of a photograph of ${width} × ${height} pixels to ${file}`, example, event);
cl.close();
