// SPDX-License-Identifier: MIT

import {
  CommandBufferFlags,
  CommandBufferProperty,
  DeviceInfo,
  ErrorCode,
  MapFlags,
  MemFlags,
  PlatformInfo,
} from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice, BackendPlatform } from '../backend';
import { createNativeBackend } from '.';

const backend = createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY);
const platforms = backend
  .platforms()
  .map((platform): [string, BackendPlatform] => [
    decodeInfo('string', platform.info(PlatformInfo.NAME)),
    platform,
  ])
  .filter(([, platform]) => platform.devices().length > 0);

if (platforms.length === 0) {
  console.warn(`skipped: ${backend.problem ?? 'no device'}`);
  it.skip('needs an OpenCL driver', () => {});
}

const source = `
kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
kernel void spin(global int *out) { out[get_global_id(0)] = 42; }
`;

describe.each(platforms)('%s', (_name, platform) => {
  const device = platform.devices()[0] as BackendDevice;
  const context = device.createContext([device], []);
  const queue = context.createQueue(device, []);

  it('has a device with a name', () => {
    expect(decodeInfo('string', device.info(DeviceInfo.NAME)).length).toBeGreaterThan(0);
    expect(() => device.info(0x7fffffff)).toThrow(OpenCLError);
  });

  it('builds, runs and reads back', async () => {
    const program = context.createProgramWithSource([source]);
    await program.build([device], '');
    expect([...program.kernelNames()].sort()).toEqual(['saxpy', 'spin']);
    const kernel = program.createKernel('saxpy');
    const n = 1000;
    const x = Float32Array.from({ length: n }, (_, i) => i);
    const bufferX = context.createBuffer(MemFlags.READ_ONLY | MemFlags.COPY_HOST_PTR, n * 4, x);
    const bufferY = context.createBuffer(MemFlags.READ_WRITE, n * 4);
    queue.enqueue(
      {
        op: 'fillBuffer',
        buffer: bufferY,
        pattern: new Uint8Array(new Float32Array([1]).buffer),
        offset: 0,
        size: n * 4,
      },
      undefined,
      false,
    );
    kernel.setArg(0, new Float32Array([2.5]));
    kernel.setArg(1, bufferX);
    kernel.setArg(2, bufferY);
    const ran = queue.enqueueKernel(kernel, { global: [n] }, undefined, true)!;
    const y = new Float32Array(n);
    const read = queue.enqueue({ op: 'readBuffer', buffer: bufferY, offset: 0, into: y }, [ran], true)!;
    expect(await new Promise<number>((resolve) => read.onComplete(resolve))).toBe(0);
    expect(y[10]).toBe(26);
    await queue.finish();
    for (const object of [ran, read, kernel, bufferX, bufferY, program]) object.release();
  });

  it('copies large memory apart from its queue', async () => {
    const size = 1 << 20;
    const buffer = context.createBuffer(MemFlags.READ_WRITE, 2 * size);
    const from = Uint8Array.from({ length: size }, (_, i) => i % 251);
    await queue.copyApart!({ op: 'writeBuffer', buffer, offset: size, from });
    const into = new Uint8Array(new SharedArrayBuffer(size));
    await queue.copyApart!({ op: 'readBuffer', buffer, offset: size, into });
    expect(Buffer.compare(into, from)).toBe(0);
    expect(
      queue.copyApart!({ op: 'readBuffer', buffer, offset: 0, into: new Uint8Array(size - 1) }),
    ).toBeUndefined();
    await expect(
      queue.copyApart!({ op: 'readBuffer', buffer, offset: size + 1, into }),
    ).rejects.toMatchObject({
      code: ErrorCode.INVALID_VALUE,
      functionName: 'clEnqueueReadBuffer',
    });
    buffer.release();
  });

  it('copies host memory on a thread', async () => {
    const size = 1 << 20;
    const from = Uint8Array.from({ length: size + 3 }, (_, i) => i % 251);
    const into = new Uint8Array(size + 2);
    await queue.copyMemory!(from.subarray(3), into.subarray(1, size + 1));
    expect(Buffer.compare(into.subarray(1, size + 1), from.subarray(3))).toBe(0);
    expect([into[0], into[size + 1]]).toEqual([0, 0]);
    expect(queue.copyMemory!(from.subarray(4), into.subarray(3))).toBeUndefined();
    expect(() => queue.copyMemory!(from, into)).toThrow(OpenCLError);
  });

  it('reports a failed build with its log', async () => {
    const program = context.createProgramWithSource(['kernel void f( { }']);
    const error = await program.build([device], '').then(
      () => undefined,
      (e: unknown) => e as OpenCLError,
    );
    expect(error).toBeInstanceOf(OpenCLError);
    expect(error?.codeName).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect(error?.buildLog).toMatch(/error/);
  });

  it('refuses handles of the wrong kind and released ones', () => {
    const buffer = context.createBuffer(MemFlags.READ_WRITE, 64);
    expect(() => queue.enqueueKernel(buffer as never, { global: [1] }, undefined, false)).toThrow(
      /INVALID_KERNEL/,
    );
    buffer.release();
    expect(() => buffer.info(0x1100)).toThrow(OpenCLError);
    expect(() => buffer.release()).toThrow(OpenCLError);
  });

  it('maps without a copy and detaches on unmap', async () => {
    const buffer = context.createBuffer(MemFlags.READ_WRITE | MemFlags.ALLOC_HOST_PTR, 4096);
    const { event, mapped } = queue.mapBuffer(buffer, MapFlags.WRITE, 0, 4096, undefined);
    event.waitSync();
    mapped.bytes.fill(7);
    queue.enqueue({ op: 'unmap', memory: buffer, mapping: mapped }, undefined, false);
    expect(mapped.bytes.length).toBe(0);
    const back = new Uint8Array(4096);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: back }, undefined, false);
    queue.finishSync();
    expect(back.every((b) => b === 7)).toBe(true);
  });

  it('waits for user events without blocking', async () => {
    const gate = context.createUserEvent();
    const buffer = context.createBuffer(MemFlags.READ_WRITE, 16);
    const from = new Uint8Array(16).fill(3);
    const written = queue.enqueue({ op: 'writeBuffer', buffer, offset: 0, from }, [gate], true)!;
    let done = false;
    const finished = new Promise<void>((resolve) =>
      written.onComplete(() => {
        done = true;
        resolve();
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toBe(false);
    gate.setUserStatus(0);
    await finished;
  });

  it('takes shared, resizable and offset views', () => {
    const buffer = context.createBuffer(MemFlags.READ_WRITE, 8);
    const shared = new Uint8Array(new SharedArrayBuffer(16), 4, 8).fill(9);
    queue.enqueue({ op: 'writeBuffer', buffer, offset: 0, from: shared }, undefined, false);
    const resizable = new Uint8Array(
      new (ArrayBuffer as never as new (n: number, o: object) => ArrayBuffer)(8, { maxByteLength: 64 }),
    );
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: resizable }, undefined, false);
    queue.finishSync();
    expect([...resizable]).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
    const data = new DataView(new ArrayBuffer(12), 4);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: data }, undefined, false);
    queue.finishSync();
    expect(data.getUint8(7)).toBe(9);
  });

  it('replays recorded commands with the arguments they were recorded with', async () => {
    const program = context.createProgramWithSource([source]);
    await program.build([device], '');
    const kernel = program.createKernel('saxpy');
    const x = context.createBuffer(
      MemFlags.READ_ONLY | MemFlags.COPY_HOST_PTR,
      16,
      new Float32Array(4).fill(1),
    );
    const y = context.createBuffer(MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, 16, new Float32Array(4));
    kernel.setArg(0, new Float32Array([3]));
    kernel.setArg(1, x);
    kernel.setArg(2, y);
    const mutable = [BigInt(CommandBufferProperty.FLAGS_KHR), BigInt(CommandBufferFlags.MUTABLE_KHR)];
    const buffer = context.createCommandBuffer!([queue], mutable);
    const { command } = buffer.recordKernel(kernel, { global: [4] }, undefined, true);
    kernel.setArg(0, new Float32Array([100]));
    buffer.finalize();
    for (let i = 0; i < 5; i++) buffer.enqueue(undefined, undefined, false);
    const out = new Float32Array(4);
    queue.enqueue({ op: 'readBuffer', buffer: y, offset: 0, into: out }, undefined, false);
    queue.finishSync();
    expect([...out]).toEqual([15, 15, 15, 15]);
    buffer.update(command, { args: new Map([[0, new Float32Array([0.5])]]) });
    buffer.enqueue(undefined, undefined, true)!.waitSync();
    queue.enqueue({ op: 'readBuffer', buffer: y, offset: 0, into: out }, undefined, false);
    queue.finishSync();
    expect(out[0]).toBe(15.5);
    buffer.release();
  });

  it('runs functions of the host as commands, where the device can', async () => {
    const buffer = context.createBuffer(MemFlags.READ_WRITE, 8);
    if (!(decodeInfo('bitfield', device.info(DeviceInfo.EXECUTION_CAPABILITIES)) & 2)) return;
    queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([5]), offset: 0, size: 8 },
      undefined,
      false,
    );
    const event = queue.enqueueNativeKernel!(([bytes]) => bytes!.fill(bytes![0]! + 1), [buffer], undefined);
    expect(() => queue.finishSync()).toThrow(/native kernel/);
    expect(await new Promise((resolve) => event.onComplete(resolve))).toBe(0);
    const out = new Uint8Array(8);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: out }, undefined, false);
    queue.finishSync();
    expect([...out]).toEqual([6, 6, 6, 6, 6, 6, 6, 6]);
  });

  it('says what a missing function needs', () => {
    if (decodeInfo('string', device.info(DeviceInfo.EXTENSIONS)).includes('cl_khr_semaphore')) return;
    expect(() => context.createSemaphore!([], [])).toThrow(
      /clCreateSemaphoreWithPropertiesKHR.*needs cl_khr_semaphore/,
    );
  });

  it('batches commands into one crossing', () => {
    const a = context.createBuffer(MemFlags.READ_WRITE, 4000);
    queue.batch!(() => {
      for (let i = 0; i < 1000; i++)
        queue.enqueue(
          {
            op: 'fillBuffer',
            buffer: a,
            pattern: new Uint8Array([i & 255, 1, 2, 3]),
            offset: i * 4,
            size: 4,
          },
          undefined,
          false,
        );
    });
    const out = new Uint8Array(4000);
    queue.enqueue({ op: 'readBuffer', buffer: a, offset: 0, into: out }, undefined, false);
    queue.finishSync();
    expect(out[4 * 700]).toBe(700 & 255);
  });
});
