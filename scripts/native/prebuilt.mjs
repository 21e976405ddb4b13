// SPDX-License-Identifier: MIT
// What is in prebuilds/, and whether it fits the sources: read from the files alone, as most are for other machines.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from './prebuild-targets.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder of a target's files, under `base`. */
export const folderOf = ({ platform, arch }, base = root) => join(base, 'prebuilds', `${platform}-${arch}`);
const tagged = (name, { libc }, ending) => `${name}${libc ? `.${libc}` : ''}.${ending}`;
export const addonOf = (target, base) => join(folderOf(target, base), tagged('anycl', target, 'node'));
/** The library for programs in other languages, on Linux; otherwise undefined. */
export const icdOf = (target, base) =>
  target.platform === 'linux'
    ? join(folderOf(target, base), tagged('libanycl-icd', target, 'so'))
    : undefined;

/** The name of the target that this process runs on; undefined if there is none. */
export function hostTarget() {
  const libc = process.platform === 'linux' ? hostLibc() : undefined;
  const fits = ([, target]) =>
    target.platform === process.platform && target.arch === process.arch && target.libc === libc;
  return Object.entries(targets).find(fits)?.[0];
}

const hostLibc = () =>
  process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';

/** In each addon, as text: `anycl-interface:0x…`. An addon of another interface is not used. */
export function expectedMark() {
  const header = readFileSync(join(root, 'native', 'src', 'interface.gen.h'), 'utf8');
  return /interface_mark\[\] = "([^"]+)"/.exec(header)[1];
}

/** The modification time of the newest source of the files. */
function newestSource() {
  const inNative = readdirSync(join(root, 'native'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Math.max(...[...inNative, join(root, 'CMakeLists.txt')].map((file) => statSync(file).mtimeMs));
}

/**
 * For each target: `fits`, `older` (than a source file, with the right interface), `foreign` (of another interface, so it
 * would not be used) or `missing`.
 */
export function statesOf(base) {
  const mark = expectedMark();
  const newest = newestSource();
  return Object.fromEntries(
    Object.entries(targets).map(([name, target]) => [name, stateOf(target, base, mark, newest)]),
  );
}

function stateOf(target, base, mark, newest) {
  const files = [addonOf(target, base), icdOf(target, base)].filter((file) => file !== undefined);
  if (!files.every((file) => existsSync(file))) return 'missing';
  if (!readFileSync(files[0]).includes(mark)) return 'foreign';
  return files.every((file) => statSync(file).mtimeMs >= newest) ? 'fits' : 'older';
}

/** Removes the files of a target, so that they are not packed. */
export function removeFiles(target, base) {
  for (const file of [addonOf(target, base), icdOf(target, base)]) if (file) rmSync(file, { force: true });
}
