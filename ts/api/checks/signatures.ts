// SPDX-License-Identifier: MIT
//
// What the arguments of each public method must be: the table that `guard` puts in front of the methods. A method that
// is not here takes no arguments, or is not for scripts. `anything` stands where the method knows better (what a kernel's
// argument takes); those with `itself`, which scripts call by the million, have nothing in front of them.
import { ErrorCode } from '../../backend/cl.gen';
import { Buffer, Mapping, MemoryObject } from '../buffer';
import { CommandBuffer } from '../command-buffer';
import { Context } from '../context';
import { Device } from '../device';
import { Event, UserEvent } from '../event';
import { EglSharing, GlSharing, SharedObject } from '../gl-sharing';
import { Image } from '../image';
import { Kernel } from '../kernel';
import { Owned } from '../lifetime';
import { Session } from '../open';
import { Pipe } from '../pipe';
import { Platform } from '../platform';
import { Program } from '../program';
import { CommandQueue } from '../queue';
import { Sampler } from '../sampler';
import { Semaphore } from '../semaphore';
import { Svm } from '../svm';
import { call, type GuardedClass, guard, itself, lasting, promise, type Signatures } from './guard';
import {
  anything,
  bigint,
  bytes,
  count,
  either,
  fields,
  flag,
  func,
  handle,
  infoKey,
  instance,
  integer,
  kind,
  list,
  number,
  oneOf,
  optional,
  options,
  record,
  signal,
  text,
  typedArray,
  view,
  withCode,
} from './kinds';

const device = instance(Device, 'a Device (one of platform.devices)', ErrorCode.INVALID_DEVICE);
const queue = instance(
  CommandQueue,
  'a CommandQueue (of context.createQueue)',
  ErrorCode.INVALID_COMMAND_QUEUE,
);
const buffer = instance(Buffer, 'a Buffer (of context.createBuffer)', ErrorCode.INVALID_MEM_OBJECT);
const image = instance(Image, 'an Image (of context.createImage)', ErrorCode.INVALID_MEM_OBJECT);
const memory = instance(
  MemoryObject,
  'a memory object, such as a Buffer or an Image',
  ErrorCode.INVALID_MEM_OBJECT,
);
const svm = instance(Svm, 'an Svm (of context.createSvm)');
const program = instance(Program, 'a Program (of context.createProgram)', ErrorCode.INVALID_PROGRAM);
const kernel = instance(Kernel, 'a Kernel (of program.createKernel)', ErrorCode.INVALID_KERNEL);
const event = instance(
  Event,
  'an Event (what enqueuing a command returns)',
  ErrorCode.INVALID_EVENT_WAIT_LIST,
);

const key = infoKey;
const buildOptions = optional(text);
const sizes = either('a number or an array of numbers', number, list(number));
const optionalSizes = optional(sizes);
const coordinates = list(number);
const threeNumbers = kind(
  'an array of three numbers',
  (value) => Array.isArray(value) && value.length === 3 && value.every((n) => typeof n === 'number'),
);
const properties = list(
  kind(
    'a pair of a property and its value, both numbers or bigints',
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((word) => handle.accepts(word)),
  ),
);
/** A typed array's class, such as Float32Array, of whatever realm. */
const elementType = kind("a typed array's class", (value) => {
  if (typeof value !== 'function') return false;
  const { BYTES_PER_ELEMENT: size, prototype } = value as Uint8ArrayConstructor;
  return Number.isInteger(size) && prototype?.BYTES_PER_ELEMENT === size;
});

