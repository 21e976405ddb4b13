// SPDX-License-Identifier: MIT
// The loop of the thread that copies results into new memory, which it gives to the scheduling thread.
import type { WorkerHost } from '../../base/host';
import type { ReadReply, ReadRequest, ReadStart } from './read-protocol';

/** Whether a thread was started for this loop. */
export const isForReads = (data: unknown): data is ReadStart =>
  (data as Partial<ReadStart>).wake !== undefined;

export function runReads(host: WorkerHost, { wake }: ReadStart): never {
  const word = new Int32Array(wake);
  const reply = (message: ReadReply, given: readonly ArrayBuffer[] = []): void => host.post(message, given);
  reply('ready');
  for (;;) {
    const seen = Atomics.load(word, 0);
    for (let request = host.receive(); request !== undefined; request = host.receive()) {
      const copy = copyOf(request as ReadRequest);
      reply(copy, copy && [copy]);
    }
    Atomics.wait(word, 0, seen);
  }
}

/** Undefined if there is not enough memory. */
function copyOf({ memory, address, size }: ReadRequest): ArrayBuffer | undefined {
  try {
    const copy = new Uint8Array(size);
    copy.set(new Uint8Array(memory, address, size));
    return copy.buffer;
  } catch {
    return undefined;
  }
}
