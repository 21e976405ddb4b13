// SPDX-License-Identifier: MIT
//
// Runs OpenCL-CTS, built by scripts/cts/build.mjs, on the software device. Each sub-test has a process of its own, so that a crash or a
// hang affects no other sub-test.
//
//     node scripts/cts/run.mjs --build FOLDER --results cts.json
//     node scripts/cts/run.mjs --build FOLDER --results cts.json --suite basic,api --test 'image*'
//     node scripts/cts/run.mjs --build FOLDER --results pocl.json --driver /etc/OpenCL/vendors/pocl.icd
//
//     --driver FILE      an .icd file to run on instead of the software device
//     --full             runs the suites that take hours without their short mode
//     --rows FILE        only these sub-tests, in this order: a line is a suite, a | and a sub-test
//     --limit SECONDS    for a sub-test (default 300)
//     --seconds SECONDS  for the run: what has not ended then is left for the next run
//     --jobs N           sub-tests at a time (default 1)
//     --again            also what the results have already; otherwise a run goes on where an earlier one ended
//     --logs FOLDER      keeps the output of what did not pass
//     --of TEXT          what the table says was tested (default: the commit and its date)
//
// The results are one JSON file: a status, a time, what was tested and, where it did not pass, a reason for each sub-test.
// scripts/cts/report.mjs makes a table of it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { argsFor, subTestsOf } from './sub-tests.mjs';
import { SUITES } from './suites.mjs';

const { values: flags } = parseArgs({
  options: {
    build: { type: 'string' },
    results: { type: 'string', default: 'cts.json' },
    suite: { type: 'string' },
    test: { type: 'string', default: '*' },
    driver: { type: 'string' },
    full: { type: 'boolean', default: false },
    rows: { type: 'string' },
    limit: { type: 'string', default: '300' },
    seconds: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    logs: { type: 'string' },
    of: { type: 'string' },
  },
});
if (!flags.build)
  throw new Error('--build FOLDER is missing: where scripts/cts/build.mjs has built OpenCL-CTS');

