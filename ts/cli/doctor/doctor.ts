// SPDX-License-Identifier: MIT
//
// `anycl doctor`: the OpenCL devices of this machine, what prevents others from working, and what to do. A child process loads
// the drivers, so that a crash is one line of the report and not its end.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pc from 'picocolors';
import type { Device } from '../../api/objects/device';
import { platforms, softwarePlatform } from '../../api/objects/platform';
import { findDevice, openSync } from '../../api/open';
import { backends } from '../../api/runtime';
import { VARIABLES } from '../../base/settings';
import { environment } from '../../host/node/environment';
import { EXIT } from '../exit';
import { type DriverReport, findingsOf } from './findings';
import { examineMachine, icdFiles } from './machine';
import { examineCache, reasonOf, WrongSettings } from './settings';

const PROBE_SOURCE =
  'kernel void probe(global float *out, float k) { size_t i = get_global_id(0); out[i] = sin(i * k); }';
const PROBE_STEP = 0.01;

/** Builds and runs a small kernel. Returns `ok` and the time, or the failure. */
async function testDevice(device: Device): Promise<string> {
  try {
    const started = performance.now();
    const session = openSync({ device });
    const { probe } = (await session.build(PROBE_SOURCE)).kernels;
    const out = session.buffer(Float32Array, 1024);
    await probe!.run({ global: 1024 }, out, PROBE_STEP);
    const result = await out.read();
    const wrong = result.findIndex(
      (value, i) => !(Math.abs(value - Math.sin(Math.fround(i * Math.fround(PROBE_STEP)))) < 1e-5),
    );
    session.close();
    return wrong < 0
      ? `ok, ${(performance.now() - started).toFixed(0)} ms`
      : `wrong result at element ${wrong}`;
  } catch (error) {
    return shortened((error as Error).message);
  }
}

/** The first line, and the second one where the first announces it, as that of a failed build does. */
function shortened(message: string): string {
  const [first = '', second = ''] = message.split('\n').filter((line) => line.trim() !== '');
  return first.endsWith(':') ? `${first} ${second.trim()}` : first;
}

/** Why the device that ANYCL_DEVICE names cannot be opened. */
function whyNotWanted(): string | undefined {
  try {
    findDevice();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** In the child process: tests the drivers and prints a DriverReport. */
export async function probeDrivers(): Promise<void> {
  const native = backends('native')[0];
  const found = platforms().filter((platform) => platform.kind === 'native');
  const report: DriverReport = {
    problem: native?.problem ?? (native === undefined ? 'the native addon could not be loaded' : undefined),
    platforms: await Promise.all(
      found.map(async (platform) => ({
        name: platform.name,
        version: platform.version,
        devices: await Promise.all(
          platform.devices.map(async ({ name, type, remote }, i) => ({
            name,
            type,
            remote,
            test: await testDevice(platform.devices[i]!),
          })),
        ),
      })),
    ),
    wanted: whyNotWanted(),
  };
  process.stdout.write(`\n${JSON.stringify(report)}\n`);
}

function askChild(env: NodeJS.ProcessEnv = process.env): DriverReport | string {
  const child = spawnSync(process.execPath, [process.argv[1]!, 'doctor-probe'], {
    encoding: 'utf8',
    timeout: 60_000,
    env,
  });
  const line = child.stdout?.trim().split('\n').at(-1) ?? '';
  if (child.status === 0 && line.startsWith('{')) return JSON.parse(line) as DriverReport;
  if (child.signal === 'SIGTERM') return 'testing the drivers took more than a minute: one of them hangs';
  const last = child.stderr?.trim().split('\n').at(-1) ?? '';
  return child.signal
    ? `a driver crashed while it was loaded or used (${child.signal})${last ? `: ${last}` : ''}`
    : `testing the drivers failed: ${last || `exit status ${child.status}`}`;
}

/** The same with only the driver that the ICD file names. */
function askChildWith(icdFile: string): DriverReport | string {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-doctor-'));
  try {
    copyFileSync(icdFile, join(folder, basename(icdFile)));
    const { OPENCL_VENDOR_PATH: _, ...others } = process.env;
    return askChild({ ...others, OCL_ICD_VENDORS: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const good = (text: string): string => `${pc.green('✓')} ${text}`;
const bad = (text: string): string => `${pc.yellow('!')} ${text}`;

/** The file and the library that it names. */
function described(icdFile: string): string {
  try {
    return `${icdFile}: ${readFileSync(icdFile, 'utf8').trim()}`;
  } catch {
    return icdFile;
  }
}

/** A line for each device of the drivers. */
function deviceLines(report: DriverReport): string[] {
  return report.platforms.flatMap((platform) => {
    return platform.devices.map((device) => {
      const text = `${platform.name}: ${device.name}${device.remote ? ` at ${device.remote}` : ''} (${device.type}), ${platform.version}: ${device.test}`;
      return device.test.startsWith('ok') ? good(text) : bad(text);
    });
  });
}

export interface DoctorFlags {
  json?: boolean;
}

const SHOWN = [
  ...Object.values(VARIABLES).map(({ name }) => name),
  'OCL_ICD_VENDORS',
  'OPENCL_VENDOR_PATH',
  'RUSTICL_ENABLE',
];

export async function doctor(flags: DoctorFlags = {}): Promise<void> {
  const variables = SHOWN.flatMap((name) => {
    const value = environment(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const settings = new WrongSettings();
  const device = softwarePlatform().devices[0]!;
  const software = await settings.testBuilds(() => testDevice(device));
  const drivers = askChild();
  const findings = findingsOf({
    ...examineMachine(),
    software,
    drivers,
    wrongSettings: settings.messages,
    cache: examineCache(),
  });
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = EXIT.input;
  if (flags.json) {
    const report = {
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
      software: { name: device.name, test: software },
      platforms: typeof drivers === 'string' ? [] : drivers.platforms,
      variables: Object.fromEntries(variables),
      findings,
    };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return;
  }
  const lines = [pc.bold(`anycl on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`)];
  lines.push((software.startsWith('ok') ? good : bad)(`${device.name}: ${software}`));
  if (typeof drivers !== 'string') lines.push(...deviceLines(drivers));
  for (const { severity, message, advice } of findings)
    lines.push(
      severity === 'error' ? `${pc.red('✗')} ${message}` : bad(message),
      ...advice.map((line) => `    ${line}`),
    );
  if (typeof drivers === 'string') lines.push(...lookForTheCrash());
  for (const [name, value] of variables) lines.push(`  ${name}=${value} is set`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The result of each driver alone, and how to disable those that crash. */
function lookForTheCrash(): string[] {
  const reports = icdFiles().map((file) => ({ file, report: askChildWith(file) }));
  const lines = reports.flatMap(({ file, report }) =>
    typeof report === 'string'
      ? [bad(`${described(file)}: alone, ${report.replace(/^a driver/, 'it')}`)]
      : [good(`${described(file)}: works alone`), ...deviceLines(report).map((line) => `  ${line}`)],
  );
  const working = reports.filter(({ report }) => typeof report !== 'string').map(({ file }) => file);
  lines.push(
    '  A program that lists devices loads every driver, and ends when one crashes. To disable that driver:',
  );
  if (working.length > 0 && working.length < reports.length) {
    const folder = '~/.opencl-vendors';
    lines.push(
      '  - let the loader find only the others:',
      `      mkdir ${folder} && ln -s ${working.join(' ')} ${folder}`,
      `      export OCL_ICD_VENDORS=${folder}`,
    );
  }
  lines.push('  - or set ANYCL_DEVICE=software: open() then loads no driver at all');
  return lines;
}
