// SPDX-License-Identifier: MIT
//
// The commands in OpenCL's terms: the type that an event tells, and the functions, which errors name.
import { CommandType } from '../cl/constants.gen';
import type { CommandOp, RecordableOp } from './command';

interface Row<Recorded = string | undefined> {
  /** The value of CL_EVENT_COMMAND_TYPE. */
  readonly type: CommandType;
  /** The function that enqueues it. */
  readonly enqueuedBy: string;
  /** The function that records it in a command buffer, if one does. */
  readonly recordedBy: Recorded;
}

const row = <Recorded extends string | undefined = undefined>(
  type: CommandType,
  enqueuedBy: string,
  recordedBy?: Recorded,
): Row<Recorded> => ({ type, enqueuedBy, recordedBy: recordedBy as Recorded });

export const COMMANDS: Readonly<Record<CommandOp, Row> & Record<RecordableOp, Row<string>>> = {
  readBuffer: row(CommandType.READ_BUFFER, 'clEnqueueReadBuffer'),
  writeBuffer: row(CommandType.WRITE_BUFFER, 'clEnqueueWriteBuffer'),
  readBufferRect: row(CommandType.READ_BUFFER_RECT, 'clEnqueueReadBufferRect'),
  writeBufferRect: row(CommandType.WRITE_BUFFER_RECT, 'clEnqueueWriteBufferRect'),
  copyBuffer: row(CommandType.COPY_BUFFER, 'clEnqueueCopyBuffer', 'clCommandCopyBufferKHR'),
  copyBufferRect: row(CommandType.COPY_BUFFER_RECT, 'clEnqueueCopyBufferRect', 'clCommandCopyBufferRectKHR'),
  fillBuffer: row(CommandType.FILL_BUFFER, 'clEnqueueFillBuffer', 'clCommandFillBufferKHR'),
  readImage: row(CommandType.READ_IMAGE, 'clEnqueueReadImage'),
  writeImage: row(CommandType.WRITE_IMAGE, 'clEnqueueWriteImage'),
  copyImage: row(CommandType.COPY_IMAGE, 'clEnqueueCopyImage', 'clCommandCopyImageKHR'),
  fillImage: row(CommandType.FILL_IMAGE, 'clEnqueueFillImage', 'clCommandFillImageKHR'),
  copyImageToBuffer: row(
    CommandType.COPY_IMAGE_TO_BUFFER,
    'clEnqueueCopyImageToBuffer',
    'clCommandCopyImageToBufferKHR',
  ),
  copyBufferToImage: row(
    CommandType.COPY_BUFFER_TO_IMAGE,
    'clEnqueueCopyBufferToImage',
    'clCommandCopyBufferToImageKHR',
  ),
  unmap: row(CommandType.UNMAP_MEM_OBJECT, 'clEnqueueUnmapMemObject'),
  migrate: row(CommandType.MIGRATE_MEM_OBJECTS, 'clEnqueueMigrateMemObjects'),
  svmMemcpy: row(CommandType.SVM_MEMCPY, 'clEnqueueSVMMemcpy', 'clCommandSVMMemcpyKHR'),
  svmFill: row(CommandType.SVM_MEMFILL, 'clEnqueueSVMMemFill', 'clCommandSVMMemFillKHR'),
  svmMap: row(CommandType.SVM_MAP, 'clEnqueueSVMMap'),
  svmUnmap: row(CommandType.SVM_UNMAP, 'clEnqueueSVMUnmap'),
  svmFree: row(CommandType.SVM_FREE, 'clEnqueueSVMFree'),
  svmMigrate: row(CommandType.SVM_MIGRATE_MEM, 'clEnqueueSVMMigrateMem'),
  barrier: row(CommandType.BARRIER, 'clEnqueueBarrierWithWaitList', 'clCommandBarrierWithWaitListKHR'),
  acquireExternal: row(CommandType.ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, 'clEnqueueAcquireExternalMemObjectsKHR'),
  releaseExternal: row(CommandType.RELEASE_EXTERNAL_MEM_OBJECTS_KHR, 'clEnqueueReleaseExternalMemObjectsKHR'),
  acquireGl: row(CommandType.ACQUIRE_GL_OBJECTS, 'clEnqueueAcquireGLObjects'),
  releaseGl: row(CommandType.RELEASE_GL_OBJECTS, 'clEnqueueReleaseGLObjects'),
  acquireEgl: row(CommandType.ACQUIRE_EGL_OBJECTS_KHR, 'clEnqueueAcquireEGLObjectsKHR'),
  releaseEgl: row(CommandType.RELEASE_EGL_OBJECTS_KHR, 'clEnqueueReleaseEGLObjectsKHR'),
  waitSemaphores: row(CommandType.SEMAPHORE_WAIT_KHR, 'clEnqueueWaitSemaphoresKHR'),
  signalSemaphores: row(CommandType.SEMAPHORE_SIGNAL_KHR, 'clEnqueueSignalSemaphoresKHR'),
};
