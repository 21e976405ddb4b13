// SPDX-License-Identifier: MIT
//
// What `anycl doctor` examines besides the drivers themselves.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { environment } from '../../host/node/environment';
import type { Examined } from './findings';

/** On Linux, the loader reads files that name the drivers' libraries. */
export function icdFiles(): string[] {
  if (process.platform !== 'linux') return [];
  const place = environment('OCL_ICD_VENDORS') ?? environment('OPENCL_VENDOR_PATH') ?? '/etc/OpenCL/vendors';
  try {
    if (!statSync(place).isDirectory()) return [place];
    return readdirSync(place)
      .filter((file) => file.endsWith('.icd'))
      .map((file) => join(place, file));
  } catch {
    return [];
  }
}

const list = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

/** Files in /dev that drivers of GPUs open. */
function deviceNodes(): Examined['nodes'] {
  const render = list('/dev/dri').flatMap((name) => (/^renderD\d+$/.test(name) ? [`/dev/dri/${name}`] : []));
  const nvidia = list('/dev').flatMap((name) =>
    /^nvidia(\d+|ctl|-uvm)$/.test(name) ? [`/dev/${name}`] : [],
  );
  const amd = existsSync('/dev/kfd') ? ['/dev/kfd'] : [];
  return [...render, ...nvidia, ...amd].map((path) => ({ path, accessible: canOpen(path) }));
}

function canOpen(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** PCI vendors of display controllers, which are class 0x03. */
function graphicsVendors(): readonly string[] {
  const folder = '/sys/bus/pci/devices';
  const cards = list(folder).filter((name) => readText(join(folder, name, 'class')).startsWith('0x03'));
  return [...new Set(cards.map((name) => readText(join(folder, name, 'vendor'))))];
}

const isInContainer = (): boolean =>
  existsSync('/.dockerenv') ||
  existsSync('/run/.containerenv') ||
  /docker|kubepods|containerd|lxc/.test(readText('/proc/1/cgroup'));

/** The commands in PATH, of those that the findings refer to. */
function commands(): ReadonlySet<string> {
  const folders = (environment('PATH') ?? '').split(delimiter);
  return new Set(
    ['cmake'].filter((name) =>
      folders.some((folder) => existsSync(join(folder, name)) || existsSync(join(folder, `${name}.exe`))),
    ),
  );
}

/** Only an absolute path can be checked; the system's dynamic loader searches for other names. */
function describeIcd(path: string): Examined['icdFiles'][number] {
  const library = readText(path);
  return { path, library, exists: !isAbsolute(library) || existsSync(library) };
}

export function examineMachine(): Omit<Examined, 'software' | 'drivers' | 'wrongSettings' | 'cache'> {
  return {
    platform: process.platform,
    environment: process.env,
    commands: commands(),
    nodes: deviceNodes(),
    graphicsVendors: graphicsVendors(),
    inContainer: isInContainer(),
    icdFiles: icdFiles().map(describeIcd),
  };
}
