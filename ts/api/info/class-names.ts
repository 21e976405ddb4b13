// SPDX-License-Identifier: MIT

import { SharedObject } from '../interop/gl-sharing';
import { Buffer, Mapping } from '../objects/buffer';
import { CommandBuffer } from '../objects/command-buffer';
import { Context } from '../objects/context';
import { Device } from '../objects/device';
import { Event, UserEvent } from '../objects/event';
import { Image } from '../objects/image';
import { DevicePointer, Kernel } from '../objects/kernel';
import { Pipe } from '../objects/pipe';
import { Platform } from '../objects/platform';
import { Program } from '../objects/program';
import { CommandQueue } from '../objects/queue';
import { Sampler } from '../objects/sampler';
import { Semaphore } from '../objects/semaphore';
import { Svm } from '../objects/svm';
import { Session } from '../open';

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
