// SPDX-License-Identifier: MIT
// The entry point of the device's worker threads; scripts/build.mjs bundles it to dist/worker.cjs.
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runWorker } from '../../device/worker';
import type { DeviceThreadStart } from './node-worker';

// Not the port to the parent: Deno reads single messages only from other ports.
const { port, data } = workerData as DeviceThreadStart;
runWorker(
  {
    receive: () => receiveMessageOnPort(port)?.message,
    now: () => process.hrtime.bigint(),
    load: (source) => {
      const module = { exports: {} };
      new Function('module', 'exports', source)(module, module.exports);
      return module.exports;
    },
  },
  data,
);
