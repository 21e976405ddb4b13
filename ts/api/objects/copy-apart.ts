// SPDX-License-Identifier: MIT
//
// Large copies that only their caller waits for: on a thread of their own, where a driver would copy on the calling thread.
import { COMMANDS } from '../../backend/command-table';
import { ifNotDetached, ifSourceNotDetached } from '../data/transfers';
import { handleFor } from '../internals';
import type { Buffer } from './buffer';
import type { CommandQueue } from './queue';

const DIRECTIONS = {
  read: {
    op: 'readBuffer',
    check: (array: ArrayBufferView, by: string) => ifNotDetached(array, 'wrote to it', by),
  },
  write: { op: 'writeBuffer', check: ifSourceNotDetached },
} as const;

/**
 * Copies between an array and the buffer's memory from byte `offset` on, in no order with commands that are enqueued before the promise
 * resolves. Undefined where a command of the queue is better.
 */
export function copyApart(
  direction: keyof typeof DIRECTIONS,
  queue: CommandQueue,
  buffer: Buffer,
  array: ArrayBufferView,
  offset: number,
): Promise<unknown> | undefined {
  const { op, check } = DIRECTIONS[direction];
  const { enqueuedBy } = COMMANDS[op];
  const intact = check(array, enqueuedBy);
  const copy = queue[handleFor](enqueuedBy).copyApart?.(
    direction,
    buffer[handleFor](enqueuedBy),
    offset,
    array,
  );
  return copy?.then(intact);
}
