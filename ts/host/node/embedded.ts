// SPDX-License-Identifier: MIT
//
// What the device needs beside its code. The build puts the contents into the bundles, in this module's place: bundlers then
// have no file to lose. This module is for programs that run from the sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './place';

function built(name: string): Buffer {
  const path = join(folder, '..', '..', '..', 'dist', name);
  try {
    return readFileSync(path);
  } catch {
    throw new Error(`${path} is missing: npm run build makes it`);
  }
}

/** The JavaScript of a worker thread. */
export const workerSource = (): string => built('worker.cjs').toString('latin1');
/** The JavaScript of the compiler's thread; undefined where it cannot be found. */
export const compilerSource = (): string | undefined => built('compiler.cjs').toString('latin1');
/** The built-in library: ts/backend/software/library-file.ts. */
export const library = (): Uint8Array => built('library.bin');
