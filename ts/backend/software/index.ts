// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { Device } from '../../device/device';
import type { JitOptions } from '../../jit/compiled';
import type { Backend, BackendPlatform } from '../backend';
import { jitSettings } from './jit-settings';
import { SoftwarePlatform } from './platform';
import type { Services } from './services';
import type { Toolchain } from './toolchain';

/** The backend over anycl's own compiler, JIT and device: always there, on every machine. */
export class SoftwareBackend implements Backend {
  readonly kind = 'software';
  private platform: SoftwarePlatform | undefined;
  private services: Services | undefined;

  constructor(
    private readonly host: Host,
    private readonly toolchain: (host: Host) => Toolchain,
  ) {}

  platforms(): readonly BackendPlatform[] {
    if (!this.platform) {
      const { host, toolchain } = this;
      let known: JitOptions | undefined;
      const settings = (): JitOptions => {
        known ??= jitSettings(host);
        return known;
      };
      this.services = { host, device: new Device(host), toolchain: toolchain(host), settings };
      this.platform = new SoftwarePlatform(this, this.services);
    }
    return [this.platform];
  }

  /** Ends the worker threads. For tests; a process may exit with the threads running. */
  async shutdown(): Promise<void> {
    await this.services?.device.pool.shutdown();
  }
}
