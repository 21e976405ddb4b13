// SPDX-License-Identifier: MIT
import type { BackendDevice, BackendPlatform } from '../../backend/backend';
import type { BackendEvent } from '../../backend/backend-objects';
import type { SharedPages } from '../../backend/software/memory/shared-pages';
import type { Notifications, Replies, RequestName, Requests } from '../messages.gen';
import type { Objects } from '../objects';
import type { Sharing } from '../sharing';
import type { Staging } from '../staging';

/** The state that handlers share. */
export interface Session {
  readonly platform: BackendPlatform;
  readonly device: BackendDevice;
  readonly objects: Objects;
  readonly staging: Staging;
  /** Undefined if this process cannot share memory with the client. */
  readonly sharing: Sharing | undefined;
  /** Pages that the client's buffers share with it, by their offsets in the staging memory. */
  readonly slabs: Map<number, SharedPages>;
  /** Functions that complete the commands that the client carries out, by the ids of their events. */
  readonly turns: Map<number, () => void>;
  /** A sub-device by its id; the device itself for 0. */
  deviceOf(id: number): BackendDevice;
  notify<K extends keyof Notifications>(name: K, message: Notifications[K]): void;
  /**
   * Registers an event under the client's id, and reports its completion. `idle`: the number of commands that the event's queue has
   * accepted if it is idle, otherwise 0.
   */
  track(id: number, event: BackendEvent, idle?: () => number): void;
}

type Reply<K extends RequestName> = K extends keyof Replies ? Replies[K] | Promise<Replies[K]> : void;

/** A function for each request. An exception becomes the request's status. */
export type Handlers<Names extends RequestName = RequestName> = {
  readonly [K in Names]: (session: Session, request: Requests[K]) => Reply<K>;
};

/** The reply without fields. */
export const DONE = {};
