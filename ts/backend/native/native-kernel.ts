// SPDX-License-Identifier: MIT
//
// clEnqueueNativeKernel: a function of the script that the driver calls, on a thread of its own that waits for this one.
import type { BackendMemory } from '../backend-objects';
import type { Wait } from '../backend-queue';
import type { CommandStream } from './command-stream';
import { NativeEvent } from './event';
import { handleOf, type Session } from './session';

export function enqueueNativeKernel(
  queue: CommandStream,
  session: Session,
  run: (memories: readonly Uint8Array[]) => void,
  memories: readonly BackendMemory[],
  wait: Wait,
): NativeEvent {
  const { addon } = session;
  const waits = queue.putWaits(wait);
  const [handle, ticket] = addon.enqueueNativeKernel(queue.handle, memories.map(handleOf), waits);
  queue.pending = true;
  session.when(ticket, () => {
    const direct = addon.nativeKernelMemory(ticket);
    const views = direct.map((view, i) => {
      if (typeof view !== 'number') return view;
      const copy = new Uint8Array(view);
      addon.nativeKernelCopy(ticket, i, copy, false);
      return copy;
    });
    try {
      run(views);
    } finally {
      views.forEach((view, i) => {
        if (typeof direct[i] === 'number') addon.nativeKernelCopy(ticket, i, view, true);
        else addon.detach(view);
      });
      addon.nativeKernelDone(ticket);
    }
  });
  const event = new NativeEvent(session, handle, queue);
  // If a command fails before it runs, its thread must be able to block again.
  event.onComplete(() => {
    session.cancel(ticket);
    addon.nativeKernelDone(ticket);
  });
  return event;
}
