// SPDX-License-Identifier: MIT
//
// The thin host layer: all that anycl needs of Node.js (or, one day, of a browser) outside of the native addon and
// the command line. ts/host/node implements it; everything else takes it as a value.

/** A worker thread that runs the device's worker loop. */
export interface HostWorker {
  post(message: unknown): void;
  terminate(): void;
  onError(listener: (error: Error) => void): void;
  /** Whether this worker keeps the process alive. */
  keepAlive(on: boolean): void;
}

export interface Host {
  readonly cores: number;
  env(name: string): string | undefined;
  /** A file shipped beside the bundle, such as the built-in library; undefined if it is missing. */
  readAsset(name: string): Uint8Array | undefined;
  /** Starts a thread that runs the device's worker loop, handing it `data` as its first message. */
  startWorker(data: unknown): HostWorker;
  /** Cache of compiled programs on disk. Never throws: a broken cache is a missing entry. */
  cacheRead(key: string): Uint8Array | undefined;
  cacheWrite(key: string, bytes: Uint8Array): void;
  /** Hex digest, for cache keys. */
  hash(parts: readonly (string | Uint8Array)[]): string;
  /** Nanoseconds of a clock that never goes back. */
  now(): bigint;
  /** Where printf of kernels goes. */
  writeOut(text: string): void;
  /** For `#include`; undefined where there is no such file. */
  readFile(path: string): Uint8Array | undefined;
}
