// SPDX-License-Identifier: MIT
//
// The thin host layer: everything that anycl needs of Node.js or of a browser, outside of the native addon and the command line.
// ts/host/node and ts/host/browser implement it; everything else takes it as a value.
import type { Settings } from './settings';
import type { Steps } from './steps';
import type { DeviceTrace } from './trace';

/** A thread that the host started. */
export interface HostWorker {
  post(message: unknown): void;
  /** Resolves when the thread executes nothing any more. */
  terminate(): Promise<void>;
  onMessage(listener: (message: unknown) => void): void;
  /** The thread died by itself. */
  onError(listener: (error: Error) => void): void;
  /** Whether this worker keeps the process alive. */
  keepAlive(on: boolean): void;
}

/** What the worker loop needs on its thread. */
export interface WorkerHost {
  /** The next message posted to this worker, undefined if there is none; never waits. */
  receive(): unknown;
  /** Posts a message to the thread that started this one; `given` becomes that thread's. */
  post(message: unknown, given: readonly ArrayBuffer[]): void;
  now(): bigint;
  /** The number that the system gives this thread, for `Host.placeThread`; 0 if it cannot be known. */
  nativeThread(): number;
  /** Runs the code of a CommonJS module without imports; returns its exports. */
  load(source: string): Readonly<Record<string, unknown>>;
}

export interface CacheEntry {
  readonly key: readonly string[];
  readonly bytes: Uint8Array;
}

export interface Host {
  readonly settings: Settings;
  /** Whether the host can start threads. Without threads, kernels run on the calling thread. */
  readonly hasThreads: boolean;
  /** The code that worker threads load for checked kernels, for `WorkerHost.load`. Only called if there are threads. */
  checkerSource(): string;
  readonly cores: number;
  /** Whether the engine can pair vectors of 128 bits to such of 256 (ADR 39). */
  readonly wideVectors: boolean;
  /** Whether the engine moves what does not change out of loops. */
  readonly hoistsInvariants: boolean;
  /** The processor's architecture, by Node.js's name. */
  readonly architecture: string;
  /** Physical memory of the machine, in bytes. */
  readonly memoryBytes: number;
  /** Where a trace is recorded. It is set before anything else is used. */
  trace?: DeviceTrace | undefined;
  /**
   * Compiles a WebAssembly module with the optimizing compiler at once, so that its first run is as fast as later ones. Throws a
   * `WebAssembly.CompileError` if the engine does not accept it.
   * @param wide whether to pair vectors, if the engine can
   */
  compileWasm(bytes: Uint8Array, wide?: boolean): WebAssembly.Module;
  /** Whether the bytes are a module that `compileWasm` accepts. */
  isWasm(bytes: Uint8Array): boolean;
  /**
   * Compiles a large module on the engine's threads. Its code is optimized while it runs: the first run is slower than later
   * ones.
   */
  compileWasmInBackground(bytes: Uint8Array): Promise<WebAssembly.Module>;
  /**
   * Runs a step of a small compilation. With few cores, a host may prevent the engine's threads from optimizing the compiler's
   * code meanwhile; larger steps need optimized code.
   */
  smallStep<T>(step: () => T): T;
  /**
   * Begins a large compilation, on this thread or the compiler's. The caller calls the returned function when it ends. Meanwhile
   * a host may make the engine optimize less of the compiler's code, as that can cost more than the compilation itself.
   */
  beginLongStep(): () => void;
  /** Loads the code of compiler and JIT, if it is not loaded yet; without it, their first use does so in one step. */
  loadToolchain(): Steps<void>;
  /** The built-in library: the output of scripts/build/library.mjs. */
  builtInLibrary(): Uint8Array;
  /** Only with threads: starts one of the device, a worker or the one for reads. `data` is a WorkerStart or a ReadStart. */
  startWorker(data: unknown): HostWorker;
  /**
   * Keeps a thread on one of `parts` parts of the processors, if the host can: false if not.
   * @param thread what the thread's `WorkerHost.nativeThread` says
   */
  placeThread(thread: number, part: number, parts: number): boolean;
  /** The part, of this many, that is nothing but the processor that this thread runs on; -1 if there is none, or it cannot be known. */
  currentPart(parts: number): number;
  /** Starts a thread that answers the requests of ts/backend/software/compile-thread/compile-request.ts; undefined if the host cannot. */
  startCompiler(): HostWorker | undefined;
  /**
   * Cache of compiled programs on disk; the key is everything that an entry depends on. Never throws: a broken cache is a missing
   * entry. `cacheRead` finds entries that this host wrote earlier. `cacheWrite` requests the contents later, when no kernel's
   * first result is awaited, and at the latest at the process's end.
   */
  cacheRead(key: readonly string[]): Uint8Array | undefined;
  cacheWrite(entry: () => CacheEntry): void;
  /**
   * 16 bytes that this user's processes on this machine share, and that are not in the cache; undefined if they cannot be stored.
   */
  cacheSecret(): Uint8Array | undefined;
  /** Nanoseconds of a monotonic clock. */
  now(): bigint;
  /** Runs the garbage collector at once, if the host can, and returns how many bytes of the heap are used afterwards. */
  collectGarbage(): number;
  /** The next iteration of the event loop: finalizers of collected objects have run by then. */
  nextTurn(): Promise<void>;
  /** Writes the kernels' printf output. */
  writeOut(bytes: Uint8Array): void;
  /** Writes files for a report of a fault of anycl's own, readable only by this user; returns their folder. Never throws. */
  writeReport(files: Readonly<Record<string, Uint8Array | string>>): string | undefined;
  /** For `#include`: a regular file below one of the folders; undefined if there is no such file. */
  readSource(path: string, folders: readonly string[]): Uint8Array | undefined;
}
