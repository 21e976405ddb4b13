// SPDX-License-Identifier: MIT
import type { Handle } from './addon';
import type { Session } from './session';

/** A reference-counted object of a driver. Its reference is released by `release`, or when the object is collected. */
export class NativeObject {
  constructor(
    readonly session: Session,
    readonly handle: Handle,
  ) {
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  release(): void {
    this.session.release(this, this.handle);
  }
}
