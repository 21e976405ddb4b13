// SPDX-License-Identifier: MIT
//
// Runs programs on the software device through the ICD for a while, several at a time, and kills some of them. Afterwards
// nothing may be left: no process, no temporary file, no shared memory.
//
//     node scripts/cts/soak.mjs --minutes 120 --jobs 4 --build FOLDER     sub-tests of OpenCL-CTS
//     node scripts/cts/soak.mjs --seconds 20 --jobs 3 PROGRAM…           other programs, which end with status 0
//
//     --suite A,B        of which suites (default: those whose sub-tests are short)
//     --limit SECONDS    after which a program is taken to hang (default 300)
//     --kill PERCENT     of the programs are killed while they run (default 10)
//     --kill-servers PERCENT     of the others lose the software device's process while they run (default 0): they may
//                        fail then, but not hang or crash
//     --least-kills N    goes on after its time, for two minutes at most, until N programs and N servers were killed (default 0)
//     --seed N           for the same choice again
//
// What failed or hung is named with its last lines. The last line is a JSON object of counts. The exit status is 1 where a program failed or hung, or something was left.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { argsFor, subTestsOf } from './sub-tests.mjs';
import { SUITES } from './suites.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string' },
    suite: {
      type: 'string',
      default: 'api,buffers,compiler,events,profiling,printf,atomics,mem_host_flags,multiple_device_context',
    },
    minutes: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '300' },
    kill: { type: 'string', default: '10' },
    'kill-servers': { type: 'string', default: '0' },
    'least-kills': { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
if (!flags.build && positionals.length === 0)
  throw new Error('name programs, or with --build where scripts/cts/build.mjs has built OpenCL-CTS');

const root = dirname(dirname(import.meta.dirname));
const temporary = mkdtempSync(join(tmpdir(), 'anycl-soak-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
/** It identifies the processes of this run: a server inherits the environment of its program. */
const mark = `ANYCL_SOAK=${process.pid}-${Date.now()}`;
const environment = { ...process.env, TMPDIR: temporary, CL_WIMPY_MODE: '1' };
const [markName, markValue] = mark.split('=');
environment[markName] = markValue;

let state = Number(flags.seed) >>> 0;
/** A whole number below `below` (mulberry32). */
function random(below) {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % below;
}

function candidates() {
  const programs = positionals.map((program) => ({ file: resolve(program), args: [] }));
  if (!flags.build) return programs;
  const folder = join(resolve(flags.build), 'test_conformance');
  const wanted = flags.suite.split(',');
  for (const suite of SUITES.filter(({ name }) => wanted.includes(name)))
    for (const test of subTestsOf(folder, suite, environment))
      programs.push({ file: join(folder, suite.program), args: argsFor(suite, test) });
  return programs;
}

const counts = {
  runs: 0,
  failed: 0,
  crashed: 0,
  hung: 0,
  killed: 0,
  serversKilled: 0,
  processes: 0,
  files: 0,
  sharedMemory: 0,
};

/** What `anycl exec` adds to the number of the signal that ended its program. */
const SIGNALED = 128;
/** Of programs whose own exceptions nobody catches: some of OpenCL-CTS throw them where a call fails. */
const ABORTED = 134;

const RUN = 'ANYCL_SOAK_RUN';
let started = 0;

/** A file of a process; empty if the process has ended. */
function textOf(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** The processes that have this in their environment. */
const processesWith = (variable) =>
  readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      Number(pid) !== process.pid &&
      textOf(pid, 'environ').split('\0').includes(variable),
  );

/** The process of the software device that a run's program has started, if there is one yet. It is nobody's child. */
const serverOf = (run) =>
  processesWith(`${RUN}=${run}`).find((pid) =>
    textOf(pid, 'cmdline').split('\0')[1]?.endsWith('icd-server.cjs'),
  );

const childrenOf = (pid) => textOf(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean);

function runOne({ file, args }) {
  const run = started++;
  const doomed = random(100) < Number(flags.kill);
  const losesServer = !doomed && random(100) < Number(flags['kill-servers']);
  // Half of the kills come early: many programs end within a second.
  const delay = random(random(2) === 0 ? 300 : 3000);
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), 'exec', '--', file, ...args], {
      cwd: dirname(file),
      env: { ...environment, [RUN]: String(run) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let last = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        last = `${last}${text}`.slice(-2000);
      });
    let killed = false;
    let lost = false;
    let hung = false;
    const kill = () => process.kill(-child.pid, 'SIGKILL');
    let killer;
    const killVictim = () => {
      // The program itself: `anycl exec` has a temporary folder, which it removes when the program has ended.
      const victim = losesServer ? serverOf(run) : childrenOf(child.pid)[0];
      if (victim === undefined) {
        // It has not started yet; once the program has ended, 'close' clears this.
        killer = setTimeout(killVictim, 50);
        return;
      }
      try {
        process.kill(Number(victim), 'SIGKILL');
      } catch {
        return; // It has just ended.
      }
      killed = doomed;
      lost = losesServer;
    };
    if (doomed || losesServer) killer = setTimeout(killVictim, delay);
    const timer = setTimeout(() => {
      hung = true;
      kill();
    }, Number(flags.limit) * 1000);
    child.on('close', (code) => {
      const crashed = !killed && code > SIGNALED && !(lost && code === ABORTED);
      clearTimeout(killer);
      clearTimeout(timer);
      counts.runs++;
      if (hung) counts.hung++;
      else if (killed) counts.killed++;
      else if (crashed) counts.crashed++;
      else if (lost) counts.serversKilled++;
      else if (code !== 0) counts.failed++;
      if (hung || crashed || (!killed && !lost && code !== 0)) {
        console.log(
          `${hung ? 'hung' : `status ${code}`}${lost ? ', its server was killed' : ''}: ${file} ${args.join(' ')}`,
        );
        for (const line of last.trim().split('\n').filter(Boolean).slice(-8)) console.log(`    ${line}`);
      }
      done();
    });
  });
}

/** The running processes of this run. */
const survivors = () => processesWith(mark);

const sharedMemory = () => readdirSync('/dev/shm').filter((name) => name.includes('anycl'));

const programs = candidates();
const before = new Set(sharedMemory());
const end = performance.now() + (flags.minutes ? Number(flags.minutes) * 60 : Number(flags.seconds)) * 1000;
/** Programs that end before they are to be killed do not count. */
const hasKilled = () => Math.min(counts.killed, counts.serversKilled) >= Number(flags['least-kills']);
const goesOn = () => performance.now() < end || (!hasKilled() && performance.now() < end + 120_000);
console.log(`${programs.length} programs, seed ${flags.seed}`);
await Promise.all(
  Array.from({ length: Number(flags.jobs) }, async () => {
    while (goesOn()) await runOne(programs[random(programs.length)]);
  }),
);
// A server notices at once that its program has ended, and has a moment to end.
let left = survivors();
for (let tries = 0; left.length > 0 && tries < 50; tries++) {
  await sleep(200);
  left = survivors();
}
for (const pid of left) console.log(`left: process ${pid}, ${textOf(pid, 'cmdline').replaceAll('\0', ' ')}`);
const files = readdirSync(temporary);
for (const name of files) console.log(`left: file ${name}`);
counts.processes = left.length;
counts.files = files.length;
counts.sharedMemory = sharedMemory().filter((name) => !before.has(name)).length;
console.log(JSON.stringify(counts));
const { failed, crashed, hung, processes } = counts;
process.exitCode = failed + crashed + hung + processes + counts.files + counts.sharedMemory > 0 ? 1 : 0;
