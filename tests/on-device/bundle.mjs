// SPDX-License-Identifier: MIT
//
// Makes one file of each test that concerns real devices, to be run by `node --test` where there is no npm:
//     node tests/on-device/bundle.mjs FOLDER     (scripts/package/device-pack.sh does)
// The files lie beside the package's own bundles, which find the addon and their workers from there.
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const tests = [
  'conformance/api.test.ts',
  'conformance/backend-kernels.test.ts',
  'conformance/backend-memory.test.ts',
  'conformance/host-memory.test.ts',
  'conformance/info.test.ts',
  'file-tests/run.test.ts',
  'execution/images.test.ts',
  'conformance/translated-source.test.ts',
];

for (const test of tests) {
  await build({
    entryPoints: [join(here, '..', test)],
    outfile: join(process.argv[2], `${basename(test, '.test.ts')}.test.cjs`),
    inject: [join(here, 'globals.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"test"' },
    logLevel: 'error',
  });
}
