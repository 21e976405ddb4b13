// SPDX-License-Identifier: MIT
//
// Memory of every kind.

import {
  either,
  flag,
  func,
  kind,
  list,
  oneOf,
  optional,
  options,
  signal,
  size,
  typedArray,
  view,
} from '../kinds';
import {
  access,
  buffer,
  colour,
  command,
  device,
  elements,
  hostAccess,
  image,
  key,
  mapMode,
  onQueue,
  origin,
  queue,
  region,
  span,
  svmOrView,
} from '../parameters';
import { call, promise, type Signatures } from '../signature';

/** The buffer itself knows the type of its elements. */
const element = kind(
  'a number or a bigint',
  (value) => typeof value === 'number' || typeof value === 'bigint',
);

export const memory = {
  MemoryObject: {
    memoryInfo: call('clGetMemObjectInfo', { key }),
    onDestroy: call('clSetMemObjectDestructorCallback', { listener: func }),
  },
  Buffer: {
    info: call('clGetMemObjectInfo', { key }),
    read: call('clEnqueueReadBuffer', { options: options({ ...elements, into: typedArray, ...onQueue }) }),
    readSync: call('clEnqueueReadBuffer', {
      options: options({ ...elements, into: typedArray, queue }),
    }),
    write: call('clEnqueueWriteBuffer', {
      data: either('an array, typed or not, of numbers', list(element), view),
      options: options({ offset: size, ...onQueue }),
    }),
    fill: call('clEnqueueFillBuffer', {
      value: either('a number, a bigint or a typed array', element, view),
      options: options({ ...elements, ...onQueue }),
    }),
    copyTo: call('clEnqueueCopyBuffer', {
      target: buffer,
      options: options({ ...elements, targetOffset: size, ...onQueue }),
    }),
    map: promise('clEnqueueMapBuffer', {
      mode: mapMode,
      options: options({ ...elements, ...onQueue, signal }),
    }),
    sub: call('clCreateSubBuffer', {
      offset: size,
      length: size,
      options: options({ access, hostAccess }),
    }),
  },
  Mapping: { unmap: call('clEnqueueUnmapMemObject', { options: options(command) }) },
  Image: {
    info: call('clGetImageInfo', { key }),
    read: call('clEnqueueReadImage', { options: options({ ...region, into: typedArray, ...onQueue }) }),
    write: call('clEnqueueWriteImage', { data: view, options: options({ ...region, ...onQueue }) }),
    fill: call('clEnqueueFillImage', { color: colour, options: options({ ...region, ...onQueue }) }),
    copyTo: call('clEnqueueCopyImage', {
      target: image,
      options: options({ ...region, targetOrigin: origin, ...onQueue }),
    }),
    copyToBuffer: call('clEnqueueCopyImageToBuffer', {
      target: buffer,
      options: options({ ...region, targetOffset: size, ...onQueue }),
    }),
    copyFromBuffer: call('clEnqueueCopyBufferToImage', {
      source: buffer,
      options: options({ ...region, sourceOffset: size, ...onQueue }),
    }),
    map: promise('clEnqueueMapImage', {
      mode: mapMode,
      options: options({ ...region, ...onQueue, signal }),
    }),
  },
  Pipe: { info: call('clGetPipeInfo', { key }) },
  Sampler: { info: call('clGetSamplerInfo', { key }) },
  SharedObject: {
    glTextureInfo: call('clGetGLTextureInfo', {
      key: oneOf('TEXTURE_TARGET', 'MIPMAP_LEVEL', 'NUM_SAMPLES'),
    }),
  },
  Svm: {
    map: call('clEnqueueSVMMap', { mode: mapMode, options: options({ ...span, ...onQueue }) }),
    unmap: call('clEnqueueSVMUnmap', { options: options(onQueue) }),
    info: call('clGetSVMPointerInfoKHR', { key, device: optional(device) }),
    free: call('clEnqueueSVMFree', { options: options(onQueue) }),
    migrate: call('clEnqueueSVMMigrateMem', {
      options: options({ toHost: flag, contentUndefined: flag, ...onQueue }),
    }),
    fill: call('clEnqueueSVMMemFill', { pattern: view, options: options({ ...span, ...onQueue }) }),
    copyTo: call('clEnqueueSVMMemcpy', {
      target: svmOrView,
      options: options({ ...span, targetOffset: size, ...onQueue }),
    }),
  },
} satisfies Record<string, Signatures>;
