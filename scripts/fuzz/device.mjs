// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/device.mjs FIRST COUNT [--reduce] [--seconds=N] [--all-tiles] [--control-flow] [--bytes] [--rows] [--stores]
//                             [--exchanges] [--aliases] [--structures] [--bits] [--copies] [--conversions] [--quotients] [--matrices] [--pixels] [--recurrences] [--vectors] [--objects] [--collectives] [--wide] [--cuts] [--clang] [--modes] [--drivers[=PLATFORM,...]]: runs COUNT
// random kernels (tests/fuzz/random-kernel.ts), beginning with the seed FIRST, against the interpreter: on three tile shapes,
// which the seed chooses, as it chooses how many regions of a kernel with barriers may go on together (ts/jit/regions/cuts.ts).
//   --control-flow  kernels of control flow alone (tests/fuzz/kernels/control-flow.ts)
//   --bytes     kernels that move bytes and shorts (tests/fuzz/kernels/bytes.ts)
//   --rows      kernels in which work-items go along elements of their own (tests/fuzz/kernels/rows.ts)
//   --stores    kernels that write elements of their own (tests/fuzz/kernels/stores.ts)
//   --exchanges kernels that exchange values through local memory (tests/fuzz/kernels/exchanges.ts)
//   --objects   kernels of unions, records, components, pointers to pointers (tests/fuzz/kernels/objects.ts)
//   --collectives  kernels of what groups and sub-groups do together (tests/fuzz/kernels/collectives.ts)
//   --aliases   kernels of two arguments that may overlap (tests/fuzz/kernels/aliases.ts)
//   --structures  kernels of vectors at any places (tests/fuzz/kernels/structures.ts)
//   --bits      kernels that move the bits of a number (tests/fuzz/kernels/bits.ts)
//   --conversions  kernels of C's implicit conversions (tests/fuzz/kernels/conversions.ts)
//   --copies    kernels that copy structs with padding, whose whole bytes are compared (tests/fuzz/kernels/copies.ts)
//   --quotients kernels that take ids apart by division (tests/fuzz/kernels/quotients.ts)
//   --matrices  kernels of rows and columns, with sums in memory (tests/fuzz/kernels/matrices.ts)
//   --pixels    kernels of bytes and shorts that become floats, and back (tests/fuzz/kernels/pixels.ts)
//   --recurrences  kernels that load what they have stored some iterations before (tests/fuzz/kernels/recurrences.ts)
//   --vectors   kernels of vectors that loops and branches pass on (tests/fuzz/kernels/vectors.ts)
//   --built-ins kernels of built-in functions, against a model (tests/fuzz/kernels/built-ins.ts)
//   --exact-floats  kernels of exact functions of floats, also with pointers, against a model (tests/fuzz/kernels/exact-floats.ts)
//   --odd-control-flow  kernels with labels and cases anywhere, and jumps to them, against a model (tests/fuzz/kernels/odd-control-flow.ts)
//   --async-copies  kernels of asynchronous copies, against a model (tests/fuzz/kernels/async-copies.ts)
//   --wide      with vectors paired to 256 bits, on Node.js 26
//   --cuts      of every seed, not of three in five, kernels with barriers are cut where more than one to three regions would go on
//   --clang     the modules of clang-15 and llvm-spirv-15 at all levels of optimization, against the interpreter of our compiler's
//               (tests/fuzz/foreign-module.ts)
//   --all-tiles on tiles of all shapes, which takes three times as long
//   --modes     on the software device through the public API: plainly, with robust access and with checks, which must report nothing
//   --drivers   on the software device against a driver (PoCL unless named), through the public API: kernels of what every
//               implementation has. In a process of its own, as drivers crash and hang: both count as the driver's failures.
//               Of several drivers one must agree.
//   --reduce    reduces a failing kernel, and prints it
//   --seconds   stops after this many seconds
// The exit status is 1 if a kernel differs, does not compile or throws.
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { load, root } from './bundle.mjs';

const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
/** A driver takes at most some seconds for a kernel. */
const DRIVER_TIMEOUT = 120_000;
/** A checked run of nested loops may take long. */
const MODE_TIMEOUT = 60_000;

/** The generators of certain kernels, by option, which is the name of their file in tests/fuzz/kernels, too. */
const GENERATORS = {
  '--control-flow': 'randomControlFlow',
  '--bytes': 'randomBytes',
  '--rows': 'randomRows',
  '--stores': 'randomStores',
  '--exchanges': 'randomExchanges',
  '--objects': 'randomObjectKernel',
  '--collectives': 'randomCollectives',
  '--aliases': 'randomAliases',
  '--structures': 'randomStructures',
  '--bits': 'randomBits',
  '--conversions': 'randomConversions',
  '--copies': 'randomCopies',
  '--quotients': 'randomQuotients',
  '--matrices': 'randomMatrices',
  '--pixels': 'randomPixels',
  '--recurrences': 'randomRecurrences',
  '--vectors': 'randomVectors',
  '--tables': 'randomTables',
  '--built-ins': 'randomBuiltIns',
  '--exact-floats': 'randomExactFloats',
  '--odd-control-flow': 'randomOddControlFlow',
  '--async-copies': 'randomAsyncCopies',
};
const KINDS = Object.keys(GENERATORS);
/** The fuzzer's sources. */
const SOURCES = [
  'random-kernel',
  ...KINDS.map((kind) => `kernels/${kind.slice(2)}`),
  'run-kernel',
  'foreign-module',
  'run-on-drivers',
  'run-in-modes',
  'reduce',
].map((file) => `tests/fuzz/${file}`);

