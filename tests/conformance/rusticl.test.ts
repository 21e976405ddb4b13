// SPDX-License-Identifier: MIT
//
// The suites beside this one on rusticl, which shows its devices only to processes that are started with RUSTICL_ENABLE.
import { node } from '../helpers/command';
import { expectConformance } from '../helpers/conformance-suites';

const env = { RUSTICL_ENABLE: 'llvmpipe', ANYCL_TEST_PLATFORM: 'rusticl' };
const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json'], { env }).stdout) as {
  platforms: { NAME: string; devices: unknown[] }[];
};
const there = platforms.some(({ NAME, devices }) => NAME === 'rusticl' && devices.length > 0)
  ? test
  : test.skip;

there('the conformance suites pass on rusticl (skipped without it)', () => expectConformance(env), 600_000);
