// SPDX-License-Identifier: MIT
// Memory objects and the commands that move data, over the Backend interface.

import type { ImageDescription } from '../../ts/backend/backend';
import type { BackendEvent } from '../../ts/backend/backend-objects';
import {
  ChannelOrder,
  ChannelType,
  CommandType,
  DeviceInfo,
  ErrorCode,
  EventInfo,
  ImageInfo,
  MapFlags,
  MemFlags,
  MemInfo,
  MemObjectType,
  ProfilingInfo,
} from '../../ts/cl/constants.gen';
import { decodeInfo } from '../../ts/cl/info-values';
import type { OpenCLError } from '../../ts/cl/opencl-error';
import { type Bench, completion, openBench, shutdownAll, testDevices } from './devices';

afterAll(shutdownAll);

const ramp = (n: number, from = 0): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (from + i) & 255);
const image = (
  type: MemObjectType,
  width: number,
  height = 0,
  depth = 0,
  arraySize = 0,
): ImageDescription => ({
  type,
  width,
  height,
  depth,
  arraySize,
  rowPitch: 0,
  slicePitch: 0,
  mipLevels: 0,
  samples: 0,
});

describe.each(testDevices.map(({ name, device }) => [name, device] as const))('%s', (name, device) => {
  /** Mesa 22.3 never ends commands whose user event failed, and frees objects late. */
  const rusticl = name.startsWith('rusticl');
  const pocl = name.startsWith('Portable');
  let bench: Bench;
  beforeAll(() => {
    bench = openBench(device);
  });
  afterAll(() => bench.close());

  async function contents(
    memory: ReturnType<Bench['context']['createBuffer']>,
    size: number,
  ): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    const event = bench.queue.enqueue(
      { op: 'readBuffer', buffer: memory, offset: 0, into: bytes },
      undefined,
      true,
    )!;
    expect(await completion(event)).toBe(0);
    event.release();
    return bytes;
  }

  test('a buffer is made from host data, read, written and filled', async () => {
    const { context, queue } = bench;
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 1000, ramp(1000));
    expect(await contents(buffer, 1000)).toEqual(ramp(1000));
    queue.enqueue({ op: 'writeBuffer', buffer, offset: 10, from: new Float32Array([1.5]) }, undefined, false);
    queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([1, 2, 3, 4]), offset: 20, size: 40 },
      undefined,
      false,
    );
    const expected = ramp(1000);
    expected.set(new Uint8Array(new Float32Array([1.5]).buffer), 10);
    for (let i = 0; i < 40; i++) expected[20 + i] = 1 + (i % 4);
    expect(await contents(buffer, 1000)).toEqual(expected);
    expect(decodeInfo('size_t', buffer.info(MemInfo.SIZE))).toBe(1000);
    expect(decodeInfo('uint', buffer.info(MemInfo.TYPE))).toBe(MemObjectType.BUFFER);
    buffer.release();
  });

  test('buffers are copied whole, in parts and as boxes', async () => {
    const { context, queue } = bench;
    const from = context.createBuffer(MemFlags.COPY_HOST_PTR, 256, ramp(256));
    const to = context.createBuffer(MemFlags.COPY_HOST_PTR, 256, new Uint8Array(256));
    queue.enqueue({ op: 'copyBuffer', from, to, fromOffset: 16, toOffset: 100, size: 50 }, undefined, false);
    const expected = new Uint8Array(256);
    expected.set(ramp(50, 16), 100);
    expect(await contents(to, 256)).toEqual(expected);

    const rect = {
      bufferOrigin: [2, 1, 0],
      hostOrigin: [4, 0, 1],
      region: [3, 2, 2],
      bufferRowPitch: 8,
      bufferSlicePitch: 32,
      hostRowPitch: 10,
      hostSlicePitch: 60,
    } as const;
    queue.enqueue({ op: 'copyBufferRect', from, to, rect }, undefined, false);
    const host = new Uint8Array(256);
    const event = queue.enqueue({ op: 'readBufferRect', buffer: from, into: host, rect }, undefined, true);
    expect(await completion(event)).toBe(0);
    const boxed = new Uint8Array(256);
    for (let z = 0; z < 2; z++) {
      for (let y = 0; y < 2; y++) {
        for (let x = 0; x < 3; x++) {
          const value = z * 32 + (y + 1) * 8 + x + 2;
          boxed[(z + 1) * 60 + y * 10 + x + 4] = value;
          expected[(z + 1) * 60 + y * 10 + x + 4] = value;
        }
      }
    }
    expect(host).toEqual(boxed);
    expect(await contents(to, 256)).toEqual(expected);
    queue.enqueue(
      { op: 'writeBufferRect', buffer: from, from: new Uint8Array(256).fill(7), rect },
      undefined,
      false,
    );
    const written = await contents(from, 256);
    expect([...written.subarray(8, 16)]).toEqual([8, 9, 7, 7, 7, 13, 14, 15]);
    from.release();
    to.release();
  });

  test('a mapped buffer is written through', async () => {
    const { context, queue } = bench;
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 64, ramp(64));
    const { event, mapped } = queue.mapBuffer(buffer, MapFlags.READ | MapFlags.WRITE, 8, 16, undefined);
    expect(await completion(event)).toBe(0);
    expect([...mapped.bytes]).toEqual([...ramp(16, 8)]);
    mapped.bytes[0] = 99;
    expect(
      await completion(queue.enqueue({ op: 'unmap', memory: buffer, mapping: mapped }, undefined, true)),
    ).toBe(0);
    expect((await contents(buffer, 64))[8]).toBe(99);
    buffer.release();
  });

  test('USE_HOST_PTR memory is in step at maps', async () => {
    const { context, queue } = bench;
    const host = ramp(64);
    const buffer = context.createBuffer(MemFlags.USE_HOST_PTR, 64, host);
    queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([5]), offset: 0, size: 32 },
      undefined,
      false,
    );
    const read = queue.mapBuffer(buffer, MapFlags.READ, 0, 64, undefined);
    expect(await completion(read.event)).toBe(0);
    expect(host[31]).toBe(5);
    expect(host[32]).toBe(32);
    await completion(queue.enqueue({ op: 'unmap', memory: buffer, mapping: read.mapped }, undefined, true));
    const write = queue.mapBuffer(buffer, MapFlags.WRITE, 0, 64, undefined);
    await completion(write.event);
    host[40] = 77;
    await completion(queue.enqueue({ op: 'unmap', memory: buffer, mapping: write.mapped }, undefined, true));
    expect((await contents(buffer, 64))[40]).toBe(77);
    buffer.release();
  });

  test('a sub-buffer is a window', async () => {
    const { context, queue } = bench;
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 4096, new Uint8Array(4096));
    const sub = buffer.createSubBuffer(0, 1024, 512);
    expect(decodeInfo('size_t', sub.info(MemInfo.OFFSET))).toBe(1024);
    queue.enqueue(
      { op: 'fillBuffer', buffer: sub, pattern: new Uint8Array([9]), offset: 0, size: 512 },
      undefined,
      false,
    );
    buffer.release();
    expect(await contents(sub, 512)).toEqual(new Uint8Array(512).fill(9));
    expect(() => buffer.createSubBuffer(0, 1, 512)).toThrow();
    sub.release();
  });

  test('rectangles are copied between sub-buffers, within them', async () => {
    const { context, queue } = bench;
    const [data, zeros] = [Uint8Array.from({ length: 4096 }, (_, i) => i >> 4), new Uint8Array(4096)];
    const [from, to] = [data, zeros].map((bytes) =>
      context.createBuffer(MemFlags.COPY_HOST_PTR, 4096, bytes),
    );
    const [source, target] = [from!.createSubBuffer(0, 1024, 512), to!.createSubBuffer(0, 2048, 512)];
    const rect = {
      region: [4, 2, 2],
      bufferOrigin: [16, 1, 1],
      bufferRowPitch: 32,
      bufferSlicePitch: 128,
      hostOrigin: [8, 1, 0],
      hostRowPitch: 16,
      hostSlicePitch: 64,
    } as const;
    queue.enqueue({ op: 'copyBufferRect', from: source, to: target, rect }, undefined, false);
    const expected = new Uint8Array(4096);
    for (let z = 0; z < 2; z++)
      for (let y = 0; y < 2; y++)
        for (let x = 0; x < 4; x++)
          expected[2048 + 8 + x + (y + 1) * 16 + z * 64] =
            data[1024 + 16 + x + (y + 1) * 32 + (z + 1) * 128]!;
    expect(await contents(to!, 4096)).toEqual(expected);
    // If the driver does not get the sub-buffer, the addon checks the range.
    if (pocl)
      expect(() => {
        queue.enqueue(
          { op: 'copyBufferRect', from: source, to: target, rect: { ...rect, hostOrigin: [8, 1, 10] } },
          undefined,
          false,
        );
        queue.finishSync();
      }).toThrow(expect.objectContaining({ code: ErrorCode.INVALID_VALUE }));
    for (const memory of [source, target, from!, to!]) memory.release();
  });

  test('images are copied to and from sub-buffers', async () => {
    const { context, queue } = bench;
    const format = { order: ChannelOrder.RGBA, type: ChannelType.UNORM_INT8 };
    const picture = context.createImage(0, format, image(MemObjectType.IMAGE2D, 8, 4));
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 4096, ramp(4096));
    const [source, target] = [buffer.createSubBuffer(0, 1024, 256), buffer.createSubBuffer(0, 2048, 256)];
    queue.enqueue(
      {
        op: 'copyBufferToImage',
        from: source,
        to: picture,
        fromOffset: 64,
        origin: [0, 0, 0, 0],
        region: [8, 4, 1],
      },
      undefined,
      false,
    );
    queue.enqueue(
      {
        op: 'copyImageToBuffer',
        from: picture,
        to: target,
        origin: [0, 1, 0, 0],
        region: [8, 2, 1],
        toOffset: 16,
      },
      undefined,
      false,
    );
    const expected = ramp(4096);
    expected.copyWithin(2048 + 16, 1024 + 64 + 32, 1024 + 64 + 32 + 64);
    expect(await contents(buffer, 4096)).toEqual(expected);
    if (pocl)
      expect(() => {
        queue.enqueue(
          {
            op: 'copyImageToBuffer',
            from: picture,
            to: target,
            origin: [0, 0, 0, 0],
            region: [8, 4, 1],
            toOffset: 200,
          },
          undefined,
          false,
        );
        queue.finishSync();
      }).toThrow(expect.objectContaining({ code: ErrorCode.INVALID_VALUE }));
    for (const memory of [source, target, picture, buffer]) memory.release();
  });

  test('shared memory is unmapped where it was mapped, and may go while it is mapped', async () => {
    const { context, queue } = bench;
    if (!(Number(decodeInfo('bitfield', device.info(DeviceInfo.SVM_CAPABILITIES))) & 1)) return;
    for (let i = 0; i < 20; i++) {
      const [svm, kept] = [context.svmAlloc(0, 4096, 0), context.svmAlloc(0, 4096, 0)];
      expect(
        await completion(
          queue.enqueue(
            { op: 'svmMap', svm: kept, flags: MapFlags.WRITE, offset: 256, size: 128 },
            undefined,
            true,
          ),
        ),
      ).toBe(0);
      expect(await completion(queue.enqueue({ op: 'svmUnmap', svm: kept }, undefined, true))).toBe(0);
      expect(
        await completion(
          queue.enqueue({ op: 'svmMap', svm, flags: MapFlags.WRITE, offset: 0, size: 4096 }, undefined, true),
        ),
      ).toBe(0);
      svm.free();
      kept.free();
      queue.finishSync();
    }
  });

  test('what is wrong with a command on shared memory is an error', () => {
    const { context, queue } = bench;
    if (!(Number(decodeInfo('bitfield', device.info(DeviceInfo.SVM_CAPABILITIES))) & 1)) return;
    const svm = context.svmAlloc(0, 256, 0);
    // Drivers refuse different calls; none may end the process.
    const outcome = (command: () => BackendEvent | undefined): unknown => {
      try {
        command()?.release();
        return 'done';
      } catch (error) {
        return (error as OpenCLError).codeName;
      }
    };
    expect(['done', 'CL_INVALID_VALUE']).toContain(
      outcome(() => queue.enqueue({ op: 'svmUnmap', svm }, undefined, true)),
    );
    expect(['done', 'CL_MEM_COPY_OVERLAP']).toContain(
      outcome(() =>
        queue.enqueue(
          { op: 'svmMemcpy', to: svm, toOffset: 4, from: svm, fromOffset: 0, size: 64 },
          undefined,
          true,
        ),
      ),
    );
    queue.finishSync();
    svm.free();
  });

  test('shared memory that is released while commands wait to use it', async () => {
    const { context, queue, outOfOrder } = bench;
    if (!(Number(decodeInfo('bitfield', device.info(DeviceInfo.SVM_CAPABILITIES))) & 1)) return;
    for (const target of [queue, outOfOrder]) {
      const [released, freed] = [context.svmAlloc(0, 1 << 16, 0), context.svmAlloc(0, 1 << 16, 0)];
      const user = context.createUserEvent();
      const fills = [released, freed].map(
        (svm) =>
          target.enqueue(
            { op: 'svmFill', svm, offset: 0, pattern: new Uint8Array([7]), size: 1 << 16 },
            [user],
            true,
          )!,
      );
      released.free();
      const other = context.createQueue(device, []);
      other.enqueue({ op: 'svmFree', svms: [freed] }, undefined, false);
      other.release();
      // The next allocation is not overwritten.
      const next = [0, 1].map(() => context.svmAlloc(0, 1 << 16, 0));
      for (const svm of next)
        target.enqueue(
          { op: 'svmFill', svm, offset: 0, pattern: new Uint8Array([1]), size: 1 << 16 },
          undefined,
          false,
        );
      user.setUserStatus(0);
      for (const fill of fills) expect(await completion(fill)).toBe(0);
      await target.finish();
      for (const svm of next) {
        const mapped = target.enqueue(
          { op: 'svmMap', svm, flags: MapFlags.READ, offset: 0, size: svm.size },
          undefined,
          true,
        );
        expect(await completion(mapped)).toBe(0);
        expect(svm.bytes.every((byte) => byte === 1)).toBe(true);
        target.enqueue({ op: 'svmUnmap', svm }, undefined, false);
        svm.free();
      }
    }
  });

  test('destructors run when the last user is gone', async () => {
    const { context, queue } = bench;
    const buffer = context.createBuffer(0, 64);
    let gone = 0;
    buffer.onDestroy(() => gone++);
    const user = context.createUserEvent();
    const fill = queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([1]), offset: 0, size: 64 },
      [user],
      true,
    );
    buffer.release();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(gone).toBe(0);
    user.setUserStatus(0);
    await completion(fill);
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!rusticl) expect(gone).toBe(1);
  });

  test('too much memory is refused, and nothing is lost by it', () => {
    const most = 2 ** 45;
    expect(() => bench.context.createBuffer(0, most)).toThrow(
      expect.objectContaining({
        code: expect.toSatisfyCode(ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE, ErrorCode.INVALID_BUFFER_SIZE),
      }),
    );
    bench.context.createBuffer(0, 1 << 20).release();
  });

  test.each([
    ['1D', image(MemObjectType.IMAGE1D, 7), [7, 1, 1]],
    ['2D', image(MemObjectType.IMAGE2D, 7, 5), [7, 5, 1]],
    ['3D', image(MemObjectType.IMAGE3D, 7, 5, 3), [7, 5, 3]],
    ['1D array', image(MemObjectType.IMAGE1D_ARRAY, 7, 0, 0, 4), [7, 4, 1]],
    ['2D array', image(MemObjectType.IMAGE2D_ARRAY, 7, 5, 0, 3), [7, 5, 3]],
  ] as const)('%s images: write, copy, fill, map, read', async (_name, desc, extent) => {
    const { context, queue } = bench;
    const format = { order: ChannelOrder.RGBA, type: ChannelType.UNORM_INT8 };
    const size = extent[0] * extent[1] * extent[2] * 4;
    const a = context.createImage(MemFlags.COPY_HOST_PTR, format, desc, ramp(size));
    const b = context.createImage(0, format, desc);
    const zero = [0, 0, 0, 0] as const;
    expect(decodeInfo('size_t', a.imageInfo(ImageInfo.ELEMENT_SIZE))).toBe(4);
    expect(decodeInfo('size_t', a.imageInfo(ImageInfo.WIDTH))).toBe(7);
    queue.enqueue(
      { op: 'copyImage', from: a, to: b, fromOrigin: zero, toOrigin: zero, region: extent },
      undefined,
      false,
    );
    const out = new Uint8Array(size);
    expect(
      await completion(
        queue.enqueue(
          { op: 'readImage', image: b, origin: zero, region: extent, rowPitch: 0, slicePitch: 0, into: out },
          undefined,
          true,
        ),
      ),
    ).toBe(0);
    expect(out).toEqual(ramp(size));

    const pixel = new Uint8Array(new Float32Array([1, 0.6, 0, 1]).buffer);
    queue.enqueue(
      { op: 'fillImage', image: b, pattern: pixel, origin: [2, 0, 0, 0], region: [3, 1, 1] },
      undefined,
      false,
    );
    queue.enqueue(
      {
        op: 'writeImage',
        image: b,
        origin: [0, 0, 0, 0],
        region: [1, 1, 1],
        rowPitch: 0,
        slicePitch: 0,
        from: new Uint8Array([1, 2, 3, 4]),
      },
      undefined,
      false,
    );
    const { event, mapped } = queue.mapImage(b, MapFlags.READ, zero, extent, undefined);
    expect(await completion(event)).toBe(0);
    expect([...mapped.bytes.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
    expect([...mapped.bytes.subarray(8, 12)]).toEqual([255, 153, 0, 255]);
    await completion(queue.enqueue({ op: 'unmap', memory: b, mapping: mapped }, undefined, true));

    const buffer = context.createBuffer(0, size + 8);
    queue.enqueue(
      { op: 'copyImageToBuffer', from: a, to: buffer, origin: zero, region: extent, toOffset: 8 },
      undefined,
      false,
    );
    expect((await contents(buffer, size + 8)).subarray(8)).toEqual(ramp(size));
    queue.enqueue(
      { op: 'copyBufferToImage', from: buffer, to: b, fromOffset: 8, origin: zero, region: extent },
      undefined,
      false,
    );
    await completion(
      queue.enqueue(
        {
          op: 'readImage',
          image: b,
          origin: zero,
          region: extent,
          rowPitch: 0,
          slicePitch: 0,
          into: out.fill(0),
        },
        undefined,
        true,
      ),
    );
    expect(out).toEqual(ramp(size));
    for (const object of [a, b, buffer]) object.release();
  });

  test('events say what they are and when they were', async () => {
    const { context, queue } = bench;
    const buffer = context.createBuffer(0, 64);
    const event = queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([1]), offset: 0, size: 64 },
      undefined,
      true,
    )!;
    expect(await completion(event)).toBe(0);
    expect(event.status()).toBe(0);
    expect(decodeInfo('uint', event.info(EventInfo.COMMAND_TYPE))).toBe(CommandType.FILL_BUFFER);
    const times = [
      ProfilingInfo.COMMAND_QUEUED,
      ProfilingInfo.COMMAND_SUBMIT,
      ProfilingInfo.COMMAND_START,
      ProfilingInfo.COMMAND_END,
    ].map((key) => decodeInfo('ulong', event.profilingInfo(key)));
    for (let i = 1; i < times.length; i++) expect(times[i]! >= times[i - 1]!).toBe(true);
    event.release();
    buffer.release();
  });

  test('user events hold commands back; their errors spread', async () => {
    const { context, queue, outOfOrder } = bench;
    for (const target of [queue, outOfOrder]) {
      const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 4, new Uint8Array(4));
      const user = context.createUserEvent();
      const fill = target.enqueue(
        { op: 'fillBuffer', buffer, pattern: new Uint8Array([1]), offset: 0, size: 4 },
        [user],
        true,
      )!;
      expect(fill.status()).toBeGreaterThan(0);
      user.setUserStatus(0);
      expect(await completion(fill)).toBe(0);
      expect(() => user.setUserStatus(0)).toThrow(
        expect.objectContaining({ code: ErrorCode.INVALID_OPERATION }),
      );
      if (rusticl) continue;
      const failing = context.createUserEvent();
      const never = target.enqueue(
        { op: 'fillBuffer', buffer, pattern: new Uint8Array([2]), offset: 0, size: 4 },
        [failing],
        true,
      );
      failing.setUserStatus(-5);
      const status = await completion(never);
      // PoCL 3.1 runs a command whose wait list failed.
      if (device.platform.backend.kind === 'software') expect(status).toBeLessThan(0);
      await target.finish();
      buffer.release();
    }
  });

  test('finish waits for all, markers and barriers for what came before', async () => {
    const { context, outOfOrder } = bench;
    const buffer = context.createBuffer(0, 1 << 16);
    const events = Array.from({ length: 20 }, (_, i) =>
      outOfOrder.enqueue(
        { op: 'fillBuffer', buffer, pattern: new Uint8Array([i]), offset: 0, size: 1 << 16 },
        undefined,
        true,
      ),
    );
    const marker = outOfOrder.marker(undefined);
    expect(await completion(marker)).toBe(0);
    for (const event of events) expect(event!.status()).toBe(0);
    outOfOrder.enqueue({ op: 'barrier' }, undefined, false);
    outOfOrder.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([1]), offset: 0, size: 4 },
      undefined,
      false,
    );
    outOfOrder.finishSync();
    await outOfOrder.finish();
    buffer.release();
  });
});

expect.extend({
  toSatisfyCode(received: number, ...codes: number[]) {
    return { pass: codes.includes(received), message: () => `${received} is none of ${codes.join(', ')}` };
  },
});

declare global {
  namespace jest {
    interface Expect {
      toSatisfyCode(...codes: number[]): unknown;
    }
  }
}
