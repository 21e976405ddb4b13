// SPDX-License-Identifier: MIT
//
// Objects of OpenGL and EGL used in place (cl_khr_gl_sharing, cl_khr_gl_event, cl_khr_egl_image, cl_khr_egl_event).
// They are named by the numbers that GL gave them and by EGL's handles; making those current is the caller's affair.
// Drivers without a display have none of this; every call then says which extension is missing.

import type { BackendContext } from '../../backend/backend';
import type { BackendMemory } from '../../backend/backend-objects';
import { MemFlags, MemObjectType } from '../../cl/constants.gen';
import { guard } from '../checks/guard';
import { unsupported } from '../errors/refusals';
import { handleFor, owningContext } from '../internals';
import type { Context } from './context';
import { Event } from './event';
import { checkConstructor } from './handle';
import { MemoryObject } from './memory-object';

const ACCESS = {
  'read-write': MemFlags.READ_WRITE,
  'read-only': MemFlags.READ_ONLY,
  'write-only': MemFlags.WRITE_ONLY,
} as const;

/** Options of memory that is shared with another API. */
export interface SharedOptions {
  /** How kernels access it. Default: both. */
  readonly access?: keyof typeof ACCESS;
}

/** clGetGLObjectInfo's names for the types of GL objects. */
export type GlObjectType =
  | 'buffer'
  | 'texture-1d'
  | 'texture-2d'
  | 'texture-3d'
  | 'texture-2d-array'
  | 'texture-1d-array'
  | 'texture-buffer'
  | 'renderbuffer'
  | 'unknown';

const GL_OBJECTS: Readonly<Record<number, GlObjectType>> = {
  8192: 'buffer',
  8193: 'texture-2d',
  8194: 'texture-3d',
  8195: 'renderbuffer',
  8206: 'texture-2d-array',
  8207: 'texture-1d',
  8208: 'texture-1d-array',
  8209: 'texture-buffer',
};

/**
 * A buffer, texture or renderbuffer of GL, or an EGLImage: kernels may use it between `acquire` and `release`
 * commands.
 *
 * @example
 * ```ts
 * if (cl.device.extensions.includes('cl_khr_gl_sharing')) {
 *   const vertices = cl.context.gl.buffer(1);
 *   console.log(vertices.glObject.type);           // buffer
 * }
 * ```
 */
export class SharedObject extends MemoryObject {
  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    flags: number,
    /** The API that owns it, for `queue.enqueueAcquire`. */
    readonly origin: 'gl' | 'egl',
  ) {
    checkConstructor(handle, new.target);
    super(handle, context, sizeOf(handle), flags, 0);
  }

  /** Its type and name in GL (clGetGLObjectInfo). */
  get glObject(): { readonly type: GlObjectType; readonly name: number } {
    const functionName = 'clGetGLObjectInfo';
    const handle = this[handleFor](functionName);
    if (!handle.glObject) throw unsupported(functionName, 'cl_khr_gl_sharing');
    const { type, name } = handle.glObject();
    return { type: GL_OBJECTS[type] ?? 'unknown', name };
  }

  /** The texture's target or mipmap level in GL's numbers (clGetGLTextureInfo). */
  glTextureInfo(key: 'TEXTURE_TARGET' | 'MIPMAP_LEVEL' | 'NUM_SAMPLES'): number {
    const functionName = 'clGetGLTextureInfo';
    const handle = this[handleFor](functionName);
    if (!handle.glTextureInfo) throw unsupported(functionName, 'cl_khr_gl_sharing');
    const bytes = handle.glTextureInfo(
      { TEXTURE_TARGET: 0x2004, MIPMAP_LEVEL: 0x2005, NUM_SAMPLES: 0x2012 }[key],
    );
    return new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  }

  /** Whether it is a buffer in OpenCL; all other objects are images. */
  get isBuffer(): boolean {
    return this.memoryInfo('TYPE') === MemObjectType.BUFFER;
  }
}

guard('SharedObject', SharedObject);

/** The size in bytes that the driver reports; 0 if it does not report one before the object is acquired. */
function sizeOf(handle: BackendMemory): number {
  try {
    const bytes = handle.info(0x1102);
    return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  } catch {
    return 0;
  }
}

