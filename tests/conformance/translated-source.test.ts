// SPDX-License-Identifier: MIT
//
// SPIR-V on a driver that takes none: PoCL computes the same from a program's translation as from its source.
import { node } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json']).stdout) as {
  platforms: { NAME: string }[];
};
const hasPocl = platforms.some(({ NAME }) => NAME === 'Portable Computing Language');

testNeeding('PoCL', hasPocl)(
  'workloads agree between source and translated SPIR-V on PoCL (skipped without PoCL)',
  () => {
    const { status, stdout } = node('bench/translated.mjs', []);
    expect(stdout.split('\n').filter((line) => line && !line.endsWith(': same results'))).toEqual([]);
    expect(status).toBe(0);
  },
  300_000,
);