const waitFor = list(event, ErrorCode.INVALID_EVENT_WAIT_LIST);
/** Members of options that enqueue a command. */
const command = { waitFor };
const onQueue = { waitFor, queue };
const range = { global: optionalSizes, local: optionalSizes, offset: optionalSizes };
const access = oneOf('read-write', 'read-only', 'write-only');
const hostAccess = oneOf('read-write', 'read-only', 'write-only', 'none');
const external = fields({
  type: withCode(
    ErrorCode.INVALID_PROPERTY,
    oneOf('opaque-fd', 'dma-buf', 'opaque-win32', 'opaque-win32-kmt'),
  ),
  handle,
});
const memoryOptions = { access, hostAccess, allocHost: flag, useHost: flag, external };
const mapMode = optional(oneOf('read', 'write', 'read-write', 'write-invalidate'));
const region = { origin: coordinates, region: coordinates };
const rect = fields({
  region: threeNumbers,
  bufferOrigin: optional(threeNumbers),
  hostOrigin: optional(threeNumbers),
  bufferRowPitch: optional(count),
  bufferSlicePitch: optional(count),
  hostRowPitch: optional(count),
  hostSlicePitch: optional(count),
});
const colour = kind(
  'an array of four numbers',
  (value) => Array.isArray(value) && value.length === 4 && value.every((n) => typeof n === 'number'),
);
const numbers = kind(
  'an array, typed or not, of numbers',
  (value) =>
    ArrayBuffer.isView(value) ||
    (Array.isArray(value) && value.every((n) => typeof n === 'number' || typeof n === 'bigint')),
);
const glContext = fields({
  context: bigint,
  display: bigint,
  system: oneOf('egl', 'glx', 'wgl', 'cgl'),
});
const contextOptions = options({
  gl: glContext,
  interopUserSync: flag,
  terminable: flag,
  initialize: oneOf('local', 'private', 'both'),
  properties,
});
const imageType = oneOf('1d', '1d-array', '1d-buffer', '2d', '2d-array', '3d');
const shape = fields({
  type: optional(imageType),
  format: text,
  width: number,
  height: optional(number),
  depth: optional(number),
  layers: optional(number),
  rowPitch: optional(count),
  slicePitch: optional(count),
  mipLevels: optional(count),
  samples: optional(count),
  buffer: optional(buffer),
});
const samplerOptions = options({
  normalized: flag,
  addressing: oneOf('none', 'clamp-to-edge', 'clamp', 'repeat', 'mirrored-repeat'),
  filter: oneOf('nearest', 'linear'),
});
const bufferParameters = {
  what: either(
    "a typed array, a typed array's class or a number of bytes",
    typedArray,
    elementType,
    number,
    view,
  ),
  second: optional(either('a length or options', number, options(memoryOptions))),
  third: options(memoryOptions),
};
const semaphoreHandle = withCode(
  ErrorCode.INVALID_PROPERTY,
  oneOf('opaque-fd', 'sync-fd', 'opaque-win32', 'opaque-win32-kmt', 'd3d12-fence'),
);
/** What the methods of a CommandBuffer return; they know their own. */
const recorded = kind(
  'what recording a command returned',
  (value) => typeof value === 'object' && value !== null,
);
const recording = { after: list(recorded) };
const priority = oneOf('high', 'medium', 'low');
const owner = oneOf('external', 'gl', 'egl');
const sharedOptions = { access };
const waiting = options({ signal });
const source = either('OpenCL C as a string, or SPIR-V as a Uint8Array', text, bytes);
const span = { offset: number, size: number };
const elements = { offset: number, length: number };

/** Methods that are public for the rest of the API alone; TypeScript keeps them from scripts. */
export const INTERNAL: ReadonlySet<string> = new Set([
  ...[
    'handleFor',
    'svmFor',
    'argumentFor',
    'releasedError',
    'disown',
    'prepare',
    'enqueueUnmap',
    'regionOf',
    'colorBytes',
  ],
  ...['checkBuffer', 'span', 'checkBuiltFor', 'checkArgumentsSet', 'backendArgument'],
]);

