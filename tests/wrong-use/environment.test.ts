// SPDX-License-Identifier: MIT
//
// Environment variables with wrong values, in a script of one's own: errors name the variable and the script's line.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';

function run(env: Record<string, string>): string {
  const script = join(temporaryFolder(), 'script.mjs');
  writeFileSync(
    script,
    `import { open } from ${JSON.stringify(join(root, 'dist/index.mjs'))};
const cl = await open({ device: 'software' });
await cl.build('kernel void k() {}');
`,
  );
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  return stderr;
}

test('a setting', () => {
  const stderr = run({ ANYCL_THREADS: 'many' });
  expect(stderr).toMatch(
    /ANYCL_THREADS is 'many'; it can be a whole number of threads, or empty\n {4}at \S*script\.mjs:2:/,
  );
  expect(stderr).not.toContain('anycl.mjs:');
});

test('options of each build', () => {
  const stderr = run({ ANYCL_BUILD_OPTIONS: '-oops' });
  expect(stderr).toMatch(
    /unknown argument: '-oops'\n.*\nnote: ANYCL_BUILD_OPTIONS adds '-oops'\n {4}at (async )?\S*script\.mjs:3:/,
  );
  expect(stderr).not.toContain('anycl.mjs:');
});
