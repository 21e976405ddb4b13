// SPDX-License-Identifier: MIT
// What a bundle for a web page says, where there is no `process`: the module that bundlers take is loaded as there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const bundlerModule = pathToFileURL(join(__dirname, '../../dist/bundler.mjs')).href;

test.each([
  ['none', 'delete globalThis.process'],
  ['a substitute', 'globalThis.process = { env: {} }'],
])('without Node.js’s process: %s', (_, change) => {
  const program = `const { log } = console; ${change}; import(${JSON.stringify(bundlerModule)}).catch((error) => log(error.message))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringMatching(/^anycl needs Node\.js and cannot run in a web page\./),
    stderr: '',
  });
});
