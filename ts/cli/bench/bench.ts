// SPDX-License-Identifier: MIT
//
// `anycl bench`: bandwidth, peak rates and launch latency of each device, as a table, as JSON and as a chart.
import type { Device } from '../../api/objects/device';
import { platforms } from '../../api/objects/platform';
import { EXIT, usageError } from '../exit';
import { writeOutput } from '../files';
import { progress } from '../progress';
import { chooseDevice } from '../session';
import { chart, chartPage, shown } from './chart';
import { type BenchOptions, type DeviceFigures, measureDevice } from './measure';

export interface BenchFlags {
  device?: string;
  json?: boolean;
  o?: string;
  quick?: boolean;
}

const FULL = { milliseconds: 300, launchMilliseconds: 20, bytes: 1 << 26 };
const QUICK = { milliseconds: 10, launchMilliseconds: 2, bytes: 1 << 22 };

export async function bench(flags: BenchFlags): Promise<void> {
  if (flags.o !== undefined && !/\.(?:svg|html)$/.test(flags.o))
    throw usageError(`-o takes a file that ends in .svg or .html, not '${flags.o}'`);
  const devices =
    flags.device === undefined
      ? platforms().flatMap((platform) => platform.devices)
      : [chooseDevice(flags.device)];
  const results: DeviceFigures[] = [];
  for (const device of devices) {
    const figures = await measured(device, flags.quick ? QUICK : FULL);
    // Each table is written when its device is done: measuring all takes a while.
    if (!flags.json) writeOutput('-', `${results.length > 0 ? '\n' : ''}${table(figures)}`);
    results.push(figures);
  }
  if (flags.o !== undefined)
    writeOutput(flags.o, flags.o.endsWith('.svg') ? chart(results) : chartPage(results));
  if (flags.json) writeOutput('-', `${JSON.stringify({ devices: results }, undefined, 2)}\n`);
  if (results.every(({ figures }) => figures.length === 0)) process.exitCode = EXIT.input;
}

async function measured(device: Device, options: BenchOptions): Promise<DeviceFigures> {
  let line: ReturnType<typeof progress> | undefined;
  try {
    return await measureDevice(device, options, (index, count) => {
      line ??= progress(`measuring ${device.name}:`, count);
      line.step(index);
    });
  } finally {
    line?.end();
  }
}

function table({ device, platform, figures, problems }: DeviceFigures): string {
  const lines = figures.map(
    ({ name, value, unit }) => `  ${name.padEnd(26)}${shown(value).padStart(9)} ${unit}`,
  );
  const missing = problems.map((problem) => `  ${problem}`);
  return `${[device === platform ? device : `${device} (${platform})`, ...lines, ...missing].join('\n')}\n`;
}
