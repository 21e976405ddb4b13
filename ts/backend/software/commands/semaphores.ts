// SPDX-License-Identifier: MIT
//
// Semaphore commands on the software device.
import { atOnce, NOTHING } from '../../../device/commands/host-work';
import type { SoftwareSemaphore } from '../semaphore';
import type { Preparations } from './prepared';

export const SEMAPHORE_COMMANDS: Preparations<'waitSemaphores' | 'signalSemaphores'> = {
  waitSemaphores({ semaphores }) {
    const uses = semaphores as readonly SoftwareSemaphore[];
    return { work: NOTHING, uses, waits: () => uses.map((semaphore) => semaphore.wait()) };
  },

  signalSemaphores({ semaphores }) {
    const uses = semaphores as readonly SoftwareSemaphore[];
    const run = (): void => {
      for (const semaphore of uses) semaphore.signal();
    };
    return { work: atOnce(run), uses };
  },
};
