// SPDX-License-Identifier: MIT
//
// The package's public names: both entries (ts/index.ts, ts/browser.ts) export these and no others.

export { LocalArgument } from '../backend/backend-queue';
export type { Check, FaultKind, SourcePlace } from '../base/checks';
export type {
  AccessCount,
  BranchCoverage,
  Coverage,
  FunctionCoverage,
  InstructionKind,
  LineCoverage,
} from '../base/coverage';
export type { Fault, WorkItem } from '../base/faults';
export type { MemoryTraffic } from '../base/memory-traffic';
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
export { StopCode } from '../cl/stop-codes';
export type { ArgumentAddressSpace, KernelArgumentInfo } from './arguments/arguments';
export type { ByteRange, CopyRange } from './commands/buffers';
export type { Owner } from './commands/exchange';
export type { Color } from './commands/images';
export type { ImageRegion } from './commands/operands';
export type { SemaphorePayloads } from './commands/semaphores';
export type { MigrateOptions } from './commands/svm';
export type { ImageFormatName, NamedImageFormat, PixelArray } from './data/image-formats';
export {
  type StructArray,
  type StructMember,
  type StructType,
  type StructView,
  struct,
} from './data/struct';
export type { MapMode, Rect } from './data/transfers';
export type { TypedArray, TypedArrayConstructor } from './data/typed-arrays';
export type { ExternalMemory } from './interop/external-memory';
export { Buffer, type BufferOptions } from './objects/buffer';
export {
  CommandBuffer,
  type CommandBufferInfo,
  type CommandBufferOptions,
  type KernelChange,
  type MutableCommandInfo,
  type Recorded,
  type RecordOptions,
} from './objects/command-buffer';
export type { CommandOptions, LaunchOptions, NativeKernel, StopOptions } from './objects/command-options';
export { Context, type ContextInfo } from './objects/context';
export { Device, type DeviceInfo, type DeviceType, type Partition } from './objects/device';
export { Event, type EventInfo, type EventStatus, type ProfilingTimes, UserEvent } from './objects/event';
export type { EglSharing, GlObjectType, GlSharing, SharedObject, SharedOptions } from './objects/gl-sharing';
export { Image, type ImageInfo, type ImageOptions, type ImageShape, type ImageType } from './objects/image';
export {
  Kernel,
  type KernelInfo,
  type KernelSubGroupInfo,
  type KernelWorkGroupInfo,
  type RunOptions,
} from './objects/kernel';
export { KernelModule, type KernelModuleContents, ModuleKernel } from './objects/kernel-module';
export type { ArgumentsOf, DeviceMemory, KernelSignatures } from './objects/kernel-types';
export { DevicePointer, type KernelValue, local } from './objects/kernel-values';
export { Mapping } from './objects/mapping';
export { type MemoryInfo, MemoryObject, type MemoryOptions } from './objects/memory-object';
export { Pipe, type PipeInfo } from './objects/pipe';
export { type Platform, type PlatformInfo, platforms } from './objects/platform';
export {
  type KernelNames,
  type Kernels,
  Program,
  type ProgramBuildInfo,
  type ProgramInfo,
} from './objects/program';
export { CommandQueue, type QueueInfo } from './objects/queue';
export type { QueueOptions } from './objects/queue-options';
export { Sampler, type SamplerInfo, type SamplerOptions } from './objects/sampler';
export {
  Semaphore,
  type SemaphoreHandleName,
  type SemaphoreInfo,
  type SemaphoreOptions,
} from './objects/semaphore';
export { Svm, type SvmOptions, type SvmPointerInfo, type UnifiedSvmOptions } from './objects/svm';
export { type CloseOptions, findDevice, type OpenOptions, open, openSync, Session } from './open';
export type { Waiting } from './options/abort';
export type { ContextOptions, Properties } from './options/context-options';
export type { Range, Size } from './options/range';
export { remoteDevices } from './remote';
