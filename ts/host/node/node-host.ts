// SPDX-License-Identifier: MIT
//
// Node.js as the host (ts/base/host.ts): threads, files, clock, caches.
import { mkdtempSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, SHARE_ENV } from 'node:worker_threads';
import type { CacheEntry, Host, HostWorker } from '../../base/host';
import type { Settings } from '../../base/settings';
import type { Steps } from '../../base/steps';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { canPairVectors, compileInBackground, withCompileFlags } from './compile-flags';
import { DiskCache } from './disk-cache';
import { checkerSource, compilerFile, library, loadSteps, workerFile, workerSource } from './embedded';
import { environment, processSettings } from './environment';
import { NODE_MAJOR } from './node-version';
import { NodeWorker, startOfThread } from './node-worker';
import { readSource } from './source-files';
import { delayTierUp } from './tier-up';
import { userSecret } from './user-secret';

let collector: (() => void) | undefined | null;

/** V8 adds `gc` to contexts that are created while its flag is set. Other runtimes than Node.js may not have it. */
function collectorOfV8(): (() => void) | undefined {
  if (collector !== undefined) return collector ?? undefined;
  const { gc } = globalThis as { gc?: () => void };
  try {
    setFlagsFromString('--expose-gc');
    collector = gc ?? (runInNewContext('gc') as () => void);
    if (!gc) setFlagsFromString('--no-expose-gc');
  } catch {
    collector = gc ?? null;
  }
  return collector ?? undefined;
}

/**
 * V8 optimizes the compiler's functions on other threads while they run for the first time. This is as much work as a
 * first build; on two cores it slows down the build and the first runs after it. Only Node.js 20 was measured, and only
 * there the flag can be reset completely. A process that compiles much gets optimized code.
 */
const OPTIMIZER = { major: 20, cores: 2, milliseconds: 400 } as const;

/** How long to wait for room in the pipe that text is written to. */
const OUT_WAIT_MS = 1;
const MOST_OUT_WAITS = 1000;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/** The limit of one process: a program that continues after a fault must not fill the disk. */
const MOST_REPORTS = 8;

/** Running kernels on the calling thread instead would be possible, but nothing could stop them. */
const NO_THREADS =
  'the software device needs threads, which the permission model of Node.js forbids: start node with --allow-worker as well';

/** Such as by `ulimit -u`, the limit of a container, or for want of memory. */
function startedThread(start: () => NodeWorker): NodeWorker {
  try {
    return start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_INIT_FAILED') throw error;
    const { message } = error as Error;
    const detail = `the system refuses the process another thread, which the software device needs (${message}): allow more processes (ulimit -u, the pids limit of a container)`;
    throw new OpenCLError(ErrorCode.OUT_OF_RESOURCES, 'clCreateContext', detail);
  }
}

const ANYWHERE = { placeThread: () => false, currentPart: () => -1 };

const ignoreError = (): void => {};

/** A compilation allocates much that is soon garbage. */
const COMPILER_YOUNG_MB = 64;

export class NodeHost implements Host {
  private outIsQueued = false;
  /** Writes by process.stdout whose errors may still be to come. */
  private outWrites = 0;
  readonly hasThreads = true;
  readonly checkerSource = checkerSource;
  readonly cores = availableParallelism();
  readonly architecture = process.arch;
  readonly hoistsInvariants = NODE_MAJOR < 24;
  readonly memoryBytes = totalmem();
  /** The milliseconds that small steps have taken so far. */
  private inSteps = 0;
  private readonly cache: DiskCache;
  /** Null if there cannot be one. */
  private secret: Uint8Array | null | undefined;
  private reports = 0;

  /** @param threads what takes the addon */
  constructor(
    readonly settings: Settings = processSettings(),
    private readonly threads: Pick<Host, 'placeThread' | 'currentPart'> = ANYWHERE,
  ) {
    this.cache = new DiskCache(settings);
  }

  get wideVectors(): boolean {
    return this.settings.wide === 1 && canPairVectors;
  }

  compileWasm(bytes: Uint8Array, wide = false): WebAssembly.Module {
    return withCompileFlags(() => new WebAssembly.Module(bytes), wide && this.wideVectors);
  }

