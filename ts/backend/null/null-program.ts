// SPDX-License-Identifier: MIT
//
// Programs of the null backend.
import { ErrorCode } from '../../cl/constants.gen';
import { programBuildInfo, programInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice, BackendProgram } from '../backend';
import type { BackendKernel } from '../backend-queue';
import { NullKernel } from './null-kernel';
import { answer, NullObject } from './null-object';

export class NullProgram extends NullObject implements BackendProgram {
  private readonly kernels: ReadonlyMap<string, readonly string[]>;

  constructor(readonly source: string) {
    super();
    const found = source.matchAll(/\b(?:__)?kernel\s+void\s+(\w+)\s*\(([^)]*)\)/g);
    this.kernels = new Map(
      [...found].map(([, name, list]) => [name!, list!.split(',').filter((text) => text.trim() !== '')]),
    );
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: 1,
      NUM_DEVICES: 1,
      SOURCE: this.source,
      NUM_KERNELS: this.kernels.size,
      KERNEL_NAMES: [...this.kernels.keys()].join(';'),
      IL: new Uint8Array(0),
    };
    return answer(programInfo, answers, param);
  }

  buildInfo(_device: BackendDevice, param: number): Uint8Array {
    const answers = { BUILD_STATUS: 0, BUILD_OPTIONS: '', BUILD_LOG: '', BINARY_TYPE: 4 };
    return answer(programBuildInfo, answers, param);
  }

  async build(): Promise<void> {}

  buildSync(): void {}

  async compile(): Promise<void> {}

  setSpecializationConstant(): void {}

  createKernel(name: string): BackendKernel {
    const parameters = this.kernels.get(name);
    if (parameters) return new NullKernel(name, parameters);
    throw new OpenCLError(ErrorCode.INVALID_KERNEL_NAME, 'clCreateKernel', `there is no kernel '${name}'`);
  }

  kernelNames(): readonly string[] {
    return [...this.kernels.keys()];
  }

  binaries(): readonly Uint8Array[] {
    return [new Uint8Array(0)];
  }
}
