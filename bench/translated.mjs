// SPDX-License-Identifier: MIT
//
// Whether a driver computes the same from SPIR-V (directly, or translated to OpenCL C where it accepts none) as from the source:
// the workloads and the examples' kernels in both forms on one device. Exit status 1 if results differ.
//
//     node bench/translated.mjs [--device portable] [--only sha256,nbody] [--repeat 5]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { open } from 'anycl';
import { compareOutputs } from './compare.mjs';
import { median } from './statistics.mjs';
import { workloads } from './workloads/registry.mjs';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: 'portable' },
    only: { type: 'string' },
    repeat: { type: 'string', default: '0' },
  },
});

const names = flags.only ? flags.only.split(',') : Object.keys(workloads);
const command = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'anycl-translated-'));
const cl = await open({ device: flags.device });

function compiled(source, options) {
  const [input, output] = [join(folder, 'a.cl'), join(folder, 'a.spv')];
  writeFileSync(input, source);
  execFileSync(process.execPath, [
    command,
    'compile',
    input,
    '-o',
    output,
    ...options.split(' ').filter(Boolean),
  ]);
  return new Uint8Array(readFileSync(output));
}

async function once(made) {
  await made.reset?.();
  const start = performance.now();
  let last;
  for (const [kernel, range, ...args] of made.launches) last = kernel.run(range, ...args);
  await last;
  await cl.queue.finish();
  return performance.now() - start;
}

let failures = 0;
for (const name of names) {
  const { source, options = '', make } = workloads[name];
  let outcome;
  let times = '';
  try {
    const forms = [source(), compiled(source(), options)];
    const states = [];
    for (const form of forms) states.push(make(cl, (await cl.build(form, options)).kernels));
    for (const state of states) await once(state);
    outcome = await compareOutputs(states);
    const measured = states.map(() => []);
    for (let i = 0; i < Number(flags.repeat); i++)
      for (const [at, state] of states.entries()) measured[at].push(await once(state));
    if (measured[0].length > 0)
      times = `${measured.map((list) => `${median(list).toFixed(2)} ms`).join(' from source, ')} from SPIR-V`;
    for (const state of states) for (const [buffer] of state.outputs) buffer.release();
  } catch (error) {
    outcome = error.message;
  }
  if (outcome) failures++;
  console.log(`${name}: ${outcome ?? 'same results'}${times && `   ${times}`}`);
}
rmSync(folder, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
