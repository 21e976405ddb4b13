// SPDX-License-Identifier: MIT
//
// The platform of the software device, its device and sub-devices.
import { answerInfo } from '../../cl/encode-info';
import { deviceInfo, platformInfo } from '../../cl/info-keys.gen';
import { workerCount } from '../../device/workers/pool';
import type { WorkerRange } from '../../device/workers/worker-range';
import type { Backend, BackendDevice, BackendPlatform } from '../backend';
import { SoftwareContext } from './context';
import { deviceAnswers, platformAnswers } from './device/device-info';
import { type DevicePart, divideWorkers } from './device/sub-devices';
import { RefCounted } from './ref-counted';
import type { Services } from './services';

export class SoftwarePlatform implements BackendPlatform {
  private readonly device: SoftwareDevice;

  constructor(
    readonly backend: Backend,
    private readonly services: Services,
  ) {
    this.device = new SoftwareDevice(this, services, { first: 0, count: workerCount(services.host) });
  }

  info(param: number): Uint8Array {
    return answerInfo(platformInfo, platformAnswers(this.services.addressBits), 'clGetPlatformInfo', param);
  }

  devices(): readonly BackendDevice[] {
    return [this.device];
  }

  unloadCompiler(): void {}
}

/** The device, or a part of it: some of its workers. */
export class SoftwareDevice extends RefCounted implements DevicePart {
  private answers: ReturnType<typeof deviceAnswers> | undefined;

  /** @param division how clCreateSubDevices divided the parent; empty for the device itself. */
  constructor(
    readonly platform: SoftwarePlatform,
    private readonly services: Services,
    readonly workers: WorkerRange,
    private readonly division: readonly number[] = [],
  ) {
    super();
  }

  info(param: number): Uint8Array {
    this.answers ??= {
      ...deviceAnswers(this.services, this.workers.count),
      PARTITION_TYPE: this.division.length > 0 ? [...this.division, 0].map(BigInt) : [],
      REFERENCE_COUNT: () => this.referenceCount,
    };
    return answerInfo(deviceInfo, this.answers, 'clGetDeviceInfo', param);
  }

  createSubDevices(properties: readonly number[]): readonly SoftwareDevice[] {
    const { platform, services } = this;
    return divideWorkers(this.workers, properties).map(
      (workers) => new SoftwareDevice(platform, services, workers, properties),
    );
  }

  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): SoftwareContext {
    return new SoftwareContext(this.services, devices, properties);
  }

  timers(): { device: bigint; host: bigint } {
    const now = this.services.host.now();
    return { device: now, host: now };
  }

  protected override destroy(): void {}
}
