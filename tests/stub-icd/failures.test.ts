// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  BackendContext,
  BackendDevice,
  BackendPlatform,
  BackendProgram,
  ImageDescription,
} from '../../ts/backend/backend';
import type { BackendEvent, BackendMemory } from '../../ts/backend/backend-objects';
import type { BackendKernel, BackendQueue } from '../../ts/backend/backend-queue';
import { createNativeBackend } from '../../ts/backend/native';
import { openAddon } from '../../ts/backend/native/addon';
import { ErrorCode, ExecutionStatus, MapFlags, MemFlags, MemObjectType } from '../../ts/cl/constants.gen';
import { OpenCLError } from '../../ts/cl/opencl-error';
import { describeNeeding } from '../helpers/needs';
import { books, buildStub, direct, failedFunction } from './stub';

const library = buildStub();
const backend = library ? createNativeBackend(library) : undefined;
const platform = backend?.platforms()[0] as BackendPlatform;
if (backend && !platform) console.warn(`skipped: ${backend.problem}`);
const suite = describeNeeding('the stub driver', Boolean(platform));

interface World {
  device: BackendDevice;
  context: BackendContext;
  queue: BackendQueue;
  buffer: BackendMemory;
  image: BackendMemory;
  program: BackendProgram;
  kernel: BackendKernel;
  event: BackendEvent;
}

const origin = [0, 0, 0, 0] as const;
const corner = [0, 0, 0] as const;
const region = [1, 1, 1] as const;
const rect = {
  bufferOrigin: corner,
  hostOrigin: corner,
  region,
  bufferRowPitch: 0,
  bufferSlicePitch: 0,
  hostRowPitch: 0,
  hostSlicePitch: 0,
};
const format = { order: 0x10b5, type: 0x10de };
const flat: ImageDescription = {
  type: MemObjectType.IMAGE2D,
  width: 4,
  height: 4,
  depth: 1,
  arraySize: 0,
  rowPitch: 0,
  slicePitch: 0,
  mipLevels: 0,
  samples: 0,
};
const bytes = () => new Uint8Array(64);
const releasing = (object: { release(): void } | undefined) => object?.release();

function world(): World {
  const device = platform.devices()[0]!;
  const context = device.createContext([device], []);
  const program = context.createProgramWithSource(['kernel']);
  const queue = context.createQueue(device, []);
  return {
    device,
    context,
    queue,
    buffer: context.createBuffer(MemFlags.READ_WRITE, 64),
    image: context.createImage(MemFlags.READ_WRITE, format, flat),
    program,
    kernel: program.createKernel('stub'),
    event: queue.marker(undefined),
  };
}

function destroy(w: World): void {
  for (const object of [w.event, w.kernel, w.program, w.image, w.buffer, w.queue, w.context])
    object.release();
}

function mapAndUnmap(
  w: World,
  { event, mapped }: ReturnType<BackendQueue['mapBuffer']>,
  memory: BackendMemory,
) {
  event.release();
  try {
    w.queue.enqueue({ op: 'unmap', memory, mapping: mapped }, undefined, false);
  } catch (error) {
    // If an unmap fails, the region stays mapped and can be unmapped later.
    w.queue.enqueue({ op: 'unmap', memory, mapping: mapped }, undefined, false);
    throw error;
  }
}