async function main() {
  const words = process.argv.slice(2).map((word) => (word === '--drivers' ? '--drivers=Portable' : word));
  const { positionals, values } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      reduce: { type: 'boolean' },
      seconds: { type: 'string', default: 'Infinity' },
      'all-tiles': { type: 'boolean' },
      cuts: { type: 'boolean' },
      clang: { type: 'boolean' },
      ...Object.fromEntries(KINDS.map((kind) => [kind.slice(2), { type: 'boolean' }])),
      drivers: { type: 'string' },
      child: { type: 'boolean' },
      wide: { type: 'boolean' },
      modes: { type: 'boolean' },
    },
  });
  const [first, count] = positionals.map(Number);
  if (!(first >= 0 && count > 0)) {
    console.error(
      'usage: node scripts/fuzz/device.mjs FIRST COUNT [--reduce] [--seconds=N] [--all-tiles] ' +
        `${KINDS.map((kind) => `[${kind}]`).join(' ')} [--wide] [--cuts] [--clang] [--modes] [--drivers[=PLATFORM,...]]`,
    );
    return 2;
  }
  const bundled = await load(SOURCES);
  const paired = values.wide ? pairingVectors(bundled) : bundled;
  const kind = KINDS.find((each) => values[each.slice(2)]);
  const chosen = kind && paired[GENERATORS[kind]];
  const fuzzer = chosen ? { ...paired, randomKernel: chosen } : paired;
  if (values.child) return compareAll(fuzzer, values.drivers, first, count);
  const seeds = { first, end: first + count, until: Date.now() + Number(values.seconds) * 1000 };
  const { tried, faults, left } = values.drivers
    ? await onDriver(fuzzer, seeds, values.drivers, values.reduce)
    : values.modes
      ? await inModes(fuzzer, seeds, values.reduce)
      : await onTiles(fuzzer, seeds, values);
  console.log(
    `${tried} kernels, seeds ${first} to ${first + tried - 1}: ${faults} faults, ${left} not compared ` +
      `(they take too long, or are too large for the tile${values.clang ? ', or llvm-spirv failed' : ''}${values.drivers ? ', or the driver failed' : ''})`,
  );
  return faults > 0 ? 1 : 0;
}

/** The fuzzer with an engine that pairs vectors (ADR 39) in all kernels, with the flags that kernels are compiled with. */
function pairingVectors(fuzzer) {
  setFlagsFromString(
    '--no-liftoff --no-wasm-lazy-compilation --no-wasm-inlining --experimental-wasm-revectorize --no-turbo-move-optimization',
  );
  const { firstDifference } = fuzzer;
  const engine = { relaxedSimd: false, isX64: true, wide: 'always' };
  return {
    ...fuzzer,
    firstDifference: (kernel, dist, tiles, settings) =>
      firstDifference(kernel, dist, tiles, { ...settings, engine }),
  };
}

// ---- tiles

async function onTiles(fuzzer, { first, end, until }, { reduce: reduces, 'all-tiles': allTiles, ...kinds }) {
  const tilesOf = allTiles ? () => fuzzer.TILES : fuzzer.tilesOf;
  let faults = 0;
  let left = 0;
  let seed = first;
  for (; seed < end && Date.now() < until; seed++) {
    const kernel = fuzzer.randomKernel(seed);
    const settings = fuzzer.settingsOf(seed, kinds);
    const found = fault(fuzzer, kernel, tilesOf(seed), settings);
    if (found?.tooLong) left++;
    if (found === undefined || found.tooLong) continue;
    faults++;
    console.log(`seed ${seed}: ${found.text}`);
    if (reduces) await printReduced(fuzzer, kernel, found, settings);
  }
  return { tried: seed - first, faults, left };
}

/** The fault of a kernel: the tile, the kind of fault, and the details. */
function fault({ firstDifference, NotCompiled, NotTranslated, TooLong }, kernel, tiles, settings) {
  try {
    const found = firstDifference(kernel, dist, tiles, settings);
    return (
      found && { tile: found.tile, kind: 'differs', text: `tile ${found.tile.join(' x ')}: ${found.what}` }
    );
  } catch (error) {
    if (error instanceof TooLong || error instanceof NotTranslated)
      return { kind: 'too long', tooLong: true };
    // The device gives such a kernel fewer lanes, unless it requires a size of sub-groups.
    if (/maximum function size|local count too large/.test(error.message))
      return { kind: 'too large', tooLong: true };
    const [line] = `${error.message}`.split('\n');
    const text = `${error instanceof NotCompiled ? 'does not compile' : 'throws'}: ${line}`;
    return { kind: text.replace(/-?\d+/g, ''), text };
  }
}

