// SPDX-License-Identifier: MIT
//
// node closing.mjs PLAIN|TERMINATE: closes a session while an endless kernel runs, and says whether the process ends soon after that.
import { createRequire } from 'node:module';

const { open } = createRequire(import.meta.url)('../../dist/index.cjs');

const cl = await open({ device: 'software' });
const { endless } = (await cl.build('kernel void endless(global int *x) { while (1) x[0]++; }')).kernels;
const event = endless.run({ global: 1 }, cl.buffer(Int32Array, 1));
event.then(undefined, (error) => console.log(error.codeName));
event.on('running', () => {
  const closed = performance.now();
  cl.close({ terminate: process.argv[2] === 'TERMINATE' });
  process.on('exit', () => console.log(performance.now() - closed < 3000 ? 'soon' : 'late'));
});
