// SPDX-License-Identifier: MIT
// The cost of calls and transfers through anycl, compared with C and PyOpenCL on the same driver, as a table.
//
//   node bench/native/enqueue.mjs [platform index] [bytes]
//     --build      only builds what the measurement needs (the C program, dist/)
//     --prebuilt   builds nothing: for a machine that has neither compiler nor development packages
//     --null       over null-driver.c, which does nothing: what remains is the binding's own cost
//     --json       one object instead of the table
// Each program runs three times, alternating; the best result is used. Programs that cannot run (no Python, no compiler) are left
// out.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const out = join(root, 'build', 'bench');
const flags = new Set(process.argv.slice(2).filter((a) => a.startsWith('--')));
const [platform = '0', bytes = String(64 << 20)] = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const library = join(out, 'libnull.so');
const program = join(out, 'enqueue');
const turns = 3;

function build() {
  mkdirSync(out, { recursive: true });
  const cc = (...args) => spawnSync('cc', ['-O2', ...args], { stdio: ['ignore', 'inherit', 'ignore'] });
  cc(join(here, 'enqueue.c'), '-o', program, '-l:libOpenCL.so.1');
  if (flags.has('--null')) cc('-shared', '-fPIC', join(here, 'null-driver.c'), '-o', library);
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--fast'], { stdio: 'ignore' });
}

/** The last line of a program's output, as JSON; undefined if it does not run. */
function measure(command, args, env = {}) {
  const done = spawnSync(command, [...args, platform, bytes], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  return done.status === 0 ? JSON.parse(done.stdout.trim().split('\n').pop()) : undefined;
}

const preload = flags.has('--null') ? { LD_PRELOAD: library } : {};
const contenders = {
  C: () => measure(program, [], preload),
  anycl: () =>
    measure(
      process.execPath,
      [join(here, 'enqueue-anycl.mjs')],
      flags.has('--null') ? { ANYCL_OPENCL_LIBRARY: library } : {},
    ),
  // Debian's PyOpenCL belongs to the system's Python, which need not be the first on the path.
  PyOpenCL: () =>
    measure('/usr/bin/python3', [join(here, 'enqueue.py')], preload) ??
    measure('python3', [join(here, 'enqueue.py')], preload),
};

/** Rows of the table: the figure, the figure of C to compare with, and the unit. */
const rows = [
  ['setArg', 'setArg', 'ns'],
  ['enqueue', 'enqueue', 'ns'],
  ['enqueueBatch', 'enqueue', 'ns'],
  ['enqueueEvent', 'enqueueEvent', 'ns'],
  ['enqueueFinish', 'enqueueFinish', 'ns'],
  ['write', 'write', 'GB/s'],
  ['read', 'read', 'GB/s'],
  ['writePinned', 'writePinned', 'GB/s'],
  ['readPinned', 'readPinned', 'GB/s'],
  ['kernel', 'kernel', 'ns'],
];

function bestOf(a, b, unit) {
  if (a === undefined || b === undefined) return a ?? b;
  return unit === 'GB/s' ? Math.max(a, b) : Math.min(a, b);
}

function compare() {
  const best = {};
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, run] of Object.entries(contenders)) {
      const result = turn === 0 || best[name] ? run() : undefined;
      if (!result) continue;
      best[name] ??= {};
      for (const [row, , unit] of rows) best[name][row] = bestOf(best[name][row], result[row], unit);
    }
  }
  return best;
}

function print(best) {
  const figure = (value, unit) =>
    (value === undefined ? '-' : value.toFixed(unit === 'GB/s' || value < 10 ? 2 : 0)).padStart(10);
  /** The speed of `mine`, in percent of `theirs`. */
  const percent = (mine, theirs, unit) =>
    mine === undefined || theirs === undefined
      ? ''.padStart(12)
      : `${((unit === 'GB/s' ? mine / theirs : theirs / mine) * 100).toFixed(0)}%`.padStart(12);
  console.log(
    `${''.padEnd(20)}${'anycl'.padStart(10)}${'C'.padStart(10)}${'PyOpenCL'.padStart(10)}${'of C'.padStart(12)}${'of PyOpenCL'.padStart(12)}`,
  );
  for (const [row, other, unit] of rows) {
    const [mine, c, python] = [best.anycl?.[row], best.C?.[other], best.PyOpenCL?.[other]];
    console.log(
      `${`${row} (${unit})`.padEnd(20)}${figure(mine, unit)}${figure(c, unit)}${figure(python, unit)}${percent(mine, c, unit)}${percent(mine, python, unit)}`,
    );
  }
}

if (!flags.has('--prebuilt')) build();
if (!flags.has('--build')) {
  const best = compare();
  if (!best.anycl) {
    console.error('anycl could not be measured: is there an OpenCL platform, and is the addon built?');
    process.exitCode = 1;
  } else if (flags.has('--json')) console.log(JSON.stringify(best));
  else print(best);
}
