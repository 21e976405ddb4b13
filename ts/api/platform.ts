// SPDX-License-Identifier: MIT
import type { BackendPlatform } from '../backend/backend';
import { platformInfo } from '../backend/info-keys.gen';
import { backends } from '../backend/registry';
import { Device } from './device';
import { type InfoOf, queryInfo } from './info';

/** Properties by name, without `CL_PLATFORM_`. */
export type PlatformInfo = InfoOf<typeof platformInfo>;

/** A driver, or anycl's own software platform. Lives as long as the process. */
export class Platform {
  readonly #handle: BackendPlatform;
  #devices: readonly Device[] | undefined;

  /** @internal */
  constructor(handle: BackendPlatform) {
    this.#handle = handle;
  }

  get kind(): 'native' | 'software' | 'null' {
    return this.#handle.backend.kind;
  }

  get name(): string {
    return this.info('NAME').trim();
  }

  get version(): string {
    return this.info('VERSION').trim();
  }

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

  /** Lets the driver free its compiler's memory (clUnloadPlatformCompiler). */
  unloadCompiler(): void {
    this.#handle.unloadCompiler();
  }
}

let found: readonly Platform[] | undefined;

/** All platforms: the drivers' in the order of the ICD loader, then the software platform. Never empty. */
export function platforms(): readonly Platform[] {
  found ??= backends()
    .flatMap((backend) => backend.platforms())
    .map((handle) => new Platform(handle));
  return found;
}

/** The software platform alone: unlike `platforms()`, this loads no driver. */
export function softwarePlatform(): Platform {
  const known = found?.find((platform) => platform.kind === 'software');
  if (known) return known;
  softwareOnly ??= new Platform(backends('software')[0]!.platforms()[0]!);
  return softwareOnly;
}

let softwareOnly: Platform | undefined;
