// SPDX-License-Identifier: MIT
//
// Random programs of commands, as data: what is enqueued, in which order. Waits between commands are not part of them: `order.ts`
// finds those that a program needs, so steps can be taken out and the rest is still a program with a defined result.

import type { ImageFormatName } from '../../../ts/api/data/image-formats';
import type { ImageType } from '../../../ts/api/objects/image';

export type Triple = readonly [number, number, number];

/** A box of bytes in linear memory: [bytes, rows, slices]. */
export interface Box {
  readonly origin: Triple;
  readonly region: Triple;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** Bytes of a memory: consecutive ones or a box. Of an image, pixels. */
export type Place =
  | { readonly memory: number; readonly kind: 'span'; readonly offset: number; readonly size: number }
  | { readonly memory: number; readonly kind: 'box'; readonly box: Box }
  | { readonly memory: number; readonly kind: 'pixels'; readonly origin: Triple; readonly region: Triple };

export type Memory = { readonly id: number; readonly context: number; readonly size: number } & (
  | { readonly kind: 'buffer'; readonly how: 'copy' | 'use' | 'alloc' }
  | { readonly kind: 'sub'; readonly parent: number; readonly origin: number }
  | { readonly kind: 'svm' }
  | {
      readonly kind: 'image';
      readonly type: ImageType;
      readonly format: ImageFormatName;
      readonly pixelBytes: number;
      /** In pixels; layers are the last used coordinate. */
      readonly extent: Triple;
      /** The buffer whose first bytes are its pixels. */
      readonly over?: number;
    }
);
/** Whether it has no contents until it is filled. */
export const isFilled = (memory: Memory): boolean =>
  memory.kind === 'svm' || (memory.kind === 'buffer' && memory.how === 'alloc');

export type ImageMemory = Extract<Memory, { kind: 'image' }>;

export interface Queue {
  readonly id: number;
  readonly context: number;
  readonly outOfOrder: boolean;
}

/** A launch of one of the kernels in `kernels.ts`: its arguments are memories, then ints, then local memory. */
export interface Launch {
  readonly kernel: string;
  readonly memories: readonly number[];
  readonly numbers: readonly number[];
  /** Bytes of each local argument. */
  readonly locals: readonly number[];
  readonly global: readonly number[];
  readonly local?: readonly number[];
  readonly offset?: readonly number[];
}

export type MapMode = 'read' | 'write' | 'read-write' | 'write-invalidate';

/** What a command does, apart from its queue and its waits. */
export type Work =
  | { readonly op: 'write'; readonly to: Place; readonly seed: number; readonly host?: HostBox }
  | { readonly op: 'read'; readonly from: Place; readonly how: 'own' | 'new'; readonly host?: HostBox }
  | { readonly op: 'fill'; readonly to: Place; readonly pattern: readonly number[]; readonly color?: Color }
  | { readonly op: 'copy'; readonly from: Place; readonly to: Place }
  /** Memories of one kind, shared virtual memory or objects, to the queue's device or to the host. */
  | { readonly op: 'migrate'; readonly memories: readonly number[]; readonly toHost?: boolean }
  | { readonly op: 'run'; readonly launch: Launch };
export type Color = readonly [number, number, number, number];

/** Where a rectangle is in the host's array. */
export interface HostBox {
  readonly size: number;
  readonly box: Box;
}

/** What all commands have: they are enqueued, and may wait for user events. */
interface Enqueued {
  readonly queue: number;
  /** User events that it waits for. */
  readonly gates?: readonly number[];
  /** Earlier steps that it waits for without need. */
  readonly extra?: readonly number[];
  /** It has a listener, which must be called once. */
  readonly listens?: boolean;
  /** Its event is released as soon as no later command waits for it. */
  readonly drops?: boolean;
}

export type Step = { readonly id: number } & (
  | { readonly op: 'memory'; readonly memory: Memory; readonly seed: number; readonly queue: number }
  | { readonly op: 'release'; readonly memory: number }
  | { readonly op: 'release queue'; readonly queue: number }
  | ({
      readonly op: 'command';
      readonly work: Work;
      readonly sync?: boolean;
      readonly silent?: boolean;
    } & Enqueued)
  | ({ readonly op: 'batch'; readonly launches: readonly Launch[] } & Enqueued)
  | ({ readonly op: 'map'; readonly place: Place; readonly mode: MapMode } & Enqueued)
  | ({ readonly op: 'unmap'; readonly map: number; readonly seed: number } & Enqueued)
  | ({ readonly op: 'marker' | 'barrier' } & Enqueued)
  | {
      readonly op: 'record';
      readonly queue: number;
      readonly works: readonly Work[];
      readonly outOfOrder: boolean;
      /** Its launches may be changed. */
      readonly mutable?: boolean;
    }
  /** Another launch of the same kernel in the place of a recorded one. */
  | { readonly op: 'update'; readonly record: number; readonly at: number; readonly launch: Launch }
  | ({ readonly op: 'replay'; readonly record: number } & Enqueued)
  | { readonly op: 'gate'; readonly context: number }
  | { readonly op: 'open'; readonly gate: number; readonly fails?: boolean }
  | { readonly op: 'wait'; readonly step: number; readonly how: 'await' | 'sync' }
  | { readonly op: 'finish'; readonly queue: number; readonly how: 'await' | 'sync' }
  | { readonly op: 'flush'; readonly queue: number }
  | { readonly op: 'turn' }
);
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

export interface Program {
  readonly contexts: number;
  readonly queues: readonly Queue[];
  /** Its contexts are released before its commands are waited for. */
  readonly closes?: boolean;
  readonly steps: readonly Step[];
}

/** What a device can do, as far as programs depend on it. */
export interface Abilities {
  readonly svm: boolean;
  readonly images: boolean;
  /** Images may be over the bytes of buffers, without gaps between their rows. */
  readonly imagesOver: boolean;
  /** Recorded launches can be changed. */
  readonly updates: boolean;
  /** Bytes: where sub-buffers may begin. */
  readonly align: number;
  /** Command buffers keep the memory of their commands: emulated ones refuse to run when it was released. */
  readonly keepsRecorded: boolean;
  /** What waits for a failed event fails, and only that; it does so when all else that it waits for is complete. */
  readonly failsAlone: boolean;
  /** Queues run in order, even those that were made otherwise. */
  readonly inOrder: boolean;
}

/** Reproducible bytes. */
export function bytesOf(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995;
  for (let i = 0; i < size; i++) {
    state = Math.imul(state, 1664525) + 1013904223;
    bytes[i] = state >>> 24;
  }
  return bytes;
}
