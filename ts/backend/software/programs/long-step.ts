// SPDX-License-Identifier: MIT
import type { Host } from '../../../base/host';

/** Runs a step of a large compilation on this thread. */
export function longStep<T>(host: Host, step: () => T): T {
  const end = host.beginLongStep();
  try {
    return step();
  } finally {
    end();
  }
}
