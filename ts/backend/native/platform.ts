// SPDX-License-Identifier: MIT

import { DeviceInfo, DeviceType } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import type { Backend, BackendDevice, BackendPlatform } from '../backend';
import type { Handle } from './addon';
import { NativeContext } from './context';
import { handleOf, type Session } from './session';

export class NativePlatform implements BackendPlatform {
  private found: readonly NativeDevice[] | undefined;

  constructor(
    private readonly session: Session,
    readonly handle: Handle,
    readonly backend: Backend,
  ) {}

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  devices(): readonly NativeDevice[] {
    this.found ??= this.session.addon
      .devices(this.handle, DeviceType.ALL)
      .map((handle) => new NativeDevice(this.session, handle, this, false));
    return this.found;
  }

  createContextFromType(type: number, properties: readonly bigint[]): NativeContext {
    // The steps that can fail are first: a later failure would leak the context.
    const chosen = this.devices().filter((device) => (device.type() & type) !== 0);
    const handle = this.session.addon.createContextFromType(this.handle, type, properties);
    return new NativeContext(this.session, handle, chosen);
  }

  glDevices(properties: readonly bigint[], param: number): readonly NativeDevice[] {
    const handles = this.session.addon.glContextInfo(this.handle, properties, param);
    const known = this.devices();
    return handles.map(
      (handle) =>
        known.find((device) => device.handle === handle) ??
        new NativeDevice(this.session, handle, this, false),
    );
  }

  unloadCompiler(): void {
    this.session.addon.unloadCompiler(this.handle);
  }

  /** Whether the driver has the OpenCL function with this name. */
  has(functionName: string): boolean {
    return this.session.addon.entryPoint(this.handle, functionName) === 1;
  }
}

export class NativeDevice implements BackendDevice {
  constructor(
    private readonly session: Session,
    readonly handle: Handle,
    readonly platform: NativePlatform,
    /** Root devices are not reference counted: they live as long as their platform. */
    private readonly sub: boolean,
  ) {
    if (sub) session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  type(): number {
    return Number(decodeInfo('bitfield', this.info(DeviceInfo.TYPE)));
  }

  createSubDevices(properties: readonly number[]): readonly NativeDevice[] {
    return this.session.addon
      .createSubDevices(this.handle, properties.map(BigInt))
      .map((handle) => new NativeDevice(this.session, handle, this.platform, true));
  }

  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): NativeContext {
    const handle = this.session.addon.createContext(devices.map(handleOf), properties);
    return new NativeContext(this.session, handle, devices);
  }

  timers(): { device: bigint; host: bigint } {
    const bytes = this.session.addon.timers(this.handle, true);
    const times = new BigUint64Array(bytes.buffer, bytes.byteOffset, 2);
    return { device: times[0]!, host: times[1]! };
  }

  release(): void {
    if (this.sub) this.session.release(this, this.handle);
  }
}
