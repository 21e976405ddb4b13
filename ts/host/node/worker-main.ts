// SPDX-License-Identifier: MIT
// The entry point of the device's worker threads; scripts/build.mjs bundles it to dist/worker.cjs.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runWorker } from '../../device/worker';

const port = parentPort!;
runWorker(
  {
    receive: () => receiveMessageOnPort(port)?.message,
    now: () => process.hrtime.bigint(),
  },
  workerData,
);
