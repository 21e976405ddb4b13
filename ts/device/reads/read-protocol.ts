// SPDX-License-Identifier: MIT
//
// The messages between the scheduling thread and the thread that copies results for it.

/** The data that the thread starts with. It sleeps on `wake`, which is incremented after each request. */
export interface ReadStart {
  readonly wake: SharedArrayBuffer;
}

/** Posted to the thread: copy a range of a device's memory into new memory. Replies come in the order of the requests. */
export interface ReadRequest {
  readonly memory: ArrayBufferLike;
  readonly address: number;
  readonly size: number;
}

/** Posted by the thread: first `ready`, then the copies; undefined for one for which it found no memory. */
export type ReadReply = 'ready' | ArrayBuffer | undefined;
