// SPDX-License-Identifier: MIT
//
// The thin host layer: everything that anycl needs of Node.js or of a browser, outside of the native addon and the command line.
// ts/host/node and ts/host/browser implement it; everything else takes it as a value.
import type { Settings } from './settings';

/** A thread that the host started. */
export interface HostWorker {
  post(message: unknown): void;
  /** Resolves when the thread has ended. */
  terminate(): Promise<void>;
  onMessage(listener: (message: unknown) => void): void;
  /** The thread died by itself. */
  onError(listener: (error: Error) => void): void;
  /** Whether this worker keeps the process alive. */
  keepAlive(on: boolean): void;
}

/** What the worker loop itself needs, on its own thread. */
export interface WorkerHost {
  /** The next message posted to this worker, undefined if there is none; never waits. */
  receive(): unknown;
  now(): bigint;
}

export interface CacheEntry {
  readonly key: readonly string[];
  readonly bytes: Uint8Array;
}

export interface Host {
  readonly settings: Settings;
  /** Whether there can be threads beside this one. Without, kernels run on the thread that calls. */
  readonly hasThreads: boolean;
  readonly cores: number;
  /** Of the processor, as Node.js calls it. */
  readonly architecture: string;
  /** Physical memory of the machine, in bytes. */
  readonly memoryBytes: number;
  /** Compiles a WebAssembly module with the optimizing compiler at once, so that its first run is as fast as later ones. */
  compileWasm(bytes: Uint8Array): WebAssembly.Module;
  /**
   * Compiles a large module on threads of the engine's own. Its code is optimized while it runs: the first run is slower
   * than later ones.
   */
  compileWasmInBackground(bytes: Uint8Array): Promise<WebAssembly.Module>;
  /** Whether `compileWasm` takes the module. */
  acceptsWasm(bytes: Uint8Array): boolean;
  /**
   * Runs a step of a small compilation. Where cores are few, a host may keep threads of its own that optimize the
   * compiler's code from taking them; larger steps need that code fast.
   */
  smallStep<T>(step: () => T): T;
  /**
   * A large compilation begins, on this thread or the compiler's; what is returned is to be called when it ends. A host may
   * have the engine optimize less of the compiler's code meanwhile: it can cost more than the compilation itself.
   */
  beginLongStep(): () => void;
  /** The built-in library, as scripts/build/library.mjs makes it. */
  builtInLibrary(): Uint8Array;
  /** Where there are threads: starts one that runs the device's worker loop, with `data` as its first message. */
  startWorker(data: unknown): HostWorker;
  /** Starts a thread that answers the requests of ts/backend/software/compile-request.ts; undefined if the host cannot. */
  startCompiler(): HostWorker | undefined;
  /**
   * Cache of compiled programs on disk; the key is everything that an entry depends on. Never throws: a broken cache is a missing
   * entry. `cacheRead` finds what this host wrote earlier. The contents to write are requested later, when no kernel's first
   * result is awaited, and at the latest at the process's end.
   */
  cacheRead(key: readonly string[]): Uint8Array | undefined;
  cacheWrite(entry: () => CacheEntry): void;
  /** 16 bytes that this user's processes on this machine share, and that are not in the cache; undefined where none can be kept. */
  cacheSecret(): Uint8Array | undefined;
  /** Nanoseconds of a clock that never goes back. */
  now(): bigint;
  /** Collects garbage at once, if the host can, and returns how many bytes of the heap are used afterwards. */
  collectGarbage(): number;
  /** The next iteration of the event loop: finalizers of collected objects have run by then. */
  nextTurn(): Promise<void>;
  /** Writes the output of kernels' printf. */
  writeOut(text: string): void;
  /** Writes files for a report of a fault of anycl's own, readable only by this user; returns their folder. Never throws. */
  writeReport(files: Readonly<Record<string, Uint8Array | string>>): string | undefined;
  /** For `#include`: a regular file below one of the folders; undefined if there is no such file. */
  readSource(path: string, folders: readonly string[]): Uint8Array | undefined;
}
