// SPDX-License-Identifier: MIT
// clang-tidy over native/ with the checks of .clang-tidy: npm run check:native [-- FILE…]
// ANYCL_CLANG_TIDY names another clang-tidy than clang-tidy-15.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const build = join(root, 'build', 'tidy');
const configured = spawnSync('cmake', ['-S', root, '-B', build, '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (configured.status !== 0) throw new Error('CMake is needed to know how each file is compiled');

const wanted = process.argv.slice(2);
const files = ['src', 'icd'].flatMap((folder) =>
  readdirSync(join(root, 'native', folder), { recursive: true })
    .filter((file) => file.endsWith('.cc') && (wanted.length === 0 || wanted.some((w) => file.endsWith(w))))
    .map((file) => join(root, 'native', folder, file)),
);
const tidy = process.env.ANYCL_CLANG_TIDY ?? 'clang-tidy-15';
const ran = spawnSync(tidy, ['-p', build, '--quiet', ...files], { stdio: ['ignore', 'inherit', 'ignore'] });
if (ran.error) throw new Error(`${tidy} cannot be run; ANYCL_CLANG_TIDY names another`);
process.exit(ran.status ?? 1);
