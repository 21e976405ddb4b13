// SPDX-License-Identifier: MIT

import { DeviceType } from '../../cl/constants.gen';
import type { InfoAnswers } from '../../cl/encode-info';
import { deviceInfo, platformInfo } from '../../cl/info-keys.gen';
import type { Backend, BackendContext, BackendDevice, BackendPlatform } from '../backend';
import { NullContext } from './null-context';
import { answer } from './null-object';

/**
 * A backend that computes nothing: it accepts everything and completes every command at once. It finds
 * kernels by `__kernel void name(` in the source, and counts their parameters.
 */
export class NullBackend implements Backend {
  readonly kind = 'null';
  private readonly platform: BackendPlatform = new NullPlatform(this);

  platforms(): readonly BackendPlatform[] {
    return [this.platform];
  }
}

class NullPlatform implements BackendPlatform {
  private readonly device: BackendDevice = new NullDevice(this);

  constructor(readonly backend: NullBackend) {}

  info(param: number): Uint8Array {
    const version = { major: 3, minor: 0, patch: 0 };
    const answers = {
      PROFILE: 'FULL_PROFILE',
      VERSION: 'OpenCL 3.0 null',
      NAME: 'null',
      VENDOR: 'anycl',
      EXTENSIONS: '',
      NUMERIC_VERSION: version,
    };
    return answer(platformInfo, answers, param);
  }

  devices(): readonly BackendDevice[] {
    return [this.device];
  }

  unloadCompiler(): void {}
}

class NullDevice implements BackendDevice {
  constructor(readonly platform: NullPlatform) {}

  info(param: number): Uint8Array {
    const answers: InfoAnswers<typeof deviceInfo> = {
      TYPE: DeviceType.CUSTOM,
      NAME: 'null device',
      VENDOR: 'anycl',
      VERSION: 'OpenCL 3.0 null',
      DRIVER_VERSION: '0',
      PROFILE: 'FULL_PROFILE',
      EXTENSIONS: '',
      NUMERIC_VERSION: { major: 3, minor: 0, patch: 0 },
      ADDRESS_BITS: 32,
      MAX_COMPUTE_UNITS: 1,
      MAX_WORK_ITEM_DIMENSIONS: 3,
      MAX_WORK_GROUP_SIZE: 1024,
      MAX_WORK_ITEM_SIZES: [1024, 1024, 1024],
      MAX_MEM_ALLOC_SIZE: 2 ** 31,
      GLOBAL_MEM_SIZE: 2 ** 32,
      LOCAL_MEM_SIZE: 65536,
      MEM_BASE_ADDR_ALIGN: 1024,
      IMAGE_SUPPORT: true,
      AVAILABLE: true,
      COMPILER_AVAILABLE: true,
      SVM_CAPABILITIES: 1,
      PIPE_SUPPORT: true,
      QUEUE_PROPERTIES: 3,
      OPENCL_C_VERSION: 'OpenCL C 1.2',
      IL_VERSION: 'SPIR-V_1.0',
    };
    return answer(deviceInfo, answers, param);
  }

  createSubDevices(): readonly BackendDevice[] {
    return [];
  }

  createContext(devices: readonly BackendDevice[]): BackendContext {
    return new NullContext(devices);
  }

  timers(): { device: bigint; host: bigint } {
    return { device: 0n, host: 0n };
  }

  release(): void {}
}
