// SPDX-License-Identifier: MIT

import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice } from '../backend';
import type { BackendSvm } from '../backend-objects';
import { type BackendArgument, type BackendKernel, type BackendQueue, LocalArgument } from '../backend-queue';
import { NativeMemory, NativeSampler, NativeSvm } from './memory';
import { NativeObject } from './native-object';
import { NativeQueue } from './queue';
import { handleOf } from './session';

export class NativeKernel extends NativeObject implements BackendKernel {
  argInfo(index: number, param: number): Uint8Array {
    return this.session.addon.argInfo(this.handle, index, param);
  }

  workGroupInfo(device: BackendDevice, param: number): Uint8Array {
    return this.session.addon.workGroupInfo(this.handle, handleOf(device), param);
  }

  subGroupInfo(device: BackendDevice, param: number, input: readonly number[]): Uint8Array {
    return this.session.addon.subGroupInfo(this.handle, handleOf(device), param, input);
  }

  setArg(index: number, value: BackendArgument): void {
    const { session, handle } = this;
    const { addon } = session;
    session.settleBatch();
    if (ArrayBuffer.isView(value)) {
      if (session.putBytes(value)) session.setArgBytes(handle, index, value.byteLength);
      else addon.setArgLarge(handle, index, value);
    } else if (value === null) session.setArgObject(handle, index, 0);
    else if (value instanceof NativeMemory) session.setArgObject(handle, index, value.handle);
    else if (value instanceof LocalArgument) addon.setArgLocal(handle, index, value.bytes);
    else if (value instanceof NativeSampler || value instanceof NativeQueue)
      session.setArgObject(handle, index, value.handle);
    else if (value instanceof NativeSvm) addon.setArgSvm(this.handle, index, value.handle);
    else throw new OpenCLError(ErrorCode.INVALID_ARG_VALUE, 'clSetKernelArg', 'an object of another backend');
  }

  setExecInfo(param: number, value: Uint8Array | readonly BackendSvm[]): void {
    const { addon } = this.session;
    if (ArrayBuffer.isView(value)) addon.setExecInfo(this.handle, param, value as Uint8Array);
    else addon.setExecSvm(this.handle, param, (value as readonly BackendSvm[]).map(handleOf));
  }

  setDevicePointer(index: number, address: bigint): void {
    this.session.settleBatch();
    this.session.addon.setArgDevicePointer(this.handle, index, address);
  }

  suggestedLocalSize(
    queue: BackendQueue,
    global: readonly number[],
    offset: readonly number[] | undefined,
  ): readonly number[] {
    return this.session.addon.suggestedLocalSize(handleOf(queue), this.handle, global, offset);
  }

  clone(): NativeKernel {
    return new NativeKernel(this.session, this.session.addon.cloneKernel(this.handle));
  }
}
