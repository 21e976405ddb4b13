// SPDX-License-Identifier: MIT
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from './command';

const jestConfig = require('../../jest.config.cjs') as Record<string, unknown>;

/** Expects that the suites of tests/conformance/ pass in a process of their own, whose environment chooses the platform. */
export function expectConformance(env: Readonly<Record<string, string>>): void {
  // Those that run on every device; the others choose their platform themselves.
  const suites = readdirSync(join(root, 'tests/conformance')).filter((file) =>
    /^(api|backend|host|info).*\.test\.ts$/.test(file),
  );
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
}
