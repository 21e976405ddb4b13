// SPDX-License-Identifier: MIT
import type { Context } from '../api/objects/context';
import type { CommandQueue } from '../api/objects/queue';

/** The queues of one device: transfers in either direction overlap with kernels. */
export type Queues = readonly [upload: CommandQueue, compute: CommandQueue, download: CommandQueue];

/** Creates three queues, or none if one of them cannot be created. */
export function createQueues(context: Context): Queues {
  const made: CommandQueue[] = [];
  try {
    for (let i = 0; i < 3; i++) made.push(context.createQueue());
  } catch (error) {
    for (const queue of made) queue.release();
    throw error;
  }
  return made as unknown as Queues;
}
