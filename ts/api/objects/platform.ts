// SPDX-License-Identifier: MIT

import type { BackendPlatform } from '../../backend/backend';
import { DeviceType, ErrorCode } from '../../cl/constants.gen';
import { platformInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { wrap } from '../internals';
import { type ContextOptions, checkContextOptions, contextProperties } from '../options/context-options';
import { backends } from '../runtime';
import { Context } from './context';
import { Device } from './device';

/** Properties by name, without `CL_PLATFORM_`. */
export type PlatformInfo = InfoOf<typeof platformInfo>;

const TYPES = {
  all: DeviceType.ALL,
  gpu: DeviceType.GPU,
  accelerator: DeviceType.ACCELERATOR,
  cpu: DeviceType.CPU,
  custom: DeviceType.CUSTOM,
} as const;

/**
 * The value of a property of platforms. A symbol has no structured clone, so that `structuredClone` and `postMessage` fail with
 * its description for a platform and for all objects that refer to one, which are those of its devices. Without it they would
 * make objects without methods.
 */
const UNCLONEABLE = Symbol('an OpenCL object, which only the thread that made it can use');

/**
 * A driver, or anycl's own software platform. Lives as long as the process.
 *
 * @example
 * ```ts
 * for (const platform of platforms()) console.log(platform.name, platform.devices.length);
 * ```
 */
export class Platform {
  readonly #handle: BackendPlatform;
  #devices: readonly Device[] | undefined;

  /** @internal */
  constructor(handle: BackendPlatform) {
    this.#handle = handle;
    Object.defineProperty(this, 'stays', { value: UNCLONEABLE, enumerable: true });
  }

  /** `native` for a driver, `software` for the device in the package. */
  get kind(): 'native' | 'software' | 'null' {
    return this.#handle.backend.kind;
  }

  /** The name as the driver reports it (CL_PLATFORM_NAME). */
  get name(): string {
    return this.info('NAME').trim();
  }

  /** The version of OpenCL and of the driver (CL_PLATFORM_VERSION). */
  get version(): string {
    return this.info('VERSION').trim();
  }

  /** Its devices; the same objects each time. */
  get devices(): readonly Device[] {
    this.#devices ??= this.#handle.devices().map((handle, index) => new Device(handle, this, index));
    return this.#devices;
  }

  /** A property by its name without `CL_PLATFORM_`, or by number as bytes (clGetPlatformInfo). */
  info<K extends keyof PlatformInfo>(key: K): PlatformInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof PlatformInfo | number): unknown {
    return queryInfo(platformInfo, key, 'clGetPlatformInfo', (param) => this.#handle.info(param));
  }

  /**
   * A context of all devices of a type (clCreateContextFromType).
   * @throws OpenCLError DEVICE_NOT_FOUND if there is none
   */
  createContext(
    type: 'all' | 'gpu' | 'accelerator' | 'cpu' | 'custom' = 'all',
    options: ContextOptions = {},
  ): Context {
    const functionName = 'clCreateContextFromType';
    const bits = TYPES[type];
    if (bits === undefined)
      throw new OpenCLError(ErrorCode.INVALID_DEVICE_TYPE, functionName, `unknown type '${type}'`);
    const devices = this.devices.filter((device) => Number(device.info('TYPE')) & bits);
    if (devices.length === 0)
      throw new OpenCLError(ErrorCode.DEVICE_NOT_FOUND, functionName, `${this.name} has no such device`);
    checkContextOptions(devices, options, functionName);
    const handle = this.#handle.createContextFromType?.(bits, contextProperties(options));
    return handle ? Context[wrap](handle, devices) : Context.create(devices, options);
  }

  /**
   * The devices that can share with a GL context, or the one that renders it now (clGetGLContextInfoKHR,
   * cl_khr_gl_sharing).
   */
  glDevices(gl: NonNullable<ContextOptions['gl']>, which: 'all' | 'current' = 'all'): readonly Device[] {
    const functionName = 'clGetGLContextInfoKHR';
    if (!this.#handle.glDevices) throw unsupported(functionName, 'cl_khr_gl_sharing');
    const handles = this.#handle.glDevices(contextProperties({ gl }), which === 'all' ? 0x2007 : 0x2006);
    const known = this.#handle.devices();
    return handles.map((handle) => this.devices[known.indexOf(handle)] ?? new Device(handle, this, -1));
  }

  /** Lets the driver free its compiler's memory (clUnloadPlatformCompiler). */
  unloadCompiler(): void {
    this.#handle.unloadCompiler();
  }
}

guard('Platform', Platform);

let found: readonly Platform[] | undefined;

/** All platforms: the drivers' in the order of the ICD loader, then the software platform. Never empty. */
export function platforms(): readonly Platform[] {
  found ??= backends()
    .flatMap((backend) => backend.platforms())
    .map((handle) => new Platform(handle));
  return found;
}

/** Only the software platform: unlike `platforms()`, this loads no driver. */
export function softwarePlatform(): Platform {
  const known = found?.find((platform) => platform.kind === 'software');
  if (known) return known;
  softwareOnly ??= new Platform(backends('software')[0]!.platforms()[0]!);
  return softwareOnly;
}

let softwareOnly: Platform | undefined;
