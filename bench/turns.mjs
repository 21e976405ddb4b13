// SPDX-License-Identifier: MIT
//
// How long anycl holds the event loop: for each step of a session, the processor time of its longest turn.
//
//     node bench/turns.mjs [--only NAME,…] [--repeat N] [--json]
//
// A process for each workload, with an empty cache of kernels and a filled one of V8's code: the first processes are not counted.
// The main thread's processor time is read from /proc between the iterations of the event loop, so a loaded machine can measure,
// and only Linux can. Medians, and the least in parentheses. "first" is the first run of the workload, "again" the next ones.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    repeat: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    child: { type: 'string' },
  },
});

const STEPS = ['open', 'build', 'first', 'again', 'read', 'write', 'map', 'close'];
/** Processes that fill the cache of V8's code. */
const UNCOUNTED = 2;
const LARGE_BYTES = 64 << 20;
const AGAIN = 20;

async function child(name) {
  const { open } = await import('anycl');
  const { workloads, sets } = await import('./workloads/registry.mjs');
  const workload = workloads[name] ?? sets.more[name];
  const longest = {};
  const measured = async (step, run) => {
    const turns = new Turns();
    await turns.begin();
    const result = await run();
    longest[step] = await turns.end();
    return result;
  };
  const source = workload.source();
  const cl = await measured('open', () => open({ device: 'software' }));
  const made = workload.make(cl, new Proxy({}, { get: (_, kernel) => kernel }));
  await cl.queue.finish();
  const { kernels } = await measured('build', () => cl.build(source, workload.options));
  const run = async () => {
    for (const [kernel, range, ...args] of made.launches) await kernels[kernel].run(range, ...args);
  };
  await measured('first', run);
  await measured('again', async () => {
    for (let i = 0; i < AGAIN; i++) await run();
  });
  const large = cl.buffer(LARGE_BYTES);
  await measured('write', () => large.write(new Uint8Array(LARGE_BYTES)));
  await measured('read', () => large.read());
  await measured('map', async () => (await large.map('read-write')).unmap());
  await measured('close', () => cl.close());
  console.log(JSON.stringify(longest));
  process.exit(0);
}

async function parent() {
  const { workloads } = await import('./workloads/registry.mjs');
  const names = flags.only ? flags.only.split(',') : Object.keys(workloads);
  const results = {};
  if (!flags.json) console.log(`${''.padEnd(14)}${STEPS.map((step) => step.padStart(14)).join('')}`);
  for (let i = 0; i < UNCOUNTED; i++) once(names[0]);
  for (const name of names) {
    const runs = Array.from({ length: Number(flags.repeat) }, () => once(name));
    results[name] = Object.fromEntries(
      STEPS.map((step) => {
        const sorted = runs.map((run) => run[step]).sort((a, b) => a - b);
        return [step, { median: sorted[sorted.length >> 1], least: sorted[0] }];
      }),
    );
    const cells = Object.values(results[name]).map(
      ({ median, least }) => `${median.toFixed(1)} (${least.toFixed(1)})`,
    );
    if (!flags.json) console.log(name.padEnd(14) + cells.map((cell) => cell.padStart(14)).join(''));
  }
  if (flags.json) console.log(JSON.stringify(results));
}

function once(name) {
  const cache = mkdtempSync(join(tmpdir(), 'anycl-turns-'));
  const env = { ...process.env, ANYCL_CACHE_DIR: cache };
  delete env.NODE_EXTRA_CA_CERTS;
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--child', name], {
    env,
    encoding: 'utf8',
  });
  rmSync(cache, { recursive: true, force: true });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** The longest time that the main thread computes between two iterations of the event loop. */
class Turns {
  #file = openSync(`/proc/self/task/${process.pid}/schedstat`);
  #text = Buffer.alloc(64);
  #last = 0;
  #longest = 0;
  #running = true;

  /** Resolves at an iteration's begin. */
  async begin() {
    await new Promise((resolve) => setImmediate(resolve));
    this.#last = this.#now();
    const turn = () => {
      if (!this.#running) return;
      this.#note();
      setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** Milliseconds. */
  async end() {
    await new Promise((resolve) => setImmediate(resolve));
    this.#note();
    this.#running = false;
    return this.#longest;
  }

  #note() {
    const now = this.#now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  #now() {
    // Makes Linux count what this thread has used since the last tick: the file alone goes in steps of up to 4 ms.
    process.cpuUsage();
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0);
    return Number(this.#text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  }
}

if (flags.child) await child(flags.child);
else await parent();
