// SPDX-License-Identifier: MIT
// The entry point of the device's threads; scripts/build.mjs bundles it to dist/worker.cjs.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { WorkerHost } from '../../base/host';
import { runWorker } from '../../device/workers/worker';
import { nativeThread } from './native-thread';
import type { DeviceThreadStart } from './node-worker';

// Not the port to the parent: Deno reads single messages only from other ports.
const { port, data } = workerData as DeviceThreadStart;
const host: WorkerHost = {
  receive: () => receiveMessageOnPort(port)?.message,
  post: (message, given) => parentPort!.postMessage(message, given),
  now: () => process.hrtime.bigint(),
  nativeThread,
  load: (source) => {
    const module = { exports: {} };
    new Function('module', 'exports', source)(module, module.exports);
    return module.exports;
  },
};
runWorker(host, data);
