// SPDX-License-Identifier: MIT
import type { SoftwareSemaphore } from '../semaphore';
import type { Preparations } from './prepared';

export const SEMAPHORE_COMMANDS: Preparations<'waitSemaphores' | 'signalSemaphores'> = {
  waitSemaphores({ semaphores }) {
    const uses = semaphores as readonly SoftwareSemaphore[];
    return { run: undefined, uses, waits: () => uses.map((semaphore) => semaphore.wait()) };
  },

  signalSemaphores({ semaphores }) {
    const uses = semaphores as readonly SoftwareSemaphore[];
    const run = (): void => {
      for (const semaphore of uses) semaphore.signal();
    };
    return { run, uses };
  },
};
