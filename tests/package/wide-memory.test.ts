// SPDX-License-Identifier: MIT
//
// The software device with 64-bit addresses exists from Node.js 24 on: the package computes there what the usual device computes.
import { execFileSync } from 'node:child_process';
import { root } from '../helpers/command';
import { testNeeding } from '../helpers/needs';
import { hasNodeVersions, NODE_VERSIONS, nodeOf } from '../helpers/node-versions';

const WORKLOADS = ['triad', 'reduction', 'histogram', 'scan', 'matmul-tiled', 'aes', 'raytracer'];

testNeeding('Linux on x64', hasNodeVersions)(
  'kernels have the same results with 32-bit and 64-bit addresses',
  () => {
    const version = NODE_VERSIONS.find((each) => Number.parseInt(each, 10) >= 24)!;
    const flags = ['--verify', '--devices', 'software,64-bit', '--only', WORKLOADS.join()];
    const found = execFileSync(nodeOf(version), ['bench/run.mjs', ...flags], { cwd: root, encoding: 'utf8' });
    expect(found.trim().split('\n')).toEqual(WORKLOADS.map((name) => `${name}: same results`));
  },
  300_000,
);
