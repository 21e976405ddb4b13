// SPDX-License-Identifier: MIT
// An addon of other sources than the code that loads it, such as one that stayed in build/ through an update.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNativeBackend } from '.';
import { openAddon } from './addon';
import { interfaceNumber } from './interface.gen';

const packageFolder = mkdtempSync(join(tmpdir(), 'anycl-addon-'));
const file = join(packageFolder, 'build', 'Release', 'anycl.node');

/** A folder is loaded as a JavaScript module, which plays the addon. */
function put(addon: object): void {
  mkdirSync(file, { recursive: true });
  writeFileSync(join(file, 'index.js'), `module.exports = ${JSON.stringify(addon)}`);
  delete require.cache[join(file, 'index.js')];
}

beforeEach(() => {
  jest.resetModules();
  process.env.ANYCL_PREBUILD = packageFolder;
});
afterEach(() => {
  delete process.env.ANYCL_PREBUILD;
  rmSync(packageFolder, { recursive: true, force: true });
});

const problem = (): string | undefined => {
  const backend = createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY);
  expect(backend.platforms()).toEqual([]);
  return backend.problem;
};

it.each([[{}], [{ interfaceNumber: interfaceNumber + 1 }], [{ submit: true }]])(
  'an addon with another interface is not used, and the reason is told',
  (addon) => {
    put(addon);
    const text = problem();
    expect(text).toContain(`${file} was built from another version of anycl`);
    expect(text).toContain('npm run build:native');
  },
);

it('an addon with this interface is used', () => {
  put({ interfaceNumber });
  expect(openAddon()).toEqual({ interfaceNumber });
});

it('a machine without the addon is told what to do about it', () => {
  expect(problem()).toMatch(/no prebuilt one was found.*leave anycl external.*npx anycl build-addon/);
});
