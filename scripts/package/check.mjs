// SPDX-License-Identifier: MIT
// Checks the package as it is published: its size, publint and are-the-types-wrong over the tarball, and programs that use its types in
// every kind of module, with and without the types of Node.js and the DOM: node scripts/package/check.mjs [TARBALL]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(join(tmpdir(), 'anycl-package-'));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const run = (command, args, cwd = folder) => execFileSync(command, args, { cwd, stdio: 'inherit' });

/** Without the addons, whose size is that of the C++ library. It shows growth by mistake; 2 MB are the goal. */
const MOST_BYTES = 1_800_000;

/** @param packed what `npm pack --json` says of the tarball */
function checkSize({ size, files }) {
  const addons = files.filter(({ path }) => path.startsWith('prebuilds/'));
  const compressed = addons.map(({ path }) => gzipSync(readFileSync(join(root, path))).length);
  const rest = size - compressed.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`tarball: ${size} bytes, ${rest} of them without the addons`);
  if (rest > MOST_BYTES) throw new Error(`without the addons, the tarball may have ${MOST_BYTES} bytes`);
}

try {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  checkSize(packed);
  const tarball = join(folder, packed.filename);
  run(bin('publint'), ['run', tarball, '--strict']);
  run(bin('attw'), [tarball, '--format', 'ascii', '--no-emoji', '--exclude-entrypoints', './register']);
  writeFileSync(join(folder, 'package.json'), '{}');
  run('npm', ['install', '--silent', '--ignore-scripts', '--no-save', tarball]);
  cpSync(join(root, 'tests', 'package', 'types'), folder, { recursive: true });
  const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  strict.push('--target', 'es2022');
  const files = ['program.mts', 'program.cts'];
  for (const lib of ['es2022', 'esnext', 'esnext,dom'])
    run(bin('tsc'), [...strict, '--module', 'nodenext', '--lib', lib, '--types', '', ...files]);
  const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
  run(bin('tsc'), [...strict, '--module', 'nodenext', '--lib', 'es2023', ...types, ...files]);
  run(bin('tsc'), [
    ...strict,
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'esnext',
    '--types',
    '',
    'program.mts',
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
