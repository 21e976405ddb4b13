// SPDX-License-Identifier: MIT
//
// Binary semaphores (cl_khr_semaphore). Each signal releases one wait, in the order in which the waits were enqueued, be it
// enqueued before the wait or after it.
import { ErrorCode, SemaphoreProperty, SemaphoreType } from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { semaphoreInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { Command, Status } from '../../device/commands/command';
import type { Scheduler } from '../../device/commands/scheduler';
import type { BackendSemaphore } from '../backend-objects';
import { RefCounted } from './ref-counted';

export class SoftwareSemaphore extends RefCounted implements BackendSemaphore {
  private signalled = false;
  /** The signals that wait commands wait for, in order. */
  private readonly waiting: Command[] = [];

  /** @param properties key, value, …, without the closing 0. */
  constructor(
    private readonly scheduler: Scheduler,
    private readonly properties: readonly bigint[],
  ) {
    super();
    checkProperties(properties);
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT_KHR: this.referenceCount,
      PROPERTIES_KHR: [...this.properties, 0n],
      PAYLOAD_KHR: this.signalled ? 1n : 0n,
      TYPE_KHR: SemaphoreType.BINARY_KHR,
      EXPORTABLE_KHR: false,
    };
    return answerInfo(semaphoreInfo, answers, 'clGetSemaphoreInfoKHR', param);
  }

  /** A command that completes when this wait's signal arrives. */
  wait(): Command {
    const wait = new Command({ kind: 'user' }, false);
    if (this.signalled) {
      this.signalled = false;
      this.scheduler.complete(wait, Status.Complete);
    } else this.waiting.push(wait);
    return wait;
  }

  signal(): void {
    const wait = this.waiting.shift();
    if (wait) this.scheduler.complete(wait, Status.Complete);
    else this.signalled = true;
  }

  exportHandle(): Uint8Array {
    throw notShared('clGetSemaphoreHandleForTypeKHR');
  }

  reimportSyncFd(): void {
    throw notShared('clReImportSemaphoreSyncFdKHR');
  }

  protected override destroy(): void {}
}

function checkProperties(properties: readonly bigint[]): void {
  const functionName = 'clCreateSemaphoreWithPropertiesKHR';
  const [key, type, ...others] = properties;
  if (key !== BigInt(SemaphoreProperty.TYPE_KHR) || type !== BigInt(SemaphoreType.BINARY_KHR))
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, 'the device has binary semaphores only');
  if (others.length > 0 && others[0] !== BigInt(SemaphoreProperty.DEVICE_HANDLE_LIST_KHR)) {
    const detail = 'the device has no external semaphores: nothing to export to, or import from';
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, detail);
  }
}

function notShared(functionName: string): OpenCLError {
  const detail = 'semaphores of the software device have no handle of the operating system';
  return new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}
