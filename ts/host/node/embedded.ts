// SPDX-License-Identifier: MIT
//
// The files that the device needs beside its code. The build replaces this module by one that contains them, so that programs that
// are bundled need no further files. This module is for programs that run from the sources.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Steps } from '../../base/steps';
import { folder } from './place';

function built(name: string): string {
  const path = join(folder, '..', '..', '..', 'dist', name);
  if (!existsSync(path)) throw new Error(`${path} is missing: npm run build makes it`);
  return path;
}

/** The code of a worker thread: a file if there is one, because it starts faster, otherwise its text. */
export const workerFile = (): string | undefined => built('worker.cjs');
export const workerSource = (): string => readFileSync(built('worker.cjs'), 'latin1');
/** What worker threads load when a checked kernel comes. */
export const checkerSource = (): string => readFileSync(built('checker.cjs'), 'latin1');
/** The code of the compiler's thread; undefined if it cannot be found. */
export const compilerFile = (): string | undefined => built('compiler.cjs');
/** The built-in library: ts/backend/software/build/library-file.ts. */
export const library = (): Uint8Array => readFileSync(built('library.bin'));
/** Loads a chunk in steps, where there are chunks. */
export function* loadSteps(_chunk: string): Steps<void> {}
