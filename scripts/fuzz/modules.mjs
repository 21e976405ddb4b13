// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/modules.mjs FIRST COUNT [--sources] [--seconds 5] [--megabytes 2048] [--keep FOLDER]
//
// Runs mutants through all code that untrusted input reaches on the software device, in child processes with limits:
//   modules    (tests/fuzz/mutate-module.ts): decode, validate, disassemble, build, run each kernel
//   --sources  (tests/fuzz/mutate.ts): compile, then the same
// An error of ours (SpirvError, OpenCLError) is a good answer. Faults are what takes more than --seconds of the child's CPU time,
// makes no progress for ten times as long, takes more memory than --megabytes, ends the process, or is another exception. --keep
// writes the mutants at fault. The same seed makes the same mutant.
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, root, scratchFolder } from './bundle.mjs';
import { cpuSeconds } from './cpu-time.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sources: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '2048' },
    keep: { type: 'string' },
  },
});
const [first, count] = positionals.map(Number);
const [seconds, megabytes] = [Number(options.seconds), Number(options.megabytes)];
if (!(first >= 0 && count > 0 && seconds > 0 && megabytes > 0)) {
  console.error(
    'usage: node scripts/fuzz/modules.mjs FIRST COUNT [--sources] [--seconds 5] [--megabytes 2048] [--keep FOLDER]',
  );
  process.exit(2);
}

const fuzzer = await bundle(
  [
    'ts/compiler/compile',
    'ts/spirv/decode',
    'ts/spirv/encode',
    'ts/spirv/spirv-error',
    'ts/spirv/text',
    'ts/spirv/validate',
    'tests/fuzz/mutate',
    'tests/fuzz/mutate-module',
  ],
  join(scratchFolder(), 'fuzz.cjs'),
);

/** The number of each outcome that is not a fault. */
const outcomes = new Map();
let faults = 0;

function report({ seed, name, input }, what) {
  faults++;
  console.log(`seed ${seed} (${name}): ${what}`);
  if (options.keep === undefined || input === undefined) return;
  mkdirSync(options.keep, { recursive: true });
  const file = join(options.keep, `${seed}.${options.sources ? 'cl' : 'spv'}`);
  writeFileSync(file, options.sources ? input : Buffer.from(input, 'base64'));
}

/** Runs seeds from `next` on in one child, until it is done or a fault ends it; returns the seed to continue with. */
function runChild(next, end) {
  return new Promise((resolve) => {
    const child = fork(
      join(folder, 'modules-worker.mjs'),
      [fuzzer, options.sources ? 'sources' : 'modules', `${next}`, `${end}`],
      {
        cwd: root,
        execArgv: [`--max-old-space-size=${Math.floor(megabytes / 2)}`],
        env: { ...process.env, ANYCL_CACHE: '0', ANYCL_TIMEOUT: '1000', ANYCL_THREADS: '2' },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      },
    );
    let current;
    let done = next;
    let stage = 'start';
    let stderr = '';
    let limit;
    let ended;
    const stop = (what) => {
      ended = `${what} in ${stage}`;
      child.kill('SIGKILL');
    };
    const watch = () => {
      clearInterval(limit);
      const [cpu, wall] = [cpuSeconds(child.pid), Date.now()];
      limit = setInterval(() => {
        const used = cpuSeconds(child.pid) - cpu;
        if (used > seconds) stop(`takes more than ${seconds} s of CPU time`);
        else if (Date.now() - wall > seconds * 10_000) stop(`does not end, after ${used} s of CPU time,`);
      }, 200);
    };
    child.stderr.on('data', (text) => {
      stderr = (stderr + text).slice(-2000);
    });
    child.on('message', (message) => {
      if (message.begin) {
        current = message.begin;
        watch();
      } else if (message.stage) stage = message.stage;
      else {
        clearInterval(limit);
        done = current.seed + 1;
        if (message.fault) report(current, message.fault);
        else outcomes.set(message.outcome, (outcomes.get(message.outcome) ?? 0) + 1);
        if (message.rss > megabytes) report(current, `the process has ${Math.round(message.rss)} MB`);
      }
    });
    child.on('exit', (code, signal) => {
      clearInterval(limit);
      if (done >= end) return resolve(end);
      if (current === undefined || current.seed < done) {
        // The child requested a new process.
        if (code === 0) return resolve(done);
        report({ seed: done, name: 'between mutants' }, `exit status ${code ?? signal}: ${stderr}`);
        return resolve(done + 1);
      }
      report(
        current,
        ended ?? `ends the process in ${stage} (${code ?? signal}): ${stderr.trim().slice(0, 600)}`,
      );
      resolve(current.seed + 1);
    });
  });
}

const end = first + count;
for (let next = first; next < end; ) next = await runChild(next, end);
for (const [outcome, times] of [...outcomes].sort((a, b) => b[1] - a[1]))
  console.log(`${String(times).padStart(7)} ${outcome}`);
console.log(`${count} mutants, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
