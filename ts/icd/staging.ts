// SPDX-License-Identifier: MIT
//
// The staging memory, as this side sees it: a file that the client maps.
import { readSync, writeSync } from 'node:fs';

/** The most that Node.js reads or writes in one call. */
const MOST = 2 ** 30;

export class Staging {
  constructor(readonly file: number) {}

  read(into: Uint8Array, position: number): void {
    for (let done = 0; done < into.length; )
      done += readSync(this.file, into, done, Math.min(MOST, into.length - done), position + done);
  }

  write(from: Uint8Array, position: number): void {
    for (let done = 0; done < from.length; )
      done += writeSync(this.file, from, done, Math.min(MOST, from.length - done), position + done);
  }
}
