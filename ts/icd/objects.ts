// SPDX-License-Identifier: MIT
//
// The objects of the client, by the ids that the client chose.
import type { BackendDevice } from '../backend/backend';
import type { BackendCommandBuffer } from '../backend/backend-command-buffer';
import type { BackendEvent, BackendSampler, BackendSemaphore } from '../backend/backend-objects';
import type { SoftwareContext } from '../backend/software/context';
import type { SoftwareDeviceQueue } from '../backend/software/device-queue';
import type { SoftwareMemory } from '../backend/software/memory/memory';
import type { SoftwareSvm } from '../backend/software/memory/svm';
import type { SoftwareKernel } from '../backend/software/programs/kernel';
import type { SoftwareQueue } from '../backend/software/queue';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import type { Program } from './failed-link';

interface Kinds {
  /** A sub-device. */
  device: BackendDevice;
  context: SoftwareContext;
  queue: SoftwareQueue;
  /** A queue on the device. */
  deviceQueue: SoftwareDeviceQueue;
  memory: SoftwareMemory;
  svm: SoftwareSvm;
  sampler: BackendSampler;
  program: Program;
  kernel: SoftwareKernel;
  event: BackendEvent;
  semaphore: BackendSemaphore;
  commandBuffer: BackendCommandBuffer;
}
type Kind = keyof Kinds;

/** The error code for a missing object of each kind. */
const INVALID: Readonly<Record<Kind, ErrorCode>> = {
  device: ErrorCode.INVALID_DEVICE,
  context: ErrorCode.INVALID_CONTEXT,
  queue: ErrorCode.INVALID_COMMAND_QUEUE,
  deviceQueue: ErrorCode.INVALID_COMMAND_QUEUE,
  memory: ErrorCode.INVALID_MEM_OBJECT,
  svm: ErrorCode.INVALID_VALUE,
  sampler: ErrorCode.INVALID_SAMPLER,
  program: ErrorCode.INVALID_PROGRAM,
  kernel: ErrorCode.INVALID_KERNEL,
  event: ErrorCode.INVALID_EVENT,
  semaphore: ErrorCode.INVALID_SEMAPHORE_KHR,
  commandBuffer: ErrorCode.INVALID_COMMAND_BUFFER_KHR,
};

export class Objects {
  private readonly svms = new Set<SoftwareSvm>();
  private readonly all = new Map<number, { readonly kind: Kind; readonly value: Kinds[Kind] }>();

  add<K extends Kind>(kind: K, id: number, value: Kinds[K]): void {
    this.all.set(id, { kind, value });
    if (kind === 'svm') this.svms.add(value as SoftwareSvm);
  }

  /** The bytes of shared virtual memory from an address on. */
  svmBytes(address: number): Uint8Array {
    const { svm, offset } = this.svmAt(address);
    return svm.bytes.subarray(offset);
  }

  /** The shared virtual memory that contains an address. No two contexts use the same addresses. */
  svmAt(address: number): { readonly svm: SoftwareSvm; readonly offset: number } {
    for (const svm of this.svms) {
      const offset = address - Number(svm.address);
      if (offset >= 0 && offset < svm.size) return { svm, offset };
    }
    throw new OpenCLError(
      INVALID.svm,
      'libanycl-icd',
      `there is no shared memory at 0x${address.toString(16)}`,
    );
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
    if (found?.kind === 'svm') this.svms.delete(found.value as SoftwareSvm);
    found?.value.release();
  }
}
