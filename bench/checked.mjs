// SPDX-License-Identifier: MIT
//
// What checked and robust runs cost: the processor time of a repetition over that of a plain run.
//
//     node bench/checked.mjs                    the named workloads, and those whose launches are checked access by access
//     node bench/checked.mjs --set checked --only floyd-128,scatter --repeat 15
//     node bench/checked.mjs --json
//
// Three sessions of one process take turns, and the processor time is that of all threads, so a loaded machine can measure.
// Ratios are medians of those of each turn. "first" has the launches of a fresh program, with the JIT's time. "reports" are those
// of the first checked repetition: kernels with true faults cost more.
import { parseArgs } from 'node:util';
import { open } from 'anycl';
import { geometricMean, median } from './statistics.mjs';
import { sets } from './workloads/registry.mjs';

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', default: 'checked,named' },
    only: { type: 'string' },
    repeat: { type: 'string', default: '11' },
    json: { type: 'boolean', default: false },
  },
});

const MODES = { plain: {}, robust: { robust: true }, checked: { check: 'all' } };
/** Processor time of a sample, so that the clock's steps do not matter, and before the samples: V8 optimizes the code of a launch. */
const SAMPLE_MS = 20;
const WARM_MS = 300;
const MOST_TIMES = 500;
/** A workload above this many times the plain time misses the goal of docs/checks.md. */
const GOAL = 20;

const workloads = Object.assign({}, ...flags.set.split(',').map((name) => sets[name]));
const names = flags.only?.split(',') ?? Object.keys(workloads);

const sessions = {};
for (const [mode, options] of Object.entries(MODES))
  sessions[mode] = await open({ device: 'software', ...options });

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function prepare(session, workload) {
  const program = await session.build(workload.source(), workload.options ?? '');
  const { launches, reset, outputs } = workload.make(session, program.kernels);
  /** Its launches; with their events where `reports` is a list. */
  const once = async (reports) => {
    await reset?.();
    await session.queue.finish();
    const started = process.cpuUsage();
    let last;
    for (const [kernel, range, ...args] of launches) {
      if (reports) {
        kernel.setArgs(...args);
        const event = session.queue.enqueueNDRange(kernel, range);
        await event;
        reports.push(...event.faults);
      } else last = kernel.run(range, ...args);
    }
    await last;
    await session.queue.finish();
    return cpuMs(started);
  };
  return { once, outputs };
}

async function measure(name) {
  const states = {};
  const row = { name, reports: 0, first: {}, ms: {}, ratio: {} };
  for (const mode of Object.keys(MODES)) {
    const started = process.cpuUsage();
    states[mode] = await prepare(sessions[mode], workloads[name]);
    const reports = mode === 'checked' ? [] : undefined;
    await states[mode].once(reports);
    row.first[mode] = cpuMs(started);
    row.reports += reports?.length ?? 0;
  }
  const samples = {};
  const times = {};
  for (const [mode, { once }] of Object.entries(states)) {
    let [spent, runs] = [0, 0];
    while (spent < WARM_MS && runs < MOST_TIMES) {
      spent += await once();
      runs++;
    }
    times[mode] = Math.min(MOST_TIMES, Math.ceil((SAMPLE_MS * runs) / spent));
    samples[mode] = [];
  }
  for (let round = 0; round < Number(flags.repeat); round++)
    for (const [mode, { once }] of Object.entries(states)) {
      let spent = 0;
      for (let i = 0; i < times[mode]; i++) spent += await once();
      samples[mode].push(spent / times[mode]);
    }
  for (const mode of Object.keys(MODES)) {
    row.ms[mode] = median(samples[mode]);
    row.ratio[mode] = median(samples[mode].map((ms, round) => ms / samples.plain[round]));
    for (const [output] of states[mode].outputs) output.release();
  }
  return row;
}

function print({ name, reports, first, ms, ratio }) {
  const cells = [
    ...Object.values(ms).map((value) => value.toFixed(3).padStart(10)),
    `${ratio.robust.toFixed(2)}x`.padStart(9),
    `${ratio.checked.toFixed(2)}x`.padStart(9),
    `${(first.checked / first.plain).toFixed(1)}x`.padStart(8),
    String(reports).padStart(8),
    ratio.checked > GOAL ? '  ABOVE THE GOAL' : '',
  ];
  console.log(name.padEnd(16) + cells.join(''));
}

if (!flags.json)
  console.log(
    `${'CPU ms'.padEnd(16)}${Object.keys(MODES)
      .map((mode) => mode.padStart(10))
      .join('')}   robust  checked   first reports`,
  );
const rows = [];
for (const name of names) {
  const row = await measure(name);
  rows.push(row);
  if (!flags.json) print(row);
}
const means = Object.fromEntries(
  Object.keys(MODES).map((mode) => [mode, geometricMean(rows.map(({ ratio }) => ratio[mode]))]),
);
if (flags.json) console.log(JSON.stringify({ rows, geometricMean: means }, null, 2));
else
  console.log(
    `\ngeometric mean over plain: robust ${means.robust.toFixed(2)}, checked ${means.checked.toFixed(2)}; medians of ${flags.repeat} turns`,
  );
process.exit(0);
