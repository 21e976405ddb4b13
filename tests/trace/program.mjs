// SPDX-License-Identifier: MIT
// A program whose trace tests/trace/recording.test.ts reads: commands of many kinds on one device, and several ways to end.
import { open } from '../../dist/index.mjs';

const [device, ending] = process.argv.slice(2);
const cl = await open({ device });
const { twice } = (await cl.build('kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }', '-DX=1'))
  .kernels;
const n = 1 << 16;
const numbers = cl.buffer(Int32Array.from({ length: n }, (_, i) => i));
const queue = cl.context.createQueue({ outOfOrder: true });
twice.setArgs(numbers);
const ran = queue.enqueueNDRange(twice, { global: n, local: 64 });
const again = queue.enqueueNDRange(twice, { global: n }, { waitFor: [ran] });
const result = await queue.enqueueRead(numbers, new Int32Array(n), { waitFor: [again] });
ran.release();
cl.queue.batch(() => {
  for (let i = 0; i < 3; i++) cl.queue.enqueueNDRange(twice, { global: n }, { event: false });
});
cl.queue.finishSync();
const mapping = await cl.queue.enqueueMap(numbers, 'read');
process.stdout.write(`${result[3]} ${mapping.data[3]}\n`);
await mapping.unmap();
if (ending === 'signal') {
  process.kill(process.pid, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
if (ending === 'kill') process.kill(process.pid, 'SIGKILL');
if (ending === 'exit') process.exit(7);
cl.close();
