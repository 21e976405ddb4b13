// SPDX-License-Identifier: MIT
//
// Loads the files that scripts/build/chunks.mjs writes, with V8's cached code for them. Each is an ES module; the loader
// evaluates the text after `export default`, an object with a function for each chunk.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext, Script } from 'node:vm';
import { finish, LONG, type Steps } from '../../base/steps';
import { CodeCache } from './code-cache';

/** What chunks have as `require`. */
interface Load {
  (id: string): unknown;
  /** Loads a chunk in steps: its files, and the chunks that it requires. */
  steps(id: string): Steps<void>;
}

type MakeChunk = (load: Load, folder: string) => object;
type ChunkFile = Readonly<Record<string, MakeChunk>>;

/** Each chunk's file, and the chunks that it requires while it loads. */
declare const ANYCL_CHUNKS: Readonly<
  Record<string, { readonly file: string; readonly needs: readonly string[] }>
>;

const PREFIX = 'export default ';

export class ChunkLoader {
  private readonly files = new Map<string, ChunkFile>();
  private readonly chunks: Map<string, unknown>;

  /**
   * @param folder of the files
   * @param loadBuiltin loads modules of Node.js
   * @param loaded the exports of chunks that the process has, by name
   */
  constructor(
    private readonly folder: string,
    private readonly loadBuiltin: (id: string) => unknown,
    loaded: Readonly<Record<string, unknown>> = {},
  ) {
    this.chunks = new Map(Object.entries(loaded));
  }

  /** Whether the files are in this folder. Bundles of programs do not contain them. */
  static isIn(folder: string): boolean {
    return existsSync(join(folder, 'anycl.mjs'));
  }

  /** @param id of a chunk, `./NAME.mjs`, or of a module of Node.js */
  readonly load: Load = Object.assign(
    (id: string): unknown => {
      if (!id.startsWith('./')) return this.loadBuiltin(id);
      const name = nameOf(id);
      const known = this.chunks.get(name);
      if (known) return known;
      const exports = ANYCL_CHUNKS[name] ? this.evaluate(name) : stringOf(join(this.folder, `${name}.mjs`));
      this.chunks.set(name, exports);
      return exports;
    },
    { steps: (id: string) => this.steps(nameOf(id)) },
  );

  private *steps(name: string): Steps<void> {
    if (this.chunks.has(name)) return;
    const { file, needs } = ANYCL_CHUNKS[name]!;
    for (const needed of needs) yield* this.steps(needed);
    yield* this.fileSteps(file);
    this.load(`./${name}.mjs`);
    yield;
  }

  /**
   * Reads and compiles a chunk that `load` evaluates later, for callers that call `load` while V8's flags make it reject
   * cached code.
   */
  prepare(id: string): void {
    const { file, needs } = ANYCL_CHUNKS[nameOf(id)]!;
    for (const needed of needs) this.prepare(`./${needed}.mjs`);
    this.file(file);
  }

  private evaluate(name: string): object {
    const { file, needs } = ANYCL_CHUNKS[name]!;
    for (const needed of needs) this.load(`./${needed}.mjs`);
    return this.file(file)[name]!(this.load, this.folder);
  }

  private file(name: string): ChunkFile {
    return finish(this.fileSteps(name));
  }

  private *fileSteps(name: string): Steps<ChunkFile> {
    const known = this.files.get(name);
    if (known) return known;
    const filename = join(this.folder, `${name}.mjs`);
    const made = isOwnContext() ? yield* this.script(name, filename) : evaluated(filename);
    // It may have been loaded between the steps.
    const file = this.files.get(name) ?? made;
    this.files.set(name, file);
    return file;
  }

  private *script(name: string, filename: string): Steps<ChunkFile> {
    const text = textOf(filename);
    const cache = new CodeCache(name, this.folder);
    const kept = cache.read(temporary);
    // V8 deserializes a file's code at once.
    yield LONG;
    const cachedData = kept && Buffer.from(kept.code.buffer, 0, kept.code.length);
    const script = new Script(text, cachedData ? { filename, cachedData } : { filename });
    yield;
    const taken = kept && !script.cachedDataRejected ? kept : undefined;
    if (!taken || !cache.isComplete(taken.additions)) cache.keepAtExit(script, taken !== undefined);
    return script.runInThisContext() as ChunkFile;
  }
}

const nameOf = (id: string): string => id.slice('./'.length, -'.mjs'.length);

/** Test runners evaluate modules in their own contexts, which do not share objects with a script. */
const isOwnContext = (): boolean => runInThisContext('globalThis') === globalThis;

/** Evaluated in the loading context. */
const evaluated = (filename: string): ChunkFile =>
  new Function(`return ${textOf(filename)}\n//# sourceURL=${filename}`)() as ChunkFile;

/** The text of a file that is one string literal; V8 need not parse it. */
const stringOf = (filename: string): string => textOf(filename).slice('"'.length, -'";\n'.length);

/** The text after the prefix, without a copy. The build writes the file in ASCII, which is the fastest to read. */
function textOf(filename: string): string {
  const file = openSync(filename, 'r');
  try {
    const bytes = temporary(fstatSync(file).size - PREFIX.length);
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(file, bytes, done, bytes.length - done, PREFIX.length + done);
      if (read === 0) throw new Error(`${filename} became shorter while it was read`);
      done += read;
    }
    return bytes.toString('latin1');
  } finally {
    closeSync(file);
  }
}

let memory: Buffer | undefined;
/** Larger than the files, whose pages count only if they are written to. */
const MEMORY_BYTES = 2 << 20;

/**
 * Memory that the next call reuses: pages that a process touches first are a good part of the time that loading takes. V8 copies text
 * and cached code.
 */
function temporary(bytes: number): Buffer {
  if (!memory) {
    memory = Buffer.allocUnsafeSlow(MEMORY_BYTES);
    queueMicrotask(() => {
      memory = undefined;
    });
  }
  return bytes <= memory.length ? memory.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
}
