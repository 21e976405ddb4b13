// SPDX-License-Identifier: MIT
//
// The time to a first result, with nothing cached.
//
//     node bench/cold.mjs [--only NAME,…] [--repeat N]
//
// For each workload and device, in a process of its own with empty caches: the time from build() to the result of the
// first run in a running process ("build"), and from starting the process to that result ("process").
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { geometricMean, median } from './statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    devices: { type: 'string', default: 'software,portable' },
    only: { type: 'string' },
    repeat: { type: 'string', default: '3' },
    child: { type: 'string' },
  },
});

if (flags.child) await child(flags.child, flags.devices);
else await parent();

async function child(name, device) {
  const { open } = await import('anycl');
  const { workloads } = await import('./workloads/registry.mjs');
  const cl = await open({ device });
  const workload = workloads[name];
  const source = workload.source();
  // The data is created before the clock starts, as this is the program's time and not the device's.
  const made = workload.make(cl, new Proxy({}, { get: (_, kernel) => kernel }));
  await cl.queue.finish();
  const started = performance.now();
  const { kernels } = await cl.build(source);
  const [kernel, range, ...args] = made.launches[0];
  await kernels[kernel].run(range, ...args);
  const [output] = made.outputs[0];
  await output.read({ length: 1 });
  console.log(JSON.stringify({ build: performance.now() - started }));
  process.exit(0);
}

async function parent() {
  const { workloads } = await import('./workloads/registry.mjs');
  const names = flags.only ? flags.only.split(',') : Object.keys(workloads);
  const devices = flags.devices.split(',');
  const ratios = [];
  console.log(
    `${'milliseconds'.padEnd(16)}${devices.map((d) => `${d} build, process`.padStart(24)).join('')}   ratio of builds`,
  );
  for (const name of names) {
    const results = devices.map(() => ({ build: [], process: [] }));
    for (let i = 0; i < Number(flags.repeat); i++) {
      devices.forEach((device, d) => {
        const { build, process } = once(name, device);
        results[d].build.push(build);
        results[d].process.push(process);
      });
    }
    const build = results.map((r) => median(r.build));
    const ratio = build[1] / build[0];
    if (ratio > 0) ratios.push(ratio);
    const cells = results.map((r) =>
      `${median(r.build).toFixed(1)}, ${median(r.process).toFixed(0)}`.padStart(24),
    );
    console.log(`${name.padEnd(16)}${cells.join('')}   ${ratio.toFixed(1)}x`);
  }
  console.log(`geometric mean ${geometricMean(ratios).toFixed(1)}, least ${Math.min(...ratios).toFixed(1)}`);
}

function once(name, device) {
  const cache = mkdtempSync(join(tmpdir(), 'anycl-cold-'));
  const env = { ...process.env, ANYCL_CACHE_DIR: cache, POCL_CACHE_DIR: cache, XDG_CACHE_HOME: cache };
  // Node.js reads these certificates at each start, which takes longer than anything measured here.
  delete env.NODE_EXTRA_CA_CERTS;
  const started = performance.now();
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [script, '--child', name, '--devices', device],
    {
      env,
      encoding: 'utf8',
    },
  );
  const total = performance.now() - started;
  rmSync(cache, { recursive: true, force: true });
  if (status !== 0) throw new Error(`${name} on ${device}: ${stderr}`);
  return { build: JSON.parse(stdout.trim().split('\n').at(-1)).build, process: total };
}
