// SPDX-License-Identifier: MIT
import { nameClasses } from './api/class-names';

export type { ArgumentAddressSpace, KernelArgumentInfo } from './api/arguments';
export { Buffer, Mapping, MemoryObject, type MemoryOptions } from './api/buffer';
export { CommandBuffer, type Recorded, type RecordOptions } from './api/command-buffer';
export { Context, type QueueOptions } from './api/context';
export { Device, type DeviceType, type Partition } from './api/device';
export type { TypedArray, TypedArrayConstructor } from './api/element-types';
export { Event, type EventStatus, type ProfilingTimes, UserEvent } from './api/event';
export { Image, type ImageOptions, type ImageShape, type ImageType } from './api/image';
export type { ImageFormatName } from './api/image-formats';
export { Kernel, type KernelValue, local, type RunOptions } from './api/kernel';
export { findDevice, type OpenOptions, open, openSync, Session } from './api/open';
export { Pipe } from './api/pipe';
export { type Platform, platforms } from './api/platform';
export { type Kernels, Program } from './api/program';
export { type CommandOptions, CommandQueue, type MapMode, type Rect } from './api/queue';
export type { Range, Size } from './api/range';
export { Sampler, type SamplerOptions } from './api/sampler';
export { Svm, type SvmOptions } from './api/svm';
export { LocalArgument } from './backend/backend';
export { OpenCLError } from './backend/opencl-error';

nameClasses();
