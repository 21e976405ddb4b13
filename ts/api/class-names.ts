// SPDX-License-Identifier: MIT
import { Buffer, Mapping } from './buffer';
import { CommandBuffer } from './command-buffer';
import { Context } from './context';
import { Device } from './device';
import { Event, UserEvent } from './event';
import { SharedObject } from './gl-sharing';
import { Image } from './image';
import { DevicePointer, Kernel } from './kernel';
import { Session } from './open';
import { Pipe } from './pipe';
import { Platform } from './platform';
import { Program } from './program';
import { CommandQueue } from './queue';
import { Sampler } from './sampler';
import { Semaphore } from './semaphore';
import { Svm } from './svm';

const classes = {
  Buffer,
  CommandBuffer,
  CommandQueue,
  Context,
  Device,
  DevicePointer,
  Event,
  Image,
  Kernel,
  Mapping,
  Pipe,
  Platform,
  Program,
  Sampler,
  Semaphore,
  Session,
  SharedObject,
  Svm,
  UserEvent,
};

/** The bundler renames classes that mention themselves; messages and console.log show these names. */
export function nameClasses(): void {
  for (const [name, type] of Object.entries(classes)) Object.defineProperty(type, 'name', { value: name });
}