const root = dirname(dirname(import.meta.dirname));
const programs = join(resolve(flags.build), 'test_conformance');
const scratch = mkdtempSync(join(tmpdir(), 'anycl-cts-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The commit and its date, or the package's version outside of a repository. */
function tested() {
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%h %cs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0 && existsSync(join(root, '.git'))) return stdout.trim();
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}
const of = flags.of ?? tested();

const environment = { ...process.env };
if (flags.driver) {
  environment.OCL_ICD_VENDORS = resolve(flags.driver);
  environment.OCL_ICD_FILENAMES = '';
}

/** The command for a program on the tested device. */
const command = (program, args) =>
  flags.driver
    ? [program, args]
    : [process.execPath, [join(root, 'dist', 'cli.cjs'), 'exec', '--', program, ...args]];

const end = performance.now() + Number(flags.seconds) * 1000;
/** A sub-test's limit, or less where the run ends before. */
const secondsLeft = () => Math.min(Number(flags.limit), (end - performance.now()) / 1000);

const wanted = new RegExp(`^${flags.test.replaceAll('*', '.*')}$`);

/** The suite's reason for a skipped sub-test, or the first message of a failed one. */
function reasonIn(output, status) {
  const lines = output.split('\n').map((line) => line.trim());
  const telling =
    status === 'skip'
      ? lines.filter((line) => /skip|not support|unsupported|requires/i.test(line))
      : lines.filter((line) => /error|fail|assert|mismatch|expected|CL_[A-Z_]+/i.test(line));
  const line = telling[0] ?? lines.filter(Boolean).at(-1) ?? '';
  // The paths of this build would mean nothing to readers.
  return line.replace(/ from \/\S+/, '').slice(0, 200);
}

let serial = 0;

/** The sub-test's result; undefined if the run's time was over before it ended. */
function runOne(suite, test) {
  return new Promise((done) => {
    const program = join(programs, suite.program);
    const answers = join(scratch, `${serial++}.json`);
    const [file, args] = command(program, argsFor(suite, test));
    const env = { ...environment, CL_CONFORMANCE_RESULTS_FILENAME: answers };
    if (suite.wimpy && !flags.full) env.CL_WIMPY_MODE = '1';
    const started = performance.now();
    const child = spawn(file, args, {
      cwd: dirname(program),
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    let size = 0;
    const keep = (chunk) => {
      size += chunk.length;
      if (size < 64 << 20) chunks.push(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const limit = secondsLeft();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill(-child.pid, 'SIGKILL');
    }, limit * 1000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const output = Buffer.concat(chunks).toString('utf8');
      const answer = existsSync(answers)
        ? JSON.parse(readFileSync(answers, 'utf8')).results[test]
        : undefined;
      rmSync(answers, { force: true });
      if (late && limit < Number(flags.limit)) return done(undefined);
      let status = answer ?? (code === 0 ? 'pass' : 'fail');
      if (late) status = 'timeout';
      else if (signal || (answer === undefined && code > 128)) status = 'crash';
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      const result = { status, seconds, of };
      if (status !== 'pass') {
        result.reason = late ? `did not end in ${flags.limit} s` : reasonIn(output, status);
        if (status === 'crash') result.reason = `${signal ?? `exit status ${code}`}: ${result.reason}`;
        if (flags.logs && status !== 'skip') {
          mkdirSync(flags.logs, { recursive: true });
          writeFileSync(join(flags.logs, `${suite.name.replaceAll(' ', '-')}.${test}.log`), output);
        }
      }
      done(result);
    });
  });
}

const results = existsSync(flags.results)
  ? JSON.parse(readFileSync(flags.results, 'utf8'))
  : { driver: flags.driver ? basename(flags.driver, '.icd') : 'anycl', suites: {} };
const save = () => writeFileSync(flags.results, `${JSON.stringify(results, null, 1)}\n`);

const rows = flags.rows ? readFileSync(flags.rows, 'utf8').split('\n').filter(Boolean) : undefined;
const rowOf = ({ suite, test }) => `${suite.name}|${test}`;
let work = [];
for (const suite of SUITES) {
  if (flags.suite && !flags.suite.split(',').includes(suite.name)) continue;
  if (rows && !rows.some((row) => row.startsWith(`${suite.name}|`))) continue;
  if (!existsSync(join(programs, suite.program))) {
    console.log(`${suite.name}: not built`);
    continue;
  }
  results.suites[suite.name] ??= {};
  for (const test of subTestsOf(programs, suite, environment))
    if (wanted.test(test) && (flags.again || !results.suites[suite.name][test])) work.push({ suite, test });
}
if (rows) {
  const unknown = rows.filter((row) => !SUITES.some((suite) => row.startsWith(`${suite.name}|`)));
  if (unknown.length > 0) throw new Error(`${flags.rows} names unknown suites: ${unknown.join(', ')}`);
  const places = new Map(rows.map((row, place) => [row, place]));
  work = work.filter((one) => places.has(rowOf(one)));
  work.sort((one, other) => places.get(rowOf(one)) - places.get(rowOf(other)));
}
console.log(`${work.length} sub-tests`);

async function worker() {
  for (let next = work.shift(); next && secondsLeft() > 0; next = work.shift()) {
    const { suite, test } = next;
    const result = await runOne(suite, test);
    if (!result) continue;
    results.suites[suite.name][test] = result;
    console.log(`${suite.name} ${test}: ${result.status} ${result.seconds} s ${result.reason ?? ''}`);
    save();
  }
}
await Promise.all(Array.from({ length: Number(flags.jobs) }, worker));
save();
const all = Object.values(results.suites).flatMap((tests) => Object.values(tests));
const count = (status) => all.filter((result) => result.status === status).length;
console.log(
  ['pass', 'skip', 'fail', 'crash', 'timeout'].map((status) => `${count(status)} ${status}`).join(', '),
);
process.exitCode = count('fail') + count('crash') + count('timeout') > 0 ? 1 : 0;
