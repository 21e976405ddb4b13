// SPDX-License-Identifier: MIT
//
// The suites beside this one on the software device through the machine's ICD loader and libanycl-icd.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const jestConfig = require('../../jest.config.cjs') as Record<string, unknown>;

const library = join(root, 'build/Release/libanycl-icd.so');
const vendors = temporaryFolder();
writeFileSync(join(vendors, 'anycl.icd'), `${library}\n`);
afterAll(() => rmSync(vendors, { recursive: true, force: true }));

// anycl's own ICD is visible only if the loader is named explicitly.
const env = {
  OCL_ICD_VENDORS: vendors,
  ANYCL_OPENCL_LIBRARY: process.env.ANYCL_OPENCL_LIBRARY ?? 'libOpenCL.so.1',
  ANYCL_TEST_PLATFORM: 'anycl',
};
const there = (): boolean =>
  existsSync(library) && /Device 1:0/.test(node('dist/cli.cjs', ['info', '-l'], { env }).stdout);

/** Those that run on every device; the others choose their platform themselves. */
const suites = readdirSync(__dirname).filter((file) => /^(api|backend|host|info).*\.test\.ts$/.test(file));

testNeeding('an ICD loader and libanycl-icd', there())(
  'the conformance suites pass through the ICD',
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
