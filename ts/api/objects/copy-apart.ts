// SPDX-License-Identifier: MIT
//
// Large copies that only their caller waits for, on threads of their own, where this one would do them.
import { COMMANDS } from '../../backend/command-table';
import { bytesOf } from '../../backend/host-memory';
import { readBuffer, writeBuffer } from '../commands/buffers';
import { ifNotDetached, ifSourceNotDetached } from '../data/transfers';
import { handleFor } from '../internals';
import type { Buffer } from './buffer';
import type { CommandQueue } from './queue';

/**
 * Copies between an array and the buffer's memory from byte `offset` on, in no order with commands that are enqueued before the promise
 * resolves. Undefined where a command of the queue is better.
 */
export function copyApart(
  direction: 'read' | 'write',
  queue: CommandQueue,
  buffer: Buffer,
  array: ArrayBufferView,
  offset: number,
): Promise<unknown> | undefined {
  const command =
    direction === 'read' ? readBuffer(buffer, array, { offset }) : writeBuffer(buffer, array, { offset });
  const { enqueuedBy } = COMMANDS[command.op];
  const intact =
    direction === 'read'
      ? ifNotDetached(array, 'wrote to it', enqueuedBy)
      : ifSourceNotDetached(array, enqueuedBy);
  return queue[handleFor](enqueuedBy).copyApart?.(command)?.then(intact);
}

/** Copies an array to another one of the same size: on a thread where that is worth one, otherwise before it returns. */
export async function copyMemory(
  queue: CommandQueue,
  from: ArrayBufferView,
  to: ArrayBufferView,
): Promise<void> {
  const { enqueuedBy } = COMMANDS.writeBuffer;
  const [source, target] = [bytesOf(from), bytesOf(to)];
  const intact = ifSourceNotDetached(from, enqueuedBy);
  const copied = queue[handleFor](enqueuedBy).copyMemory?.(source, target);
  if (!copied) return target.set(source);
  await copied;
  intact?.();
}
