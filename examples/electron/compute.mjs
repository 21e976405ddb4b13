// SPDX-License-Identifier: MIT
// The utility process: a crash of a graphics driver ends it, and not the application.
import { Brightness } from './brightness.mjs';

const brightness = Brightness.create();
const calls = {
  device: async () => (await brightness).device,
  brighten: async (pixels, factor) => (await brightness).apply(pixels, factor),
};

process.parentPort.on('message', async ({ data: { id, call, args } }) => {
  try {
    process.parentPort.postMessage({ id, result: await calls[call](...args) });
  } catch (error) {
    process.parentPort.postMessage({ id, error: error.message });
  }
});
