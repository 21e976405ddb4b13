// SPDX-License-Identifier: MIT
//
// What the API reaches of extensions, over a library that has them all and notes how it is called: no driver at hand
// has semaphores, external memory, GL sharing, unified SVM or command buffers of several devices.
import type { Buffer, CommandQueue, Context, Device, Image, Kernel, Platform } from '../../ts';
import { describeNeeding } from '../helpers/needs';
import { buildStub } from './stub';

const library = buildStub(true);
const suite = describeNeeding('the stub driver', Boolean(library));

suite('extensions through the API', () => {
  let platform: Platform;
  let device: Device;
  let context: Context;
  let queue: CommandQueue;
  let kernel: Kernel;
  let buffer: Buffer;
  let image: Image;
  /** The calls of the driver's extension functions since the last query. */
  const calls = (): string => device.info('DRIVER_VERSION');

  beforeAll(async () => {
    process.env.ANYCL_OPENCL_LIBRARY = library;
    const { platforms } = await import('../../ts');
    platform = platforms()[0]!;
    device = platform.devices[0]!;
    context = device.createContext();
    queue = context.createQueue();
    kernel = context.createProgram('kernel').buildSync().createKernel('stub');
    buffer = context.createBuffer(64);
    kernel.setArg(0, buffer).setArg(1, Int32Array.of(1));
    image = context.createImage({ format: 'rgba32f', width: 4, height: 2 });
  });
  beforeEach(() => {
    calls();
  });

  test('semaphores', async () => {
    const semaphore = context.createSemaphore({ exportAs: ['opaque-fd', 'sync-fd'], devices: [device] });
    expect(calls()).toMatch(/^clCreateSemaphoreWithPropertiesKHR \[8253,1,8255,8277,8280\]$/);
    const other = context.createSemaphore({ from: { type: 'opaque-fd', handle: 9 } });
    expect(calls()).toBe('clCreateSemaphoreWithPropertiesKHR [8253,1,8277,9]');
    await semaphore.signal({ queue });
    await semaphore.wait({ queue, payload: 3 });
    expect(calls()).toBe('clEnqueueSignalSemaphoresKHR 1 payload -1; clEnqueueWaitSemaphoresKHR 1 payload 3');
    await queue.enqueueSignalSemaphores([semaphore, other]);
    await queue.enqueueWaitSemaphores([semaphore], { payloads: [3] });
    expect(calls()).toBe('clEnqueueSignalSemaphoresKHR 2 payload -1; clEnqueueWaitSemaphoresKHR 1 payload 3');
    expect(() => queue.enqueueWaitSemaphores([semaphore], { payloads: [1, 2] })).toThrow('has 2 for 1');
    expect(semaphore.info('PAYLOAD_KHR')).toBe(1n);
    expect(semaphore.info('CONTEXT_KHR')).toBe(context);
    expect(semaphore.exportHandle('sync-fd')).toBe(42n);
    semaphore.reimportSyncFd(5);
    expect(calls()).toBe('clGetSemaphoreHandleForTypeKHR 8280; clReImportSemaphoreSyncFdKHR 5');
    other.release();
    expect(() => other.info('TYPE_KHR')).toThrow('CL_INVALID_SEMAPHORE_KHR');
    expect(() => context.createSemaphore({ exportAs: ['fd' as never] })).toThrow(
      "`options.exportAs[0]` must be 'opaque-fd'",
    );
  });

  test('memory of other APIs', async () => {
    const shared = context.createBuffer(Float32Array, 4, { external: { type: 'dma-buf', handle: 7 } });
    await queue.enqueueAcquire([shared], 'external');
    await queue.enqueueRelease([shared], 'external');
    expect(calls()).toBe('clEnqueueAcquireExternalMemObjectsKHR 1; clEnqueueReleaseExternalMemObjectsKHR 1');
    expect(() => queue.enqueueAcquire([shared], 'vulkan' as never)).toThrow("`owner` must be 'external' or");
    expect(() => context.createBuffer(4, { external: { type: 'fd' as never, handle: 1 } })).toThrow(
      'CL_INVALID_PROPERTY',
    );
  });

  test('objects of GL and EGL', async () => {
    const gl = { context: 0x11n, display: 0x22n, system: 'egl' } as const;
    expect(platform.glDevices(gl, 'current')).toEqual([device]);
    expect(calls()).toBe('clGetGLContextInfoKHR 8198 17 34');
    const texture = context.gl.texture(0x0de1, 7, { level: 2 });
    expect(texture.glObject).toEqual({ type: 'texture-2d', name: 7 });
    expect(texture.glTextureInfo('MIPMAP_LEVEL')).toBe(0x2005);
    const vertices = context.gl.buffer(3, { access: 'read-only' });
    const target = context.gl.renderbuffer(4);
    expect(calls()).toBe(
      'target 3553 level 2; clCreateFromGLTexture 7; clCreateFromGLBuffer 3; clCreateFromGLRenderbuffer 4',
    );
    kernel.setArg(0, vertices);
    await queue.enqueueAcquire([texture, vertices, target], 'gl');
    await queue.enqueueRelease([texture, vertices, target], 'gl');
    expect(calls()).toBe('clEnqueueAcquireGLObjects 3; clEnqueueReleaseGLObjects 3');
    kernel.setArg(0, buffer);

    const eglImage = context.egl.image(5n, 6n);
    await queue.enqueueAcquire([eglImage], 'egl');
    await context.gl.event(8n);
    await context.egl.event(9n, 5n);
    expect(calls()).toBe(
      'display 5; clCreateFromEGLImageKHR 6; clEnqueueAcquireEGLObjectsKHR 1; clCreateEventFromGLsyncKHR 8; clCreateEventFromEGLSyncKHR 9',
    );
  });

  test('unified shared virtual memory', async () => {
    const svm = context.createUnifiedSvm(64, {
      capabilities: 0x40,
      device,
      align: 16,
      never: ['host-write'],
    });
    expect(calls()).toBe(
      'clGetSVMSuggestedTypeIndexKHR 64 64; clSVMAllocWithPropertiesKHR [8312,1,8314,16,8313,2] type 3 size 64',
    );
    expect(context.suggestedSvmType(1, 8)).toBe(3);
    expect(svm.info('TYPE_INDEX_KHR')).toBe(3);
    await svm.migrate({ queue, toHost: true });
    svm.release();
    expect(calls()).toContain('clSVMFreeWithPropertiesKHR');
    const other = context.createSvm(32);
    await other.free({ queue });
    expect(other.released).toBe(true);
    expect(() => other.free({ queue })).toThrow('released');
  });

  test('command buffers of the driver', async () => {
    const second = context.createQueue();
    const recorder = context.createCommandBuffer([queue, second], { mutable: true, simultaneousUse: true });
    expect(recorder.emulated).toBe(false);
    expect(calls()).toBe('clCreateCommandBufferKHR 2 [4755,3]');
    const run = recorder.run(
      kernel,
      { global: [8, 4], local: [2, 2], mutable: true },
      buffer,
      Int32Array.of(2),
    );
    expect(calls()).toBe('range [8,4] [2,2] -; clCommandNDRangeKernelKHR after 0 queue 0 [4785,15]');
    const copied = recorder.copy(buffer, buffer, { offset: 32, size: 16, after: [run] });
    expect(calls()).toBe('offsets 32 0 size 16; clCommandCopyBufferKHR after 1 queue 0 []');
    recorder.on(second, () => {
      recorder.fill(buffer, Uint8Array.of(1, 2), { offset: 2, size: 8 });
    });
    expect(calls()).toBe('pattern 2 offset 2 size 8; clCommandFillBufferKHR after 0 queue 1 []');
    recorder.copyRect(buffer, buffer, { region: [4, 2, 1], hostOrigin: [32, 0, 0] }, { after: [copied] });
    recorder.copyImage(image, image, { region: [2, 1], targetOrigin: [2, 1] });
    recorder.fillImage(image, [3, 0, 0, 1]);
    recorder.copyImageToBuffer(image, buffer, { origin: [1, 1], region: [2, 1], targetOffset: 16 });
    recorder.copyBufferToImage(buffer, image, { region: [4, 1], sourceOffset: 0 });
    const svm = context.createSvm(32);
    recorder.copySvm(svm, svm, { size: 8, targetOffset: 16 });
    recorder.fillSvm(svm, Float32Array.of(1), { offset: 4, size: 8 });
    recorder.barrier();
    expect(calls().replaceAll(/ after \d+ queue 0 \[\]/g, '')).toBe(
      [
        'region [4,2,1]; clCommandCopyBufferRectKHR',
        'origins [0,0,0] [2,1,0] [2,1,1]; clCommandCopyImageKHR',
        'color 3 [4,2,1]; clCommandFillImageKHR',
        'offset 16 [1,1,0] [2,1,1]; clCommandCopyImageToBufferKHR',
        'offset 0 [0,0,0] [4,1,1]; clCommandCopyBufferToImageKHR',
        'size 8; clCommandSVMMemcpyKHR',
        'pattern 4 size 8; clCommandSVMMemFillKHR',
        'clCommandBarrierWithWaitListKHR',
      ].join('; '),
    );
    expect(() => recorder.fill(buffer, new Uint8Array(3))).toThrow('a pattern has 1, 2, 4');
    expect(() => recorder.copyImage(image, image, { region: [5, 1] })).toThrow("image's 4 × 2");

    recorder.finalize();
    recorder.update(run, { global: [16, 4], args: { 1: Int32Array.of(7) } });
    expect(calls()).toBe('clFinalizeCommandBufferKHR; clUpdateMutableCommandsKHR 1 [16,4] args 1 1 4');
    expect(recorder.commandInfo(run, 'DISPATCH_GLOBAL_WORK_SIZE_KHR')).toEqual([8, 4]);
    expect(recorder.commandInfo(run, 'DISPATCH_KERNEL_KHR')).toBe(kernel);
    expect(() => recorder.commandInfo(copied, 'DISPATCH_DIMENSIONS_KHR')).toThrow(
      'not recorded with `mutable: true`',
    );
    expect(recorder.info('QUEUES_KHR')).toEqual([queue, second]);
    expect(recorder.info('STATE_KHR')).toBe(1);
    const remapped = recorder.remap([second], { automatic: true });
    await remapped.enqueue();
    await recorder.enqueue({ queues: [queue, second] });
    expect(calls()).toBe(
      'clRemapCommandBufferKHR 1 1; clEnqueueCommandBufferKHR 0; clEnqueueCommandBufferKHR 2',
    );
  });

  test('addresses of the device, image requirements, termination', () => {
    kernel.setDevicePointer(0, 0x1000n);
    kernel.setArgs(new (require('../../ts').DevicePointer)(0x2000n), Int32Array.of(1));
    expect(calls()).toBe('clSetKernelArgDevicePointerEXT 0 4096; clSetKernelArgDevicePointerEXT 0 8192');
    kernel.setArg(0, buffer);
    const shape = { format: 'rgba8', width: 640, height: 480 } as const;
    expect(context.imageRequirement('ROW_PITCH_ALIGNMENT_EXT', shape)).toBe(256);
    expect(calls()).toBe('clGetImageRequirementsInfoEXT 4752 640 480');
    const other = device.createContext({ terminable: true });
    other.terminate();
    expect(calls()).toBe('clTerminateContextKHR');
  });
});

