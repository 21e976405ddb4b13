// SPDX-License-Identifier: MIT
import { guardAll } from './api/checks/signatures';
import { nameClasses } from './api/class-names';
import { inspectWell } from './api/inspect';

export type { Waiting } from './api/abort';
export type { ArgumentAddressSpace, KernelArgumentInfo } from './api/arguments';
export {
  Buffer,
  type BufferOptions,
  Mapping,
  type MemoryInfo,
  MemoryObject,
  type MemoryOptions,
} from './api/buffer';
export {
  CommandBuffer,
  type CommandBufferInfo,
  type CommandBufferOptions,
  type KernelChange,
  type MutableCommandInfo,
  type Recorded,
  type RecordOptions,
} from './api/command-buffer';
export type { ByteRange, CopyRange } from './api/commands/buffers';
export type { Owner } from './api/commands/exchange';
export type { Color } from './api/commands/images';
export type { SemaphorePayloads } from './api/commands/semaphores';
export type { MigrateOptions } from './api/commands/svm';
export { Context, type ContextInfo } from './api/context';
export type { ContextOptions, Properties, QueueOptions } from './api/context-options';
export { Device, type DeviceInfo, type DeviceType, type Partition } from './api/device';
export type { TypedArray, TypedArrayConstructor } from './api/element-types';
export { Event, type EventInfo, type EventStatus, type ProfilingTimes, UserEvent } from './api/event';
export type { ExternalMemory } from './api/external-memory';
export type { EglSharing, GlObjectType, GlSharing, SharedObject, SharedOptions } from './api/gl-sharing';
export {
  Image,
  type ImageInfo,
  type ImageOptions,
  type ImageRegion,
  type ImageShape,
  type ImageType,
} from './api/image';
export type { ImageFormatName, PixelArray } from './api/image-formats';
export {
  DevicePointer,
  Kernel,
  type KernelInfo,
  type KernelSubGroupInfo,
  type KernelValue,
  type KernelWorkGroupInfo,
  local,
  type RunOptions,
} from './api/kernel';
export { findDevice, type OpenOptions, open, openSync, Session } from './api/open';
export { Pipe, type PipeInfo } from './api/pipe';
export { type Platform, type PlatformInfo, platforms } from './api/platform';
export {
  type KernelNames,
  type Kernels,
  Program,
  type ProgramBuildInfo,
  type ProgramInfo,
} from './api/program';
export {
  type CommandOptions,
  CommandQueue,
  type LaunchOptions,
  type NativeKernel,
  type QueueInfo,
} from './api/queue';
export type { Range, Size } from './api/range';
export { Sampler, type SamplerInfo, type SamplerOptions } from './api/sampler';
export {
  Semaphore,
  type SemaphoreHandleName,
  type SemaphoreInfo,
  type SemaphoreOptions,
} from './api/semaphore';
export { Svm, type SvmOptions, type SvmPointerInfo, type UnifiedSvmOptions } from './api/svm';
export type { MapMode, Rect } from './api/transfers';
export { LocalArgument } from './backend/backend-queue';
export {
  AtomicCapabilities,
  DeviceEnqueueCapabilities,
  ErrorCode,
  FpAtomicCapabilities,
  FpConfig,
  MapFlags,
  MemFlags,
  MemMigrationFlags,
  QueueFlags,
  SvmCapabilities,
} from './cl/constants.gen';
export { OpenCLError } from './cl/opencl-error';

nameClasses();
guardAll();
inspectWell();
