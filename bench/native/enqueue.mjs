// SPDX-License-Identifier: MIT
// The calls of enqueue.c through the native backend, and how many times C's cost each is.
// node bench/native/enqueue.mjs [platform index] [bytes]   (needs a C compiler and an OpenCL library to link)
// `--prebuilt` runs what an earlier call has built, on a machine that has neither compiler nor development packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const out = join(root, 'build', 'bench');
mkdirSync(out, { recursive: true });
const prebuilt = process.argv.includes('--prebuilt');
const [platform = '0', bytes = String(64 << 20)] = process.argv.slice(2).filter((a) => a !== '--prebuilt');
const size = Number(bytes);

/** C, measured in the same run; undefined where it cannot be built. */
function inC() {
  const program = join(out, 'enqueue');
  const args = ['-O2', join(here, 'enqueue.c'), '-o', program, '-l:libOpenCL.so.1'];
  if (!prebuilt && spawnSync('cc', args, { stdio: 'inherit' }).status !== 0) return undefined;
  return JSON.parse(execFileSync(program, [platform, bytes], { encoding: 'utf8' }).trim().split('\n').pop());
}

if (!prebuilt) {
  const { buildSync } = await import('esbuild');
  buildSync({
    entryPoints: [join(root, 'ts/backend/native/index.ts')],
    bundle: true,
    platform: 'node',
    outfile: join(out, 'native.cjs'),
    external: ['node-gyp-build'],
    logLevel: 'error',
  });
}
const { createNativeBackend } = await import(join(out, 'native.cjs')).then((m) => m.default);

const device = createNativeBackend().platforms()[Number(platform)].devices()[0];
const context = device.createContext([device], []);
const queue = context.createQueue(device, []);
const program = context.createProgramWithSource([
  'kernel void empty(global int *p, int x) { if (x == 12345) p[0] = x; }',
]);
program.buildSync([device], '');
const kernel = program.createKernel('empty');
const buffer = context.createBuffer(1, size);
kernel.setArg(0, buffer);
kernel.setArg(1, new Int32Array([1]));

const calls = 2000;
const rounds = 7;
const one = [1];
const argument = new Int32Array(1);
const host = new Uint8Array(size).fill(1);
const best = {};
function time(name, per, run) {
  const start = process.hrtime.bigint();
  run();
  const each = Number(process.hrtime.bigint() - start) / per;
  best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, each);
}
for (let round = 0; round < rounds; round++) {
  time('setArg', calls * 10, () => {
    for (let i = 0; i < calls * 10; i++) {
      argument[0] = i;
      kernel.setArg(1, argument);
    }
  });
  time('enqueue', calls, () => {
    for (let i = 0; i < calls; i++) queue.enqueueKernel(kernel, one, one, undefined, undefined, false);
  });
  queue.finishSync();
  time('enqueueBatch', calls, () => {
    queue.batch(() => {
      for (let i = 0; i < calls; i++) queue.enqueueKernel(kernel, one, one, undefined, undefined, false);
    });
  });
  queue.finishSync();
  time('enqueueEvent', calls, () => {
    for (let i = 0; i < calls; i++)
      queue.enqueueKernel(kernel, one, one, undefined, undefined, true).release();
  });
  queue.finishSync();
  time('enqueueFinish', calls / 10, () => {
    for (let i = 0; i < calls / 10; i++) {
      queue.enqueueKernel(kernel, one, one, undefined, undefined, false);
      queue.finishSync();
    }
  });
  time('write', 1, () => {
    queue.writeBuffer(buffer, 0, host, undefined, false);
    queue.finishSync();
  });
  time('read', 1, () => {
    queue.readBuffer(buffer, 0, host, undefined, false);
    queue.finishSync();
  });
}
const c = inC();
for (const [name, ns] of Object.entries(best)) {
  const bandwidth = name === 'write' || name === 'read';
  const mine = bandwidth ? size / ns : ns;
  const theirs = c?.[name === 'enqueueBatch' ? 'enqueue' : name];
  const ratio =
    theirs === undefined
      ? ''
      : `${((bandwidth ? mine / theirs : theirs / mine) * 100).toFixed(0)}% of C's rate`;
  const unit = bandwidth ? 'GB/s' : 'ns';
  console.log(
    `${name.padEnd(14)} ${mine.toFixed(bandwidth ? 2 : 0).padStart(9)} ${unit.padEnd(5)} C ${String(theirs).padStart(8)}   ${ratio}`,
  );
}
