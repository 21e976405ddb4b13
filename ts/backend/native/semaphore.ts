// SPDX-License-Identifier: MIT
import type { BackendDevice } from '../backend';
import type { BackendSemaphore } from '../backend-objects';
import { NativeObject } from './native-object';
import { handleOf } from './session';

/** cl_khr_semaphore */
export class NativeSemaphore extends NativeObject implements BackendSemaphore {
  exportHandle(device: BackendDevice, type: number): Uint8Array {
    return this.session.addon.semaphoreHandle(this.handle, handleOf(device), type);
  }

  reimportSyncFd(properties: readonly bigint[], fd: number): void {
    this.session.addon.reimportSemaphoreSyncFd(this.handle, properties, fd);
  }
}
