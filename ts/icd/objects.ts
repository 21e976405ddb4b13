// SPDX-License-Identifier: MIT
//
// The client's objects by its ids.
import type { BackendDevice } from '../backend/backend';
import type { BackendCommandBuffer } from '../backend/backend-command-buffer';
import type { BackendEvent, BackendSampler, BackendSemaphore } from '../backend/backend-objects';
import type { SoftwareContext } from '../backend/software/context';
import type { SoftwareDeviceQueue } from '../backend/software/device-queue';
import type { SoftwareKernel } from '../backend/software/kernel';
import type { SoftwareMemory } from '../backend/software/memory';
import type { SoftwareQueue } from '../backend/software/queue';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import type { Program } from './failed-link';

interface Kinds {
  /** A sub-device. */
  device: BackendDevice;
  context: SoftwareContext;
  queue: SoftwareQueue;
  /** One that kernels enqueue to. */
  deviceQueue: SoftwareDeviceQueue;
  memory: SoftwareMemory;
  sampler: BackendSampler;
  program: Program;
  kernel: SoftwareKernel;
  event: BackendEvent;
  semaphore: BackendSemaphore;
  commandBuffer: BackendCommandBuffer;
}
type Kind = keyof Kinds;

/** What a missing object is an error of. */
const INVALID: Readonly<Record<Kind, ErrorCode>> = {
  device: ErrorCode.INVALID_DEVICE,
  context: ErrorCode.INVALID_CONTEXT,
  queue: ErrorCode.INVALID_COMMAND_QUEUE,
  deviceQueue: ErrorCode.INVALID_COMMAND_QUEUE,
  memory: ErrorCode.INVALID_MEM_OBJECT,
  sampler: ErrorCode.INVALID_SAMPLER,
  program: ErrorCode.INVALID_PROGRAM,
  kernel: ErrorCode.INVALID_KERNEL,
  event: ErrorCode.INVALID_EVENT,
  semaphore: ErrorCode.INVALID_SEMAPHORE_KHR,
  commandBuffer: ErrorCode.INVALID_COMMAND_BUFFER_KHR,
};

export class Objects {
  private readonly all = new Map<number, { readonly kind: Kind; readonly value: Kinds[Kind] }>();

  add<K extends Kind>(kind: K, id: number, value: Kinds[K]): void {
    this.all.set(id, { kind, value });
  }

  get<K extends Kind>(kind: K, id: number): Kinds[K] {
    const value = this.find(kind, id);
    if (!value) throw new OpenCLError(INVALID[kind], 'libanycl-icd', `there is no ${kind} ${id}`);
    return value;
  }

  find<K extends Kind>(kind: K, id: number): Kinds[K] | undefined {
    const found = this.all.get(id);
    return found?.kind === kind ? (found.value as Kinds[K]) : undefined;
  }

  release(id: number): void {
    const found = this.all.get(id);
    this.all.delete(id);
    found?.value.release();
  }
}
