// SPDX-License-Identifier: MIT
//
// Values of kernel arguments, buffers' elements and images' channels: an integer must be one, and fit.
import { type Buffer, type Context, type Kernel, type KernelValue, local, OpenCLError } from '../../ts';
import { ErrorCode } from '../../ts/cl/constants.gen';
import { apiDevices, shutdownAll } from '../conformance/devices';

afterAll(shutdownAll);

/** Bits of each integer type; those of `u…` have no sign. */
const INTEGERS = {
  char: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  int: 32,
  uint: 32,
  long: 64,
  ulong: 64,
} as const;
type IntegerType = keyof typeof INTEGERS;

const limits = (type: IntegerType): readonly [bigint, bigint] => {
  const values = 1n << BigInt(INTEGERS[type]);
  return type.startsWith('u') ? [0n, values - 1n] : [-values / 2n, values / 2n - 1n];
};
const types = Object.keys(INTEGERS) as IntegerType[];
const SOURCE = `
${types.map((type) => `kernel void of_${type}(global ${type} *out, ${type} x, ${type}2 v) { out[0] = x; out[1] = v.y; }`).join('\n')}
kernel void of_float(global float *out, float x, float2 v) { out[0] = x; out[1] = v.y; }
kernel void of_memory(global int *out, local int *l) { out[0] = 1; }`;

const NO_INTEGERS = [Number.NaN, Number.POSITIVE_INFINITY, 0.5, -0.5, 1e300, 2n ** 70n, -(2n ** 70n)];

/** The error that refused a call. */
function refusal(call: () => unknown): OpenCLError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(OpenCLError);
    return error as OpenCLError;
  }
  throw new Error(`was accepted: ${call}`);
}

