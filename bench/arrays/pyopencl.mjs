// SPDX-License-Identifier: MIT
//
// PyOpenCL's arrays in a process of their own (server.py), which runs a workload when it is told to.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long a run may take, the first with its builds included. */
const LIMIT_MS = 150_000;
const ELEMENTS = { f: Float32Array, i: Int32Array, I: Uint32Array };

export class PyOpenCl {
  #folder = mkdtempSync(join(tmpdir(), 'anycl-arrays-'));
  #settings;
  #child;
  #lines;

  /** `inputs` are the arrays that the workloads read. */
  constructor({ n, size, inputs }) {
    this.#settings = [String(n), String(size), this.#folder];
    for (const [name, data] of Object.entries(inputs)) writeFileSync(join(this.#folder, name), data);
  }

  /** Runs a workload once: its times. Undefined if PyOpenCL has no such thing. */
  async run(name) {
    const [ms, cpu] = (await this.#ask(`run ${name}`)) ?? [];
    return ms && { ms: Number(ms), cpu: Number(cpu) };
  }

  /** The result of the last run. */
  async result(name) {
    const [format] = await this.#ask(`result ${name}`);
    const bytes = readFileSync(join(this.#folder, 'result'));
    const Elements = ELEMENTS[format];
    return new Elements(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }

  /** The words of the answer. */
  async #ask(question) {
    if (!this.#child) this.#start();
    this.#child.stdin.write(`${question}\n`);
    let timer;
    const limit = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error(`PyOpenCL took more than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    try {
      const { value, done } = await Promise.race([this.#lines.next(), limit]);
      if (done) throw new Error('PyOpenCL ended');
      if (value.startsWith('error ')) throw new Error(`PyOpenCL: ${value.slice(6)}`);
      return value === '-' ? undefined : value.split(' ');
    } catch (error) {
      // The next question starts another one.
      this.#stop();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #start() {
    const script = new URL('server.py', import.meta.url).pathname;
    const cache = join(this.#folder, 'cache');
    mkdirSync(cache, { recursive: true });
    this.#child = spawn(process.env.PYTHON ?? 'python3', [script, ...this.#settings], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // A process that was killed leaves locks in PyOpenCL's caches, for which the next one would wait. PoCL's own has none.
      env: {
        POCL_CACHE_DIR: join(homedir(), '.cache', 'pocl', 'kcache'),
        ...process.env,
        PYOPENCL_NO_CACHE: '1',
        XDG_CACHE_HOME: cache,
      },
    });
    this.#child.on('error', () => {});
    this.#child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  #stop() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  end() {
    this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