/**
 * `context.gl`: the context must have been created with the properties of a GL context.
 *
 * @example
 * ```ts
 * if (cl.device.extensions.includes('cl_khr_gl_sharing')) {
 *   const context = cl.device.createContext({ gl: { context: 0x1234n, display: 0x5678n, system: 'egl' } });
 *   const vertices = context.gl.buffer(1);         // the name that glGenBuffers gave
 *   await context.defaultQueue.enqueueAcquire([vertices], 'gl');
 * }
 * ```
 */
export class GlSharing {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** @internal */
  get [owningContext](): object {
    return this.#context;
  }

  /** A GL buffer object (clCreateFromGLBuffer). */
  buffer(name: number, options: SharedOptions = {}): SharedObject {
    return this.#make('clCreateFromGLBuffer', options, (create, flags) => create('buffer', flags, name));
  }

  /** One level of a GL texture (clCreateFromGLTexture); `target` is GL's, such as 0x0DE1 for GL_TEXTURE_2D. */
  texture(
    target: number,
    name: number,
    options: SharedOptions & { readonly level?: number } = {},
  ): SharedObject {
    return this.#make('clCreateFromGLTexture', options, (create, flags) =>
      create('texture', flags, name, target, options.level ?? 0),
    );
  }

  /** A GL renderbuffer (clCreateFromGLRenderbuffer). */
  renderbuffer(name: number, options: SharedOptions = {}): SharedObject {
    return this.#make('clCreateFromGLRenderbuffer', options, (create, flags) =>
      create('renderbuffer', flags, name),
    );
  }

  /**
   * An event that completes with a GL fence; `sync` is the address that glFenceSync returned
   * (clCreateEventFromGLsyncKHR).
   */
  event(sync: bigint): Event {
    const functionName = 'clCreateEventFromGLsyncKHR';
    const handle = this.#context[handleFor](functionName);
    if (!handle.eventFromGlSync) throw unsupported(functionName, 'cl_khr_gl_event');
    return new Event(handle.eventFromGlSync(sync), functionName, this.#context);
  }

  #make(
    functionName: string,
    { access = 'read-write' }: SharedOptions,
    make: (create: NonNullable<BackendContext['createFromGl']>, flags: number) => BackendMemory,
  ): SharedObject {
    const handle = this.#context[handleFor](functionName);
    if (!handle.createFromGl) throw unsupported(functionName, 'cl_khr_gl_sharing');
    const flags = ACCESS[access];
    return new SharedObject(make(handle.createFromGl.bind(handle), flags), this.#context, flags, 'gl');
  }
}

guard('GlSharing', GlSharing);

/**
 * `context.egl`: images and fences of EGL, by its handles.
 *
 * @example
 * ```ts
 * if (cl.device.extensions.includes('cl_khr_egl_image')) {
 *   const frame = cl.context.egl.image(0x1234n, 0x5678n); // an EGLDisplay and an EGLImage
 *   await cl.queue.enqueueAcquire([frame], 'egl');
 * }
 * ```
 */
export class EglSharing {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** @internal */
  get [owningContext](): object {
    return this.#context;
  }

  /** An EGLImage (clCreateFromEGLImageKHR). */
  image(display: bigint, image: bigint, { access = 'read-write' }: SharedOptions = {}): SharedObject {
    const functionName = 'clCreateFromEGLImageKHR';
    const handle = this.#context[handleFor](functionName);
    if (!handle.createFromEglImage) throw unsupported(functionName, 'cl_khr_egl_image');
    const flags = ACCESS[access];
    return new SharedObject(handle.createFromEglImage(display, image, flags), this.#context, flags, 'egl');
  }

  /** An event that completes with an EGL fence (clCreateEventFromEGLSyncKHR). */
  event(sync: bigint, display: bigint): Event {
    const functionName = 'clCreateEventFromEGLSyncKHR';
    const handle = this.#context[handleFor](functionName);
    if (!handle.eventFromEglSync) throw unsupported(functionName, 'cl_khr_egl_event');
    return new Event(handle.eventFromEglSync(sync, display), functionName, this.#context);
  }
}

guard('EglSharing', EglSharing);
