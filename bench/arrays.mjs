// SPDX-License-Identifier: MIT
//
// Compares arrays with kernels written by hand, with plain loops of JavaScript and, with --pyopencl, with PyOpenCL's arrays on PoCL
// (PYTHON names the interpreter). Each workload is a row. First, all results are compared with those of the loop. Then all contenders
// run one after the other in each round, and medians are reported. A ratio says how many times as long the other contender takes: the
// median over the rounds, of wall time and of CPU time, which other work of the machine changes less. If a row fails, the next one
// runs. The exit status is 1 if a row failed or a result differed.
//
//     node bench/arrays.mjs [--device software] [--n 10000000] [--repeat 9] [--seconds 40] [--only sum,sort] [--pyopencl]
//     node bench/arrays.mjs --quick             2^20 elements, three rounds, a minute at most
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { open } from 'anycl';
import { arrays } from 'anycl/array';
import { byHand } from './arrays/by-hand.mjs';
import { loops } from './arrays/loops.mjs';
import { PyOpenCl } from './arrays/pyopencl.mjs';
import { difference } from './arrays/verify.mjs';
import { median } from './statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: 'software' },
    n: { type: 'string' },
    repeat: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    pyopencl: { type: 'boolean', default: false },
  },
});
const n = Number(flags.n ?? (flags.quick ? 2 ** 20 : 10_000_000));
/** The most rounds of a row. After `seconds` a row ends early, but not before its third round. */
const repeat = Number(flags.repeat ?? (flags.quick ? 3 : 9));
const seconds = Number(flags.seconds ?? (flags.quick ? 4 : 40));
if (!(n > 0 && n % 16 === 0)) throw new Error(`--n is a multiple of 16, not ${flags.n}`);
/** Rows of the matrices. */
const SIZE = flags.quick ? 512 : 1024;
/** Contenders that take longer than the first limit are measured once. Beyond the second limit, their first run, which includes builds, is
 * the measurement. */
const SLOW_MS = 2000;
const VERY_SLOW_MS = 15_000;

const cl = await open({ device: flags.device });
const nd = arrays(cl);
const bits = await nd.random(1).bits(n).read();
const floats = Float32Array.from(bits, (word) => (word >>> 8) / 2 ** 24);
const ints = new Int32Array(bits.buffer);
const [x, y, i] = [nd.array(floats), nd.array(floats), nd.array(ints)];
const [a, b] = [nd.random(2).uniform([SIZE, SIZE]), nd.random(3).uniform([SIZE, SIZE])];
const hand = await byHand(cl, {
  n,
  size: SIZE,
  x: await x.buffer(),
  y: await y.buffer(),
  i: await i.buffer(),
  a: await a.buffer(),
  b: await b.buffer(),
});
const loop = loops({ n, floats, ints, a: await a.read(), b: await b.read(), size: SIZE });
const axpy = nd.elementwise('z = x + a * y');
const own = {
  axpy: () => axpy({ a: 2, x, y }),
  math: () => x.sin().mul(x.exp()).add(x.sqrt()),
  sum: () => x.sum(),
  dot: () => x.mul(y).sum(),
  cumsum: () => i.cumsum(),
  sort: () => i.sort(),
  argsort: () => i.argsort(),
  sortBy: () => x.sortBy(i),
  compact: () => x.compact(x.gt(0.5)),
  unique: () => i.unique(),
  histogram: () => i.and(255).histogram({ bins: 256 }),
  random: () => nd.random(1).uniform(n),
  matmul: () => a.matmul(b),
};
const python = flags.pyopencl ? new PyOpenCl({ n, size: SIZE, inputs: { floats, ints } }) : undefined;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const SWEEP_MS = 30;

async function measured(run) {
  // Otherwise the garbage of the previous measurement might be collected during this one.
  collectGarbage();
  // Its threads go on sweeping for some milliseconds, which would count as CPU time of the measurement.
  await sleep(SWEEP_MS);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = await run();
  await result?.evaluate?.();
  await cl.queue.finish();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpu: (user + system) / 1000, result };
}