/** A call of each function, which also releases the objects that it creates. */
const calls: Record<string, (w: World) => unknown> = {
  clGetPlatformInfo: () => platform.info(0x902),
  clGetDeviceInfo: (w) => w.device.info(0x102b),
  clCreateSubDevices: (w) => w.device.createSubDevices([0x1086, 1]).forEach(releasing),
  clGetDeviceAndHostTimer: (w) => w.device.timers(),
  clUnloadPlatformCompiler: () => platform.unloadCompiler(),
  clCreateContext: (w) => w.device.createContext([w.device], []).release(),
  clCreateContextFromType: () => platform.createContextFromType!(2, []).release(),
  clGetContextInfo: (w) => w.context.info(0x1080),
  clCreateCommandQueueWithProperties: (w) => w.context.createQueue(w.device, []).release(),
  clGetCommandQueueInfo: (w) => w.queue.info(0x1093),
  clSetDefaultDeviceCommandQueue: (w) => w.context.setDefaultDeviceQueue(w.device, w.queue),
  clCreateBuffer: (w) => w.context.createBuffer(MemFlags.USE_HOST_PTR, 64, bytes()).release(),
  clCreateBufferWithProperties: (w) =>
    w.context.createBuffer(MemFlags.READ_WRITE, 64, undefined, [1n, 2n]).release(),
  clCreateSubBuffer: (w) => w.buffer.createSubBuffer(0, 0, 16).release(),
  clGetMemObjectInfo: (w) => w.buffer.info(0x1102),
  clCreateImage: (w) => w.context.createImage(MemFlags.READ_WRITE, format, flat).release(),
  clGetImageInfo: (w) => w.image.imageInfo(0x1111),
  clGetPipeInfo: (w) => w.image.pipeInfo(0x1120),
  clGetSupportedImageFormats: (w) => w.context.supportedImageFormats(1, MemObjectType.IMAGE2D),
  clCreatePipe: (w) => w.context.createPipe(1, 4, 16).release(),
  clCreateSamplerWithProperties: (w) => w.context.createSampler([]).release(),
  clCreateProgramWithSource: (w) => w.context.createProgramWithSource(['']).release(),
  clCreateProgramWithIL: (w) => w.context.createProgramWithIL(bytes()).release(),
  clCreateProgramWithBinary: (w) => w.context.createProgramWithBinary([w.device], [bytes()]).release(),
  clCreateProgramWithBuiltInKernels: (w) =>
    w.context.createProgramWithBuiltInKernels([w.device], 'f').release(),
  clBuildProgram: (w) => w.program.build([w.device], ''),
  clCompileProgram: (w) => w.program.compile([w.device], '', new Map([['h', w.program]])),
  clLinkProgram: async (w) => (await w.context.linkProgram([w.device], '', [w.program])).release(),
  clGetProgramInfo: (w) => [w.program.kernelNames(), w.program.binaries()],
  clGetProgramBuildInfo: (w) => w.program.buildInfo(w.device, 0x1183),
  clSetProgramSpecializationConstant: (w) => w.program.setSpecializationConstant(0, bytes()),
  clCreateKernel: (w) => w.program.createKernel('stub').release(),
  clCloneKernel: (w) => w.kernel.clone().release(),
  clGetKernelInfo: (w) => w.kernel.info(0x1190),
  clGetKernelArgInfo: (w) => w.kernel.argInfo(0, 0x119a),
  clGetKernelWorkGroupInfo: (w) => w.kernel.workGroupInfo(w.device, 0x11b0),
  clGetKernelSubGroupInfo: (w) => w.kernel.subGroupInfo(w.device, 0x2033, [8]),
  clSetKernelArg: (w) => w.kernel.setArg(0, w.buffer),
  clSetKernelExecInfo: (w) => w.kernel.setExecInfo(0x11b7, bytes()),
  clCreateUserEvent: (w) => w.context.createUserEvent().release(),
  clSetUserEventStatus: (w) => {
    const event = w.context.createUserEvent();
    try {
      event.setUserStatus(0);
    } finally {
      event.release();
    }
  },
  clGetEventInfo: (w) => w.event.status(),
  clGetEventProfilingInfo: (w) => w.event.profilingInfo(0x1282),
  clSetEventCallback: (w) => new Promise((resolve) => w.event.onComplete(resolve)),
  clWaitForEvents: (w) => w.event.waitSync(),
  clSVMAlloc: (w) => w.context.svmAlloc(0, 64, 0).free(),
  clFlush: (w) => w.queue.flush(),
  clFinish: (w) => w.queue.finishSync(),
  clEnqueueNDRangeKernel: (w) =>
    releasing(w.queue.enqueueKernel(w.kernel, { global: [4], local: [1], offset: [0] }, [w.event], true)),
  clEnqueueReadBuffer: (w) =>
    releasing(
      w.queue.enqueue({ op: 'readBuffer', buffer: w.buffer, offset: 0, into: bytes() }, undefined, true),
    ),
  clEnqueueWriteBuffer: (w) =>
    releasing(
      w.queue.enqueue({ op: 'writeBuffer', buffer: w.buffer, offset: 0, from: bytes() }, undefined, false),
    ),
  clEnqueueReadBufferRect: (w) =>
    releasing(
      w.queue.enqueue({ op: 'readBufferRect', buffer: w.buffer, into: bytes(), rect }, undefined, true),
    ),
  clEnqueueWriteBufferRect: (w) =>
    releasing(
      w.queue.enqueue({ op: 'writeBufferRect', buffer: w.buffer, from: bytes(), rect }, undefined, true),
    ),
  clEnqueueCopyBuffer: (w) =>
    w.queue.enqueue(
      { op: 'copyBuffer', from: w.buffer, to: w.buffer, fromOffset: 0, toOffset: 32, size: 16 },
      undefined,
      false,
    ),
  clEnqueueCopyBufferRect: (w) =>
    w.queue.enqueue({ op: 'copyBufferRect', from: w.buffer, to: w.buffer, rect }, undefined, false),
  clEnqueueFillBuffer: (w) =>
    w.queue.enqueue(
      { op: 'fillBuffer', buffer: w.buffer, pattern: bytes().subarray(0, 4), offset: 0, size: 64 },
      undefined,
      false,
    ),
  clEnqueueReadImage: (w) =>
    releasing(
      w.queue.enqueue(
        {
          op: 'readImage',
          image: w.image,
          origin,
          region,
          rowPitch: 0,
          slicePitch: 0,
          into: new Uint8Array(8192),
        },
        undefined,
        true,
      ),
    ),
  clEnqueueWriteImage: (w) =>
    releasing(
      w.queue.enqueue(
        {
          op: 'writeImage',
          image: w.image,
          origin,
          region,
          rowPitch: 0,
          slicePitch: 0,
          from: new Uint8Array(8192),
        },
        undefined,
        true,
      ),
    ),
  clEnqueueCopyImage: (w) =>
    w.queue.enqueue(
      { op: 'copyImage', from: w.image, to: w.image, fromOrigin: origin, toOrigin: origin, region },
      undefined,
      false,
    ),
  clEnqueueFillImage: (w) =>
    w.queue.enqueue(
      { op: 'fillImage', image: w.image, pattern: bytes().subarray(0, 16), origin, region },
      undefined,
      false,
    ),
  clEnqueueCopyImageToBuffer: (w) =>
    w.queue.enqueue(
      { op: 'copyImageToBuffer', from: w.image, to: w.buffer, origin, region, toOffset: 0 },
      undefined,
      false,
    ),
  clEnqueueCopyBufferToImage: (w) =>
    w.queue.enqueue(
      { op: 'copyBufferToImage', from: w.buffer, to: w.image, fromOffset: 0, origin, region },
      undefined,
      false,
    ),
  clEnqueueMapBuffer: (w) =>
    mapAndUnmap(w, w.queue.mapBuffer(w.buffer, MapFlags.READ, 0, 64, undefined), w.buffer),
  clEnqueueMapImage: (w) =>
    mapAndUnmap(w, w.queue.mapImage(w.image, MapFlags.READ, origin, region, undefined), w.image),
  clEnqueueMigrateMemObjects: (w) =>
    w.queue.enqueue({ op: 'migrate', memories: [w.buffer], flags: 0 }, undefined, false),
  clEnqueueMarkerWithWaitList: (w) => w.queue.marker([w.event]).release(),
  clEnqueueBarrierWithWaitList: (w) => w.queue.enqueue({ op: 'barrier' }, [w.event], false),
};

