// SPDX-License-Identifier: MIT
//
// Processes that may do little: users without a home folder, and Node.js's permission model.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../helpers/command';

const PROGRAM = `
const { open } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
(async () => {
  const cl = await open({ device: 'software' });
  const { kernels } = await cl.build('kernel void f(global int *a) { size_t i = get_global_id(0); a[i] = i * 3; }');
  const a = cl.buffer(new Int32Array(100000));
  await kernels.f.run({ global: 100000 }, a);
  console.log((await a.read()).at(-1));
  cl.close();
})();`;

function run(
  program: string,
  flags: readonly string[] = [],
): [status: number | null, printed: string, errors: string] {
  const { HOME: _, XDG_CACHE_HOME: __, XDG_STATE_HOME: ___, ...others } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], {
    encoding: 'utf8',
    env: { ...others, ANYCL_CACHE_DIR: '', NODE_NO_WARNINGS: '1' },
    timeout: 60_000,
  });
  return [status, stdout, stderr];
}

const DONE = [0, '299997\n', ''];

test('without a home folder nothing is cached', () => {
  // What Node.js throws for a user that is not in /etc/passwd, as containers have them.
  const homeless = `require('node:os').homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };`;
  expect(run(homeless + PROGRAM)).toEqual(DONE);
});

test('where the number of the user is a secret nothing is cached', () => {
  expect(run(`process.getuid = () => { throw new Error('Requires sys access'); }; ${PROGRAM}`)).toEqual(DONE);
});

const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

test('with permission to read and to start threads, kernels run', () => {
  expect(run(PROGRAM, [permission, '--allow-fs-read=*', '--allow-worker'])).toEqual(DONE);
});

test('without permission to start threads, the error names the flag', () => {
  const [status, stdout, stderr] = run(PROGRAM, [permission, '--allow-fs-read=*']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /DEVICE_NOT_AVAILABLE \(-2\): .* start node with --allow-worker as well\n {4}at .*\[eval\]/,
  );
});

test('without WebAssembly, the error says so', () => {
  const [status, stdout, stderr] = run(PROGRAM, ['--jitless']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /CL_DEVICE_NOT_AVAILABLE \(-2\): the software device needs WebAssembly, which this process has not \(node --jitless\)\n/,
  );
});

// As in virtual machines whose processor model is an old one.
(process.arch === 'x64' ? test : test.skip)('without SIMD instructions, the error says so', () => {
  const [status, stdout, stderr] = run(PROGRAM, ['--no-enable-sse4-1']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /CL_DEVICE_NOT_AVAILABLE \(-2\): the software device needs WebAssembly SIMD.* SSE4\.1/,
  );
});

test('a command that needs more names the flag', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [permission, '--allow-fs-read=*', '--allow-worker', join(root, 'dist/cli.cjs'), 'doctor'],
    { encoding: 'utf8', env: { ...process.env, NODE_NO_WARNINGS: '1' }, timeout: 60_000 },
  );
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'anycl: the permission model of Node.js forbids what this command does: start node with --allow-child-process as well\n',
  ]);
});
