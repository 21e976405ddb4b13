// SPDX-License-Identifier: MIT
//
// The device's properties that kernels are specialized for, read once.
import type { Device } from '../api/public';
import { checkNames } from './options';

/** How work is divided on a device. Every field can be set with `arrays(cl, { profile })`, for measurements. */
export interface Profile {
  /** `cores`: few threads, each best at a long run of memory. `lanes`: thousands of work-items that share local memory. */
  readonly style: 'cores' | 'lanes';
  /** Compute units. */
  readonly units: number;
  /** Work-items of a group that works together. A power of two. */
  readonly groupSize: number;
  /** Bytes of local memory. */
  readonly localMemory: number;
  /** Whether there are doubles. */
  readonly doubles: boolean;
  /** Whether groups combine their work-items' values by sub-group functions where these have the operation. */
  readonly subGroups: boolean;
}

const largestPowerUpTo = (n: number): number => 2 ** Math.floor(Math.log2(Math.max(1, n)));

function hasDoubles(device: Device): boolean {
  try {
    return Number(device.info('DOUBLE_FP_CONFIG')) !== 0;
  } catch {
    return device.extensions.includes('cl_khr_fp64');
  }
}

/** The build options that give kernels sub-group functions; undefined if the device does not have them. */
export function subGroupOptions(device: Device): string | undefined {
  try {
    if (device.info('OPENCL_C_FEATURES').some(({ name }) => name === '__opencl_c_subgroups'))
      return '-cl-std=CL3.0';
  } catch {
    // Asked before OpenCL 3.0.
  }
  const isTwo = /^OpenCL 2/.test(String(device.info('VERSION')));
  return isTwo && device.extensions.includes('cl_khr_subgroups') ? '-cl-std=CL2.0' : undefined;
}

export function profileOf(device: Device, given: Partial<Profile> = {}): Profile {
  const style = device.type === 'software' || device.type === 'cpu' ? 'cores' : 'lanes';
  const most = largestPowerUpTo(Number(device.info('MAX_WORK_GROUP_SIZE')));
  const found: Profile = {
    style,
    units: Number(device.info('MAX_COMPUTE_UNITS')),
    groupSize: Math.min(style === 'cores' ? 64 : 256, most),
    localMemory: Number(device.info('LOCAL_MEM_SIZE')),
    doubles: hasDoubles(device),
    // Processors have one run of memory for each work-item instead.
    subGroups: style === 'lanes' && subGroupOptions(device) !== undefined,
  };
  checkNames(given, Object.keys(found), 'options.profile', 'arrays');
  return { ...found, ...given };
}

/** Consecutive elements that one group works through, and how many groups there are. */
export interface Chunks {
  readonly length: number;
  readonly count: number;
}

/**
 * Divides `n` elements into runs whose length is a multiple of `step`. There are enough runs to keep all compute units busy to the end,
 * and each is long enough that the cost of starting one does not matter.
 */
export function chunksOf(n: number, profile: Profile, step: number, least: number): Chunks {
  const most = profile.units * (profile.style === 'cores' ? 8 : 16);
  const length = Math.max(least, Math.ceil(n / most / step) * step, step);
  return { length, count: Math.max(1, Math.ceil(n / length)) };
}
