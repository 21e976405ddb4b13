// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/printf.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--mode=check|robust] [--cc=gcc] [--print]: runs COUNT random
// kernels that print (tests/fuzz/printf), beginning with the seed FIRST, on a device (the software device unless named), and compares
// the bytes with those of a program in C. `--print` prints the kernels that differ. The exit status is 1 if output differs.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, root, scratchFolder } from './bundle.mjs';
import { MODES, readSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
/** Programs of one process, and of one program in C. */
const BATCH = 32;
const OPTIONS = '-cl-std=CL3.0 -w';
/** The generator, and the comparison. */
const SOURCES = ['tests/fuzz/printf/random-printf', 'tests/fuzz/printf/compare-output'];

async function main() {
  const words = '[--device=SELECTOR] [--mode=check|robust] [--cc=COMMAND] [--print]';
  const { first, count, values } = readSeeds('printf.mjs', words, {
    device: { type: 'string', default: 'software' },
    mode: { type: 'string' },
    cc: { type: 'string', default: 'gcc' },
    print: { type: 'boolean' },
    child: { type: 'string' },
  });
  if (values.child) return runInChild(require(values.child), first, count, values);
  const scratch = scratchFolder();
  const module = await bundle(SOURCES, join(scratch, 'fuzz.cjs'));
  return await compareBatches(scratch, module, first, count, values);
}

async function compareBatches(scratch, module, first, count, values) {
  const { randomPrintf, inC, differenceIn, outputOf } = require(module);
  const until = Date.now() + Number(values.seconds) * 1000;
  let faults = 0;
  let seed = first;
  while (seed < first + count && Date.now() < until) {
    const size = Math.min(BATCH, first + count - seed);
    const programs = Array.from({ length: size }, (_, i) => randomPrintf(seed + i));
    const expected = outputOf(printedByC(scratch, inC(programs), values.cc));
    if (expected.rest !== '')
      throw new Error(`C prints what is in no record: ${JSON.stringify(expected.rest)}`);
    const { text, problem } = printedByDevice(scratch, module, seed, size, values);
    const actual = outputOf(text);
    const found = programs.flatMap((program) => {
      const difference = differenceIn(program, expected, actual);
      return difference === undefined ? [] : [[program, difference]];
    });
    for (const [program, difference] of found) {
      console.log(`seed ${program.seed}: ${difference}`);
      if (values.print) console.log(program.source);
    }
    // A full buffer is noted.
    const rest = actual.rest.replace(/\[printf: the buffer was full, \d+ bytes were printed\]\n/g, '');
    if (rest !== '') console.log(`from seed ${seed} on, in no record: ${JSON.stringify(rest.slice(0, 300))}`);
    if (problem) console.log(`from seed ${seed} on: ${problem}`);
    faults += found.length + (rest === '' ? 0 : 1) + (problem ? 1 : 0);
    seed += size;
  }
  console.log(`${seed - first} programs, seeds ${first} to ${seed - 1}: ${faults} faults`);
  return faults > 0 ? 1 : 0;
}

function printedByC(scratch, source, cc) {
  const [file, program, out] = ['all.c', 'all', 'c.txt'].map((name) => join(scratch, name));
  writeFileSync(file, source);
  const { status, stderr, error } = spawnSync(cc, ['-w', '-O0', '-o', program, file], { encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(stderr);
  return outputInto(out, program, []).text;
}

/** Output goes through a file: pipes have ends that drivers do not wait for. */
function outputInto(out, command, words) {
  const stdout = openSync(out, 'w');
  const run = spawnSync(command, words, { stdio: ['ignore', stdout, 'pipe'], encoding: 'utf8' });
  closeSync(stdout);
  return { ...run, text: readFileSync(out, 'latin1') };
}

function printedByDevice(scratch, module, seed, size, { device, mode }) {
  const words = [
    fileURLToPath(import.meta.url),
    `${seed}`,
    `${size}`,
    `--child=${module}`,
    `--device=${device}`,
  ];
  if (mode) words.push(`--mode=${mode}`);
  const { text, status, signal, stderr } = outputInto(join(scratch, 'device.txt'), process.execPath, words);
  return { text, problem: status === 0 ? undefined : `the process ends: ${signal ?? status}\n${stderr}` };
}

/** In a child: all programs on one device. */
async function runInChild({ randomPrintf }, first, count, { device, mode }) {
  const { open } = require(join(root, 'dist/index.cjs'));
  const session = await open({ device, ...MODES[mode] });
  let status = 0;
  for (let seed = first; seed < first + count; seed++) {
    const program = randomPrintf(seed);
    if (program.overflows && session.device.type !== 'software') continue;
    const { kernels } = await session.build(program.source, OPTIONS).catch((error) => {
      throw new Error(`seed ${seed}: ${error.message}\n${program.source}`);
    });
    const words = session.buffer(program.words);
    const launches = [];
    for (let launch = 0; launch < program.launches; launch++) {
      kernels.show.setArgs(words, launch);
      launches.push(
        session.queue.enqueueNDRange(kernels.show, { global: program.global, local: program.local }),
      );
    }
    if (seed % 2) session.queue.finishSync();
    await Promise.all(launches);
    for (const { faults = [] } of launches)
      for (const { text } of faults) {
        console.error(`seed ${seed}: ${text}`);
        status = 1;
      }
    words.release();
  }
  session.close();
  return status;
}

process.exitCode = await main();
