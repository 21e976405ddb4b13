// SPDX-License-Identifier: MIT
//
// The package's public names: both entries (ts/index.ts, ts/browser.ts) export these and no others.

export { LocalArgument } from '../backend/backend-queue';
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
} from '../cl/constants.gen';
export { OpenCLError } from '../cl/opencl-error';
export type { Waiting } from './abort';
export type { ArgumentAddressSpace, KernelArgumentInfo } from './arguments';
export {
  Buffer,
  type BufferOptions,
  Mapping,
  type MemoryInfo,
  MemoryObject,
  type MemoryOptions,
} from './buffer';
export {
  CommandBuffer,
  type CommandBufferInfo,
  type CommandBufferOptions,
  type KernelChange,
  type MutableCommandInfo,
  type Recorded,
  type RecordOptions,
} from './command-buffer';
export type { ByteRange, CopyRange } from './commands/buffers';
export type { Owner } from './commands/exchange';
export type { Color } from './commands/images';
export type { SemaphorePayloads } from './commands/semaphores';
export type { MigrateOptions } from './commands/svm';
export { Context, type ContextInfo } from './context';
export type { ContextOptions, Properties, QueueOptions } from './context-options';
export { Device, type DeviceInfo, type DeviceType, type Partition } from './device';
export type { TypedArray, TypedArrayConstructor } from './element-types';
export { Event, type EventInfo, type EventStatus, type ProfilingTimes, UserEvent } from './event';
export type { ExternalMemory } from './external-memory';
export type { EglSharing, GlObjectType, GlSharing, SharedObject, SharedOptions } from './gl-sharing';
export {
  Image,
  type ImageInfo,
  type ImageOptions,
  type ImageRegion,
  type ImageShape,
  type ImageType,
} from './image';
export type { ImageFormatName, PixelArray } from './image-formats';
export {
  DevicePointer,
  Kernel,
  type KernelInfo,
  type KernelSubGroupInfo,
  type KernelValue,
  type KernelWorkGroupInfo,
  local,
  type RunOptions,
} from './kernel';
export { findDevice, type OpenOptions, open, openSync, Session } from './open';
export { Pipe, type PipeInfo } from './pipe';
export { type Platform, type PlatformInfo, platforms } from './platform';
export {
  type KernelNames,
  type Kernels,
  Program,
  type ProgramBuildInfo,
  type ProgramInfo,
} from './program';
export {
  type CommandOptions,
  CommandQueue,
  type LaunchOptions,
  type NativeKernel,
  type QueueInfo,
} from './queue';
export type { Range, Size } from './range';
export { Sampler, type SamplerInfo, type SamplerOptions } from './sampler';
export {
  Semaphore,
  type SemaphoreHandleName,
  type SemaphoreInfo,
  type SemaphoreOptions,
} from './semaphore';
export { Svm, type SvmOptions, type SvmPointerInfo, type UnifiedSvmOptions } from './svm';
export type { MapMode, Rect } from './transfers';
