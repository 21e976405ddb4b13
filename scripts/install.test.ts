// SPDX-License-Identifier: MIT
// The package as npm lays it out, installed by scripts/install.cjs on machines with and without what building takes.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
const addon = join(root, 'build', 'Release', 'anycl.node');
const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
const prebuilt = `prebuilds/${process.platform}-${process.arch}/anycl.${libc}.node`;
const onPosix = process.platform !== 'win32' && existsSync(addon) ? describe : describe.skip;

onPosix('installing', () => {
  let folder: string;
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'anycl-install-'));
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'native', 'src'), { recursive: true });
    for (const file of ['package.json', 'binding.gyp', 'scripts/install.cjs', 'native/src/interface.gen.h'])
      copyFileSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the script with nothing on the PATH but `bin` of the package's folder. */
  function install() {
    const env: NodeJS.ProcessEnv = { PATH: join(folder, 'bin'), HOME: folder };
    const ran = spawnSync(process.execPath, ['scripts/install.cjs'], { cwd: folder, env, encoding: 'utf8' });
    return { status: ran.status, out: ran.stdout, errors: ran.stderr };
  }
  /** A CMake that makes what is given, or fails. */
  const cmake = (makes: string | undefined) =>
    put(
      'bin/cmake',
      `#!/bin/sh
case "$1" in
  --version) exit 0 ;;
  --build) ${makes ? `/bin/mkdir -p "$2/Release" && /bin/cp "${makes}" "$2/Release/anycl.node"` : 'exit 1'} ;;
esac
`,
    );
  const usable = () =>
    spawnSync(process.execPath, ['-p', "typeof require('node-gyp-build')('.').execute"], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout.trim() === 'function';

  it('takes a prebuilt addon that fits, and builds nothing', () => {
    mkdirSync(dirname(join(folder, prebuilt)), { recursive: true });
    copyFileSync(addon, join(folder, prebuilt));
    cmake(undefined);
    expect(install()).toEqual({ status: 0, out: '', errors: '' });
    expect(usable()).toBe(true);
    expect(existsSync(join(folder, 'build'))).toBe(false);
  });

  it.each([
    ['there is none', undefined],
    ['it is of another machine', 'not an addon at all'],
    ['it is of another version', 'stale'],
  ])('builds where there is a compiler and no prebuilt addon: %s', (_, contents) => {
    // A folder is loaded as a module of JavaScript, which is an addon that says what we want it to.
    if (contents === 'stale') put(`${prebuilt}/index.js`, 'exports.interfaceNumber = 1;');
    else if (contents) put(prebuilt, contents);
    cmake(addon);
    expect(install()).toEqual({ status: 0, out: '', errors: '' });
    expect(usable()).toBe(true);
  });

  it.each([
    ['there is no CMake', () => {}],
    ['building fails', () => cmake(undefined)],
  ])('leaves the software device where %s', (_, prepare) => {
    prepare();
    const { status, out } = install();
    expect(status).toBe(0);
    expect(out).toContain('only the software device');
    expect(usable()).toBe(false);
  });

  it('survives an addon that ends the process which loads it', () => {
    put(prebuilt, '');
    rmSync(join(folder, 'node_modules'));
    put('node_modules/node-gyp-build/index.js', 'module.exports = () => process.abort();');
    const { status, out } = install();
    expect(status).toBe(0);
    expect(out).toContain('only the software device');
  });
});
