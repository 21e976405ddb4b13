// SPDX-License-Identifier: MIT
//
// The suites beside this one on the software device through the machine's ICD loader and libanycl-icd.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';
import { expectConformance } from '../helpers/conformance-suites';
import { testNeeding } from '../helpers/needs';

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

testNeeding('an ICD loader and libanycl-icd', there())(
  'the conformance suites pass through the ICD',
  () => expectConformance(env),
  600_000,
);
