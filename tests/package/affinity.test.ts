// SPDX-License-Identifier: MIT
//
// Each thread of the software device gets processors of its own (docs/adr/0052-workers-on-processors-of-their-own.md).
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { addonFiles } from '../../ts/backend/native/addon-file';
import { root } from '../helpers/command';
import { testNeeding } from '../helpers/needs';
import { hasNodeVersions, NODE_VERSIONS, nodeOf } from '../helpers/node-versions';

/** Prints the processors of each thread that may not use all that the process may use. */
const PROGRAM = `
const { readdirSync, readFileSync } = require('node:fs');
const { open } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
const processorsOf = (thread) =>
  /Cpus_allowed_list:\\s*(\\S+)/.exec(readFileSync('/proc/self/task/' + thread + '/status', 'utf8'))[1];
open({ device: 'software' }).then(async (cl) => {
  const program = await cl.build('kernel void k(global float *a) { size_t i = get_global_id(0); for (int j = 0; j < 100; j++) a[i] += 1; }');
  const a = cl.buffer(Float32Array, 1 << 16);
  for (let i = 0; i < 16; i++) await program.kernels.k.run({ global: 1 << 16 }, a);
  const all = processorsOf(process.pid);
  console.log(readdirSync('/proc/self/task').map(processorsOf).filter((own) => own !== all).join(' '));
  process.exit();
});`;

const possible = process.platform === 'linux' && availableParallelism() > 1 && addonFiles().length > 0;
const placed = (version: string, affinity: string): string[] => {
  const env = { ...process.env, ANYCL_THREADS: '2', ANYCL_AFFINITY: affinity, NODE_OPTIONS: '' };
  const out = execFileSync(nodeOf(version), ['-e', PROGRAM], { env, encoding: 'utf8' });
  return out.trim().split(' ').filter(Boolean);
};

testNeeding(
  'Linux, the addon, two processors and other versions of Node.js',
  possible && hasNodeVersions,
).each(NODE_VERSIONS)(
  'two threads have different processors on Node.js %s',
  (version) => {
    const own = placed(version, '1');
    expect(new Set(own).size).toBe(2);
    expect(placed(version, '0')).toEqual([]);
  },
  60_000,
);