/** The contenders of a workload: `run` measures once, `read` has the last result. */
function contenders(name) {
  const values = (array) => (ArrayBuffer.isView(array) || Array.isArray(array) ? array : [array]);
  const list = [
    {
      title: 'arrays',
      async run() {
        const { result, ...times } = await measured(own[name]);
        this.read = async () => values(await result.read());
        this.release = () => result.release();
        return times;
      },
    },
    hand[name] && {
      title: 'by hand',
      async run() {
        const { result, ...times } = await measured(hand[name]);
        this.read = async () => {
          const data = await result.buffer.read({ length: result.length ?? result.buffer.length });
          return result.type ? new result.type(data.buffer, data.byteOffset, data.length) : data;
        };
        return times;
      },
    },
    {
      title: 'JavaScript',
      async run() {
        const { result, ...times } = await measured(async () => loop[name]());
        this.read = () => result;
        return times;
      },
    },
    python && {
      title: 'PyOpenCL',
      async run() {
        const times = await python.run(name);
        if (times) this.read = () => python.result(name);
        return times;
      },
    },
  ];
  return list.filter(Boolean);
}

const progress = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

async function first(one) {
  const times = await one.run();
  if (times?.ms > VERY_SLOW_MS) Object.assign(one, { firstTimes: times, isDone: true });
}

/** Compares the results of a first run, in which kernels are built. Contenders that fail take no part. Returns the faults. */
async function compared(name, list) {
  const faults = [];
  const reference = list.find(({ title }) => title === 'JavaScript');
  await first(reference);
  const expected = reference.read();
  for (const one of list) {
    progress(`${name}: results of ${one.title}`);
    try {
      if (one !== reference) await first(one);
      const wrong = one.read && difference(name, await one.read(), expected);
      if (wrong) faults.push(`${one.title}: ${wrong}`);
      one.release?.();
    } catch (error) {
      faults.push(`${one.title}: ${error.message}`);
      one.failed = true;
    }
  }
  return faults;
}

const text = (value, digits = 2) => (value === undefined ? '-' : value.toFixed(digits));
let failures = 0;

async function row(name) {
  const list = contenders(name);
  const faults = await compared(name, list);
  const rounds = [];
  const started = performance.now();
  const inTime = () => performance.now() - started < seconds * 1000;
  for (let k = 0; k < repeat && (k < 3 || inTime()); k++) {
    const round = {};
    // Each contender runs first in as many rounds as the others.
    for (let turn = 0; turn < list.length; turn++) {
      const one = list[(turn + k) % list.length];
      if (one.failed || one.isDone) continue;
      progress(`${name}: round ${k + 1} of ${repeat}, ${one.title}`);
      try {
        const times = await one.run();
        one.release?.();
        round[one.title] = times;
        one.isDone = one.title !== 'arrays' && times?.ms > SLOW_MS;
      } catch (error) {
        faults.push(`${one.title}: ${error.message}`);
        one.failed = true;
      }
    }
    rounds.push(round);
  }
  for (const { title, firstTimes } of list) if (firstTimes) rounds[0][title] = firstTimes;
  progress('');
  failures += faults.length;
  const ratio = (who, what) =>
    text(median(rounds.filter((r) => r[who] && r.arrays).map((r) => r[who][what] / r.arrays[what])));
  const time = (what) => text(median(rounds.filter((r) => r.arrays).map((r) => r.arrays[what])), 1);
  const cells = others.flatMap((who) => [ratio(who, 'ms'), ratio(who, 'cpu')]);
  const results = faults.length > 0 ? faults.join('; ') : 'equal';
  return [name, time('ms'), time('cpu'), ...cells, rounds.length, results];
}

const names = flags.only ? flags.only.split(',') : Object.keys(own);
const unknown = names.find((name) => !(name in own));
if (unknown) throw new Error(`no workload '${unknown}'; there are ${Object.keys(own).join(', ')}`);
const others = ['by hand', 'JavaScript', ...(python ? ['PyOpenCL'] : [])];
console.log(`${cl.device.name}, ${n} elements, matrices of ${SIZE} rows, Node.js ${process.version}\n`);
const head = [
  'workload',
  'ms',
  'CPU ms',
  ...others.flatMap((who) => [`${who}, time`, 'CPU']),
  'rounds',
  'results',
];
console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
for (const name of names) {
  try {
    console.log(`| ${(await row(name)).join(' | ')} |`);
  } catch (error) {
    failures++;
    console.log(`| ${name} | failed: ${error.message} |`);
  }
}
python?.end();
cl.close();
process.exit(failures > 0 ? 1 : 0);
