// SPDX-License-Identifier: MIT
//
// Runs the workloads on several devices in one process, repetitions interleaved, and prints medians and ratios.
//
//     node bench/run.mjs                        software device against PoCL
//     node bench/run.mjs --devices software,llvmpipe --only sha256,nbody --repeat 15
//     node bench/run.mjs --set more             further kernels, for which there is no goal
//     node bench/run.mjs --json                 for bench/baseline.json
//     node bench/run.mjs --verify               results only, one repetition; exit status 1 if they differ
import { parseArgs } from 'node:util';
import { open } from 'anycl';
import { compareOutputs } from './compare.mjs';
import { geometricMean, median } from './statistics.mjs';
import { sets } from './workloads/registry.mjs';

const { values: flags } = parseArgs({
  options: {
    devices: { type: 'string', default: 'software,portable' },
    only: { type: 'string' },
    set: { type: 'string', default: 'named' },
    repeat: { type: 'string', default: '11' },
    json: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
  },
});

const workloads = sets[flags.set];
if (!workloads) throw new Error(`no set '${flags.set}'; there are ${Object.keys(sets).join(', ')}`);
const names = flags.only ? flags.only.split(',') : Object.keys(workloads);
const repeat = flags.verify ? 0 : Number(flags.repeat);

const sessions = [];
for (const device of flags.devices.split(',')) sessions.push(await open({ device }));

async function prepare(session, workload) {
  const started = performance.now();
  const program = await session.build(workload.source(), workload.options ?? '');
  const made = workload.make(session, program.kernels);
  const once = async () => {
    await made.reset?.();
    const t = performance.now();
    let last;
    for (const [kernel, range, ...args] of made.launches) last = kernel.run(range, ...args);
    await last;
    await session.queue.finish();
    return performance.now() - t;
  };
  return { ...made, once, buildMs: performance.now() - started, times: [] };
}

const rows = [];
for (const name of names) {
  const workload = workloads[name];
  if (!workload) throw new Error(`no workload '${name}'; there are ${Object.keys(workloads).join(', ')}`);
  const states = [];
  const row = { name };
  try {
    for (const session of sessions) states.push(await prepare(session, workload));
    for (const state of states) state.first = await state.once();
    row.difference = await compareOutputs(states);
    for (let i = 0; i < repeat; i++) for (const state of states) state.times.push(await state.once());
    row.first = states.map((state) => state.first);
    row.median = states.map((state) => median(state.times));
    row.ratio = row.median[1] === undefined ? undefined : row.median[1] / row.median[0];
  } catch (error) {
    row.error = error.message.split('\n')[0];
  }
  rows.push(row);
  for (const state of states) for (const [buffer] of state.outputs) buffer.release();
  if (flags.verify) console.log(`${row.name}: ${row.error ?? row.difference ?? 'same results'}`);
  else if (!flags.json) print(row);
}

function print(row) {
  if (row.error) {
    console.log(`${row.name.padEnd(16)} ${row.error}`);
    return;
  }
  const ms = (list) => list.map((t) => t.toFixed(2).padStart(10)).join('');
  const ratio = row.ratio === undefined ? '' : `${row.ratio.toFixed(2).padStart(8)}x`;
  console.log(
    `${row.name.padEnd(16)}${ms(row.median)}${ratio}   first ${ms(row.first)}   ${row.difference ?? 'same results'}`,
  );
}

const ratios = rows.map((row) => row.ratio).filter((ratio) => ratio !== undefined);
if (flags.verify) process.exit(rows.some((row) => row.error ?? row.difference) ? 1 : 0);
if (flags.json) {
  console.log(
    JSON.stringify(
      { devices: sessions.map((s) => s.device.name), rows, geometricMean: geometricMean(ratios) },
      null,
      2,
    ),
  );
} else if (ratios.length > 0) {
  const names = sessions.map((session) => session.device.name);
  const plain = rows.filter((row) => row.ratio && !row.name.startsWith('matmul')).map((row) => row.ratio);
  console.log(`\nmilliseconds, median of ${repeat}: ${names.join(' | ')}`);
  console.log(
    `geometric mean of the ratios: ${geometricMean(ratios).toFixed(2)}; without matrix products: ${geometricMean(plain).toFixed(2)}`,
  );
}
process.exit(0);
