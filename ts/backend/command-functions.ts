// SPDX-License-Identifier: MIT
//
// The functions of OpenCL for each command. Errors name them.
import type { CommandOp, RecordableOp } from './command';

/** Enqueue a command. */
export const FUNCTIONS = {
  readBuffer: 'clEnqueueReadBuffer',
  writeBuffer: 'clEnqueueWriteBuffer',
  readBufferRect: 'clEnqueueReadBufferRect',
  writeBufferRect: 'clEnqueueWriteBufferRect',
  copyBuffer: 'clEnqueueCopyBuffer',
  copyBufferRect: 'clEnqueueCopyBufferRect',
  fillBuffer: 'clEnqueueFillBuffer',
  readImage: 'clEnqueueReadImage',
  writeImage: 'clEnqueueWriteImage',
  copyImage: 'clEnqueueCopyImage',
  fillImage: 'clEnqueueFillImage',
  copyImageToBuffer: 'clEnqueueCopyImageToBuffer',
  copyBufferToImage: 'clEnqueueCopyBufferToImage',
  unmap: 'clEnqueueUnmapMemObject',
  migrate: 'clEnqueueMigrateMemObjects',
  svmMemcpy: 'clEnqueueSVMMemcpy',
  svmFill: 'clEnqueueSVMMemFill',
  svmMap: 'clEnqueueSVMMap',
  svmUnmap: 'clEnqueueSVMUnmap',
  svmFree: 'clEnqueueSVMFree',
  svmMigrate: 'clEnqueueSVMMigrateMem',
  barrier: 'clEnqueueBarrierWithWaitList',
  acquireExternal: 'clEnqueueAcquireExternalMemObjectsKHR',
  releaseExternal: 'clEnqueueReleaseExternalMemObjectsKHR',
  acquireGl: 'clEnqueueAcquireGLObjects',
  releaseGl: 'clEnqueueReleaseGLObjects',
  acquireEgl: 'clEnqueueAcquireEGLObjectsKHR',
  releaseEgl: 'clEnqueueReleaseEGLObjectsKHR',
  waitSemaphores: 'clEnqueueWaitSemaphoresKHR',
  signalSemaphores: 'clEnqueueSignalSemaphoresKHR',
} as const satisfies Readonly<Record<CommandOp, string>>;

/** Record a command in a command buffer. */
export const RECORDED_BY = {
  copyBuffer: 'clCommandCopyBufferKHR',
  copyBufferRect: 'clCommandCopyBufferRectKHR',
  fillBuffer: 'clCommandFillBufferKHR',
  copyImage: 'clCommandCopyImageKHR',
  fillImage: 'clCommandFillImageKHR',
  copyImageToBuffer: 'clCommandCopyImageToBufferKHR',
  copyBufferToImage: 'clCommandCopyBufferToImageKHR',
  svmMemcpy: 'clCommandSVMMemcpyKHR',
  svmFill: 'clCommandSVMMemFillKHR',
  barrier: 'clCommandBarrierWithWaitListKHR',
} as const satisfies Readonly<Record<RecordableOp, string>>;
