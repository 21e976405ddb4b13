// SPDX-License-Identifier: MIT
import { mkdtempSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  SHARE_ENV,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads';
import type { CacheEntry, Host, HostWorker } from '../../base/host';
import type { Settings } from '../../base/settings';
import { DiskCache } from './disk-cache';
import { checkerSource, compilerFile, library, workerFile, workerSource } from './embedded';
import { environment, processSettings } from './environment';
import { readSource } from './source-files';
import { delayTierUp } from './tier-up';
import { userSecret } from './user-secret';

const NODE_MAJOR = Number.parseInt(process.versions.node, 10);
/** The flags below change V8's internals. Untested versions run without them, and their first runs are slower. */
const LAST_TRIED = 26;

/**
 * V8's flags while a kernel is compiled. They are set only during that time, so other modules are not affected.
 * - V8's baseline compiler makes code that is at most half as fast, and replaces it only later: a kernel's first run
 *   would be its slowest.
 * - The optimizing compiler inlines by the counters of baseline code, and in Node.js 26 it aborts the process if there
 *   are none.
 * - Node.js 20 has relaxed SIMD in the form that was standardized, behind a flag.
 * - Branch hints keep rare code out of the loops' registers. Node.js 26 uses them without a flag.
 */
const COMPILE_FLAGS =
  NODE_MAJOR > LAST_TRIED
    ? []
    : [
        'no-liftoff',
        'no-wasm-lazy-compilation',
        ...(NODE_MAJOR >= 24 ? ['no-wasm-inlining'] : []),
        ...(NODE_MAJOR === 20 ? ['experimental-wasm-relaxed-simd'] : []),
        ...(NODE_MAJOR < 26 ? ['experimental-wasm-branch-hinting'] : []),
      ];

/**
 * V8 pairs vectors of 128 bits to such of 256 (ADR 39). The flag is only known to V8 for x86-64; V8 itself looks for AVX2. Only
 * Node.js 26 was tried. Its optimizer of moves is off then: it moves the lower half of a pair from a stack slot to a register, and
 * from there the whole pair to another slot.
 */
const WIDE_FLAGS =
  NODE_MAJOR === 26 && process.arch === 'x64'
    ? ['experimental-wasm-revectorize', 'no-turbo-move-optimization']
    : [];

const opposite = (flag: string): string => (flag.startsWith('no-') ? flag.slice(3) : `no-${flag}`);

/**
 * The flags that reset V8, including those that the flags above imply: up to Node.js 22 V8 does not reset these. While
 * any flag differs from the start of the process, V8 accepts no cached code, not even for Node.js's own modules, and
 * threads take three times as long to start.
 */
const RESTORING_FLAGS = [
  ...[...COMPILE_FLAGS, ...WIDE_FLAGS].map(opposite),
  ...(NODE_MAJOR <= 22 ? ['wasm-dynamic-tiering'] : []),
  ...(NODE_MAJOR === 22 ? ['no-experimental'] : []),
];

/** All in one call: V8 sets implied flags whenever a flag is set. */
const asArguments = (flags: readonly string[]): string => flags.map((flag) => `--${flag}`).join(' ');
const SET = asArguments(COMPILE_FLAGS);
const SET_WIDE = asArguments([...COMPILE_FLAGS, ...WIDE_FLAGS]);
const RESTORE = asArguments(RESTORING_FLAGS);

/** Longer ones fire at once. */
const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/** The number of compilations in the background: V8 reads the flags until the last one is done. */
let inBackground = 0;

function withFlags<T>(flags: string, compile: () => T): T {
  setFlagsFromString(flags);
  try {
    return compile();
  } finally {
    restoreFlags();
  }
}

function restoreFlags(): void {
  if (inBackground === 0) setFlagsFromString(RESTORE);
}

async function compileInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
  inBackground++;
  setFlagsFromString(SET);
  // From Node.js 24 on, a compilation does not keep the process alive: it would end in the middle of an await.
  const keepAlive = setInterval(() => {}, LONGEST_INTERVAL_MS);
  try {
    return await WebAssembly.compile(bytes);
  } finally {
    clearInterval(keepAlive);
    inBackground--;
    restoreFlags();
  }
}

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

