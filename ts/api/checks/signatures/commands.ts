// SPDX-License-Identifier: MIT
//
// Queues, commands, events, semaphores and command buffers.

import {
  anything,
  failure,
  fields,
  flag,
  func,
  int,
  kind,
  list,
  oneOf,
  optional,
  options,
  record,
  size,
  view,
} from '../kinds';
import {
  buffer,
  colour,
  command,
  device,
  image,
  kernel,
  key,
  mapMode,
  mapping,
  memory,
  onQueue,
  origin,
  queue,
  range,
  rangeChange,
  rect,
  region,
  semaphore,
  semaphoreHandle,
  span,
  stops,
  svm,
  svmOrView,
  waiting,
} from '../parameters';
import { call, lasting, promise, type Signatures, selfChecked } from '../signature';

const owner = oneOf('external', 'gl', 'egl');
/** The results of a CommandBuffer's methods; each buffer recognizes its own. */
const recorded = kind(
  'what recording a command returned',
  (value) => typeof value === 'object' && value !== null,
);
const recording = { after: list(recorded) };

export const commands = {
  CommandQueue: {
    info: call('clGetCommandQueueInfo', { key }),
    enqueueNDRange: selfChecked('clEnqueueNDRangeKernel', {
      kernel,
      range: fields(range),
      options: options({ ...command, ...stops, event: flag }),
    }),
    enqueueTask: call('clEnqueueTask', { kernel, options: options({ ...command, ...stops }) }),
    enqueueRead: call('clEnqueueReadBuffer', {
      source: buffer,
      into: view,
      options: options({ offset: size, ...command }),
    }),
    enqueueWrite: call('clEnqueueWriteBuffer', {
      target: buffer,
      from: view,
      options: options({ offset: size, ...command }),
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
      options: options({ ...span, targetOffset: size, ...command }),
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
    enqueueReadImage: call('clEnqueueReadImage', {
      source: image,
      into: view,
      options: options({ ...region, ...command }),
    }),
    enqueueWriteImage: call('clEnqueueWriteImage', {
      target: image,
      from: view,
      options: options({ ...region, ...command }),
    }),
    enqueueCopyImage: call('clEnqueueCopyImage', {
      from: image,
      to: image,
      options: options({ ...region, targetOrigin: origin, ...command }),
    }),
    enqueueFillImage: call('clEnqueueFillImage', {
      target: image,
      color: colour,
      options: options({ ...region, ...command }),
    }),
    enqueueCopyImageToBuffer: call('clEnqueueCopyImageToBuffer', {
      from: image,
      to: buffer,
      options: options({ ...region, targetOffset: size, ...command }),
    }),
    enqueueCopyBufferToImage: call('clEnqueueCopyBufferToImage', {
      from: buffer,
      to: image,
      options: options({ ...region, sourceOffset: size, ...command }),
    }),
    enqueueMapImage: call('clEnqueueMapImage', {
      image,
      mode: mapMode,
      options: options({ ...region, ...command }),
    }),
    enqueueUnmap: call('clEnqueueUnmapMemObject', { mapping, options: options(command) }),
    enqueueSvmMap: call('clEnqueueSVMMap', {
      svm,
      mode: mapMode,
      options: options({ ...span, ...command }),
    }),
    enqueueSvmUnmap: call('clEnqueueSVMUnmap', { svm, options: options(command) }),
    enqueueSvmCopy: call('clEnqueueSVMMemcpy', {
      from: svm,
      to: svmOrView,
      options: options({ ...span, targetOffset: size, ...command }),
    }),
    enqueueSvmFill: call('clEnqueueSVMMemFill', {
      svm,
      pattern: view,
      options: options({ ...span, ...command }),
    }),
    enqueueSvmFree: call('clEnqueueSVMFree', { svms: list(svm), options: options(command) }),
    enqueueSvmMigrate: call('clEnqueueSVMMigrateMem', {
      svms: list(svm),
      options: options({ toHost: flag, contentUndefined: flag, ...command }),
    }),
    enqueueWaitSemaphores: call('clEnqueueWaitSemaphoresKHR', {
      semaphores: list(semaphore),
      options: options({ payloads: list(size), ...command }),
    }),
    enqueueSignalSemaphores: call('clEnqueueSignalSemaphoresKHR', {
      semaphores: list(semaphore),
      options: options({ payloads: list(size), ...command }),
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
    finishSync: selfChecked('clFinish', {}),
  },
  Event: {
    wait: lasting(promise('clWaitForEvents', { waiting })),
    waitSync: selfChecked('clWaitForEvents', {}),
    release: selfChecked('', {}),
    on: call('clSetEventCallback', {
      status: oneOf('submitted', 'running', 'complete'),
      listener: func,
    }),
    info: call('clGetEventInfo', { key }),
    // The parameters of a Promise's methods.
    then: lasting(call('clSetEventCallback', { onComplete: anything, onError: anything })),
    catch: lasting(call('clSetEventCallback', { onError: anything })),
    finally: lasting(call('clSetEventCallback', { onEnd: anything })),
  },
  UserEvent: { fail: call('clSetUserEventStatus', { code: optional(failure) }) },
  Semaphore: {
    info: call('clGetSemaphoreInfoKHR', { key }),
    wait: call('clEnqueueWaitSemaphoresKHR', { options: options({ payload: size, ...onQueue }) }),
    signal: call('clEnqueueSignalSemaphoresKHR', { options: options({ payload: size, ...onQueue }) }),
    exportHandle: call('clGetSemaphoreHandleForTypeKHR', {
      type: semaphoreHandle,
      device: optional(device),
    }),
    reimportSyncFd: call('clReImportSemaphoreSyncFdKHR', { fd: int }),
  },
  CommandBuffer: {
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
      options: options({ ...span, targetOffset: size, ...recording }),
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
      options: options({ ...region, targetOrigin: origin, ...recording }),
    }),
    fillImage: call('clCommandFillImageKHR', {
      target: image,
      color: colour,
      options: options({ ...region, ...recording }),
    }),
    copyImageToBuffer: call('clCommandCopyImageToBufferKHR', {
      from: image,
      to: buffer,
      options: options({ ...region, targetOffset: size, ...recording }),
    }),
    copyBufferToImage: call('clCommandCopyBufferToImageKHR', {
      from: buffer,
      to: image,
      options: options({ ...region, sourceOffset: size, ...recording }),
    }),
    copySvm: call('clCommandSVMMemcpyKHR', {
      from: svm,
      to: svm,
      options: options({ ...span, targetOffset: size, ...recording }),
    }),
    fillSvm: call('clCommandSVMMemFillKHR', {
      target: svm,
      pattern: view,
      options: options({ ...span, ...recording }),
    }),
    barrier: call('clCommandBarrierWithWaitListKHR', { options: options(recording) }),
    update: call('clUpdateMutableCommandsKHR', {
      command: recorded,
      change: fields({ ...rangeChange, args: optional(record(anything)) }),
    }),
    remap: call('clRemapCommandBufferKHR', {
      queues: list(queue),
      options: options({ automatic: flag }),
    }),
    enqueue: call('clEnqueueCommandBufferKHR', {
      options: options({ queues: list(queue), ...command, ...stops }),
    }),
  },
} satisfies Record<string, Signatures>;
