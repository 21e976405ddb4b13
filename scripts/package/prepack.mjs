// SPDX-License-Identifier: MIT
// npm runs this before it packs: prebuilds/ is not committed, so a package from a fresh clone would have no addon, and no
// device but the software device. Makes this machine's addon where it is missing, older than the sources or of another
// interface; removes other machines' addons of another interface; and says what the package will have.
//     node scripts/package/prepack.mjs [--to=FOLDER]
// A machine without a compiler can still pack: it gets a warning. All messages go to standard error: npm's own output names
// the tarball.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targets } from '../native/prebuild-targets.mjs';
import { addonOf, folderOf, hostTarget, icdOf, removeFiles, statesOf } from '../native/prebuilt.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const base = resolve(process.argv.find((arg) => arg.startsWith('--to='))?.slice(5) ?? root);
const say = (text) => process.stderr.write(`anycl: ${text}\n`);

/** Builds this machine's files; returns why not, if it cannot. */
function buildHost(name) {
  const target = targets[name];
  const out = join(root, 'build', 'package');
  const built = { addon: join(out, 'Release', 'anycl.node'), icd: join(out, 'Release', 'libanycl-icd.so') };
  for (const file of Object.values(built)) rmSync(file, { force: true });
  say(`building the addon for ${name}`);
  const script = join(root, 'scripts', 'native', 'build-native.mjs');
  const { status } = spawnSync(process.execPath, [script, `--out=${out}`, '-DANYCL_PORTABLE=ON'], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) return 'the build failed; the compiler’s message is above';
  if (!existsSync(built.addon)) return 'building it needs CMake, make and a C++17 compiler';
  const load = `if (!require(${JSON.stringify(built.addon)}).interfaceNumber) process.exit(1)`;
  const loaded = spawnSync(process.execPath, ['-e', load], { encoding: 'utf8' });
  if (loaded.status !== 0) return `it was built, and cannot be loaded: ${loaded.stderr.trim()}`;
  mkdirSync(folderOf(target, base), { recursive: true });
  copyFileSync(built.addon, addonOf(target, base));
  const icd = icdOf(target, base);
  if (icd) copyFileSync(built.icd, icd);
  if (target.libc === 'glibc')
    say(
      `built here, it needs glibc ${process.report.getReport().header.glibcVersionRuntime}; npm run prebuilds makes one for 2.28`,
    );
  return undefined;
}

const REASONS = {
  missing: 'has none',
  older: 'has one that is older than the sources',
  foreign: 'has one of another interface',
};

const host = hostTarget();
const before = statesOf(base);
for (const [name, state] of Object.entries(before))
  if (state === 'foreign') {
    removeFiles(targets[name], base);
    say(`removed the addon for ${name}: it was built from other sources, and would not be loaded`);
  }
if (host === undefined)
  say(
    `WARNING: this machine (${process.platform}-${process.arch}) is none of the targets of prebuilt addons`,
  );
else if (before[host] !== 'fits') {
  const problem = buildHost(host);
  if (problem)
    say(
      `WARNING: the package should have an addon for this machine (${host}); prebuilds/ ${REASONS[before[host]]}: ${problem}`,
    );
}

const after = statesOf(base);
const named = (...states) => Object.keys(after).filter((name) => states.includes(after[name]));
const list = (names) => names.join(', ') || 'no platform';
say(`the package has addons for ${list(named('fits', 'older'))}`);
if (named('older').length > 0)
  say(
    `WARNING: older than the sources: ${list(named('older'))}; npm run prebuilds -- ${named('older').join(' ')}`,
  );
if (named('missing', 'foreign').length > 0)
  say(
    `on ${list(named('missing', 'foreign'))} it has the software device alone, and anycl build-addon; npm run prebuilds makes all addons`,
  );
