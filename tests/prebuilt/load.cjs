// SPDX-License-Identifier: MIT
// Uses the prebuilt addon over the stub library, on whatever runtime runs this: scripts/native/check-prebuilds.mjs does, for each
// target. Commands, callbacks from the library's threads, builds on threads of their own, errors and lifetimes.
// ANYCL_OPENCL_LIBRARY=stub PREBUILDS_ONLY=1 node tests/prebuilt/load.cjs
const assert = require('node:assert');
const { Worker, isMainThread } = require('node:worker_threads');
const { platforms, OpenCLError } = require('../../dist/index.cjs');

/** Directives of tests/stub-icd/stub.cc. */
const direct = (context, text) => context.createProgram(`stub: ${text}`).release();
const books = (platform) => /live=(\d+) bad=(\d+)/.exec(platform.info('VENDOR')).slice(1).map(Number);

async function use(platform) {
  const before = books(platform);
  const context = platform.devices[0].createContext();
  const queue = context.createQueue();
  direct(context, 'events threads');
  const program = context.createProgram('kernel void stub() {}');
  await program.build();
  const kernel = program.createKernel('stub');
  const buffer = context.createBuffer(Int32Array, 16);
  for (let i = 0; i < kernel.argumentCount; i++) kernel.setArg(i, Int32Array.of(1));
  const events = [queue.enqueueNDRange(kernel, { global: 64 })];
  events.push(
    queue.enqueueWrite(
      buffer,
      Int32Array.from({ length: 16 }, (_, i) => i),
    ),
  );
  await Promise.all(events);
  const read = queue.enqueueRead(buffer, new Int32Array(16));
  assert.deepEqual([...(await read)], [...new Int32Array(16).keys()]);
  queue.batch(() => {
    for (let i = 0; i < 100; i++) queue.enqueueNDRange(kernel, { global: 1 }, { event: false });
  });
  await queue.finish();
  queue.finishSync();
  direct(context, 'fail clCreateBuffer -4');
  assert.throws(
    () => context.createBuffer(Int32Array, 4),
    (error) => error instanceof OpenCLError && error.codeName === 'CL_MEM_OBJECT_ALLOCATION_FAILURE',
  );
  direct(context, 'reset');
  for (const object of [...events, read, buffer, kernel, program, queue]) object.release();
  assert.throws(() => queue.flush(), /released/);
  context.release();
  assert.deepEqual(books(platform), before);
}

/** The addon of this thread alone is unloaded with it, unless it prevents that. */
const inWorker = () =>
  new Promise((resolve, reject) => {
    new Worker(__filename)
      .once('error', reject)
      .once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`))));
  });

async function main() {
  if (isMainThread) await inWorker();
  const [platform] = platforms().filter((found) => found.kind !== 'software');
  assert(platform, 'the stub was not found');
  for (let i = 0; i < 20; i++) await use(platform);
  if (!isMainThread) return;
  const { node, bun } = process.versions;
  console.log(`passed: ${process.platform} ${process.arch}, ${bun ? `Bun ${bun}` : `Node.js ${node}`}`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
