// SPDX-License-Identifier: MIT
//
// A context over two devices, on PoCL, which can be told to have two.
import { node } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const PLATFORM = 'Portable Computing Language';
const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json']).stdout) as {
  platforms: { NAME: string }[];
};
const there = testNeeding(
  PLATFORM,
  platforms.some(({ NAME }) => NAME === PLATFORM),
);

there('programs, memory and events go from device to device (skipped without PoCL)', () => {
  const { status, stdout } = node('tests/conformance/several-devices.mjs', [PLATFORM], {
    env: { POCL_DEVICES: 'pthread pthread' },
  });
  expect(stdout.split('\n').filter((line) => !line.startsWith('passed: '))).toEqual(['']);
  expect(status).toBe(0);
});
