// SPDX-License-Identifier: MIT
// Edges of a photograph. Run: node examples/sobel.mjs [--device SEL] [--in FILE.png] [--out FILE.png]
import { readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { check, report, setUp } from './setting.mjs';

const example = await setUp('sobel', { in: { type: 'string' } });
const { cl, kernels, flags } = example;
const photo = PNG.sync.read(readFileSync(flags.in ?? new URL('raccoon.png', import.meta.url)));
const { width, height } = photo;
const input = cl.buffer(new Uint8Array(photo.data));
const output = cl.buffer(Uint8Array, width * height * 4);

const event = kernels.sobel.run({ global: [width, height] }, input, output, width, height);
await event;
photo.data = Buffer.from((await output.read()).buffer);

const file = flags.out ?? 'sobel.png';
writeFileSync(file, PNG.sync.write(photo));
check(
  photo.data.some((value, i) => i % 4 === 0 && value > 128),
  'there are no edges',
);
report(`edges of a photograph of ${width} × ${height} pixels to ${file}`, example, event);
cl.close();
