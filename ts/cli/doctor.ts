// SPDX-License-Identifier: MIT
//
// `anycl doctor`: what of OpenCL this machine has, why not more, and how to get it. Drivers are looked at in a child
// process, so that one that crashes while loading is a line of the report and not the end of it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pc from 'picocolors';
import type { Device, DeviceType } from '../api/device';
import { openSync } from '../api/open';
import { platforms, softwarePlatform } from '../api/platform';
import { backends } from '../backend/registry';

/** What the child process says of the machine's drivers, as one line of JSON. */
interface DriverReport {
  readonly problem: string | undefined;
  readonly platforms: readonly {
    readonly name: string;
    readonly version: string;
    readonly devices: readonly { readonly name: string; readonly type: DeviceType; readonly test: string }[];
  }[];
}

const PROBE_SOURCE =
  'kernel void probe(global uint *out, uint k) { out[get_global_id(0)] = get_global_id(0) * k + 1; }';

/** Builds and runs a small kernel; `ok` with the time that took, or what failed. */
async function testDevice(device: Device): Promise<string> {
  try {
    const started = performance.now();
    const session = openSync({ device });
    const { probe } = (await session.build(PROBE_SOURCE)).kernels;
    const out = session.buffer(Uint32Array, 1024);
    await probe!.run({ global: 1024 }, out, 3);
    const result = await out.read();
    const wrong = result.findIndex((value, i) => value !== i * 3 + 1);
    session.close();
    return wrong < 0
      ? `ok, ${(performance.now() - started).toFixed(0)} ms`
      : `wrong result at element ${wrong}`;
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}

/** The child process: looks at the drivers and prints a DriverReport. */
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
          platform.devices.map(async ({ name, type }, i) => ({
            name,
            type,
            test: await testDevice(platform.devices[i]!),
          })),
        ),
      })),
    ),
  };
  process.stdout.write(`\n${JSON.stringify(report)}\n`);
}

function askChild(environment: NodeJS.ProcessEnv = process.env): DriverReport | string {
  const child = spawnSync(process.execPath, [process.argv[1]!, 'doctor-probe'], {
    encoding: 'utf8',
    timeout: 60_000,
    env: environment,
  });
  const line = child.stdout?.trim().split('\n').at(-1) ?? '';
  if (child.status === 0 && line.startsWith('{')) return JSON.parse(line) as DriverReport;
  if (child.signal === 'SIGTERM') return 'looking at the drivers took more than a minute: one of them hangs';
  const last = child.stderr?.trim().split('\n').at(-1) ?? '';
  return child.signal
    ? `a driver crashed while it was loaded or used (${child.signal})${last ? `: ${last}` : ''}`
    : `looking at the drivers failed: ${last || `exit status ${child.status}`}`;
}

/** As `askChild`, with no other driver than the one that the ICD file names. */
function askChildWith(icdFile: string): DriverReport | string {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-doctor-'));
  try {
    copyFileSync(icdFile, join(folder, basename(icdFile)));
    const { OPENCL_VENDOR_PATH: _, ...environment } = process.env;
    return askChild({ ...environment, OCL_ICD_VENDORS: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const good = (text: string): string => `${pc.green('✓')} ${text}`;
const bad = (text: string): string => `${pc.yellow('!')} ${text}`;

/** On Linux the loader finds drivers by files that name their libraries. */
function icdFiles(): string[] {
  if (process.platform !== 'linux') return [];
  const place = process.env['OCL_ICD_VENDORS'] ?? process.env['OPENCL_VENDOR_PATH'] ?? '/etc/OpenCL/vendors';
  try {
    if (!statSync(place).isDirectory()) return [place];
    return readdirSync(place)
      .filter((file) => file.endsWith('.icd'))
      .map((file) => join(place, file));
  } catch {
    return [];
  }
}

/** The file and what it names. */
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
    if (platform.devices.length === 0) return [bad(`${platform.name}: no devices`)];
    return platform.devices.map((device) => {
      const text = `${platform.name}: ${device.name} (${device.type}), ${platform.version}: ${device.test}`;
      return device.test.startsWith('ok') ? good(text) : bad(text);
    });
  });
}

export async function doctor(_flags: { json?: boolean } = {}): Promise<void> {
  const lines = [pc.bold(`anycl on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`)];

  const software = softwarePlatform().devices[0]!;
  const test = await testDevice(software);
  lines.push(test.startsWith('ok') ? good(`${software.name}: ${test}`) : bad(`${software.name}: ${test}`));

  const drivers = askChild();
  if (typeof drivers === 'string') lines.push(bad(drivers), ...lookForTheCrash());
  else {
    if (drivers.problem) lines.push(bad(drivers.problem));
    lines.push(...deviceLines(drivers));
    if (drivers.platforms.every(({ devices }) => devices.length === 0)) lines.push(...advice());
  }
  for (const name of ['ANYCL_DEVICE', 'ANYCL_OPENCL_LIBRARY', 'ANYCL_THREADS', 'OCL_ICD_VENDORS']) {
    const value = process.env[name];
    if (value !== undefined) lines.push(`  ${name}=${value} is set`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** What each driver does when it is the only one, and how to do without those that crash. */
function lookForTheCrash(): string[] {
  const reports = icdFiles().map((file) => ({ file, report: askChildWith(file) }));
  const lines = reports.flatMap(({ file, report }) =>
    typeof report === 'string'
      ? [bad(`${described(file)}: alone, ${report.replace(/^a driver/, 'it')}`)]
      : [good(`${described(file)}: works alone`), ...deviceLines(report).map((line) => `  ${line}`)],
  );
  const working = reports.filter(({ report }) => typeof report !== 'string').map(({ file }) => file);
  lines.push('  Programs that look for devices load every driver, and end with that one. To do without it:');
  if (working.length > 0 && working.length < reports.length) {
    const folder = '~/.opencl-vendors';
    lines.push(
      '  - have the loader know the others only:',
      `      mkdir ${folder} && ln -s ${working.join(' ')} ${folder}`,
      `      export OCL_ICD_VENDORS=${folder}`,
    );
  }
  lines.push('  - or set ANYCL_DEVICE=software: open() then loads no driver at all');
  return lines;
}

function advice(): string[] {
  const how: Readonly<Record<string, readonly string[]>> = {
    linux: [
      "a GPU needs its vendor's driver: nvidia-driver with nvidia-opencl-icd, intel-opencl-icd, or rocm-opencl-runtime",
      'Mesa (mesa-opencl-icd) drives many GPUs; set RUSTICL_ENABLE to its driver, such as radeonsi or iris',
      'every driver needs the ICD loader as well: ocl-icd-libopencl1',
      'pocl-opencl-icd is a driver for the processor itself',
    ],
    win32: ['OpenCL comes with the graphics driver of NVIDIA, AMD or Intel: install the newest'],
    darwin: ['OpenCL is a part of macOS; if it is missing here, the framework could not be opened'],
  };
  const files = icdFiles();
  return [
    'No driver was found: programs run on the software device. To use a GPU:',
    ...(how[process.platform] ?? ['install the OpenCL driver of your GPU']).map((line) => `  - ${line}`),
    ...(files.length > 0
      ? ['The loader is told of these drivers:', ...files.map((file) => `  ${described(file)}`)]
      : []),
  ];
}
