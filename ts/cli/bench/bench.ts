// SPDX-License-Identifier: MIT
//
// `anycl bench`: bandwidth, peak rates and launch latency of each device, as a table, as JSON and as a chart.
import { platforms } from '../../api/objects/platform';
import { EXIT, usageError } from '../exit';
import { writeOutput } from '../files';
import { chooseDevice } from '../session';
import { chart, chartPage, shown } from './chart';
import { type DeviceFigures, measureDevice } from './measure';

export interface BenchFlags {
  device?: string;
  json?: boolean;
  o?: string;
  quick?: boolean;
}

const FULL = { milliseconds: 300, bytes: 1 << 26 };
const QUICK = { milliseconds: 10, bytes: 1 << 22 };

export async function bench(flags: BenchFlags): Promise<void> {
  if (flags.o !== undefined && !/\.(?:svg|html)$/.test(flags.o))
    throw usageError(`-o takes a file that ends in .svg or .html, not '${flags.o}'`);
  const devices =
    flags.device === undefined
      ? platforms().flatMap((platform) => platform.devices)
      : [chooseDevice(flags.device)];
  const results: DeviceFigures[] = [];
  for (const device of devices) results.push(await measureDevice(device, flags.quick ? QUICK : FULL));
  if (flags.o !== undefined)
    writeOutput(flags.o, flags.o.endsWith('.svg') ? chart(results) : chartPage(results));
  writeOutput('-', flags.json ? `${JSON.stringify({ devices: results }, undefined, 2)}\n` : tables(results));
  if (results.every(({ figures }) => figures.length === 0)) process.exitCode = EXIT.input;
}

const tables = (results: readonly DeviceFigures[]): string => results.map(table).join('\n');

function table({ device, platform, figures, problems }: DeviceFigures): string {
  const lines = figures.map(
    ({ name, value, unit }) => `  ${name.padEnd(26)}${shown(value).padStart(9)} ${unit}`,
  );
  const missing = problems.map((problem) => `  ${problem}`);
  return `${[device === platform ? device : `${device} (${platform})`, ...lines, ...missing].join('\n')}\n`;
}