class NodeWorker implements HostWorker {
  private readonly worker: Worker;

  /**
   * @param code a file, or with the option `eval` its text
   * @param port the port that the thread reads from, if that is not its port to the parent
   */
  constructor(
    code: string,
    data: unknown,
    special: WorkerOptions = {},
    private readonly port?: MessagePort,
  ) {
    const options = { workerData: data, execArgv: [], trackUnmanagedFds: false };
    this.worker = new Worker(code, { ...options, ...special });
    this.worker.unref();
  }

  post(message: unknown): void {
    (this.port ?? this.worker).postMessage(message);
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  onMessage(listener: (message: unknown) => void): void {
    this.worker.on('message', listener);
    // By default a listener keeps the process alive.
    this.worker.unref();
  }

  onError(listener: (error: Error) => void): void {
    this.worker.on('error', listener);
  }

  keepAlive(on: boolean): void {
    if (on) this.worker.ref();
    else this.worker.unref();
  }
}

/** The data that a thread of the device starts with. */
export interface DeviceThreadStart {
  /** The port for messages that the thread reads one at a time, when it needs them. */
  readonly port: MessagePort;
  readonly data: unknown;
}

function startOfThread(data: unknown): { readonly start: DeviceThreadStart; readonly port: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  return { start: { port: port2, data }, port: port1 };
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

/** A compilation allocates much that is soon garbage. */
const COMPILER_YOUNG_MB = 64;

export class NodeHost implements Host {
  private outIsQueued = false;
  readonly hasThreads = true;
  readonly checkerSource = checkerSource;
  readonly cores = availableParallelism();
  readonly architecture = process.arch;
  readonly memoryBytes = totalmem();
  /** The milliseconds that small steps have taken so far. */
  private inSteps = 0;
  private readonly cache: DiskCache;
  /** Null if there cannot be one. */
  private secret: Uint8Array | null | undefined;
  private reports = 0;

  constructor(readonly settings: Settings = processSettings()) {
    this.cache = new DiskCache(settings);
  }

  get wideVectors(): boolean {
    return this.settings.wide === 1 && WIDE_FLAGS.length > 0;
  }

  compileWasm(bytes: Uint8Array, wide = false): WebAssembly.Module {
    return withFlags(wide && this.wideVectors ? SET_WIDE : SET, () => new WebAssembly.Module(bytes));
  }

  isWasm(bytes: Uint8Array): boolean {
    return withFlags(SET, () => WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>));
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

  builtInLibrary(): Uint8Array {
    return library();
  }

  startWorker(data: unknown): HostWorker {
    const file = workerFile();
    const { start, port } = startOfThread(data);
    const options = { eval: file === undefined, transferList: [start.port] };
    return new NodeWorker(file ?? workerSource(), start, options, port);
  }

  startCompiler(): HostWorker | undefined {
    const file = compilerFile();
    if (file === undefined) return undefined;
    const resourceLimits = { maxYoungGenerationSizeMb: COMPILER_YOUNG_MB };
    return new NodeWorker(file, { library: library() }, { env: SHARE_ENV, resourceLimits });
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

  writeOut(text: string): void {
    const bytes = Buffer.from(text);
    let done = 0;
    let waited = 0;
    while (!this.outIsQueued && done < bytes.length) {
      try {
        done += writeSync(1, bytes, done);
        waited = 0;
      } catch (error) {
        // Waits for a full pipe, because queued text is lost if the program ends the process. process.stdout handles a
        // closed pipe, and one without a reader: it can continue to wait, and fail quietly.
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN' && waited++ < MOST_OUT_WAITS;
        if (isFull) Atomics.wait(NEVER, 0, 0, OUT_WAIT_MS);
        else this.outIsQueued = true;
      }
    }
    if (done < bytes.length) process.stdout.write(bytes.subarray(done), () => this.outWritten());
  }

  /** Text may bypass process.stdout again when that has nothing queued. */
  private outWritten(): void {
    this.outIsQueued = process.stdout.writableLength > 0;
  }

  readSource(path: string, folders: readonly string[]): Uint8Array | undefined {
    return readSource(path, folders);
  }
}
