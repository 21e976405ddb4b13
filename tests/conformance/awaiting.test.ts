// SPDX-License-Identifier: MIT
//
// Awaiting on drivers that call back late or never: PoCL 3.1 for what fails, Oclgrind for everything.
import { existsSync } from 'node:fs';
import { node } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const POCL = 'Portable Computing Language';
const OCLGRIND = '/usr/lib/oclgrind/liboclgrind-rt.so';
const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json']).stdout) as {
  platforms: { NAME: string }[];
};

function passes(args: readonly string[], env: Record<string, string>, checks: number): void {
  const { status, stdout, stderr } = node('tests/conformance/awaiting.mjs', args, { env });
  if (status !== 0) console.error(stdout, stderr);
  expect(stdout.match(/^passed: /gm)).toHaveLength(checks);
  expect(status).toBe(0);
}

testNeeding(
  'PoCL',
  platforms.some(({ NAME }) => NAME === POCL),
)('everything that is awaited on PoCL ends (skipped without it)', () => passes([POCL], {}, 9));

const RUSTICL = { RUSTICL_ENABLE: 'llvmpipe' };
testNeeding(
  'rusticl',
  node('dist/cli.cjs', ['info', '--json'], { env: RUSTICL }).stdout.includes('llvmpipe'),
)('and on rusticl (skipped without it)', () => passes(['rusticl'], RUSTICL, 9));

testNeeding('Oclgrind', existsSync(OCLGRIND))('and on Oclgrind (skipped without it)', () => {
  // Preloaded, as by `oclgrind node`, and by name.
  const preloaded = [process.env['LD_PRELOAD'], OCLGRIND].filter(Boolean).join(' ');
  passes(['Oclgrind', '--no-dependents'], { LD_PRELOAD: preloaded }, 4);
  passes(['Oclgrind', '--no-dependents'], { ANYCL_OPENCL_LIBRARY: OCLGRIND }, 4);
});
