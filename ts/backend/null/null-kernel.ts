// SPDX-License-Identifier: MIT
//
// Kernels of the null backend.
import { ErrorCode } from '../../cl/constants.gen';
import { kernelArgInfo, kernelInfo, kernelWorkGroupInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice } from '../backend';
import type { BackendKernel, BackendQueue } from '../backend-queue';
import { answer, NullObject } from './null-object';

export class NullKernel extends NullObject implements BackendKernel {
  constructor(
    private readonly name: string,
    private readonly parameters: readonly string[],
  ) {
    super();
  }

  info(param: number): Uint8Array {
    const answers = {
      FUNCTION_NAME: this.name,
      NUM_ARGS: this.parameters.length,
      REFERENCE_COUNT: 1,
      ATTRIBUTES: '',
    };
    return answer(kernelInfo, answers, param);
  }

  argInfo(_index: number, param: number): Uint8Array {
    answer(
      kernelArgInfo,
      { NAME: '', TYPE_NAME: '', ADDRESS_QUALIFIER: 0, ACCESS_QUALIFIER: 0, TYPE_QUALIFIER: 0 },
      param,
    );
    throw new OpenCLError(ErrorCode.KERNEL_ARG_INFO_NOT_AVAILABLE, 'clGetKernelArgInfo');
  }

  workGroupInfo(_device: BackendDevice, param: number): Uint8Array {
    const answers = {
      WORK_GROUP_SIZE: 1024,
      COMPILE_WORK_GROUP_SIZE: [0, 0, 0],
      LOCAL_MEM_SIZE: 0,
      PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 1,
      PRIVATE_MEM_SIZE: 0,
    };
    return answer(kernelWorkGroupInfo, answers, param);
  }

  subGroupInfo(): Uint8Array {
    throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clGetKernelSubGroupInfo', 'there are no sub-groups');
  }

  setArg(): void {}

  setExecInfo(): void {}

  suggestedLocalSize(_queue: BackendQueue, global: readonly number[]): readonly number[] {
    return global.map(() => 1);
  }

  clone(): BackendKernel {
    return new NullKernel(this.name, this.parameters);
  }
}
