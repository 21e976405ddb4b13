// SPDX-License-Identifier: MIT
//
// The platforms and devices of the machine's drivers.
import { DeviceInfo, DeviceType, ErrorCode } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { Backend, BackendDevice, BackendPlatform } from '../backend';
import type { Handle } from './addon';
import { NativeContext } from './context';
import { RemoteDevice } from './remote-device';
import type { RemoteServers } from './remote-server';
import { configuredAddresses, havePeers } from './remote-settings';
import { handleOf, type Session } from './session';

export class NativePlatform implements BackendPlatform {
  private found: readonly NativeDevice[] | undefined;

  constructor(
    private readonly session: Session,
    readonly handle: Handle,
    readonly backend: Backend,
    private readonly servers: RemoteServers,
  ) {}

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  devices(): readonly NativeDevice[] {
    this.found ??= this.session.addon
      .devices(this.handle, DeviceType.ALL)
      .map((handle) => new NativeDevice(this.session, handle, this, false));
    const remote = this.found.filter((device) => device.isRemote());
    const addresses = remote.length > 0 ? configuredAddresses() : [];
    for (const [i, device] of remote.entries()) {
      const address = addresses[i];
      if (address)
        device.connection ??= new RemoteDevice(
          this.session,
          device.handle,
          address,
          this.servers.of(address),
        );
    }
    return this.found;
  }

  createContextFromType(type: number, properties: readonly bigint[]): NativeContext {
    // The steps that can fail are first: a later failure would leak the context.
    const chosen = this.devices().filter((device) => (device.type() & type) !== 0);
    checkReach(chosen);
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

/** Devices of one context send each other the contents of buffers. */
function checkReach(devices: readonly BackendDevice[]): void {
  const servers = new Set(devices.map(({ remote }) => remote?.replace(/\/.*$/, '')));
  if (servers.size < 2 || havePeers()) return;
  throw new OpenCLError(
    ErrorCode.INVALID_DEVICE,
    'clCreateContext',
    `a context over devices of several machines needs servers that reach each other: name them as 'host:port/device#host', or give each device a context of its own`,
  );
}

export class NativeDevice implements BackendDevice {
  /** Of a device of another machine. */
  connection: RemoteDevice | undefined;

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

  get remote(): string | undefined {
    return this.connection?.address;
  }

  /** Whether PoCL's remote client shows it. */
  isRemote(): boolean {
    return decodeInfo('string', this.info(DeviceInfo.VERSION)).includes('pocl-remote:');
  }

  type(): number {
    return Number(decodeInfo('bitfield', this.info(DeviceInfo.TYPE)));
  }

  createSubDevices(properties: readonly number[]): readonly NativeDevice[] {
    return this.session.addon.createSubDevices(this.handle, properties.map(BigInt)).map((handle) => {
      const part = new NativeDevice(this.session, handle, this.platform, true);
      part.connection = this.connection;
      return part;
    });
  }

  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): NativeContext {
    checkReach(devices);
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
