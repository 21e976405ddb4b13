// SPDX-License-Identifier: MIT
//
// The suites beside this one on rusticl, which shows its devices only to processes that are started with RUSTICL_ENABLE.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from '../helpers/command';

const jestConfig = require('../../jest.config.cjs') as Record<string, unknown>;

const env = { RUSTICL_ENABLE: 'llvmpipe', ANYCL_TEST_PLATFORM: 'rusticl' };
const { platforms } = JSON.parse(node('dist/cli.cjs', ['info', '--json'], { env }).stdout) as {
  platforms: { NAME: string; devices: unknown[] }[];
};
const there = platforms.some(({ NAME, devices }) => NAME === 'rusticl' && devices.length > 0)
  ? test
  : test.skip;

/** Those that run on every device; the others choose their platform themselves. */
const suites = readdirSync(__dirname).filter((file) => /^(api|backend|host|info).*\.test\.ts$/.test(file));

there(
  'the conformance suites pass on rusticl (skipped without it)',
  () => {
    const jest = join('node_modules', 'jest', 'bin', 'jest.js');
    const paths = suites.map((file) => join('tests', 'conformance', file));
    // No build here: it would disturb tests that run at the same time.
    const { globalSetup: _, ...settings } = jestConfig;
    const config = JSON.stringify({ ...settings, rootDir: root });
    const args = ['--ci', '--runInBand', `--config=${config}`, ...paths];
    const { status, stderr } = node(jest, args, { env, timeoutMs: 500_000 });
    if (status !== 0) console.error(stderr);
    expect(stderr).toMatch(/^Tests:.*\d+ passed/m);
    expect(stderr).not.toMatch(/^Tests:.*failed/m);
    expect(status).toBe(0);
  },
  600_000,
);
