// SPDX-License-Identifier: MIT
// Worker threads and the command line run from dist/, so the tests build it first.
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

/** Without the addon its tests are skipped; with an outdated one they would be skipped unnoticed. */
function refuseStaleAddon() {
  const folder = process.env.ANYCL_PREBUILD ?? root;
  const file = join(folder, 'build', 'Release', 'anycl.node');
  if (!existsSync(file)) return;
  const header = readFileSync(join(root, 'native', 'src', 'interface.gen.h'), 'utf8');
  const load = `process.exit(require(${JSON.stringify(file)}).interfaceNumber === ${/interface_number = (\w+)/.exec(header)[1]} ? 0 : 1)`;
  if (spawnSync(process.execPath, ['-e', load], { stdio: 'inherit' }).status !== 0)
    throw new Error(`${file} was built from other sources: npm run build:native`);
}

module.exports = () => {
  // This also applies to the workers, and to the processes that tests start.
  process.env.ANYCL_DEBUG ??= 'verify';
  refuseStaleAddon();
  execFileSync(process.execPath, [join(__dirname, 'build.mjs'), '--fast'], { stdio: 'inherit' });
};
