// SPDX-License-Identifier: MIT
//
// The API on every device that this machine has: what it does, and that the same wrong call gives the same error
// everywhere.
import { inspect } from 'node:util';
import { type Event, type Kernel, local, OpenCLError, openSync, type Session } from '../../ts';
import { apiDevices, shutdownAll } from './devices';

const SOURCE = `
kernel void scale(global float *x, float k) { x[get_global_id(0)] *= k; }
kernel void ids(global int *out, int4 v) { out[get_global_id(0)] = get_global_id(0) * v.y + v.w; }
kernel void reverse(global int *x, local int *t) {
  int i = get_local_id(0), n = get_local_size(0);
  t[i] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[n - 1 - i];
}
typedef struct { int a; float b; } Pair;
kernel void pair(global float *out, Pair p) { out[0] = p.a + p.b; }
`;

/** The error that `act` throws or rejects with, as `[code name, function]`. */
async function failure(act: () => unknown): Promise<readonly [string, string] | string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    return [error.codeName, error.functionName];
  }
  return 'nothing was thrown';
}

afterAll(shutdownAll);

describe.each(apiDevices)('%s', (deviceName, device) => {
  let cl: Session;
  let kernels: Readonly<Record<string, Kernel>>;
  beforeAll(async () => {
    cl = openSync({ device });
    ({ kernels } = await cl.build(SOURCE));
  });
  afterAll(() => cl.close());

  test('a copy of shared memory onto itself is refused where it overlaps', async () => {
    if (!device.info('SVM_CAPABILITIES')) return;
    const svm = cl.context.createSvm(64);
    expect(() => svm.copyTo(svm, { targetOffset: 4, size: 8 })).toThrow(
      expect.objectContaining({ codeName: 'CL_MEM_COPY_OVERLAP' }),
    );
    await svm.copyTo(svm, { targetOffset: 8, size: 8 });
    svm.free();
  });

  test('runs kernels with values, vectors, structs, buffers and local memory', async () => {
    const x = cl.buffer(Float32Array.from([1, 2, 3, 4]));
    await kernels['scale']!.run({ global: 4 }, x, 2.5);
    expect([...(await x.read())]).toEqual([2.5, 5, 7.5, 10]);

    const ids = cl.buffer(Int32Array, 8);
    await kernels['ids']!.run({ global: 4, offset: 4 }, ids, [1, 10, 2, -3]);
    expect([...(await ids.read({ offset: 4 }))]).toEqual([37, 47, 57, 67]);

    const r = cl.buffer(Int32Array.from({ length: 8 }, (_, i) => i));
    kernels['reverse']!.runSync({ global: 8, local: 4 }, r, local(Int32Array, 4));
    expect([...r.readSync()]).toEqual([3, 2, 1, 0, 7, 6, 5, 4]);

    const pair = new DataView(new ArrayBuffer(8));
    pair.setInt32(0, 40, true);
    pair.setFloat32(4, 2.5, true);
    const out = cl.buffer(Float32Array, 1);
    await kernels['pair']!.run({ global: 1 }, out, pair);
    expect((await out.read())[0]).toBe(42.5);
  });

  test('moves data: write, read of a part, fill, copy, boxes, sub-buffers, maps', async () => {
    const a = cl.buffer(Int32Array, 8);
    await a.write([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...(await a.read({ offset: 2, length: 3 }))]).toEqual([3, 4, 5]);
    const b = cl.buffer(Int32Array, 8);
    await b.fill(-1);
    await a.copyTo(b, { offset: 1, targetOffset: 2, length: 2 });
    expect([...(await b.read())]).toEqual([-1, -1, 2, 3, -1, -1, -1, -1]);

    const box = new Int32Array(4);
    await cl.queue.enqueueReadRect(a, box, {
      region: [8, 2, 1],
      bufferOrigin: [4, 0, 0],
      bufferRowPitch: 16,
    });
    expect([...box]).toEqual([2, 3, 6, 7]);

    const align = device.info('MEM_BASE_ADDR_ALIGN') / 8;
    const big = cl.buffer(new Int32Array(align));
    const part = big.sub(align / 4, 4);
    await part.write([9, 9, 9, 9]);
    expect((await big.read({ offset: align / 4 - 1, length: 2 })).join()).toBe('0,9');

    const mapping = await a.map('read-write', { offset: 1, length: 2 });
    expect([...mapping.data]).toEqual([2, 3]);
    mapping.data[0] = 20;
    await mapping.unmap();
    expect((await a.read())[1]).toBe(20);
    expect(await failure(() => mapping.unmap())).toEqual(['CL_INVALID_VALUE', 'clEnqueueUnmapMemObject']);

    // On another queue than that of the map, after a command of that queue.
    const other = cl.context.createQueue();
    const again = await a.map();
    again.data[0] = 30;
    const gate = cl.context.createUserEvent();
    const unmapped = other.enqueueUnmap(again, { waitFor: [gate] });
    gate.complete();
    await unmapped;
    expect((await a.read())[0]).toBe(30);
    const elsewhere = await device.createContext().createBuffer(Int32Array, 1).map();
    expect(await failure(() => other.enqueueUnmap(elsewhere))).toEqual([
      'CL_INVALID_CONTEXT',
      'clEnqueueUnmapMemObject',
    ]);
    await elsewhere.unmap();
  });

  test('images on the queue: write, copy, fill, to and from buffers, map, read', async () => {
    if (!device.info('IMAGE_SUPPORT')) return;
    const { queue } = cl;
    const shape = { format: 'rgba8ui', width: 4, height: 2 } as const;
    const [a, b] = [cl.image(shape), cl.image(shape)];
    const pixels = Uint8Array.from({ length: 32 }, (_, i) => i);
    await queue.enqueueWriteImage(a, pixels);
    await queue.enqueueFillImage(b, [7, 7, 7, 7]);
    await queue.enqueueCopyImage(a, b, { origin: [1, 0], region: [2, 1], targetOrigin: [0, 1] });
    const row = new Uint8Array(16);
    expect(await queue.enqueueReadImage(b, row, { origin: [0, 1], region: [4, 1] })).toBe(row);
    expect([...row]).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 7, 7, 7, 7, 7, 7, 7, 7]);
    const bytes = cl.buffer(Uint8Array, 12);
    await queue.enqueueCopyImageToBuffer(a, bytes, { origin: [2, 1], region: [2, 1], targetOffset: 4 });
    expect([...(await bytes.read({ offset: 4 }))]).toEqual([24, 25, 26, 27, 28, 29, 30, 31]);
    await queue.enqueueCopyBufferToImage(bytes, b, { sourceOffset: 8, region: [1, 1] });
    const mapping = await queue.enqueueMapImage(b, 'read', { region: [1, 1] });
    expect([...mapping.data.subarray(0, 4)]).toEqual([28, 29, 30, 31]);
    await queue.enqueueUnmap(mapping);
    expect(await failure(() => mapping.unmap())).toEqual(['CL_INVALID_VALUE', 'clEnqueueUnmapMemObject']);
    expect(() => queue.enqueueReadImage(a, row)).toThrow(/must hold the region's 32 bytes/);
  });

  test('whoever waits for a map has the same mapping, also when it is unmapped', async () => {
    const { context, queue } = cl;
    const buffer = context.createBuffer(Uint8Array.of(1, 2, 3, 4));
    const event = queue.enqueueMap(buffer, 'read-write');
    const mapping = event.waitSync();
    expect(await event).toBe(mapping);
    await queue.enqueueUnmap(mapping);
    expect(event.waitSync()).toBe(mapping);
    expect(await failure(() => event.waitSync().unmap())).toEqual([
      'CL_INVALID_VALUE',
      'clEnqueueUnmapMemObject',
    ]);
    buffer.release();
  });

  test('the lines of an array of lines are as far apart as both pitches of a mapping say', async () => {
    if (!device.info('IMAGE_SUPPORT')) return;
    if (device.platform.name === 'rusticl') return; // maps the first line, whatever the origin is
    const pixels = Uint8Array.from({ length: 60 }, (_, i) => i);
    const lines = cl.context.createImage(
      { type: '1d-array', format: 'rgba8ui', width: 5, layers: 3 },
      pixels,
    );
    const mapping = await lines.map('read', { origin: [1, 1], region: [2, 2, 1] });
    const { rowPitch, slicePitch } = mapping;
    const data = mapping.data as Uint8Array;
    // What is mapped may be a copy of the region alone, whose lines have two pixels.
    expect(slicePitch).toBeGreaterThanOrEqual(8);
    expect(Array.from(data.slice(0, 8))).toEqual(Array.from(pixels.slice(24, 32)));
    expect(Array.from(data.slice(slicePitch, slicePitch + 8))).toEqual(Array.from(pixels.slice(44, 52)));
    if (device.type === 'software') expect(slicePitch).toBe(rowPitch);
    await mapping.unmap();
    lines.release();
  });

  test('the events of a queue that was released end', async () => {
    const memory = cl.buffer(new Int32Array(1000));
    const queue = cl.context.createQueue();
    const filled = queue.enqueueFill(memory, Int32Array.of(7));
    let calls = 0;
    const read = queue.enqueueRead(memory, new Int32Array(1000), { waitFor: [filled] });
    queue.release();
    read.on('complete', () => calls++);
    expect((await read)[999]).toBe(7);
    await filled;
    const other = cl.queue.enqueueMarker({ waitFor: [read] });
    await other;
    expect([calls, read.waitSync()[0]]).toEqual([1, 7]);
    memory.release();
  });

  test('shared memory on the queue: map, fill, copy, migrate, free', async () => {
    if (!device.info('SVM_CAPABILITIES')) return;
    const { queue } = cl;
    const [a, b] = [cl.context.createSvm(32), cl.context.createSvm(32)];
    (await queue.enqueueSvmMap(a, 'write', { offset: 16, size: 4 })).set([1, 2, 3, 4]);
    await queue.enqueueSvmUnmap(a);
    await queue.enqueueSvmFill(b, new Uint8Array([9]));
    await queue.enqueueSvmCopy(a, b, { offset: 16, targetOffset: 2, size: 4 });
    const out = new Uint8Array(8);
    await queue.enqueueSvmCopy(b, out, { size: 8 });
    expect([...out]).toEqual([9, 9, 1, 2, 3, 4, 9, 9]);
    expect(() => queue.enqueueSvmFree([a, a])).toThrow(/twice/);
    expect(() => queue.enqueueSvmMigrate([])).toThrow(/nothing to migrate/);
    await queue.enqueueSvmFree([a, b]);
    expect([a.released, b.released]).toEqual([true, true]);
  });

  test('a launch with `event: false` has no event, and waits as others do', async () => {
    const x = cl.buffer(Float32Array.from([1, 2, 3, 4]));
    const scale = kernels['scale']!.setArgs(x, 2);
    const first = cl.queue.enqueueNDRange(scale, { global: 4 });
    const none: undefined = cl.queue.enqueueNDRange(scale, { global: 4 }, { event: false, waitFor: [first] });
    expect(none).toBeUndefined();
    await cl.queue.finish();
    expect([...(await x.read())]).toEqual([4, 8, 12, 16]);
    expect(() => cl.queue.enqueueNDRange(scale, { global: 4 }, { event: 0 as never })).toThrow(
      /`options.event` must be true or false, not number 0/,
    );
  });

  test('a copy between buffers counts the elements of each', async () => {
    const words = cl.buffer(Int32Array.from([1, 2, 3]));
    const bytes = cl.buffer(Uint8Array, 12);
    await bytes.fill(0);
    await words.copyTo(bytes, { offset: 1, length: 1, targetOffset: 5 });
    expect([...(await bytes.read())]).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    expect(words.info('SIZE')).toBe(words.memoryInfo('SIZE'));
  });

  test('a device of a platform stays, whatever releases it', () => {
    device.release();
    device[Symbol.dispose]();
    expect(device.released).toBe(false);
    expect(device.info('NAME')).not.toBe('');
  });

  test('a queue is neither memory nor a value, and on the host no argument at all', async () => {
    expect(() => kernels['scale']!.setArg(0, cl.queue)).toThrow(
      /'x'.*is a float\* and cannot be a CommandQueue/,
    );
    expect(() => kernels['scale']!.setArg(1, cl.queue)).toThrow(
      /'k'.*is a float by value, not a CommandQueue/,
    );
    if (device.info('SVM_CAPABILITIES')) {
      const memory = cl.context.createSvm(64);
      expect(() => kernels['scale']!.setArg(1, memory)).toThrow(/is a float by value, not an? Svm/);
      expect(() => kernels['reverse']!.setArg(1, memory)).toThrow(/is an int\* and cannot be an? Svm/);
      memory.release();
    }
  });

  test('kernels are listed by name; a missing one and a value for an image are refused with advice', async () => {
    expect(Object.keys(kernels)).toEqual(expect.arrayContaining(['scale', 'ids', 'reverse', 'pair']));
    expect(JSON.parse(JSON.stringify(kernels))).toMatchObject({ scale: { class: 'Kernel', name: 'scale' } });
    expect(`${kernels}`).toBe('[object Object]');
    // biome-ignore lint/suspicious/noPrototypeBuiltins: as older scripts ask.
    expect([kernels.hasOwnProperty('ids'), kernels.hasOwnProperty('gone')]).toEqual([true, false]);
    expect(() => kernels['nope']).toThrow(/no kernel 'nope'; it has .*'scale'/);
    expect(['scale' in kernels, 'nope' in kernels, 'toString' in kernels]).toEqual([true, false, true]);
    expect({ ...kernels }['scale']).toBe(kernels['scale']);
    expect(inspect(kernels)).toContain('scale: [Getter]');
    if (device.info('IMAGE_SUPPORT')) {
      const program = await cl.build('kernel void see(read_only image2d_t i) {}');
      expect(() => program.kernels['see']!.setArg(0, 3)).toThrow(/takes an Image, not number 3/);
      if (device.type === 'software') {
        expect(() => cl.image({ format: 'rgba8', width: 16385, height: 1 })).toThrow(
          /CL_INVALID_IMAGE_SIZE.*16384/,
        );
        expect(() => cl.image({ type: '3d', format: 'rgba8', width: 1, height: 1, depth: 4097 })).toThrow(
          /4097/,
        );
      }
      expect(() => program.kernels['see']!.setArg(0, cl.buffer(4))).toThrow(/takes an Image, not a Buffer/);
      expect(() => program.kernels['see']!.setArg(0, cl.sampler())).toThrow(/takes an Image, not a Sampler/);
    }
  });

  test('unknown build options do not fail a build', async () => {
    if (device.platform.name === 'rusticl') return; // accepts unknown options
    if (device.platform.name === 'NVIDIA CUDA') return; // returns CL_BUILD_PROGRAM_FAILURE; the log names the option
    await expect(cl.build('kernel void k() {}', '-cl-nonsense')).rejects.toThrow(
      /CL_INVALID_BUILD_OPTIONS[\s\S]*-cl-nonsense/,
    );
  });

  test('a NUL character in options is refused: a driver would ignore what is after it', async () => {
    const options = '-D A=1\0 -D B=2';
    const program = cl.context.createProgram('kernel void k() {}');
    expect(await failure(() => program.build(options))).toEqual([
      'CL_INVALID_BUILD_OPTIONS',
      'clBuildProgram',
    ]);
    expect(await failure(() => program.buildSync(options))).toEqual([
      'CL_INVALID_BUILD_OPTIONS',
      'clBuildProgram',
    ]);
    expect(await failure(() => program.compile(options))).toEqual([
      'CL_INVALID_COMPILER_OPTIONS',
      'clCompileProgram',
    ]);
    const object = await cl.context.createProgram('kernel void k() {}').compile();
    expect(await failure(() => cl.context.link([object], { options }))).toEqual([
      'CL_INVALID_LINKER_OPTIONS',
      'clLinkProgram',
    ]);
  });

  test('an event has the methods of a Promise', async () => {
    const done = cl.context.createUserEvent();
    let ended = 0;
    const chain = done.finally(() => ended++).then(() => 'done');
    done.complete();
    expect([await chain, ended]).toEqual(['done', 1]);
    const failed = cl.context.createUserEvent();
    const caught = failed.catch((error) => (error as OpenCLError).codeName);
    failed.fail();
    expect(await caught).toBe('CL_OUT_OF_RESOURCES');
    await expect(failed.finally(() => ended++)).rejects.toMatchObject({ name: 'OpenCLError' });
    expect(ended).toBe(2);
  });

  test('events: order, profile, status, user events, abort', async () => {
    const x = cl.buffer(new Float32Array(16).fill(1));
    const gate = cl.context.createUserEvent();
    const other = cl.context.createQueue({ profiling: true, outOfOrder: true });
    const first = other.enqueueNDRange(kernels['scale']!.setArgs(x, 3), { global: 16 }, { waitFor: [gate] });
    const controller = new AbortController();
    const waiting = first.wait({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(first.status).not.toBe('complete');
    gate.complete();
    const read: Event<Float32Array> = other.enqueueRead(x, new Float32Array(16), { waitFor: [first] });
    expect((await read)[15]).toBe(3);
    expect(first.status).toBe('complete');
    const { queued, submitted, started, ended } = first.profile;
    expect([queued <= submitted, submitted <= started, started <= ended]).toEqual([true, true, true]);
    await other.finish();
    other.release();
  });

  test.each([false, true])(
    'nothing blocks for a user event that is open (out of order: %s)',
    async (outOfOrder) => {
      const x = cl.buffer(new Float32Array(16).fill(1));
      const queue = cl.context.createQueue({ outOfOrder });
      const gate = cl.context.createUserEvent();
      const refused = {
        codeName: 'CL_INVALID_OPERATION',
        message: expect.stringMatching(/only this thread can/),
      };
      const blocks = (wait: () => unknown): void => expect(wait).toThrow(expect.objectContaining(refused));
      const first = queue.enqueueNDRange(
        kernels['scale']!.setArgs(x, 3),
        { global: 16 },
        { waitFor: [gate] },
      );
      const second = queue.enqueueMarker({ waitFor: [first] });
      const behind = queue.enqueueFill(cl.buffer(Float32Array, 4), Float32Array.of(1));
      const limited = queue.enqueueNDRange(
        kernels['scale']!,
        { global: 16 },
        { waitFor: [first], timeout: 60_000 },
      );
      blocks(() => gate.waitSync());
      blocks(() => limited.waitSync());
      blocks(() => first.waitSync());
      blocks(() => second.waitSync());
      blocks(() => queue.finishSync());
      blocks(() => queue.enqueueMarker().waitSync());
      // These run such a queue in order as well.
      if (outOfOrder && !/^(rusticl|NVIDIA)/.test(deviceName)) behind.waitSync();
      else blocks(() => behind.waitSync());
      queue.enqueueBarrier();
      blocks(() => queue.enqueueMarker({ waitFor: [behind] }).waitSync());
      cl.queue.finishSync();
      gate.complete();
      first.waitSync();
      queue.finishSync();
      expect((await x.read())[15]).toBe(9);
      // A user event that can no longer be completed blocks only its own commands; rusticl never releases their
      // queue.
      if (deviceName.startsWith('rusticl')) return;
      const lost = cl.context.createUserEvent();
      const stuck = cl.context.createQueue();
      stuck.enqueueMarker({ waitFor: [lost] });
      lost.release();
      blocks(() => stuck.finishSync());
      queue.enqueueMarker().waitSync();
      queue.finishSync();
    },
  );

  test('finishSync waits for commands that were flushed before', () => {
    const x = cl.buffer(Float32Array, 4 << 20);
    const queue = cl.context.createQueue();
    const fills = [1, 2, 3, 4].map((value) => queue.enqueueFill(x, Float32Array.of(value)));
    queue.flush();
    queue.finishSync();
    expect(fills.map(({ status }) => status)).toEqual(Array(4).fill('complete'));
  });

  test('command buffers and batches', async () => {
    const x = cl.buffer(new Float32Array(4).fill(1));
    const y = cl.buffer(Float32Array, 4);
    const commands = cl.context.createCommandBuffer();
    const scaled = commands.run(kernels['scale']!, { global: 4 }, x, 2);
    commands.copy(x, y, { after: [scaled] });
    expect(await failure(() => commands.enqueue())).toEqual([
      'CL_INVALID_OPERATION',
      'clEnqueueCommandBufferKHR',
    ]);
    commands.finalize();
    await commands.enqueue();
    await commands.enqueue();
    expect([...(await y.read())]).toEqual([4, 4, 4, 4]);

    kernels['scale']!.setArgs(x, 3);
    cl.queue.batch(() => {
      for (let i = 0; i < 3; i++) cl.queue.enqueueNDRange(kernels['scale']!, { global: 4 }, { event: false });
    });
    await cl.queue.finish();
    expect((await x.read())[0]).toBe(4 * 27);
  });

  test('knows its devices, programs and kernels', () => {
    const sizes: readonly number[] = device.info('MAX_WORK_ITEM_SIZES');
    expect(sizes).toHaveLength(device.info('MAX_WORK_ITEM_DIMENSIONS'));
    expect(device.info(0x102b)).toBeInstanceOf(Uint8Array);
    expect(kernels['ids']!.program.kernelNames).toEqual(
      expect.arrayContaining(['scale', 'ids', 'reverse', 'pair']),
    );
    expect(kernels['ids']!.arguments.map(({ name, typeName }) => `${typeName} ${name}`)).toEqual([
      'int* out',
      'int4 v',
    ]);
    expect(kernels['ids']!.workGroupInfo('WORK_GROUP_SIZE')).toBeGreaterThan(0);
    expect(cl.queue.info('CONTEXT')).toBe(cl.context);
    expect(cl.queue.enqueueMarker().info('COMMAND_QUEUE')).toBe(cl.queue);
    expect(
      kernels['ids']!.run({ global: 1 }, cl.buffer(new Int32Array(1)), [1, 2, 3, 4]).info('COMMAND_QUEUE'),
    ).toBe(cl.queue);
    const user = cl.context.createUserEvent();
    expect(user.info('COMMAND_QUEUE')).toBeNull();
    user.complete();
  });

  test('a build that fails says where and why', async () => {
    const error = await cl
      .build('kernel void f(global int *a) {\n  a[0] = nope;\n}')
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(OpenCLError);
    expect((error as OpenCLError).codeName).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect((error as OpenCLError).buildLog).toMatch(/:2:10:.* use of undeclared identifier 'nope'/);
  });

  const cases: [string, (cl: Session) => unknown, readonly [string, string]][] = [
    ['an empty buffer', (s) => s.buffer(0), ['CL_INVALID_BUFFER_SIZE', 'clCreateBuffer']],
    ['a buffer of nonsense', (s) => s.buffer('x' as never), ['CL_INVALID_VALUE', 'clCreateBuffer']],
    [
      'a read beyond the end',
      (s) => s.buffer(4).read({ length: 5 }),
      ['CL_INVALID_VALUE', 'clEnqueueReadBuffer'],
    ],
    [
      'a write beyond the end',
      (s) => s.buffer(4).write(new Uint8Array(5)),
      ['CL_INVALID_VALUE', 'clEnqueueWriteBuffer'],
    ],
    [
      'an odd pattern',
      (s) => s.buffer(6).fill(new Uint8Array(3)),
      ['CL_INVALID_VALUE', 'clEnqueueFillBuffer'],
    ],
    [
      'overlapping copies',
      (s) => {
        const b = s.buffer(8);
        return b.copyTo(b, { targetOffset: 2, length: 4 });
      },
      ['CL_MEM_COPY_OVERLAP', 'clEnqueueCopyBuffer'],
    ],
    [
      'overlapping copies of rectangles',
      (s) => {
        const b = s.buffer(64);
        const pitches = { bufferRowPitch: 8, hostRowPitch: 8 };
        return s.queue.enqueueCopyRect(b, b, { region: [4, 4, 1], hostOrigin: [3, 3, 0], ...pitches });
      },
      ['CL_MEM_COPY_OVERLAP', 'clEnqueueCopyBufferRect'],
    ],
    [
      'copies of rectangles to other pitches of the same buffer',
      (s) => {
        const b = s.buffer(256);
        const pitches = { bufferRowPitch: 8, hostRowPitch: 16 };
        return s.queue.enqueueCopyRect(b, b, { region: [4, 2, 1], hostOrigin: [0, 8, 0], ...pitches });
      },
      ['CL_INVALID_VALUE', 'clEnqueueCopyBufferRect'],
    ],
    [
      'a misaligned part',
      (s) => s.buffer(4096).sub(3, 8),
      ['CL_MISALIGNED_SUB_BUFFER_OFFSET', 'clCreateSubBuffer'],
    ],
    [
      'a hidden buffer',
      (s) => s.buffer(8, { hostAccess: 'none' }).read(),
      ['CL_INVALID_OPERATION', 'clEnqueueReadBuffer'],
    ],
    ['no kernel of the name', () => kernels['nope'], ['CL_INVALID_KERNEL_NAME', 'clCreateKernel']],
    [
      'too few arguments',
      () => kernels['scale']!.run({ global: 1 }),
      ['CL_INVALID_KERNEL_ARGS', 'clSetKernelArg'],
    ],
    [
      'a buffer of another type',
      (s) => kernels['scale']!.setArg(0, s.buffer(Int32Array, 1)),
      ['CL_INVALID_ARG_VALUE', 'clSetKernelArg'],
    ],
    [
      'a number for a buffer',
      () => kernels['scale']!.setArg(0, 1),
      ['CL_INVALID_ARG_VALUE', 'clSetKernelArg'],
    ],
    [
      'a vector too short',
      () => kernels['ids']!.setArg(1, [1, 2]),
      ['CL_INVALID_ARG_SIZE', 'clSetKernelArg'],
    ],
    [
      'a sampler for a buffer',
      (s) => kernels['scale']!.setArg(0, s.sampler()),
      ['CL_INVALID_MEM_OBJECT', 'clSetKernelArg'],
    ],
    [
      'local memory for a value',
      () => kernels['scale']!.setArg(1, local(4)),
      ['CL_INVALID_ARG_VALUE', 'clSetKernelArg'],
    ],
    [
      'local memory for a buffer',
      () => kernels['scale']!.setArg(0, local(4)),
      ['CL_INVALID_ARG_VALUE', 'clSetKernelArg'],
    ],
    [
      'local memory of no size',
      () => kernels['reverse']!.setArg(1, local(0)),
      ['CL_INVALID_ARG_SIZE', 'clSetKernelArg'],
    ],
    [
      'too much local memory',
      () => kernels['reverse']!.setArg(1, local(2 ** 40)),
      ['CL_OUT_OF_RESOURCES', 'clSetKernelArg'],
    ],
    [
      'an argument too many',
      () => kernels['scale']!.setArg(2, 1),
      ['CL_INVALID_ARG_INDEX', 'clSetKernelArg'],
    ],
    [
      'four dimensions',
      () => cl.queue.enqueueNDRange(kernels['scale']!, { global: [1, 1, 1, 1] }),
      ['CL_INVALID_WORK_DIMENSION', 'clEnqueueNDRangeKernel'],
    ],
    [
      'a range of nothing',
      () => cl.queue.enqueueNDRange(kernels['scale']!, {} as never),
      ['CL_INVALID_GLOBAL_WORK_SIZE', 'clEnqueueNDRangeKernel'],
    ],
    [
      'missing arguments',
      (s) => s.queue.enqueueNDRange(kernels['scale']!.program.createKernel('scale'), { global: 1 }),
      ['CL_INVALID_KERNEL_ARGS', 'clEnqueueNDRangeKernel'],
    ],
    [
      'a released buffer',
      (s) => {
        const b = s.buffer(4);
        b.release();
        return b.read();
      },
      ['CL_INVALID_MEM_OBJECT', 'clEnqueueReadBuffer'],
    ],
    [
      'a wait list of nonsense',
      (s) => s.buffer(4).read({ waitFor: [1 as never] }),
      ['CL_INVALID_EVENT_WAIT_LIST', 'clEnqueueReadBuffer'],
    ],
    ['an unknown property', () => device.info('NOPE' as never), ['CL_INVALID_VALUE', 'clGetDeviceInfo']],
    [
      'a device of another context',
      (s) => {
        const c = device.createContext();
        try {
          return s.queue.enqueueRead(c.createBuffer(4), new Uint8Array(4));
        } finally {
          c.release();
        }
      },
      ['CL_INVALID_CONTEXT', 'clEnqueueReadBuffer'],
    ],
    [
      'an image of no size',
      (s) => s.image({ format: 'rgba8', width: 0, height: 1 }),
      ['CL_INVALID_IMAGE_SIZE', 'clCreateImage'],
    ],
    [
      'an unknown format',
      (s) => s.image({ format: 'rgb5' as never, width: 1 }),
      ['CL_IMAGE_FORMAT_NOT_SUPPORTED', 'clCreateImage'],
    ],
  ];
  test.each(cases)('%s is refused, by the same error everywhere', async (_, act, expected) => {
    expect(await failure(() => act(cl))).toEqual(expected);
  });

  test('what was released stays released', () => {
    const session = openSync({ device });
    const buffer = session.buffer(16);
    buffer.release();
    buffer.release();
    expect(buffer.released).toBe(true);
    session.close();
    expect(() => session.buffer(4)).toThrow(OpenCLError);
  });
});
