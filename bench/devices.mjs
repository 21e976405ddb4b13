// SPDX-License-Identifier: MIT
//
// `split` and `schedule` over several devices against the fastest one of them alone, repetitions interleaved; medians.
//
//     node bench/devices.mjs                          all devices of the machine
//     node bench/devices.mjs --devices NVIDIA,anycl   those whose names contain one of these
//     node bench/devices.mjs --scale 8                eight times the work
//     node bench/devices.mjs --only compute --repeat 9
//
// compute: registers alone. memory: each work-item reads places all over a table of 32 MB. transfer: three arrays
// cross the bus for one addition each. jobs: 64 independent jobs by `schedule`. Results are compared with those of the first device.
import { parseArgs } from 'node:util';
import { openTeam, part, platforms, schedule, split } from 'anycl';
import { median } from './statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    devices: { type: 'string', default: '' },
    only: { type: 'string', default: 'compute,memory,transfer,jobs' },
    scale: { type: 'string', default: '1' },
    repeat: { type: 'string', default: '5' },
  },
});
const scale = Number(flags.scale);

const COMPUTE = `kernel void compute(global float *out, uint rounds) {
  size_t i = get_global_id(0);
  float a = i * 1e-9f, b = a + 0.5f, c = a + 0.25f, d = a + 0.125f;
  for (uint k = 0; k < rounds; k++) {
    a = fma(a, 0.999f, 0.001f); b = fma(b, 0.998f, 0.002f);
    c = fma(c, 0.997f, 0.003f); d = fma(d, 0.996f, 0.004f);
  }
  out[i] = a + b + c + d;
}`;
const MEMORY = `kernel void memory(global float *out, global const float *table, uint length, uint step) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < length; k += step) sum += table[(i * 32 + k * 7) % length];
  out[i] = sum;
}`;
const TRANSFER = `kernel void transfer(global float *out, global const float *x, global const float *y) {
  size_t i = get_global_id(0);
  out[i] = x[i] + 2 * y[i];
}`;

/** For each name, what makes `(team) => run`, and the array that the run fills. */
const WORKLOADS = {
  compute: async (team) => {
    const kernel = await team.kernel(COMPUTE, 'compute');
    const out = new Float32Array(1 << 23);
    return {
      out,
      run: () => split(kernel, { global: out.length }, part.write(out), Math.round(250 * scale)),
    };
  },
  memory: async (team) => {
    const kernel = await team.kernel(MEMORY, 'memory');
    const out = new Float32Array(1 << 20);
    const table = new Float32Array(1 << 23).fill(0.5);
    return {
      out,
      run: () =>
        split(
          kernel,
          { global: out.length },
          part.write(out),
          part.whole(table),
          table.length,
          Math.ceil((1 << 19) / scale),
        ),
    };
  },
  transfer: async (team) => {
    const kernel = await team.kernel(TRANSFER, 'transfer');
    const out = new Float32Array((1 << 22) * scale);
    const [x, y] = [new Float32Array(out.length).fill(1), new Float32Array(out.length).fill(3)];
    return {
      out,
      run: () => split(kernel, { global: out.length }, part.write(out), part.read(x), part.read(y)),
    };
  },
  jobs: async (team) => {
    const kernels = new Map((await team.kernel(COMPUTE, 'compute')).kernels);
    const ofSession = new Map([...kernels].map(([member, kernel]) => [member.session, kernel]));
    const out = new Float32Array(64);
    const rounds = Math.round(2000 * scale);
    const run = async () => {
      const jobs = Array.from(out, (_, i) => i);
      let i = 0;
      const results = schedule(team, jobs, async (session) => {
        const memory = session.buffer(Float32Array, 1 << 15);
        await ofSession.get(session).run({ global: memory.length }, memory, rounds);
        const values = await memory.read();
        memory.release();
        return values[1];
      });
      for await (const value of results) out[i++] = value;
    };
    return { out, run };
  },
};

async function time(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

const wanted = flags.devices.split(',');
const devices = platforms().flatMap((platform) => platform.devices);
const found = devices.filter(({ name }) => wanted.some((text) => name.includes(text)));
if (found.length === 0) throw new Error(`no device's name contains one of ${flags.devices}`);
const alike = found.filter(({ name }) => name === found[0].name);
const sets = found.map((device) => [device]);
if (alike.length > 1 && alike.length < found.length) sets.push(alike);
if (found.length > 1) sets.push(found);
for (const [i, device] of found.entries()) console.log(`${i}: ${device.name}`);

for (const name of flags.only.split(',')) {
  if (!WORKLOADS[name])
    throw new Error(`no workload '${name}'; there are ${Object.keys(WORKLOADS).join(', ')}`);
  const entries = [];
  for (const over of sets) {
    const team = await openTeam({ over });
    entries.push({ over, team, ...(await WORKLOADS[name](team)), times: [] });
  }
  for (const entry of entries) await entry.run();
  for (let i = 0; i < Number(flags.repeat); i++)
    for (const entry of entries) entry.times.push(await time(entry.run));
  const alone = Math.min(
    ...entries.filter(({ over }) => over.length === 1).map(({ times }) => median(times)),
  );
  for (const { over, out, times, team } of entries) {
    const first = entries[0].out;
    const differs = out.findIndex((value, i) => Math.abs(value - first[i]) > 1e-4 * Math.abs(first[i]));
    const members = over.map((device) => found.indexOf(device)).join(' + ');
    const ms = median(times);
    console.log(
      `${name.padEnd(9)} ${members.padEnd(12)} ${ms.toFixed(1).padStart(9)} ms  ${(alone / ms).toFixed(2).padStart(6)} times the fastest alone` +
        (differs < 0 ? '' : `  WRONG at ${differs}: ${out[differs]}, not ${first[differs]}`),
    );
    team.close();
  }
}
