// SPDX-License-Identifier: MIT
// Makes the prebuilt addons that the package ships: npm run prebuilds [-- TARGET…] All targets are built on one machine: zig has
// the headers and libraries of every target, among them old versions of glibc, and links the C++ library statically. prebuildify
// names and places the files.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from './prebuild-targets.mjs';
import { findZig } from './prebuild-tools.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const prebuildify = createRequire(import.meta.url)('prebuildify');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in targets));
if (unknown.length > 0)
  throw new Error(`no target ${unknown.join(', ')}; there are ${Object.keys(targets).join(', ')}`);

process.env.ANYCL_ZIG = findZig();
for (const [name, target] of Object.entries(targets)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const cwd = join(root, 'build', 'prebuild', name);
  mkdirSync(cwd, { recursive: true });
  process.env.ANYCL_PREBUILD_TARGET = name;
  await new Promise((resolve, reject) =>
    prebuildify(
      {
        name: 'anycl',
        platform: target.platform,
        arch: target.arch,
        libc: target.libc,
        tagLibc: target.libc ?? false,
        napi: true,
        targets: [process.versions.node],
        nodeGyp: join(root, 'scripts/native/prebuild-compile.mjs'),
        cwd,
        out: root,
      },
      (error) => (error ? reject(error) : resolve()),
    ),
  );
  const folder = join(root, 'prebuilds', `${target.platform}-${target.arch}`);
  // prebuildify copies the library too, without the libc in its name.
  const icd = join(folder, 'libanycl-icd.so');
  if (existsSync(icd)) renameSync(icd, join(folder, `libanycl-icd.${target.libc}.so`));
  console.log(
    `made prebuilds/${target.platform}-${target.arch}/anycl${target.libc ? `.${target.libc}` : ''}.node`,
  );
}
