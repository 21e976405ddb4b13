// SPDX-License-Identifier: MIT

import type { BackendDevice } from '../../backend/backend';
import { AffinityDomain, ErrorCode, PartitionProperty, DeviceType as TypeBits } from '../../cl/constants.gen';
import { deviceInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { type Described, describeValue, knownProperties } from '../info/describe-info';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor } from '../internals';
import type { ContextOptions } from '../options/context-options';
import { Context } from './context';
import { checkConstructor, Handle } from './handle';
import type { Platform } from './platform';

/** Properties by name, without `CL_DEVICE_`. */
export type DeviceInfo = InfoOf<typeof deviceInfo, { PLATFORM: Platform; PARENT_DEVICE: Device | undefined }>;

/** A kind of device; `software` is the device in the package, which a driver never is. */
export type DeviceType = 'gpu' | 'accelerator' | 'cpu' | 'custom' | 'software';

/** How a device is divided (clCreateSubDevices). */
export type Partition =
  | Pick<Partitions, 'equally'>
  | Pick<Partitions, 'byCounts'>
  | Pick<Partitions, 'byAffinity'>;

interface Partitions {
  /** Compute units of each part. */
  readonly equally: number;
  /** Compute units of each part, in order. */
  readonly byCounts: readonly number[];
  /** Parts whose compute units share this. */
  readonly byAffinity: 'numa' | 'l4-cache' | 'l3-cache' | 'l2-cache' | 'l1-cache' | 'next-partitionable';
}

const AFFINITY = {
  numa: AffinityDomain.NUMA,
  'l4-cache': AffinityDomain.L4_CACHE,
  'l3-cache': AffinityDomain.L3_CACHE,
  'l2-cache': AffinityDomain.L2_CACHE,
  'l1-cache': AffinityDomain.L1_CACHE,
  'next-partitionable': AffinityDomain.NEXT_PARTITIONABLE,
};

function partitionProperties(
  { equally, byCounts, byAffinity }: Partial<Partitions>,
  functionName: string,
): readonly number[] {
  if (equally !== undefined) return [PartitionProperty.EQUALLY, equally];
  if (byCounts !== undefined)
    return [PartitionProperty.BY_COUNTS, ...byCounts, PartitionProperty.BY_COUNTS_LIST_END];
  if (byAffinity !== undefined) return [PartitionProperty.BY_AFFINITY_DOMAIN, AFFINITY[byAffinity]];
  const detail = 'say how to divide the device: `equally`, `byCounts` or `byAffinity`';
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

/**
 * A device: a driver's, or the software device.
 *
 * @example
 * ```ts
 * const device = findDevice('software');
 * console.log(device.type, device.info('MAX_WORK_GROUP_SIZE') > 0); // software true
 * console.log(device.extensions.includes('cl_khr_fp16'));          // true
 * ```
 */
export class Device extends Handle<BackendDevice> {
  /** Why `open` or `findDevice` last chose it, as text for people. */
  chosen: string | undefined;

  /** @internal */
  constructor(
    handle: BackendDevice,
    /** The platform that it belongs to. */
    readonly platform: Platform,
    /** Position among the devices of its platform; sub-devices have -1. */
    readonly index: number,
    /** The device that this one is a part of (`partition`); undefined for others. */
    readonly parent?: Device,
  ) {
    super(handle, ErrorCode.INVALID_DEVICE, parent !== undefined);
    checkConstructor(handle, new.target);
  }

  /**
   * Releases a sub-device. Has no effect on other devices, as clReleaseDevice: they live as long as their platform.
   */
  override release(): void {
    if (this.parent !== undefined) super.release();
  }

  /** The name as the driver reports it, such as `NVIDIA H200` (CL_DEVICE_NAME). */
  get name(): string {
    return this.info('NAME').trim();
  }

  /** What kind of device it is (CL_DEVICE_TYPE). */
  get type(): DeviceType {
    if (this.platform.kind === 'software') return 'software';
    const bits = Number(this.info('TYPE'));
    if (bits & TypeBits.GPU) return 'gpu';
    if (bits & TypeBits.ACCELERATOR) return 'accelerator';
    return bits & TypeBits.CPU ? 'cpu' : 'custom';
  }

  /** `host:port/device` for a device of another machine (`remoteDevices`); undefined for one of this machine. */
  get remote(): string | undefined {
    return this[handleFor]('clGetDeviceInfo').remote;
  }

  /** Extension names. */
  get extensions(): readonly string[] {
    return this.info('EXTENSIONS').split(' ').filter(Boolean);
  }

  /**
   * A property by its name without `CL_DEVICE_`, typed by that name, or by number as bytes (clGetDeviceInfo).
   * @throws OpenCLError INVALID_VALUE for a property that the device does not know
   */
  info<K extends keyof DeviceInfo>(key: K): DeviceInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof DeviceInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetDeviceInfo').info(param);
    return queryInfo(deviceInfo, key, 'clGetDeviceInfo', read, {
      PLATFORM: this.platform,
      PARENT_DEVICE: this.parent,
    });
  }

  /**
   * All properties of the device by name, as JSON: bit fields and enumerations are `{ names, raw }`, and there are
   * no bigints.
   */
  describe(): Readonly<Record<string, Described>> {
    const known = knownProperties(deviceInfo, (key) => this.info(key as 'NAME'));
    const own = known.filter(([name]) => name !== 'PLATFORM' && name !== 'PARENT_DEVICE');
    return {
      ...Object.fromEntries(own.map(([name, value]) => [name, describeValue(name, value)])),
      platform: this.platform.name,
      type: this.type,
    };
  }

  /**
   * A context over this device (clCreateContext).
   * @throws OpenCLError DEVICE_NOT_AVAILABLE, INVALID_PROPERTY for options that the device does not have
   */
  createContext(options?: ContextOptions): Context {
    return Context.create([this], options);
  }

  /**
   * Parts of the device, each a device. Throws DEVICE_PARTITION_FAILED, INVALID_DEVICE_PARTITION_COUNT or INVALID_VALUE if the
   * device refuses.
   */
  partition(how: Partition): readonly Device[] {
    const functionName = 'clCreateSubDevices';
    return this[handleFor](functionName)
      .createSubDevices(partitionProperties(how, functionName))
      .map((handle) => new Device(handle, this.platform, -1, this));
  }

  /** The device's and the host's clock at one moment, in nanoseconds (clGetDeviceAndHostTimer). */
  timers(): { device: bigint; host: bigint } {
    return this[handleFor]('clGetDeviceAndHostTimer').timers();
  }

  /** Name and type, for people. */
  override toString(): string {
    return `${this.platform.name}: ${this.name}`;
  }
}

guard('Device', Device);
