// SPDX-License-Identifier: MIT
//
// The API over the stub library: what no driver at hand has or does on demand.
import type { Buffer, CommandQueue, Context, Kernel } from '../../ts';
import { describeNeeding } from '../helpers/needs';
import { buildStub } from './stub';

const library = buildStub();
const suite = describeNeeding('the stub driver', Boolean(library));

suite('the API over the stub', () => {
  let context: Context;
  let queue: CommandQueue;
  let kernel: Kernel;
  let buffer: Buffer;
  const direct = (...directives: string[]) => {
    try {
      context.createProgram(directives.map((d) => `stub: ${d}`).join('\n')).release();
    } catch {
      // Exactly this function should fail.
    }
  };

  beforeAll(async () => {
    process.env.ANYCL_OPENCL_LIBRARY = library;
    const { platforms } = await import('../../ts');
    context = platforms()[0]!.devices[0]!.createContext();
    queue = context.createQueue();
    kernel = context.createProgram('kernel').buildSync().createKernel('stub');
    buffer = context.createBuffer(64);
    kernel.setArg(0, buffer);
    kernel.setArg(1, Int32Array.of(1));
  });
  afterEach(() => direct('reset'));

  test.each([undefined, 3, {}])('a listener must be a function, not %p', (listener) => {
    const event = queue.enqueueMarker();
    expect(() => event.on('complete', listener as never)).toThrow('`listener` must be a function');
    expect(() => buffer.onDestroy(listener as never)).toThrow('`listener` must be a function');
    expect(() => context.onDestroy(listener as never)).toThrow('`listener` must be a function');
    expect(() => event.on('over' as never, () => {})).toThrow("`status` must be 'submitted' or");
  });

  test('an argument that the kernel has already costs no call of the driver', () => {
    direct('fail clSetKernelArg -6');
    expect(() => kernel.setArg(0, buffer)).not.toThrow();
    const other = context.createBuffer(64);
    expect(() => kernel.setArg(0, other)).toThrow('CL_OUT_OF_HOST_MEMORY');
    // A failed argument is not set.
    expect(() => kernel.setArg(0, buffer)).not.toThrow();
    direct('reset');
    kernel.setArg(0, other);
    other.release();
    expect(() => kernel.setArg(0, other)).toThrow('released');
    kernel.setArg(0, buffer);
  });

  test('an error of the device shows where its command was enqueued', async () => {
    direct('events -9999');
    const event = queue.enqueueNDRange(kernel, { global: 1 });
    const error = await event.completed.catch((e: unknown) => e as Error);
    expect(error).toMatchObject({ code: -9999, functionName: 'clEnqueueNDRangeKernel' });
    expect((error as Error).stack).toContain('api.test.ts');
  });
});
