// SPDX-License-Identifier: MIT
import { guardAll } from './api/checks/signatures';
import { nameClasses } from './api/class-names';
import { inspectWell } from './api/inspect';

export type { ArgumentAddressSpace, KernelArgumentInfo } from './api/arguments';
export { Buffer, Mapping, MemoryObject, type MemoryOptions } from './api/buffer';
export {
  CommandBuffer,
  type CommandBufferOptions,
  type KernelChange,
  type Recorded,
  type RecordOptions,
} from './api/command-buffer';
export { Context } from './api/context';
export type { ContextOptions, Properties, QueueOptions } from './api/context-options';
export { Device, type DeviceType, type Partition } from './api/device';
export type { TypedArray, TypedArrayConstructor } from './api/element-types';
export { Event, type EventStatus, type ProfilingTimes, UserEvent } from './api/event';
export type { ExternalMemory } from './api/external-memory';
export type { EglSharing, GlObjectType, GlSharing, SharedObject, SharedOptions } from './api/gl-sharing';
export { Image, type ImageOptions, type ImageShape, type ImageType } from './api/image';
export type { ImageFormatName } from './api/image-formats';
export { DevicePointer, Kernel, type KernelValue, local, type RunOptions } from './api/kernel';
export { findDevice, type OpenOptions, open, openSync, Session } from './api/open';
export { Pipe } from './api/pipe';
export { type Platform, platforms } from './api/platform';
export { type Kernels, Program } from './api/program';
export { type CommandOptions, CommandQueue, type MapMode, type NativeKernel, type Owner } from './api/queue';
export type { Range, Size } from './api/range';
export { Sampler, type SamplerOptions } from './api/sampler';
export { Semaphore, type SemaphoreHandleName, type SemaphoreOptions } from './api/semaphore';
export { Svm, type SvmOptions, type UnifiedSvmOptions } from './api/svm';
export type { Rect } from './api/transfers';
export { LocalArgument } from './backend/backend';
export { OpenCLError } from './backend/opencl-error';

nameClasses();
guardAll();
inspectWell();
