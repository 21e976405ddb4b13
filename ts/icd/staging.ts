// SPDX-License-Identifier: MIT
//
// The staging memory: a file without a name that the client maps and this process reads and writes.
import { readSync, writeSync } from 'node:fs';

/** Node.js reads and writes at most this many bytes in one call. */
const MOST = 2 ** 30;

export class Staging {
  constructor(readonly file: number) {}

  read(into: Uint8Array, position: number): void {
    for (let done = 0; done < into.length; ) {
      const count = readSync(this.file, into, done, Math.min(MOST, into.length - done), position + done);
      if (count === 0) throw new RangeError(`the staging memory ends at byte ${position + done}`);
      done += count;
    }
  }

  write(from: Uint8Array, position: number): void {
    for (let done = 0; done < from.length; )
      done += writeSync(this.file, from, done, Math.min(MOST, from.length - done), position + done);
  }
}
