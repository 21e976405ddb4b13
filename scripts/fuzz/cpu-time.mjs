// SPDX-License-Identifier: MIT
//
// The CPU time of another process. A limit on CPU time finds no false hangs on a loaded machine.
import { readFileSync } from 'node:fs';

/** The kernel reports times in hundredths of a second on every architecture (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU time that a process and its threads have used; wall time except on Linux; 0 if the process has ended. */
export function cpuSeconds(pid) {
  if (process.platform !== 'linux') return Date.now() / 1000;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name, in brackets, may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