describe.each(apiDevices)('%s', (_, device) => {
  let context: Context;
  let kernels: Readonly<Record<string, Kernel>>;

  beforeAll(() => {
    context = device.createContext();
    const program = context.createProgram(SOURCE).buildSync();
    kernels = Object.fromEntries(program.kernelNames.map((name) => [name, program.createKernel(name)]));
  });
  afterAll(() => context.release());

  describe.each(types)('%s', (type) => {
    const [low, high] = limits(type);
    const kernel = (): Kernel => kernels[`of_${type}`]!;
    const refused = (values: readonly (number | bigint)[], use: (value: number | bigint) => unknown) => {
      for (const value of values) {
        const { code, message } = refusal(() => use(value));
        expect(code).toBe(ErrorCode.INVALID_ARG_VALUE);
        expect(message).toContain(`of kernel 'of_${type}'`);
        expect(message).toContain(`whole numbers from ${low} to ${high}`);
        expect(message).toContain(`${typeof value} ${value}`);
      }
    };
    const outside = [low - 1n, high + 1n];
    const wrong = [...NO_INTEGERS, ...outside, ...(INTEGERS[type] < 64 ? outside.map(Number) : [2 ** 64])];

    test('what is not an integer, or does not fit, is refused', () => {
      refused(wrong, (value) => kernel().setArg(1, value));
      refused(wrong, (value) => kernel().setArg(2, [1, value] as readonly number[]));
      const out = context.createBuffer(16);
      refused(wrong, (value) => kernel().setArgs(out, value, [1, 1]));
      refused(wrong, (value) => kernel().run({ global: 1 }, out, value, [1, 1]));
      const buffer = context.createCommandBuffer();
      refused(wrong, (value) => buffer.run(kernel(), { global: 1 }, out, value, [1, 1]));
      // The kernel keeps the last valid value.
      kernel().setArg(1, 7);
      refused(wrong, (value) => kernel().setArg(1, value));
      expect(() => kernel().setArg(1, 7)).not.toThrow();
    });

    test('the least and the greatest arrive', () => {
      const bytes = INTEGERS[type] / 8;
      for (const value of [low, high, 0n]) {
        const out = context.createBuffer(2 * bytes);
        const results = (x: KernelValue): bigint[] => {
          kernel().runSync({ global: 1 }, out, x, [0, value]);
          const view = new DataView(out.readSync().buffer);
          const read = (at: number) => view.getBigInt64(at, true);
          const wide = new BigInt64Array(2);
          if (bytes === 8) wide.set([read(0), read(8)]);
          else
            for (let i = 0; i < 2; i++)
              for (let b = 0; b < bytes; b++)
                wide[i]! |= BigInt(view.getUint8(i * bytes + b)) << BigInt(8 * b);
          return [...wide].map((bits) => BigInt.asUintN(INTEGERS[type], bits));
        };
        const expected = BigInt.asUintN(INTEGERS[type], value);
        expect(results(value)).toEqual([expected, expected]);
        if (bytes < 8) expect(results(Number(value))).toEqual([expected, expected]);
      }
    });

    test('bits of the other sign are told how to go', () => {
      const [value, name] = type.startsWith('u') ? [-1, type.slice(1)] : [Number(high) + 1, `u${type}`];
      if (INTEGERS[type] === 64) return;
      const { message } = refusal(() => kernel().setArg(1, value));
      const array = {
        char: 'Int8',
        short: 'Int16',
        int: 'Int32',
        uchar: 'Uint8',
        ushort: 'Uint16',
        uint: 'Uint32',
      };
      expect(message).toContain(`new ${array[name as keyof typeof array]}Array([${value}])`);
    });
  });

  test('floats take every number', () => {
    const out = context.createBuffer(Float32Array, 2);
    for (const value of [Number.NaN, 0.1, -1e300, 2 ** 53, Number.POSITIVE_INFINITY]) {
      kernels.of_float!.runSync({ global: 1 }, out, value, [1, value]);
      expect([...out.readSync()]).toEqual([Math.fround(value), Math.fround(value)]);
    }
  });

  test('local memory has a whole number of bytes, and a kernel an argument of that number', () => {
    for (const size of [...NO_INTEGERS, -1, 2 ** 53])
      expect(refusal(() => local(size as number)).code).toBe(ErrorCode.INVALID_ARG_SIZE);
    for (const index of [...NO_INTEGERS, -1, 2, 2 ** 32])
      expect(refusal(() => kernels.of_memory!.setArg(index as number, local(4))).code).toBe(
        ErrorCode.INVALID_ARG_INDEX,
      );
  });

  test('memory of another context, and what was released, is not an argument', () => {
    const elsewhere = device.createContext();
    const foreign = elsewhere.createBuffer(Int32Array, 1);
    const released = context.createBuffer(Int32Array, 1);
    released.release();
    const own = context.createBuffer(Int32Array, 1);
    const kernel = kernels.of_memory!;
    const uses = [
      (buffer: Buffer) => kernel.setArg(0, buffer),
      (buffer: Buffer) => kernel.setArgs(buffer, local(4)),
      (buffer: Buffer) => kernel.run({ global: 1 }, buffer, local(4)),
      (buffer: Buffer) => context.createCommandBuffer().run(kernel, { global: 1 }, buffer, local(4)),
    ];
    for (const use of uses) {
      expect(refusal(() => use(foreign as Buffer)).message).toMatch(/argument 0 .*another context/);
      expect(refusal(() => use(released as Buffer)).message).toMatch(/released/);
      use(own as Buffer);
    }
    elsewhere.release();
  });

  test('elements of buffers and channels of images are what they hold', () => {
    const ints = context.createBuffer(Int32Array, 2);
    const floats = context.createBuffer(Float32Array, 2);
    for (const value of [Number.NaN, 0.5, 2 ** 31, -(2 ** 31) - 1]) {
      expect(refusal(() => ints.fill(value)).message).toContain(`cannot be number ${value}`);
      expect(refusal(() => ints.write([1, value])).message).toContain(`cannot be number ${value}`);
      floats.fill(value);
      floats.write([1, value]);
    }
    ints.write(Int32Array.of(1, -1));
    expect([...ints.readSync()]).toEqual([1, -1]);
    if (!device.info('IMAGE_SUPPORT')) return;
    const image = context.createImage({ format: 'rgba8ui', width: 1, height: 1 });
    for (const value of [Number.NaN, 0.5, -1, 2 ** 32])
      expect(refusal(() => image.fill([0, value, 0, 0])).message).toContain('`color[1]`');
  });

  test('what enqueues or records waits for no event of another context', () => {
    const elsewhere = device.createContext();
    const queue = context.createQueue();
    const user = elsewhere.createUserEvent();
    const marker = elsewhere.defaultQueue.enqueueMarker();
    const own = queue.enqueueMarker();
    const kernel = kernels.of_memory!.setArgs(context.createBuffer(Int32Array, 1), local(4));
    const commands = context.createCommandBuffer(queue).finalize();
    for (const event of [user, marker]) {
      const waitFor = [own, event];
      const uses = [
        () => queue.enqueueNDRange(kernel, { global: 1 }, { waitFor }),
        () => queue.enqueueTask(kernel, { waitFor }),
        () => queue.enqueueMarker({ waitFor }),
        () => queue.batch(() => queue.enqueueNDRange(kernel, { global: 1 }, { waitFor })),
        () => kernel.run({ global: 1, waitFor }, context.createBuffer(Int32Array, 1), local(4)),
        () => commands.enqueue({ waitFor }),
      ];
      for (const use of uses) {
        const { code, message } = refusal(use);
        expect(code).toBe(ErrorCode.INVALID_CONTEXT);
        expect(message).toMatch(/`options\.waitFor\[1\]` is an? \w*Event of another context/);
      }
    }
    expect(own.context).toBe(context);
    expect(user.info('CONTEXT')).toBe(elsewhere);
    user.complete();
    queue.finishSync();
    elsewhere.release();
  });
});
