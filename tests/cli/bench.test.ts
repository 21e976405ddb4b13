// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceFigures } from '../../ts/cli/bench/measure';
import { anycl, temporaryFolder } from '../helpers/command';

describe('anycl bench', () => {
  test('has figures of each kind, and a chart of them', () => {
    const file = join(temporaryFolder(), 'chart.svg');
    const { status, stdout, stderr } = anycl(
      'bench',
      '--device',
      'software',
      '--quick',
      '--json',
      '-o',
      file,
    );
    expect([status, stderr]).toEqual([0, '']);
    const [{ device, figures, problems }] = (JSON.parse(stdout) as { devices: [DeviceFigures] }).devices;
    expect([device, problems]).toEqual(['anycl software device', []]);
    expect(figures.map(({ group, name }) => [group, name])).toEqual([
      ['bandwidth', 'host to device'],
      ['bandwidth', 'device to host'],
      ['bandwidth', 'copy on the device'],
      ['bandwidth', 'kernel (triad)'],
      ['rate', 'float, multiply and add'],
      ['rate', 'float, mad'],
      ['rate', 'double, fma'],
      ['rate', 'half, fma'],
      ['rate', 'int, multiply and add'],
      ['latency', 'enqueue a kernel'],
      ['latency', 'enqueue and await it'],
      ['latency', 'enqueue and block'],
    ]);
    for (const { value } of figures) expect(value).toBeGreaterThan(0);
    const svg = readFileSync(file, 'utf8');
    expect(svg).toMatch(/^<svg [^>]*>.*double, fma.*<\/svg>\n$/s);
    expect(svg).not.toMatch(/href=|@import|url\(/);
  });

  test('refuses other charts before it measures', () => {
    const { status, stderr } = anycl('bench', '-o', 'chart.png');
    expect([status, stderr]).toEqual([
      2,
      "anycl: -o takes a file that ends in .svg or .html, not 'chart.png'\n",
    ]);
  });
});
