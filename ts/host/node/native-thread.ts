// SPDX-License-Identifier: MIT
import { readlinkSync } from 'node:fs';

/** The number that Linux gives the calling thread; 0 on other systems, or if the process may not ask. */
export function nativeThread(): number {
  // Deno asks the user before it reads from /proc.
  if (process.platform !== 'linux' || 'deno' in process.versions) return 0;
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0] ?? 0);
  } catch {
    return 0;
  }
}