  isWasm(bytes: Uint8Array): boolean {
    return withCompileFlags(() => WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>));
  }

  compileWasmInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
    return compileInBackground(bytes);
  }

  smallStep<T>(step: () => T): T {
    if (
      !isMainThread ||
      NODE_MAJOR !== OPTIMIZER.major ||
      this.cores > OPTIMIZER.cores ||
      this.inSteps > OPTIMIZER.milliseconds
    )
      return step();
    // Not by `performance`, which takes 2 ms to load.
    const started = this.now();
    setFlagsFromString('--no-opt');
    try {
      return step();
    } finally {
      setFlagsFromString('--opt');
      this.inSteps += Number(this.now() - started) / 1e6;
    }
  }

  beginLongStep(): () => void {
    return delayTierUp();
  }

  loadToolchain(): Steps<void> {
    return loadSteps('./toolchain.mjs');
  }

  builtInLibrary(): Uint8Array {
    return library();
  }

  startWorker(data: unknown): HostWorker {
    if (process.permission?.has('worker') === false)
      throw new OpenCLError(ErrorCode.DEVICE_NOT_AVAILABLE, 'clCreateContext', NO_THREADS);
    const file = workerFile();
    const { start, port } = startOfThread(data);
    // These threads write nothing. Piping their streams would make those of the process first, which takes milliseconds.
    const unpiped = { stdout: true, stderr: true };
    const options = { eval: file === undefined, transferList: [start.port], ...unpiped };
    return startedThread(() => new NodeWorker(file ?? workerSource(), start, options, port));
  }

  placeThread(thread: number, part: number, parts: number): boolean {
    return this.threads.placeThread(thread, part, parts);
  }

  currentPart(parts: number): number {
    return this.threads.currentPart(parts);
  }

  startCompiler(): HostWorker | undefined {
    const file = compilerFile();
    if (file === undefined) return undefined;
    const resourceLimits = { maxYoungGenerationSizeMb: COMPILER_YOUNG_MB };
    try {
      return startedThread(
        () => new NodeWorker(file, { library: library() }, { env: SHARE_ENV, resourceLimits }),
      );
    } catch (error) {
      if (error instanceof OpenCLError) return undefined;
      throw error;
    }
  }

  cacheRead(key: readonly string[]): Uint8Array | undefined {
    return this.cache.read(key);
  }

  cacheSecret(): Uint8Array | undefined {
    if (this.secret === undefined) this.secret = userSecret(environment) ?? null;
    return this.secret ?? undefined;
  }

  cacheWrite(entry: () => CacheEntry): void {
    this.cache.write(entry);
  }

  /** Writes pending text at once, because a thread may be terminated before its timer fires. */
  flushCache(): void {
    this.cache.flush();
  }

  now(): bigint {
    return process.hrtime.bigint();
  }

  collectGarbage(): number {
    collectorOfV8()?.();
    return getHeapStatistics().used_heap_size;
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  writeReport(files: Readonly<Record<string, Uint8Array | string>>): string | undefined {
    if (this.reports >= MOST_REPORTS) return undefined;
    try {
      const folder = mkdtempSync(join(tmpdir(), 'anycl-report-'));
      for (const [name, content] of Object.entries(files))
        writeFileSync(join(folder, name), content, { flag: 'wx', mode: 0o600 });
      this.reports++;
      return folder;
    } catch {
      return undefined;
    }
  }

  writeOut(bytes: Uint8Array): void {
    let done = 0;
    let waited = 0;
    while (!this.outIsQueued && done < bytes.length) {
      try {
        done += writeSync(1, bytes, done);
        waited = 0;
      } catch (error) {
        // Waits for a full pipe, because queued text is lost if the program ends the process. process.stdout handles a
        // closed pipe, and one without a reader: it can continue to wait.
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN' && waited++ < MOST_OUT_WAITS;
        if (isFull) Atomics.wait(NEVER, 0, 0, OUT_WAIT_MS);
        else this.outIsQueued = true;
      }
    }
    if (done < bytes.length) this.queueOut(bytes.subarray(done));
  }

  /**
   * Writes by process.stdout. What that cannot write is lost, as by console.log: its event would end a process that does not listen to it.
   * Text may bypass process.stdout again when that has nothing queued.
   */
  private queueOut(bytes: Uint8Array): void {
    const { stdout } = process;
    if (this.outWrites++ === 0) stdout.on('error', ignoreError);
    stdout.write(bytes, () => {
      this.outIsQueued = stdout.writableLength > 0;
      // The event comes after this call.
      setImmediate(() => {
        if (--this.outWrites === 0) stdout.off('error', ignoreError);
      });
    });
  }

  readSource(path: string, folders: readonly string[]): Uint8Array | undefined {
    return readSource(path, folders);
  }
}
