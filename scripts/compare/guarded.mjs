// SPDX-License-Identifier: MIT
//
// node scripts/compare/guarded.mjs [--guard robust|check] [--set named] [--only TEXT] [--rounds N]: runs the workloads of bench/ with
// and without robust access or checks, compares the outputs, and reports the ratios of processor time, each the least of
// interleaved rounds.
import { parseArgs } from 'node:util';
import { open } from 'anycl';
import { sets } from '../../bench/workloads/registry.mjs';

const { values: flags } = parseArgs({
  options: {
    guard: { type: 'string', default: 'robust' },
    set: { type: 'string', default: 'named' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
  },
});

const GUARDS = { robust: { robust: true }, check: { check: 'all' } };

async function prepare(workload, guard) {
  const cl = await open({ device: 'software', ...guard });
  const program = await cl.build(workload.source(), workload.options ?? '');
  const { launches, outputs } = workload.make(cl, program.kernels);
  const once = async () => {
    const begun = process.cpuUsage();
    for (const [kernel, range, ...args] of launches) await kernel.run(range, ...args);
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  await once();
  const contents = await Promise.all(outputs.map(([buffer]) => buffer.read()));
  return {
    cl,
    once,
    bytes: contents.map((data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  };
}

let product = 0;
let count = 0;
let wrong = 0;
for (const [name, workload] of Object.entries(sets[flags.set])) {
  if (!name.includes(flags.only)) continue;
  const plain = await prepare(workload, {});
  const robust = await prepare(workload, GUARDS[flags.guard]);
  const same = plain.bytes.every((bytes, i) => bytes.equals(robust.bytes[i]));
  let [p, r] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < Number(flags.rounds); round++) {
    p = Math.min(p, await plain.once());
    r = Math.min(r, await robust.once());
  }
  product += Math.log(r / p);
  count++;
  if (!same) wrong++;
  console.log(`${name.padEnd(24)}${(r / p).toFixed(2)}${same ? '' : '  OTHER RESULTS'}`);
  plain.cl.close();
  robust.cl.close();
}
console.log(`${'geometric mean'.padEnd(24)}${Math.exp(product / count).toFixed(2)}`);
process.exitCode = wrong > 0 ? 1 : 0;
