// SPDX-License-Identifier: MIT
//
// Sub-devices: a part of the worker threads each, in order. Which memory they see is the context's matter.
import { ErrorCode, PartitionProperty } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { WorkerRange } from '../../../device/workers/worker-range';
import type { BackendDevice } from '../../backend';

/** The device, or a sub-device. */
export interface DevicePart extends BackendDevice {
  readonly workers: WorkerRange;
}

/** What divides a range of workers: the kind of partition, followed by its numbers. */
type Division = (numbers: readonly number[], most: number) => readonly number[];

const DIVISIONS: ReadonlyMap<number, Division> = new Map([
  [PartitionProperty.EQUALLY, equally],
  [PartitionProperty.BY_COUNTS, byCounts],
]);

/** CL_DEVICE_PARTITION_PROPERTIES of a device with `workers` workers. */
export function partitionKinds(workers: number): bigint[] {
  return workers > 1 ? [...DIVISIONS.keys()].map(BigInt) : [0n];
}

/** The workers of each sub-device; `properties` as for clCreateSubDevices, without the closing 0. */
export function divideWorkers(workers: WorkerRange, properties: readonly number[]): WorkerRange[] {
  const [kind = 0, ...numbers] = properties;
  const divide = DIVISIONS.get(kind);
  if (!divide) {
    const names = 'CL_DEVICE_PARTITION_EQUALLY or CL_DEVICE_PARTITION_BY_COUNTS';
    const asked =
      kind === PartitionProperty.BY_AFFINITY_DOMAIN ? 'CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN' : kind;
    throw refused(ErrorCode.INVALID_VALUE, `the device is partitioned by ${names}, not by ${asked}`);
  }
  if (workers.count === 1)
    throw refused(
      ErrorCode.DEVICE_PARTITION_FAILED,
      'the device has one compute unit, which cannot be divided',
    );
  let { first } = workers;
  return divide(numbers, workers.count).map((count) => {
    const part = { first, count };
    first += count;
    return part;
  });
}

function equally([size = 0]: readonly number[], most: number): number[] {
  if (size < 1) throw refused(ErrorCode.INVALID_VALUE, `sub-devices of ${size} compute units`);
  if (size > most)
    throw refused(
      ErrorCode.INVALID_DEVICE_PARTITION_COUNT,
      `the device has ${most} compute units, fewer than the ${size} of one sub-device`,
    );
  if (size === most)
    throw refused(
      ErrorCode.DEVICE_PARTITION_FAILED,
      `one sub-device of all ${most} compute units would be the device itself`,
    );
  return new Array<number>(Math.floor(most / size)).fill(size);
}

function byCounts(numbers: readonly number[], most: number): readonly number[] {
  const end = numbers.indexOf(PartitionProperty.BY_COUNTS_LIST_END);
  const counts = end < 0 ? numbers : numbers.slice(0, end);
  const sum = counts.reduce((all, count) => all + count, 0);
  if (counts.length === 0 || counts.some((count) => count < 0) || sum > most)
    throw refused(
      ErrorCode.INVALID_DEVICE_PARTITION_COUNT,
      `sub-devices of ${counts.join(', ') || 'no'} compute units, where the device has ${most}`,
    );
  return counts;
}

function refused(code: ErrorCode, why: string): OpenCLError {
  return new OpenCLError(code, 'clCreateSubDevices', why);
}