/** Every code of the registry, and an unknown one. */
const codes = [
  ...Object.values(ErrorCode).filter((code): code is ErrorCode => typeof code === 'number' && code !== 0),
  -9999,
];

const codeNameOf = (code: number) =>
  ErrorCode[code] === undefined ? `UNKNOWN_ERROR_${code}` : `CL_${ErrorCode[code]}`;

/** The error that a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Callbacks of the driver may still arrive. */
async function balanced(before: { live: number; bad: number }): Promise<void> {
  for (let i = 0; i < 100 && books(platform).live > before.live; i++) await sleep(2);
  expect(books(platform)).toEqual(before);
}

suite('every call that fails', () => {
  it.each(Object.keys(calls))(
    '%s gives the right error, with every code, and leaves nothing',
    async (name) => {
      const before = books(platform);
      const w = world();
      await calls[name]!(w);
      for (const code of codes) {
        direct(w.context, `fail ${name} ${code}`);
        const error = await errorOf(() => calls[name]!(w));
        direct(w.context, 'reset');
        expect(error).toBeInstanceOf(OpenCLError);
        const failure = error as OpenCLError;
        expect(failure.functionName).toBe(name);
        // Allocation of shared memory returns no error code.
        if (name === 'clSVMAlloc') continue;
        expect(failure.code).toBe(code);
        expect(failure.codeName).toBe(codeNameOf(code));
      }
      destroy(w);
      await balanced(before);
    },
  );

  it.each(Object.keys(calls))('leaves nothing of %s, whichever of its calls fails', async (name) => {
    const before = books(platform);
    const w = world();
    for (let n = 1; ; n++) {
      direct(w.context, `nth ${n} ${ErrorCode.OUT_OF_HOST_MEMORY}`);
      const error = await errorOf(() => calls[name]!(w));
      const failed = failedFunction(platform);
      direct(w.context, 'reset');
      if (failed === '') break;
      // anycl works around some failures; it reports all others to the caller.
      if (error === undefined) continue;
      expect(error).toBeInstanceOf(OpenCLError);
      // After a failed query for a workaround the error may name the function itself.
      expect([failed, name]).toContain((error as OpenCLError).functionName);
    }
    destroy(w);
    await balanced(before);
  });

  it.each([0, 1, 3, 7, 9, 2 ** 32 + 1, 2 ** 40])('takes answers of %d bytes', async (size) => {
    const before = books(platform);
    const w = world();
    direct(w.context, `odd ${size}`);
    for (const name of Object.keys(calls).filter((n) => n.startsWith('clGet'))) {
      const error = await errorOf(() => calls[name]!(w));
      if (error !== undefined) expect(error).toBeInstanceOf(OpenCLError);
    }
    direct(w.context, 'reset');
    destroy(w);
    await balanced(before);
  });
});

