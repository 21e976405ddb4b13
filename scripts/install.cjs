// SPDX-License-Identifier: MIT
// Runs when the package is installed. A prebuilt addon that fits is used as it is; else the addon is built on the spot
// if this machine has what that takes; else the package works with the software device alone. Never fails, never
// downloads anything.
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

/** What an addon of these sources says of itself. */
function interfaceNumber() {
  const header = join(root, 'native', 'src', 'interface.gen.h');
  return existsSync(header) ? /interface_number = (\w+)/.exec(readFileSync(header, 'utf8'))?.[1] : undefined;
}

/**
 * Loads the addon in a process of its own: one that does not fit this machine may take its process along. One that an
 * earlier version left behind loads, and does not fit either.
 */
function fits() {
  const number = interfaceNumber();
  const load = `const addon = require('node-gyp-build')(${JSON.stringify(root)});
process.exit(${number} === undefined || addon.interfaceNumber === ${number} ? 0 : 1)`;
  return (
    spawnSync(process.execPath, ['-e', load], { cwd: root, stdio: 'ignore', timeout: 60000 }).status === 0
  );
}

const works = (command, args) => spawnSync(command, args, { stdio: 'ignore', timeout: 10000 }).status === 0;

/** cmake-js would fetch Node's headers; node-api-headers has all that a Node-API addon needs. */
function build() {
  const present = ['node-addon-api/package.json', 'node-api-headers/package.json'].every((name) => {
    try {
      require.resolve(name, { paths: [root] });
      return true;
    } catch {
      return false;
    }
  });
  if (!present || !existsSync(join(root, 'native')) || !works('cmake', ['--version'])) return false;
  const out = join(root, 'build');
  const run = (args) =>
    spawnSync('cmake', args, { cwd: root, stdio: 'ignore', timeout: 600000 }).status === 0;
  return (
    run(['-S', '.', '-B', out, '-DCMAKE_BUILD_TYPE=Release']) &&
    run(['--build', out, '--config', 'Release', '--parallel', '2'])
  );
}

if (!fits() && !(build() && fits()))
  console.log(
    'anycl: no native addon for this platform, so only the software device is available (see `anycl doctor`)',
  );

// V8's code for the package as this version of Node.js makes it: loading is slower without it, no more.
if (existsSync(join(root, 'dist', 'anycl.cjs')))
  spawnSync(process.execPath, [join(__dirname, 'code-cache.cjs')], { stdio: 'ignore', timeout: 60000 });
