// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/commands.mjs FIRST COUNT [--seconds=N] [--device=SELECTOR] [--threads=N] [--mode=check|robust] [--parts=N] [--limit=SECONDS] [--reduce] [--print]:
// runs COUNT random programs of commands (tests/fuzz/commands), beginning with the seed FIRST, on a device (the software device unless
// named), and compares all that the host sees with a sequential model. In a process of its own, which is watched: a step that takes
// longer than --limit (30 seconds) is a hang, and a process that ends a crash.
//   --threads   worker threads of the software device
//   --mode      in contexts whose kernels are checked or kept to their memory
//   --device    several, separated by commas, are the devices of each context, among which its queues are divided
//   --parts     the first device has this many sub-devices, which are in each context too
//   --reduce    prints the smallest program found with the same kind of fault
//   --print     prints the program of a fault as it is
// Through libanycl-icd: OCL_ICD_VENDORS=FOLDER ANYCL_OPENCL_LIBRARY=libOpenCL.so.1 --device=0:0, where FOLDER has a file anycl.icd that
// names build/Release/libanycl-icd.so.
// The exit status is 1 if there is a fault.
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, root, scratchFolder } from './bundle.mjs';
import { MODES, readSeeds } from './seeds.mjs';

const require = createRequire(import.meta.url);
/** A fault that comes and goes is looked for so often. */
const ATTEMPTS = 3;
/** After this many programs a process has new contexts. */
const PROGRAMS_OF_A_CONTEXT = 25;
/** The generator and the runner. */
const SOURCES = ['generate', 'order', 'prune', 'run'].map((file) => `tests/fuzz/commands/${file}`);

async function main() {
  const words =
    '[--device=SELECTOR] [--threads=N] [--mode=check|robust] [--parts=N] [--limit=SECONDS] [--reduce] [--print]';
  const { first, count, values } = readSeeds('commands.mjs', words, {
    device: { type: 'string', default: 'software' },
    threads: { type: 'string' },
    mode: { type: 'string' },
    parts: { type: 'string' },
    limit: { type: 'string', default: '30' },
    reduce: { type: 'boolean' },
    print: { type: 'boolean' },
    child: { type: 'string' },
  });
  if (values.child) return runInChild(require(values.child), values);
  const scratch = scratchFolder();
  const module = await bundle(SOURCES, join(scratch, 'commands.cjs'));
  return await watch(scratch, module, first, count, values);
}

async function watch(scratch, module, first, count, values) {
  const { reduceCommands, textOf } = require(module);
  const child = new Child(module, values);
  const until = Date.now() + Number(values.seconds) * 1000;
  const file = join(scratch, 'program.json');
  let faults = 0;
  let seed = first;
  for (; seed < first + count && Date.now() < until; seed++) {
    const { text, program, abilities } = await child.request({ seed });
    if (text === undefined) continue;
    faults++;
    console.log(`seed ${seed}: ${text}`);
    const made = program ?? (await child.request({ seed, only: 'program' })).program;
    let shown = values.print ? made : undefined;
    if (values.reduce) {
      const kind = kindOf(text);
      const fails = async (smaller) => {
        writeFileSync(file, JSON.stringify(smaller));
        for (let i = 0; i < ATTEMPTS; i++) {
          const again = await child.request({ file });
          if (again.text !== undefined && kindOf(again.text) === kind) return true;
        }
        return false;
      };
      const known = abilities ?? (await child.request({ seed, only: 'program' })).abilities;
      shown = await reduceCommands(made, known, fails);
      writeFileSync(file, JSON.stringify(shown));
      console.log(`reduced: ${(await child.request({ file })).text}`);
    }
    if (shown) console.log(`${JSON.stringify(shown.queues)}\n${shown.steps.map(textOf).join('\n')}\n`);
  }
  child.end();
  console.log(`${seed - first} programs, seeds ${first} to ${seed - 1}: ${faults} faults`);
  return faults > 0 ? 1 : 0;
}

/** Faults of one kind differ in numbers only. */
const kindOf = (text) => text.replace(/-?\d+/g, '').slice(0, 120);

/** A process that runs programs; a new one after each that hung or crashed. */
class Child {
  #process;
  #arguments;
  #limit;
  #env;

  constructor(module, { device, threads, limit, mode, parts }) {
    this.#arguments = [
      `--child=${module}`,
      `--device=${device}`,
      ...(mode ? [`--mode=${mode}`] : []),
      ...(parts ? [`--parts=${parts}`] : []),
    ];
    this.#limit = Number(limit) * 1000;
    // The watch of this process is the only one.
    this.#env = { ...process.env, ANYCL_TIMEOUT: '600000', ...(threads && { ANYCL_THREADS: threads }) };
  }

  request(message) {
    this.#process ??= fork(fileURLToPath(import.meta.url), this.#arguments, { env: this.#env });
    const child = this.#process;
    return new Promise((resolve) => {
      let step = 'before its first step';
      let timer;
      const finish = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const end = (text) => {
        child.kill('SIGKILL');
        this.#process = undefined;
        finish({ text });
      };
      const rewind = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end(`hangs ${step}`), this.#limit);
      };
      child.on('message', (answer) => {
        if (answer.step === undefined) return finish(answer);
        step = answer.step < 0 ? 'at the end' : `in step ${answer.step}`;
        rewind();
      });
      child.once('exit', (code, signal) => end(`ends the process ${step}: ${signal ?? code}`));
      rewind();
      child.send(message);
    });
  }

  end() {
    this.#process?.removeAllListeners();
    this.#process?.kill('SIGKILL');
  }
}

/** In a child: a program for each message. */
async function runInChild({ Bench, randomCommands, runCommands }, { device, mode, parts }) {
  const api = require(join(root, 'dist/index.cjs'));
  const devices = device.split(',').map((selector) => api.findDevice(selector));
  const [first] = devices;
  // The queues of a context take its devices in turn, the parts first.
  const divided = parts ? first.partition({ byCounts: Array.from({ length: Number(parts) }, () => 1) }) : [];
  const bench = new Bench(api, first, MODES[mode] ?? {}, [...divided, ...devices]);
  let programs = 0;
  process.on('message', async ({ seed, file, only }) => {
    const { abilities } = bench;
    const program = file ? JSON.parse(readFileSync(file, 'utf8')) : randomCommands(seed, abilities);
    if (only === 'program') return process.send({ program, abilities });
    if (++programs % PROGRAMS_OF_A_CONTEXT === 0) bench.renew();
    const text = await runCommands(program, bench, (step) => process.send({ step }));
    process.send(text === undefined ? {} : { text, program, abilities });
  });
  await new Promise((resolve) => process.once('disconnect', resolve));
  return 0;
}

process.exit(await main());
