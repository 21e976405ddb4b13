// SPDX-License-Identifier: MIT
//
// node printing.mjs: prints some megabytes from kernels, more launches than an emitter takes listeners, then says so on its error output.
import { createRequire } from 'node:module';

const { open } = createRequire(import.meta.url)('../../dist/index.cjs');

const cl = await open({ device: 'software' });
const source = `
kernel void print(global int *x) {
  for (int i = 0; i < 500; i++) printf("line %d of work-item %d\\n", i, (int)get_global_id(0));
  if (get_global_id(0) == 0) x[0] = 7;
}`;
const { print } = (await cl.build(source)).kernels;
const x = cl.buffer(Int32Array, 1);
await Promise.all(Array.from({ length: 12 }, () => print.run({ global: 32 }, x)));
console.error(`printed ${(await x.read())[0]}`);
cl.close();
