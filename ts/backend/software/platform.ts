// SPDX-License-Identifier: MIT

import { ErrorCode } from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { deviceInfo, platformInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { Backend, BackendDevice, BackendPlatform } from '../backend';
import { SoftwareContext } from './context';
import { deviceAnswers, platformAnswers } from './device-info';
import type { Services } from './services';

export class SoftwarePlatform implements BackendPlatform {
  private readonly device: SoftwareDevice;

  constructor(
    readonly backend: Backend,
    services: Services,
  ) {
    this.device = new SoftwareDevice(this, services);
  }

  info(param: number): Uint8Array {
    return answerInfo(platformInfo, platformAnswers, 'clGetPlatformInfo', param);
  }

  devices(): readonly BackendDevice[] {
    return [this.device];
  }

  unloadCompiler(): void {}
}

class SoftwareDevice implements BackendDevice {
  private answers: ReturnType<typeof deviceAnswers> | undefined;

  constructor(
    readonly platform: SoftwarePlatform,
    private readonly services: Services,
  ) {}

  info(param: number): Uint8Array {
    this.answers ??= deviceAnswers(this.services.host);
    return answerInfo(deviceInfo, this.answers, 'clGetDeviceInfo', param);
  }

  createSubDevices(properties: readonly number[]): readonly BackendDevice[] {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      'clCreateSubDevices',
      `the device cannot be partitioned (property ${properties[0] ?? 'none'})`,
    );
  }

  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): SoftwareContext {
    return new SoftwareContext(this.services, devices, properties);
  }

  timers(): { device: bigint; host: bigint } {
    const now = this.services.host.now();
    return { device: now, host: now };
  }

  release(): void {}
}
