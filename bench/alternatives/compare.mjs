// SPDX-License-Identifier: MIT
// anycl beside what else runs kernels from Node.js or a script, on the processor: the table of the README.
//
//     node bench/alternatives/compare.mjs [--rounds 5]
//
// Each round runs each program once, one after the other, so that all see the machine's other load alike; a figure is the median of
// the rounds. webgpu and gpu.js come from the npm registry, without their install scripts. PyOpenCL is the one of `python3`, or of
// PYTHON; webgpu needs a Vulkan driver, such as SwiftShader or lavapipe, by VK_ICD_FILENAMES. What does not start is reported.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installTools } from '../../scripts/package/install.mjs';
import { median, SIZES } from './workloads.mjs';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const packages = installTools('alternatives', ['webgpu@0.6.2', 'gpu.js@2.24.1']);
const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;
const PROGRAMS = {
  'anycl, software device': [node, file('anycl.mjs'), 'software'],
  'anycl, PoCL': [node, file('anycl.mjs'), 'portable'],
  'PyOpenCL, PoCL': [process.env.PYTHON ?? 'python3', file('with-pyopencl.py'), 'Portable'],
  webgpu: [node, file('webgpu.mjs'), packages],
  'gpu.js': [node, file('gpu-js.mjs'), packages],
};

/** @type {Map<string, { device: string, rounds: Record<string, { ms: number, sum: number }>[] }>} */
const measured = new Map();
const failed = new Map();
for (let round = 0; round < Number(flags.rounds); round++)
  for (const [name, [program, ...args]] of Object.entries(PROGRAMS)) {
    if (failed.has(name)) continue;
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (status !== 0) {
      failed.set(
        name,
        error?.message ??
          stderr
            .trim()
            .split('\n')
            .findLast((line) => /Error/.test(line)),
      );
      continue;
    }
    const { device, results } = JSON.parse(stdout.trim().split('\n').at(-1));
    const known = measured.get(name) ?? { device, rounds: [] };
    known.rounds.push(results);
    measured.set(name, known);
  }

/** The escape iterations depend on rounding a little; everything else is exact. */
const TOLERANCE = 1e-3;
const reference = measured.get('anycl, software device').rounds[0];
const names = Object.keys(SIZES);
console.log(`| milliseconds | ${names.join(' | ')} | device |\n|---|${'---|'.repeat(names.length + 1)}`);
for (const [name, { device, rounds }] of measured) {
  const cells = names.map((workload) => {
    for (const { [workload]: result } of rounds)
      if (!(Math.abs(result.sum / reference[workload].sum - 1) < TOLERANCE)) {
        process.exitCode = 1;
        return `wrong: ${result.sum}`;
      }
    return median(rounds.map((results) => results[workload].ms)).toPrecision(3);
  });
  console.log(`| ${name} | ${cells.join(' | ')} | ${device} |`);
}
for (const [name, why] of failed) console.log(`| ${name} | did not start: ${why} |`);
