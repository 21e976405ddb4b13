// SPDX-License-Identifier: MIT
//
// The API's classes by name. `guard` registers a class before it has any objects. The kinds of arguments refer to classes by name, so
// that they do not depend on the classes that they guard.

export type ClassName =
  | 'Buffer'
  | 'CommandBuffer'
  | 'CommandQueue'
  | 'Context'
  | 'Device'
  | 'DevicePointer'
  | 'EglSharing'
  | 'Event'
  | 'GlSharing'
  | 'Handle'
  | 'Image'
  | 'Kernel'
  | 'KernelModule'
  | 'Mapping'
  | 'MemoryHandle'
  | 'MemoryObject'
  | 'ModuleKernel'
  | 'Pipe'
  | 'Platform'
  | 'Program'
  | 'Sampler'
  | 'Semaphore'
  | 'Session'
  | 'SharedObject'
  | 'Svm'
  | 'UserEvent';

export interface PublicClass {
  readonly name: string;
  readonly prototype: object;
  /** Only for classes over a backend's handle. */
  [isConstructed]?(value: unknown): boolean;
}

const known = new Map<ClassName, PublicClass>();

import { isConstructed } from '../internals';

/** The bundler renames classes that refer to themselves. Messages and console.log show these names. */
export function addClass(name: ClassName, type: PublicClass): void {
  Object.defineProperty(type, 'name', { value: name });
  known.set(name, type);
}

export const classNamed = (name: ClassName): PublicClass | undefined => known.get(name);

/** Whether a value is an object of the class that the API created: an object that only inherits from the prototype is not. */
export const isInstance = (type: PublicClass, value: unknown): boolean =>
  Object.prototype.isPrototypeOf.call(type.prototype, value as object) &&
  (type[isConstructed]?.(value) ?? true);
