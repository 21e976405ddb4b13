// SPDX-License-Identifier: MIT
// The Mandelbrot set as a PNG. Run: node examples/mandelbrot.mjs [--device SEL] [--out FILE.png]
import { writeFileSync } from 'node:fs';
import { encodePng } from './shared/png.mjs';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('mandelbrot');
const { cl, kernels, flags } = example;
const [width, height] = [1024, 768];
const image = cl.buffer(Uint8Array, width * height * 4);

const event = kernels.mandelbrot.run({ global: [width, height] }, image, -2.2, -1.2, 3.2 / width, 256);
await event;
const pixels = await image.read();

const file = flags.out ?? 'mandelbrot.png';
writeFileSync(file, encodePng(width, height, pixels));
const inside = pixels.filter((value, i) => i % 4 === 0 && value === 0).length;
check(pixels[3] === 255 && inside > width * height * 0.1, 'the set is missing');
report(`mandelbrot of ${width} × ${height} points to ${file}`, example, event);
cl.close();
