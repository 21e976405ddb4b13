// SPDX-License-Identifier: MIT
//
// Kernels of a driver.
import { ErrorCode, KernelInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice } from '../backend';
import type { BackendSvm } from '../backend-objects';
import { type BackendArgument, type BackendKernel, type BackendQueue, LocalArgument } from '../backend-queue';
import type { Handle } from './addon';
import { NativeMemory, NativeSampler, NativeSvm } from './memory';
import { NativeObject } from './native-object';
import type { ProgramSources } from './program-sources';
import { NativeQueue } from './queue';
import { handleOf, type Session } from './session';

export class NativeKernel extends NativeObject implements BackendKernel {
  constructor(
    session: Session,
    handle: Handle,
    /** Of its program, if that has any. */
    private readonly sources: ProgramSources | undefined,
  ) {
    super(session, handle);
  }

  argInfo(index: number, param: number): Uint8Array {
    return this.session.addon.argInfo(this.handle, index, param);
  }

  baseType(index: number): string | undefined {
    if (!this.sources) return undefined;
    return this.sources.baseType(decodeInfo('string', this.info(KernelInfo.FUNCTION_NAME)), index);
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
    return new NativeKernel(this.session, this.session.addon.cloneKernel(this.handle), this.sources);
  }
}