/** A class, and the signatures of the methods that it has itself. */
export const SIGNATURES: readonly (readonly [GuardedClass, Signatures])[] = [
  // `release` of what comes by the hundred thousand.
  [Owned, { release: itself('', {}) }],
  [
    Platform,
    {
      info: call('clGetPlatformInfo', { key }),
      createContext: call('clCreateContextFromType', {
        type: optional(oneOf('all', 'gpu', 'accelerator', 'cpu', 'custom')),
        options: contextOptions,
      }),
      glDevices: call('clGetGLContextInfoKHR', { gl: glContext, which: optional(oneOf('all', 'current')) }),
    },
  ],
  [
    Device,
    {
      info: call('clGetDeviceInfo', { key }),
      createContext: call('clCreateContext', { options: contextOptions }),
      partition: call('clCreateSubDevices', {
        how: fields({
          equally: optional(count),
          byCounts: optional(list(count)),
          byAffinity: optional(
            oneOf('numa', 'l4-cache', 'l3-cache', 'l2-cache', 'l1-cache', 'next-partitionable'),
          ),
        }),
      }),
    },
  ],
  [
    Context,
    {
      'static create': call('clCreateContext', { devices: list(device), options: contextOptions }),
      info: call('clGetContextInfo', { key }),
      createQueue: call('clCreateCommandQueueWithProperties', {
        options: options({
          profiling: flag,
          outOfOrder: flag,
          device,
          onDevice: options({ size: count, default: flag }),
          priority,
          throttle: priority,
          properties,
        }),
      }),
      createBuffer: call('clCreateBuffer', bufferParameters),
      createImage: call('clCreateImage', { shape, data: optional(view), options: options(memoryOptions) }),
      createSampler: call('clCreateSamplerWithProperties', { options: samplerOptions }),
      createSvm: call('clSVMAlloc', {
        size: number,
        options: options({ access, fineGrained: flag, atomics: flag, align: count }),
      }),
      createUnifiedSvm: call('clSVMAllocWithPropertiesKHR', {
        size: number,
        options: options({
          capabilities: count,
          typeIndex: count,
          device,
          align: count,
          never: list(oneOf('host-read', 'host-write', 'device-read', 'device-write')),
        }),
      }),
      suggestedSvmType: call('clGetSVMSuggestedTypeIndexKHR', {
        capabilities: count,
        size: count,
        device: optional(device),
      }),
      createPipe: call('clCreatePipe', { packetSize: number, maxPackets: number }),
      supportedImageFormats: call('clGetSupportedImageFormats', {
        type: imageType,
        options: options(memoryOptions),
      }),
      imageRequirement: call('clGetImageRequirementsInfoEXT', {
        key: text,
        shape,
        options: options(memoryOptions),
      }),
      createSemaphore: call('clCreateSemaphoreWithPropertiesKHR', {
        options: options({
          exportAs: list(semaphoreHandle),
          from: fields({ type: semaphoreHandle, handle }),
          devices: list(device),
        }),
      }),
      setDefaultDeviceQueue: call('clSetDefaultDeviceCommandQueue', { queue }),
      onDestroy: call('clSetContextDestructorCallback', { listener: func }),
      createProgramWithBuiltInKernels: call('clCreateProgramWithBuiltInKernels', { names: list(text) }),
      createProgram: call('clCreateProgramWithSource', { '...sources': text }),
      createProgramWithIL: call('clCreateProgramWithIL', { il: bytes }),
      createProgramWithBinary: call('clCreateProgramWithBinary', { binaries: list(bytes) }),
      link: promise('clLinkProgram', {
        programs: list(program, ErrorCode.INVALID_PROGRAM),
        options: options({ options: text, signal }),
      }),
      createCommandBuffer: call('clCreateCommandBufferKHR', {
        queues: optional(either('a CommandQueue or an array of them', queue, list(queue))),
        options: options({ simultaneousUse: flag, mutable: flag }),
      }),
    },
  ],
  [
    MemoryObject,
    {
      memoryInfo: call('clGetMemObjectInfo', { key }),
      onDestroy: call('clSetMemObjectDestructorCallback', { listener: func }),
    },
  ],
  [
    Buffer,
    {
      read: call('clEnqueueReadBuffer', { options: options({ ...elements, into: typedArray, ...onQueue }) }),
      readSync: call('clEnqueueReadBuffer', {
        options: options({ ...elements, into: typedArray, queue }),
      }),
      write: call('clEnqueueWriteBuffer', {
        data: numbers,
        options: options({ offset: number, ...onQueue }),
      }),
      fill: call('clEnqueueFillBuffer', {
        value: either('a number, a bigint or a typed array', number, bigint, view),
        options: options({ ...elements, ...onQueue }),
      }),
      copyTo: call('clEnqueueCopyBuffer', {
        target: buffer,
        options: options({ ...span, targetOffset: number, ...onQueue }),
      }),
      map: promise('clEnqueueMapBuffer', {
        mode: mapMode,
        options: options({ ...elements, ...onQueue, signal }),
      }),
      sub: call('clCreateSubBuffer', {
        offset: number,
        length: number,
        options: options({ access, hostAccess }),
      }),
    },
  ],
  [Mapping, { unmap: call('clEnqueueUnmapMemObject', { options: options(command) }) }],
  [
    Image,
    {
      info: call('clGetImageInfo', { key }),
      read: call('clEnqueueReadImage', { options: options({ ...region, into: typedArray, ...onQueue }) }),
      write: call('clEnqueueWriteImage', { data: view, options: options({ ...region, ...onQueue }) }),
      fill: call('clEnqueueFillImage', { color: colour, options: options({ ...region, ...onQueue }) }),
      copyTo: call('clEnqueueCopyImage', {
        target: image,
        options: options({ ...region, targetOrigin: coordinates, ...onQueue }),
      }),
      copyToBuffer: call('clEnqueueCopyImageToBuffer', {
        target: buffer,
        options: options({ ...region, targetOffset: number, ...onQueue }),
      }),
      copyFromBuffer: call('clEnqueueCopyBufferToImage', {
        source: buffer,
        options: options({ ...region, sourceOffset: number, ...onQueue }),
      }),
      map: promise('clEnqueueMapImage', {
        mode: mapMode,
        options: options({ ...region, ...onQueue, signal }),
      }),
    },
  ],
  [Pipe, { info: call('clGetPipeInfo', { key }) }],
  [Sampler, { info: call('clGetSamplerInfo', { key }) }],
  [
    SharedObject,
    {
      glTextureInfo: call('clGetGLTextureInfo', {
        key: oneOf('TEXTURE_TARGET', 'MIPMAP_LEVEL', 'NUM_SAMPLES'),
      }),
    },
  ],
  [
    GlSharing,
    {
      buffer: call('clCreateFromGLBuffer', { name: count, options: options(sharedOptions) }),
      texture: call('clCreateFromGLTexture', {
        target: count,
        name: count,
        options: options({ ...sharedOptions, level: integer }),
      }),
      renderbuffer: call('clCreateFromGLRenderbuffer', { name: count, options: options(sharedOptions) }),
      event: call('clCreateEventFromGLsyncKHR', { sync: bigint }),
    },
  ],
  [
    EglSharing,
    {
      image: call('clCreateFromEGLImageKHR', {
        display: bigint,
        image: bigint,
        options: options(sharedOptions),
      }),
      event: call('clCreateEventFromEGLSyncKHR', { sync: bigint, display: bigint }),
    },
  ],
  [
    Svm,
    {
      map: call('clEnqueueSVMMap', { mode: mapMode, options: options({ ...span, ...onQueue }) }),
      unmap: call('clEnqueueSVMUnmap', { options: options(onQueue) }),
      info: call('clGetSVMPointerInfoKHR', { key, device: optional(device) }),
      free: call('clEnqueueSVMFree', { options: options(onQueue) }),
      migrate: call('clEnqueueSVMMigrateMem', {
        options: options({ toHost: flag, contentUndefined: flag, ...onQueue }),
      }),
      fill: call('clEnqueueSVMMemFill', { pattern: view, options: options({ ...span, ...onQueue }) }),
      copyTo: call('clEnqueueSVMMemcpy', {
        target: either('an Svm, a typed array, a Buffer of Node.js or a DataView', svm, view),
        options: options({ ...span, targetOffset: number, ...onQueue }),
      }),
    },
  ],
  [
    Program,
    {
      build: promise('clBuildProgram', {
        options: buildOptions,
        devices: optional(list(device)),
        waiting,
      }),
      buildSync: call('clBuildProgram', { options: buildOptions, devices: optional(list(device)) }),
      compile: promise('clCompileProgram', {
        options: buildOptions,
        headers: optional(record(program)),
        waiting,
      }),
      specialize: call('clSetProgramSpecializationConstant', { id: count, value: view }),
      info: call('clGetProgramInfo', { key }),
      buildInfo: call('clGetProgramBuildInfo', { key, device: optional(device) }),
      createKernel: call('clCreateKernel', { name: text }),
      onRelease: call('clSetProgramReleaseCallback', { listener: func }),
    },
  ],
  [
    Kernel,
    {
      info: call('clGetKernelInfo', { key }),
      workGroupInfo: call('clGetKernelWorkGroupInfo', { key, device: optional(device) }),
      subGroupInfo: call('clGetKernelSubGroupInfo', { key, local: list(count), device: optional(device) }),
      useSvm: call('clSetKernelExecInfo', { '...pointers': svm }),
      suggestedLocalSize: call('clGetKernelSuggestedLocalWorkSize', {
        range: anything,
        queue: optional(queue),
      }),
      setArg: itself('clSetKernelArg', { index: anything, value: anything }),
      setDevicePointer: call('clSetKernelArgDevicePointerEXT', { index: anything, address: bigint }),
      setArgs: itself('clSetKernelArg', { '...values': anything }),
      run: call('clEnqueueNDRangeKernel', {
        options: fields({ ...range, waitFor: optional(waitFor), queue: optional(queue) }),
        '...values': anything,
      }),
      runSync: call('clEnqueueNDRangeKernel', {
        options: fields({ ...range, waitFor: optional(waitFor), queue: optional(queue) }),
        '...values': anything,
      }),
    },
  ],
  [
    CommandQueue,
    {
      info: call('clGetCommandQueueInfo', { key }),
      enqueueNDRange: itself('clEnqueueNDRangeKernel', {
        kernel: anything,
        range: anything,
        options: anything,
      }),
      submitNDRange: itself('clEnqueueNDRangeKernel', { kernel: anything, range: anything }),
      enqueueTask: call('clEnqueueTask', { kernel, options: options(command) }),
      enqueueRead: call('clEnqueueReadBuffer', {
        source: buffer,
        into: view,
        options: options({ offset: number, ...command }),
      }),
      enqueueWrite: call('clEnqueueWriteBuffer', {
        target: buffer,
        from: view,
        options: options({ offset: number, ...command }),
      }),
      enqueueReadRect: call('clEnqueueReadBufferRect', {
        source: buffer,
        into: view,
        rect,
        options: options(command),
      }),
      enqueueWriteRect: call('clEnqueueWriteBufferRect', {
        target: buffer,
        from: view,
        rect,
        options: options(command),
      }),
      enqueueCopy: call('clEnqueueCopyBuffer', {
        from: buffer,
        to: buffer,
        options: options({ ...span, targetOffset: number, ...command }),
      }),
      enqueueCopyRect: call('clEnqueueCopyBufferRect', {
        from: buffer,
        to: buffer,
        rect,
        options: options(command),
      }),
      enqueueFill: call('clEnqueueFillBuffer', {
        target: buffer,
        pattern: view,
        options: options({ ...span, ...command }),
      }),
      enqueueMap: call('clEnqueueMapBuffer', {
        buffer,
        mode: mapMode,
        options: options({ ...span, ...command }),
      }),
      enqueueMigrate: call('clEnqueueMigrateMemObjects', {
        memories: list(memory),
        options: options({ toHost: flag, contentUndefined: flag, ...command }),
      }),
      enqueueNativeKernel: call('clEnqueueNativeKernel', {
        run: func,
        buffers: optional(list(buffer)),
        options: options(command),
      }),
      enqueueAcquire: call('clEnqueueAcquireExternalMemObjectsKHR', {
        memories: list(memory),
        owner,
        options: options(command),
      }),
      enqueueRelease: call('clEnqueueReleaseExternalMemObjectsKHR', {
        memories: list(memory),
        owner,
        options: options(command),
      }),
      setProperty: call('clSetCommandQueueProperty', {
        property: oneOf('out-of-order', 'profiling'),
        on: flag,
      }),
      enqueueMarker: call('clEnqueueMarkerWithWaitList', { options: options(command) }),
      enqueueBarrier: call('clEnqueueBarrierWithWaitList', { options: options(command) }),
      batch: call('clEnqueueNDRangeKernel', { record: func }),
      finish: promise('clFinish', { waiting }),
      finishSync: itself('clFinish', {}),
    },
  ],
  [
    Event,
    {
      wait: lasting(promise('clWaitForEvents', { waiting })),
      waitSync: itself('clWaitForEvents', {}),
      release: itself('', {}),
      on: call('clSetEventCallback', {
        status: oneOf('submitted', 'running', 'complete'),
        listener: func,
      }),
      info: call('clGetEventInfo', { key }),
      // As a Promise's.
      then: lasting(call('clSetEventCallback', { onComplete: anything, onError: anything })),
    },
  ],
  [UserEvent, { fail: call('clSetUserEventStatus', { code: optional(integer) }) }],
  [
    Semaphore,
    {
      info: call('clGetSemaphoreInfoKHR', { key }),
      wait: call('clEnqueueWaitSemaphoresKHR', { options: options({ payload: count, ...onQueue }) }),
      signal: call('clEnqueueSignalSemaphoresKHR', { options: options({ payload: count, ...onQueue }) }),
      exportHandle: call('clGetSemaphoreHandleForTypeKHR', {
        type: semaphoreHandle,
        device: optional(device),
      }),
      reimportSyncFd: call('clReImportSemaphoreSyncFdKHR', { fd: integer }),
    },
  ],
  [
    CommandBuffer,
    {
      info: call('clGetCommandBufferInfoKHR', { key }),
      commandInfo: call('clGetMutableCommandInfoKHR', { command: recorded, key }),
      on: call('clCreateCommandBufferKHR', { queue, record: func }),
      run: call('clCommandNDRangeKernelKHR', {
        kernel,
        options: fields({ ...range, after: optional(recording.after), mutable: optional(flag) }),
        '...values': anything,
      }),
      copy: call('clCommandCopyBufferKHR', {
        from: buffer,
        to: buffer,
        options: options({ ...span, targetOffset: number, ...recording }),
      }),
      copyRect: call('clCommandCopyBufferRectKHR', {
        from: buffer,
        to: buffer,
        rect,
        options: options(recording),
      }),
      fill: call('clCommandFillBufferKHR', {
        target: buffer,
        pattern: view,
        options: options({ ...span, ...recording }),
      }),
      copyImage: call('clCommandCopyImageKHR', {
        from: image,
        to: image,
        options: options({ ...region, targetOrigin: coordinates, ...recording }),
      }),
      fillImage: call('clCommandFillImageKHR', {
        target: image,
        color: colour,
        options: options({ ...region, ...recording }),
      }),
      copyImageToBuffer: call('clCommandCopyImageToBufferKHR', {
        from: image,
        to: buffer,
        options: options({ ...region, targetOffset: number, ...recording }),
      }),
      copyBufferToImage: call('clCommandCopyBufferToImageKHR', {
        from: buffer,
        to: image,
        options: options({ ...region, sourceOffset: number, ...recording }),
      }),
      copySvm: call('clCommandSVMMemcpyKHR', {
        from: svm,
        to: svm,
        options: options({ ...span, targetOffset: number, ...recording }),
      }),
      fillSvm: call('clCommandSVMMemFillKHR', {
        target: svm,
        pattern: view,
        options: options({ ...span, ...recording }),
      }),
      barrier: call('clCommandBarrierWithWaitListKHR', { options: options(recording) }),
      update: call('clUpdateMutableCommandsKHR', {
        command: recorded,
        change: fields({ ...range, args: optional(record(anything)) }),
      }),
      remap: call('clRemapCommandBufferKHR', {
        queues: list(queue),
        options: options({ automatic: flag }),
      }),
      enqueue: call('clEnqueueCommandBufferKHR', { options: options({ queues: list(queue), ...command }) }),
    },
  ],
  [
    Session,
    {
      build: promise('clBuildProgram', { source, options: buildOptions, waiting }),
      buildSync: call('clBuildProgram', { source, options: buildOptions }),
      buffer: call('clCreateBuffer', bufferParameters),
      image: call('clCreateImage', { shape, data: optional(view), options: options(memoryOptions) }),
      sampler: call('clCreateSamplerWithProperties', { options: samplerOptions }),
    },
  ],
];

/** Called once, before a script has any object. */
export function guardAll(): void {
  for (const [type, signatures] of SIGNATURES) guard(type, signatures, INTERNAL);
}
