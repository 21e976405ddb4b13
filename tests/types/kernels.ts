// SPDX-License-Identifier: MIT
// What the type checker knows of kernels whose signatures are written by hand: nothing runs here, `tsc --noEmit` is the test.
import type { Buffer, DeviceMemory, Kernel, KernelModule, Session } from '../../ts';

declare const cl: Session;
declare const floats: Buffer<Float32Array>;
declare const integers: Buffer<Int32Array>;

interface Kernels {
  saxpy(a: number, x: Buffer<Float32Array>, y: DeviceMemory<Float32Array>): void;
}

const program = await cl.build<Kernels>('…');
const { saxpy } = program.kernels;
saxpy.run({ global: 4 }, 2, floats, floats);
saxpy.setArgs(2, floats, floats);
// @ts-expect-error: an array of integers
saxpy.run({ global: 4 }, 2, integers, floats);
// @ts-expect-error: one argument is missing
saxpy.run({ global: 4 }, 2, floats);
// @ts-expect-error: the first argument is a number
saxpy.run({ global: 4 }, floats, floats, floats);
// @ts-expect-error: there is no such kernel
program.kernels.daxpy;
const any: Kernel = saxpy;

declare const module: KernelModule<Kernels>;
const imported = module.kernel('saxpy');
await imported.run(cl, { global: 4 }, 2, floats, floats);
// @ts-expect-error: an array of integers
await imported.run(cl, { global: 4 }, 2, integers, floats);
// @ts-expect-error: an array of integers
(await imported.on(cl)).run({ global: 4 }, 2, integers, floats);
// @ts-expect-error: there is no such kernel
module.kernel('daxpy');

// Without signatures everything is as before.
const literal = await cl.build('kernel void half(global float *x) {}');
literal.kernels.half.run({ global: 1 }, integers);
declare const text: string;
(await cl.build(text)).kernels.any!.run({ global: 1 }, 1, floats);

export { any };