suite('events', () => {
  it.each(['late', 'reversed', 'shuffled', 'threads'])('that come %s each call back once', async (policy) => {
    const w = world();
    direct(w.context, `events ${policy}`);
    const counts = new Array<number>(100).fill(0);
    const targets = counts.map(() => new Uint8Array(64));
    await Promise.all(
      counts.map(
        (_, i) =>
          new Promise<void>((resolve) => {
            const event = w.queue.enqueue(
              { op: 'readBuffer', buffer: w.buffer, offset: 0, into: targets[i]! },
              undefined,
              true,
            )!;
            event.onComplete((status) => {
              expect(status).toBe(ExecutionStatus.COMPLETE);
              counts[i]!++;
              event.release();
              resolve();
            });
          }),
      ),
    );
    expect(counts.every((n) => n === 1)).toBe(true);
    direct(w.context, 'reset');
    destroy(w);
  });

  it('that fail say with what', async () => {
    const w = world();
    direct(w.context, 'events -5');
    const event = w.queue.marker(undefined);
    expect(await new Promise((resolve) => event.onComplete(resolve))).toBe(ErrorCode.OUT_OF_RESOURCES);
    await expect(w.queue.finish()).rejects.toMatchObject({ code: ErrorCode.OUT_OF_RESOURCES });
    direct(w.context, 'reset');
    event.release();
    destroy(w);
  });

  it('keep host memory alive until they come', async () => {
    const w = world();
    direct(w.context, 'events late');
    for (let i = 0; i < 50; i++)
      w.queue.enqueue(
        { op: 'readBuffer', buffer: w.buffer, offset: 0, into: new Uint8Array(64) },
        undefined,
        false,
      );
    const churn: ArrayBuffer[] = [];
    for (let i = 0; i < 200; i++) churn.push(new ArrayBuffer(1 << 16));
    await w.queue.finish();
    direct(w.context, 'reset');
    destroy(w);
    expect(books(platform).bad).toBe(0);
  });
});

suite('random calls', () => {
  it('never crash', () => {
    const fuzz = join(__dirname, 'fuzz.mjs');
    const ran = spawnSync(process.execPath, [fuzz, '20000', '7', library!], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^20000 calls/);
  });
});

suite('wrong use', () => {
  it('of an array that claims four billion elements is refused', () => {
    expect(() => openAddon().createContext(new Array(2 ** 32 - 1), [])).toThrow('at most a million elements');
  });

  it('of objects of two platforms together is refused', () => {
    // The same driver, opened again: its objects count as those of another platform.
    const other = createNativeBackend(library).platforms()[0]!.devices()[0]!;
    const w = world();
    expect(() => w.context.createQueue(other, [])).toThrow('a device of another platform');
    expect(() => w.program.buildInfo(other, 0x1183)).toThrow('a device of another platform');
    expect(() => w.device.createContext([w.device, other], [])).toThrow('a device of another platform');
    destroy(w);
  });
});
