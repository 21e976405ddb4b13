// SPDX-License-Identifier: MIT
// A process that ends while a kernel runs, in each way that a process can: node leaving.mjs PLATFORM SCENARIO
// The kernel takes seconds; how long the driver then takes to let go is its own affair, but it must not crash.
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { platforms } from '../../dist/index.mjs';

const [wanted, scenario] = isMainThread ? process.argv.slice(2) : workerData;
const platform = platforms().find(({ name }) => name === wanted);

/** Starts the kernel, and a command after it that uses memory of this process. */
function busy() {
  const context = platform.devices[0].createContext();
  const queue = context.createQueue();
  const program = context
    .createProgram(`kernel void spin(global volatile int *p, int n) {
      for (int i = 0; i < n; i++) for (int j = 0; j < 1000000; j++) p[0] += j; }`)
    .buildSync();
  const kernel = program.createKernel('spin');
  const buffer = context.createBuffer(Int32Array, 4);
  const event = queue.enqueueNDRange(kernel.setArgs(buffer, 2000), { global: 1, local: 1 });
  const read = queue.enqueueRead(buffer, new Int32Array(4));
  queue.flush();
  return { event, read, objects: [read, event, kernel, program, buffer, queue, context] };
}

const scenarios = {
  /** The script is at its end. */
  end: () => busy(),
  released() {
    for (const object of busy().objects) object.release();
  },
  exit() {
    const { event } = busy();
    event.completed.then(() => undefined);
    setTimeout(() => process.exit(3), 50);
  },
  error() {
    busy();
    setTimeout(() => {
      throw new Error('on purpose');
    }, 50);
  },
  /** A thread that another one terminates while its kernel runs; the process continues. */
  async terminated() {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: [wanted, 'stay'] });
    await new Promise((resolve) => worker.once('message', resolve));
    await worker.terminate();
    const session = platform.devices[0].createContext();
    session.createQueue().finishSync();
  },
  async stay() {
    const { parentPort } = await import('node:worker_threads');
    const { event } = busy();
    parentPort.postMessage('busy');
    await event;
  },
};
const started = await scenarios[scenario]();
if (started?.event) console.log('status', started.event.status);
if (isMainThread) console.log('leaving');
