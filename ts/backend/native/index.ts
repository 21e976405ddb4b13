// SPDX-License-Identifier: MIT
//
// The machine's own OpenCL drivers. A machine without them, without a loader for them or without the addon has no
// platforms here, and `problem` tells a user why.

import { type RemoteAddress, remoteAddressText } from '../../base/remote-address';
import { ErrorCode, PlatformInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { Backend } from '../backend';
import { type Addon, InterfaceMismatch, openAddon } from './addon';
import { NativePlatform } from './platform';
import { RemoteServers } from './remote-server';
import { checkServers, configure, configuredAddresses, whyMissing } from './remote-settings';
import { Session } from './session';

class NativeBackend implements Backend {
  readonly kind = 'native';
  problem: string | undefined;
  private found: readonly NativePlatform[] | undefined;

  constructor(
    private readonly libraryPath: string | undefined,
    private readonly remoteTimeout: () => number | undefined,
  ) {}

  platforms(): readonly NativePlatform[] {
    this.found ??= this.find();
    return this.found;
  }

  async connect(addresses: readonly RemoteAddress[]): Promise<void> {
    const wanted = addresses.map(remoteAddressText);
    const isKnown = (known: readonly string[]) => wanted.every((text) => known.includes(text));
    if (!isKnown(configuredAddresses())) {
      if (this.found)
        throw new OpenCLError(
          ErrorCode.INVALID_OPERATION,
          'clGetDeviceIDs',
          `the drivers were loaded before, with ${configuredAddresses().join(', ') || 'no remote devices'}: name all remote devices in the first call that looks for devices`,
        );
      await checkServers(addresses, this.libraryPath);
      configure(addresses);
    }
    const platforms = this.platforms();
    if (this.problem !== undefined)
      throw new OpenCLError(ErrorCode.DEVICE_NOT_FOUND, 'clGetDeviceIDs', this.problem);
    const present = platforms.flatMap((platform) => platform.devices().flatMap(({ remote }) => remote ?? []));
    const missing = wanted.filter((text) => !present.includes(text));
    const versions = platforms.map((each) => decodeInfo('string', each.info(PlatformInfo.VERSION)).trim());
    if (missing.length > 0) throw whyMissing(missing, versions);
  }

  private find(): readonly NativePlatform[] {
    let addon: Addon;
    try {
      addon = openAddon();
    } catch (error) {
      this.problem =
        error instanceof InterfaceMismatch
          ? `the native addon ${error.message} was built from another version of anycl and does not fit this one: build it again: npx anycl build-addon, or npm run build:native in a checkout`
          : `the native addon is not there for ${process.platform}-${process.arch}: ${firstLine(error) || 'no prebuilt one was found'}. In a bundled program, leave anycl external or copy its folder prebuilds beside the program; on other platforms build it: npx anycl build-addon`;
      return [];
    }
    const session = Session.of(addon);
    const why = addon.open(this.libraryPath);
    if (why) {
      this.problem = this.libraryPath
        ? `ANYCL_OPENCL_LIBRARY is ${this.libraryPath}, which cannot be opened: ${why}`
        : `no OpenCL loader is installed (${loaderHint()}): ${why}`;
      return [];
    }
    try {
      const servers = new RemoteServers(addon, this.remoteTimeout());
      // Before drivers are asked for devices: a server may fall silent just then.
      for (const address of configuredAddresses()) servers.of(address);
      const platforms = addon
        .platforms()
        .map((handle) => new NativePlatform(session, handle, this, servers))
        .filter((platform) => this.libraryPath !== undefined || !isOurs(platform));
      if (platforms.length === 0)
        this.problem = `an OpenCL loader is installed, but no driver: ${driverHint()}`;
      return platforms;
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      this.problem = `the OpenCL loader failed: ${error.message}`;
      return [];
    }
  }
}

const OUR_ICD_SUFFIX = 'ANYCL';

/**
 * The platform of anycl's installed ICD (`anycl exec --install`) is omitted: it is the software device in another process, and
 * this process has its own. If the loader is named explicitly, the platform is kept.
 */
function isOurs(platform: NativePlatform): boolean {
  try {
    return decodeInfo('string', platform.info(PlatformInfo.ICD_SUFFIX_KHR)) === OUR_ICD_SUFFIX;
  } catch {
    return false;
  }
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

const loaderHint = (): string =>
  process.platform === 'linux'
    ? 'install ocl-icd-libopencl1 or your distribution’s OpenCL loader'
    : process.platform === 'win32'
      ? 'OpenCL.dll comes with the graphics driver'
      : 'OpenCL is part of the system';

const driverHint = (): string =>
  process.platform === 'linux'
    ? 'install your GPU vendor’s OpenCL driver, mesa-opencl-icd, or pocl-opencl-icd for the processor'
    : 'install your graphics vendor’s driver';

/**
 * `libraryPath`: the loader to open instead of the system's (ANYCL_OPENCL_LIBRARY); `remoteTimeout`: in seconds
 * (ANYCL_REMOTE_TIMEOUT), asked for when drivers are loaded.
 */
export function createNativeBackend(
  libraryPath: string | undefined,
  remoteTimeout: () => number | undefined = () => undefined,
): Backend {
  return new NativeBackend(libraryPath, remoteTimeout);
}
