// SPDX-License-Identifier: MIT
import type { CacheEntry, Host, HostWorker } from '../../base/host';
import { readSettings, type Settings } from '../../base/settings';
import type { Steps } from '../../base/steps';
import { LineWriter } from './line-writer';

/** The most bytes that 32-bit pointers can address. */
const DEFAULT_MEMORY_BYTES = 2 ** 32;
const NS_PER_MS = 1e6;

/**
 * A page, or a worker of a page, as the host: one thread, no files, no environment, only standard globals of the web.
 * Browsers deliver messages only through a thread's event loop, to which the device's worker loop never returns. So
 * kernels run on the calling thread.
 */
export class BrowserHost implements Host {
  readonly settings: Settings;
  readonly hasThreads = false;
  checkerSource(): string {
    throw new Error('there are no threads');
  }
  readonly cores = 1;
  readonly architecture = 'unknown';
  readonly wideVectors = false;
  readonly hoistsInvariants = false;
  readonly memoryBytes = DEFAULT_MEMORY_BYTES;
  private readonly out: LineWriter;
  /** A character's bytes may come in several pieces. */
  private readonly decoder = new TextDecoder();

  /**
   * @param builtInLibrary reads the built-in library
   * @param variables in place of Node.js's environment: ANYCL_… by name
   * @param show receives the lines that kernels print
   */
  constructor(
    readonly builtInLibrary: () => Uint8Array,
    variables: Readonly<Record<string, string>> = {},
    show: (line: string) => void = (line) => console.log(line),
  ) {
    this.out = new LineWriter(show);
    this.settings = readSettings((name) => variables[name]);
  }

  compileWasmInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
    return WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
  }

  compileWasm(bytes: Uint8Array): WebAssembly.Module {
    return new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
  }

  isWasm(bytes: Uint8Array): boolean {
    return WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>);
  }

  smallStep<T>(step: () => T): T {
    return step();
  }

  beginLongStep(): () => void {
    return () => {};
  }

  /** It is in the page's script. */
  *loadToolchain(): Steps<void> {}

  startWorker(): HostWorker {
    throw new Error('the device has no threads in a browser');
  }

  placeThread(): boolean {
    return false;
  }

  currentPart(): number {
    return -1;
  }

  startCompiler(): undefined {
    return undefined;
  }

  cacheRead(): undefined {
    return undefined;
  }

  cacheSecret(): undefined {
    return undefined;
  }

  cacheWrite(_entry: () => CacheEntry): void {}

  now(): bigint {
    return BigInt(Math.round(performance.now() * NS_PER_MS));
  }

  /** Browsers decide when to collect garbage, and do not report the size of the heap. */
  collectGarbage(): number {
    return 0;
  }

  nextTurn(): Promise<void> {
    // Browsers delay timers that timers start.
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const goOn = () => {
        port1.close();
        resolve();
      };
      port1.addEventListener('message', goOn, { once: true });
      port1.start();
      port2.postMessage(undefined);
    });
  }

  writeOut(bytes: Uint8Array): void {
    this.out.write(this.decoder.decode(bytes, { stream: true }));
  }

  writeReport(): undefined {
    return undefined;
  }

  readSource(): undefined {
    return undefined;
  }
}