async function printReduced(fuzzer, kernel, first, settings) {
  // Scalar code is simpler to look at, if it is at fault too.
  const found = (first.tile && fault(fuzzer, kernel, [[1, 1]], settings)) ?? first;
  // The scalar code must stay right during reduction, unless it is the faulty one.
  const isScalar = found.tile?.join() === '1,1';
  const tiles = found.tile && (isScalar ? [[1, 1]] : [[1, 1], found.tile]);
  const source = await fuzzer.reduce(kernel.source, (text) => {
    const now = fault(fuzzer, { ...kernel, source: text }, tiles, settings);
    return now?.kind === found.kind && (now.tile?.join() === '1,1') === isScalar;
  });
  const { text } = fault(fuzzer, { ...kernel, source }, tiles, settings);
  console.log(
    `global ${kernel.global}, local ${kernel.local}, ${JSON.stringify(settings)}: ${text}\n${source}\n`,
  );
}

// ---- modes

async function inModes(fuzzer, { first, end, until }, reduces) {
  const modes = await fuzzer.Modes.open(require(join(dist, 'index.cjs')), MODE_TIMEOUT);
  let faults = 0;
  let left = 0;
  let seed = first;
  for (; seed < end && Date.now() < until; seed++) {
    const kernel = fuzzer.randomKernel(seed);
    const text = await modes.firstDifference(kernel).catch((error) => `throws: ${error.message}`);
    if (text === undefined) continue;
    const tooLong = /ANYCL_COMMAND_TIMED_OUT/.test(text);
    if (tooLong) left++;
    else faults++;
    console.log(`seed ${seed}: ${text}`);
    if (tooLong || !reduces) continue;
    const kind = (found) => found?.replace(/-?\d+/g, '').split('\n')[0];
    const source = await fuzzer.reduce(kernel.source, async (smaller) => {
      const found = await modes.firstDifference({ ...kernel, source: smaller }).catch(() => undefined);
      return kind(found) === kind(text);
    });
    console.log(`global ${kernel.global}, local ${kernel.local}:\n${source}\n`);
  }
  modes.close();
  return { tried: seed - first, faults, left };
}

// ---- drivers

/** Compares in child processes; starts a new one after each crash and each kernel that does not end. */
async function onDriver(fuzzer, { first, end, until }, driver, prints) {
  let faults = 0;
  let left = 0;
  let seed = first;
  while (seed < end && Date.now() < until) {
    const kind = process.argv.filter((word) => KINDS.includes(word));
    const args = [`${seed}`, `${end - seed}`, '--child', `--drivers=${driver}`, ...kind];
    const child = fork(fileURLToPath(import.meta.url), args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    for (let ended = false; !ended && seed < end && Date.now() < until; seed++) {
      const { text, over, onDriver, tooLong } = await report(child);
      ended = over;
      if (text === undefined) continue;
      if (tooLong || (onDriver && over)) left++;
      else faults++;
      console.log(`seed ${seed}: ${over && onDriver ? 'the driver ' : ''}${text}`);
      if (prints) console.log(fuzzer.randomKernel(seed, { portable: true }).source);
    }
    child.kill('SIGKILL');
  }
  return { tried: seed - first, faults, left };
}

/** The child's report on its next kernel; `over`: it has ended; `onDriver`: the software device has finished the kernel. */
function report(child) {
  return new Promise((resolve) => {
    let onDriver = false;
    const finish = (result) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve({ onDriver, ...result });
    };
    const timer = setTimeout(() => finish({ over: true, text: 'does not end' }), DRIVER_TIMEOUT);
    child.on('message', ({ begins, text, tooLong }) => {
      if (begins) onDriver = true;
      else finish({ over: false, text, tooLong });
    });
    child.once('exit', (code, signal) => finish({ over: true, text: `ends the process: ${signal ?? code}` }));
    child.send('next', () => {});
  });
}

/** In a child: compares one kernel for each message. */
async function compareAll(fuzzer, driver, first, count) {
  const { Drivers, randomKernel } = fuzzer;
  process.env.ANYCL_TIMEOUT ??= '20000';
  const drivers = await Drivers.open(require(join(dist, 'index.cjs')), driver.split(','));
  for (let seed = first; seed < first + count; seed++) {
    await new Promise((resolve) => process.once('message', resolve));
    const kernel = randomKernel(seed, { portable: true });
    let text;
    let tooLong = false;
    try {
      const begins = () => process.send({ begins: true });
      text = await drivers.firstDifference(kernel, begins);
    } catch (error) {
      text = `throws: ${`${error.message}`.slice(0, 400)}`;
      // Nested loops: the interpreter gives up, too.
      tooLong = /made no progress/.test(text) && fault(fuzzer, kernel, [])?.tooLong === true;
    }
    process.send({ text, tooLong });
  }
  return 0;
}

process.exit(await main());
