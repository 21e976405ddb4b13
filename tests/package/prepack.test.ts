// SPDX-License-Identifier: MIT
// What `npm pack` does about prebuilds/. That the build itself makes a file that loads is tried with every release: it takes minutes.
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';

const header = readFileSync(join(root, 'native/src/interface.gen.h'), 'utf8');
const mark = /interface_mark\[\] = "([^"]+)"/.exec(header)![1]!;
/** Later than the sources are. */
const future = new Date(Date.now() + 1000 * 3600);

function file(folder: string, path: string, content: string): string {
  const name = join(folder, 'prebuilds', path);
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(name, content);
  utimesSync(name, future, future);
  return name;
}

/** With nothing in PATH, as on a machine without a compiler. */
const prepack = (folder: string) =>
  node('scripts/package/prepack.mjs', [`--to=${folder}`], { env: { PATH: '/nonexistent' } });

test('without a compiler there is a warning, and packing goes on', () => {
  const { status, stdout, stderr } = prepack(temporaryFolder());
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toMatch(/^anycl: WARNING: .*(?:building it needs CMake|is none of the targets)/m);
  expect(stderr).toMatch(/^anycl: the package has addons for no platform$/m);
});

test('files that fit stay, those of another interface go', () => {
  const folder = temporaryFolder();
  const fits = file(folder, 'win32-x64/anycl.node', `MZ ${mark}`);
  const foreign = file(folder, 'darwin-arm64/anycl.node', 'anycl-interface:0x0');
  const { stderr } = prepack(folder);
  expect([fits, foreign].map((name) => existsSync(name))).toEqual([true, false]);
  expect(stderr).toContain('removed the addon for darwin-arm64: it was built from other sources');
  expect(stderr).toMatch(/^anycl: the package has addons for win32-x64$/m);
});

test('files that are older than the sources are named', () => {
  const folder = temporaryFolder();
  const old = file(folder, 'win32-x64/anycl.node', mark);
  utimesSync(old, 0, 0);
  const { stderr } = prepack(folder);
  expect(stderr).toContain('WARNING: older than the sources: win32-x64; npm run prebuilds -- win32-x64');
});

const built = join(root, 'build/Release/anycl.node');
const fresh = existsSync(built) && readFileSync(built).includes('anycl-interface:');
(fresh ? test : test.skip)('the addon has the mark in its file', () => {
  expect(readFileSync(built).includes(mark)).toBe(true);
});
