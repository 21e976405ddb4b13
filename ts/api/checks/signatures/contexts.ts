// SPDX-License-Identifier: MIT
//
// Platforms, devices, contexts, and the functions that open them.
import { ErrorCode } from '../../../cl/constants.gen';
import {
  address,
  bytes,
  count,
  either,
  fields,
  flag,
  func,
  handle,
  int,
  list,
  oneOf,
  optional,
  options,
  signal,
  size,
  text,
  uint,
  withCode,
} from '../kinds';
import {
  access,
  anyDevice,
  bufferParameters,
  buildOptions,
  contextOptions,
  device,
  glContext,
  imageParameters,
  imageType,
  key,
  memoryOptions,
  program,
  properties,
  queue,
  samplerOptions,
  semaphoreHandle,
  shape,
  sharedOptions,
  source,
  waiting,
} from '../parameters';
import { call, promise, type Signatures, selfChecked } from '../signature';

const level = oneOf('high', 'medium', 'low');

export const contexts = {
  // `release` of objects that scripts create by the hundred thousand.
  Handle: { release: selfChecked('', {}) },
  MemoryHandle: { release: selfChecked('', {}) },
  Platform: {
    info: call('clGetPlatformInfo', { key }),
    createContext: call('clCreateContextFromType', {
      type: optional(oneOf('all', 'gpu', 'accelerator', 'cpu', 'custom')),
      options: contextOptions,
    }),
    glDevices: call('clGetGLContextInfoKHR', { gl: glContext, which: optional(oneOf('all', 'current')) }),
  },
  Device: {
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
  Context: {
    'static create': call('clCreateContext', { devices: list(anyDevice), options: contextOptions }),
    info: call('clGetContextInfo', { key }),
    createQueue: call('clCreateCommandQueueWithProperties', {
      options: options({
        profiling: flag,
        outOfOrder: flag,
        device,
        onDevice: options({ size: uint, default: flag }),
        priority: level,
        throttle: level,
        properties,
      }),
    }),
    createBuffer: call('clCreateBuffer', bufferParameters),
    createImage: call('clCreateImage', imageParameters),
    createSampler: call('clCreateSamplerWithProperties', { options: samplerOptions }),
    createSvm: call('clSVMAlloc', {
      size,
      options: options({ access, fineGrained: flag, atomics: flag, align: size }),
    }),
    createUnifiedSvm: call('clSVMAllocWithPropertiesKHR', {
      size,
      options: options({
        capabilities: size,
        typeIndex: uint,
        device,
        align: size,
        never: list(oneOf('host-read', 'host-write', 'device-read', 'device-write')),
      }),
    }),
    suggestedSvmType: call('clGetSVMSuggestedTypeIndexKHR', {
      capabilities: size,
      size,
      device: optional(device),
    }),
    createPipe: call('clCreatePipe', {
      packetSize: withCode(ErrorCode.INVALID_PIPE_SIZE, uint),
      maxPackets: withCode(ErrorCode.INVALID_PIPE_SIZE, uint),
    }),
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
  GlSharing: {
    buffer: call('clCreateFromGLBuffer', { name: uint, options: options(sharedOptions) }),
    texture: call('clCreateFromGLTexture', {
      target: uint,
      name: uint,
      options: options({ ...sharedOptions, level: int }),
    }),
    renderbuffer: call('clCreateFromGLRenderbuffer', { name: uint, options: options(sharedOptions) }),
    event: call('clCreateEventFromGLsyncKHR', { sync: address }),
  },
  EglSharing: {
    image: call('clCreateFromEGLImageKHR', {
      display: address,
      image: address,
      options: options(sharedOptions),
    }),
    event: call('clCreateEventFromEGLSyncKHR', { sync: address, display: address }),
  },
  Session: {
    build: promise('clBuildProgram', { source, options: buildOptions, waiting }),
    buildSync: call('clBuildProgram', { source, options: buildOptions }),
    buffer: call('clCreateBuffer', bufferParameters),
    image: call('clCreateImage', imageParameters),
    sampler: call('clCreateSamplerWithProperties', { options: samplerOptions }),
    close: call('clReleaseContext', { options: options({ terminate: flag }) }),
  },
} satisfies Record<string, Signatures>;
