// SPDX-License-Identifier: MIT
//
// Which device `open()` chooses if none is named: a GPU, an accelerator, then the faster of the processor's drivers and the
// software device. Nothing is measured when a program starts: a table has what is known of the drivers.
import type { Device } from './objects/device';

export interface Choice {
  readonly device: Device;
  /** Ends the sentence `NAME was chosen: …`. */
  readonly reason: string;
}

interface KnownDriver {
  /** Matches the platform's name and version and the device's name. */
  readonly pattern: RegExp;
  readonly name: string;
  /** How many times as slow as the software device on the same machine: the geometric mean over `bench/` (docs/performance). */
  readonly timesAsSlow: number;
}

/**
 * Drivers that compute on the processor, whatever type their devices claim, and are slower than the software device. Other
 * drivers for the processor are assumed to use all of its vector instructions and to be faster.
 */
const KNOWN: readonly KnownDriver[] = [
  // Measured with versions 3.1 (4.4), 5.0 (3.2) and 7.1 (not faster than 3.1).
  { pattern: /\bpocl\b|Portable Computing Language/i, name: 'PoCL', timesAsSlow: 3 },
  {
    pattern: /llvmpipe|softpipe|swiftshader/i,
    name: 'Mesa’s llvmpipe and its like',

    timesAsSlow: 10,
  },
  // An interpreter that looks for faults.
  { pattern: /oclgrind/i, name: 'Oclgrind', timesAsSlow: 100 },
];

/** PoCL supports GPUs too, and its platform's name does not say which device it is. */
function knownDriver(device: Device): KnownDriver | undefined {
  const isGpu = device.type === 'gpu';
  const text = isGpu ? device.name : `${device.platform.name} ${device.platform.version} ${device.name}`;
  return KNOWN.find(({ pattern }) => pattern.test(text));
}

interface Rank {
  readonly is: (device: Device, driver: KnownDriver | undefined) => boolean;
  readonly reason: (device: Device, driver: KnownDriver | undefined) => string;
}

/** The first condition that a device fulfils is its rank; of devices with one rank the first is chosen. */
const RANKS: readonly Rank[] = [
  { is: ({ type }, driver) => type === 'gpu' && !driver, reason: () => 'the first GPU' },
  { is: ({ type }) => type === 'accelerator', reason: () => 'the first accelerator; there is no GPU' },
  {
    is: ({ type }, driver) => type === 'cpu' && !driver,
    reason: () => 'a driver for the processor; there is no GPU and no accelerator',
  },
  {
    is: ({ type }) => type === 'software',
    reason: () => 'there is no GPU, no accelerator and no faster driver for the processor',
  },
  { is: () => true, reason: () => 'there is no other device' },
];

/** The device of a program that names none; `devices` is not empty. */
export function preferredDevice(devices: readonly Device[]): Choice {
  const known = devices.map((device) => ({ device, driver: knownDriver(device) }));
  for (const { is, reason } of RANKS) {
    const found = known.find(({ device, driver }) => is(device, driver));
    if (!found) continue;
    const slower = known
      .filter(({ driver }) => driver && found.device.type === 'software')
      .map(({ driver }) => `${driver!.name} takes some ${driver!.timesAsSlow} times as long`);
    const { device, driver } = found;
    return { device, reason: [reason(device, driver), ...new Set(slower)].join('; ') };
  }
  throw new RangeError('there is no device to choose from');
}