suite('without the extensions', () => {
  test('each call says which extension it needs', async () => {
    const { softwarePlatform } = await import('../../ts/api/objects/platform');
    const context = softwarePlatform().devices[0]!.createContext();
    const queue = context.createQueue();
    const buffer = context.createBuffer(64);
    const needs: [string, () => unknown][] = [
      ['cl_khr_external_memory', () => queue.enqueueAcquire([buffer], 'external')],
      ['cl_khr_gl_sharing', () => context.gl.buffer(1)],
      ['cl_khr_gl_event', () => context.gl.event(1n)],
      ['cl_khr_egl_image', () => context.egl.image(1n, 2n)],
      ['cl_khr_egl_event', () => context.egl.event(1n, 2n)],
      [
        'cl_ext_image_requirements_info',
        () => context.imageRequirement('SIZE_EXT', { format: 'rgba8', width: 1 }),
      ],
      ['cl_khr_command_buffer_multi_device', () => context.createCommandBuffer().remap([queue])],
      ['OpenCL 1.0', () => queue.setProperty('profiling', true)],
    ];
    for (const [extension, call] of needs) {
      expect(call).toThrow(expect.objectContaining({ codeName: 'CL_INVALID_OPERATION' }));
      expect(call).toThrow(`it needs ${extension}`);
    }
  });
});
