// SPDX-License-Identifier: MIT

import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import { checkArguments, guard } from './checks/guard';
import { either, instance, list, optional, options, signal, text } from './checks/kinds';
import { softwareOptions } from './checks/parameters';
import type { ImageFormatName, PixelArray } from './data/image-formats';
import type { TypedArray, TypedArrayConstructor } from './data/typed-arrays';
import { mistake, throwFrom, throwTidily } from './errors/caller-stack';
import { handleFor, owningContext, queueInUse } from './internals';
import type { Buffer, BufferOptions } from './objects/buffer';
import { Context } from './objects/context';
import type { Device } from './objects/device';
import type { Image, ImageOptions, ImageShape } from './objects/image';
import type { KernelSignatures } from './objects/kernel-types';
import { type Platform, platforms, softwarePlatform } from './objects/platform';
import type { KernelNames, Program } from './objects/program';
import type { CommandQueue } from './objects/queue';
import type { Sampler, SamplerOptions } from './objects/sampler';
import { terminateIfPossible } from './objects/stops';
import { unlessAborted, type Waiting } from './options/abort';
import type { ContextOptions } from './options/context-options';
import { type Choice, preferredDevice } from './preference';
import { remoteDevices } from './remote';
import { debugs, settings } from './runtime';

/** Options of `open` and `openSync`. */
export interface OpenOptions {
  /**
   * Which device: a type (`'gpu'`, `'cpu'`, `'accelerator'`, `'software'`), `'platform:device'` as numbers, a part of a
   * name, or a device itself. Default: the device in ANYCL_DEVICE, otherwise the best one: GPU, accelerator, then the
   * faster of the processor's drivers and the software device. `device.chosen` says why, and ANYCL_DEBUG=device prints
   * it.
   */
  readonly device?: string | Device;
  /**
   * Devices of other machines, as `remoteDevices` takes them, which become part of `platforms()`. Unless `device` names another one,
   * the first of them is opened.
   */
  readonly remote?: readonly string[];
  /** As the option of contexts: the faults of kernels to look for, on the software device. */
  readonly check?: ContextOptions['check'];
  /** As the option of contexts, for `check: ['loops']`. */
  readonly checkBudget?: ContextOptions['checkBudget'];
  /** As the option of contexts: kernels count what they execute, on the software device. */
  readonly coverage?: ContextOptions['coverage'];
  /** As the option of contexts: milliseconds that each launch may run, on the software device. */
  readonly timeout?: ContextOptions['timeout'];
  /** As the option of contexts: bytes that the context may allocate in all, on the software device. */
  readonly maxMemory?: ContextOptions['maxMemory'];
  /** As the option of contexts: kernels are kept to what they are given, on the software device. */
  readonly robust?: ContextOptions['robust'];
}

/**
 * Finds a device as `OpenOptions.device` describes it.
 * @throws OpenCLError DEVICE_NOT_FOUND; the message lists the devices
 */
export function findDevice(selector?: string): Device {
  try {
    return found(selector);
  } catch (error) {
    throwFrom(findDevice, error);
  }
}

function found(selector: string | undefined): Device {
  checkArguments('findDevice', 'clGetDeviceIDs', { selector: optional(text) }, [selector]);
  const { device, reason } = choose(selector);
  device.chosen = reason;
  if (debugs('device')) console.error(`anycl: ${device.name} was chosen: ${reason}`);
  return device;
}

function choose(given: string | undefined): Choice {
  const selector = given ?? settings().device;
  const reason =
    given === undefined ? `ANYCL_DEVICE is '${selector}'` : `it was asked for with '${selector}'`;
  if (selector === 'software') return { device: softwarePlatform().devices[0]!, reason };
  const all = platforms();
  if (selector === undefined || selector === '')
    return preferredDevice(all.flatMap((platform) => platform.devices));
  return { device: matching(selector, all), reason };
}

/** A type has precedence over a name, and the device's name over its platform's. */
function matching(selector: string, all: readonly Platform[]): Device {
  const devices = all.flatMap((platform) => platform.devices);
  const wanted = selector.toLowerCase();
  const position = /^(\d+):(\d+)$/.exec(wanted);
  const found = position
    ? all[Number(position[1])]?.devices[Number(position[2])]
    : (devices.find((device) => device.type === wanted) ??
      devices.find((device) => `${device.platform.name} ${device.name}`.toLowerCase().includes(wanted)) ??
      devices.find((device) => device.platform.version.toLowerCase().includes(wanted)));
  if (found === undefined) {
    throw new OpenCLError(
      ErrorCode.DEVICE_NOT_FOUND,
      'clGetDeviceIDs',
      `no device '${selector}'; there are ${listDevices(all)}`,
    );
  }
  return found;
}

function listDevices(all: readonly Platform[]): string {
  return all
    .flatMap((platform, p) =>
      platform.devices.map((device, d) => `${p}:${d} ${device.name} (${device.type})`),
    )
    .join(', ');
}

/** How a session is closed. */
export interface CloseOptions {
  /** Whether commands that are not complete end, instead of running to their end. */
  readonly terminate?: boolean;
}

/**
 * A device with a context and a queue. Most programs need nothing else.
 *
 * @example
 * ```ts
 * const session = await open({ device: 'software' });
 * const memory = session.buffer(Float32Array.of(1, 2, 3));
 * console.log(session.device.type, (await memory.read()).length); // software 3
 * session.close();
 * ```
 */
export class Session {
  /** @internal */
  constructor(
    /** The device that was opened. */
    readonly device: Device,
    /** The context of everything that the session makes. */
    readonly context: Context,
  ) {
    if (!(context instanceof Context))
      throwFrom(Session as never, mistake(new TypeError('a Session is not made with `new`, but by `open`')));
  }

  /** @internal */
  get [owningContext](): object {
    return this.context;
  }

  /** The queue that commands go to unless they name one: in-order, with profiling. */
  get queue(): CommandQueue {
    return this.context.defaultQueue;
  }

  /**
   * Builds OpenCL C, or SPIR-V given as bytes.
   *
   * The types of the kernels' arguments can be given: `cl.build<{ half(x: Buffer<Float32Array>): void }>(source)`. They are
   * not compared with the source; `anycl types` makes them of it.
   * @throws OpenCLError BUILD_PROGRAM_FAILURE with the compiler's messages in `buildLog`
   */
  build<const S extends string | Uint8Array>(
    source: S,
    options?: string,
    waiting?: Waiting,
  ): Promise<Program<KernelNames<S>>>;
  build<Signatures extends KernelSignatures<Signatures>>(
    source: string | Uint8Array,
    options?: string,
    waiting?: Waiting,
  ): Promise<Program<Signatures>>;
  build(source: string | Uint8Array, options?: string, waiting?: Waiting): Promise<Program>;
  async build(source: string | Uint8Array, options = '', waiting: Waiting = {}): Promise<Program> {
    return this.#program(source).build(options, undefined, waiting);
  }

  /** As `build`, blocking the thread meanwhile. */
  buildSync<const S extends string | Uint8Array>(source: S, options?: string): Program<KernelNames<S>>;
  buildSync<Signatures extends KernelSignatures<Signatures>>(
    source: string | Uint8Array,
    options?: string,
  ): Program<Signatures>;
  buildSync(source: string | Uint8Array, options?: string): Program;
  buildSync(source: string | Uint8Array, options = ''): Program {
    return this.#program(source).buildSync(options);
  }

  /** A buffer with the contents of an array, of `length` elements of a type, or of a number of bytes. */
  buffer<T extends TypedArray>(data: T, options?: BufferOptions): Buffer<T>;
  buffer<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: BufferOptions,
  ): Buffer<T>;
  buffer(bytes: number, options?: BufferOptions): Buffer<Uint8Array>;
  buffer(
    what: TypedArray | TypedArrayConstructor | number,
    lengthOrOptions?: number | BufferOptions,
    options?: BufferOptions,
  ): Buffer {
    return this.context.createBuffer(what as TypedArrayConstructor, lengthOrOptions as number, options);
  }

  /** An image of a shape and a format, with the contents of an array or undefined: `context.createImage`. */
  image<F extends ImageFormatName>(
    shape: ImageShape<F>,
    data?: ArrayBufferView,
    options?: ImageOptions,
  ): Image<PixelArray<F>> {
    return this.context.createImage(shape, data, options);
  }

  /** A sampler for images: `context.createSampler`. */
  sampler(options?: SamplerOptions): Sampler {
    return this.context.createSampler(options);
  }

  /**
   * Releases everything at once. Commands that were enqueued before still run to their end, their promises settle, and the process
   * stays until then; with `terminate` the session's queue ends them first, as `queue.terminate` does: they fail with
   * COMMAND_TERMINATED. Drivers cannot end commands: there they go on, and the process may end meanwhile.
   */
  close(options: CloseOptions = {}): void {
    if (this.context.released) return;
    // Not the getter: it would create a queue, which a lost device cannot.
    const queue = this.context[queueInUse];
    if (queue && options.terminate) terminateIfPossible(queue[handleFor]('clReleaseContext'));
    queue?.release();
    this.context.release();
  }

  /** As `close`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Waits for the queue to be idle, then closes: for ever, if a command never ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.context.released) return;
    await this.context[queueInUse]?.finish();
    this.close();
  }

  #program(source: string | Uint8Array): Program {
    return typeof source === 'string'
      ? this.context.createProgram(source)
      : this.context.createProgramWithIL(source);
  }
}

guard('Session', Session);

/**
 * Opens the best device, or the requested one. Also prepares the software device's compiler while its threads start, so
 * that the first build is about as fast as later ones. Throws OpenCLError DEVICE_NOT_FOUND.
 */
export async function open(options: OpenOptions & Waiting = {}): Promise<Session> {
  try {
    const [own] = checkArguments('open', 'clCreateContext', { options: openOptions }, [options]);
    const prepared = async () => {
      const { remote, ...local } = own;
      const devices = remote ? await remoteDevices(remote) : [];
      const device = own.device ?? devices[0];
      const session = opened(device ? { ...local, device } : local);
      try {
        await session.context[handleFor]('clCreateContext').prepare?.(own.signal);
      } catch (error) {
        session.close();
        throw error;
      }
      return session;
    };
    return await unlessAborted(prepared, own.signal, (session) => session.close());
  } catch (error) {
    throwTidily(error);
  }
}

const syncOptions = {
  signal,
  ...softwareOptions,
  device: either('a string or a Device', text, instance('Device', 'a Device', ErrorCode.INVALID_DEVICE)),
};
const openSyncOptions = options(syncOptions);
const openOptions = options({ ...syncOptions, remote: list(text) });

/** As `open`, but returns at once: the first build prepares the compiler. */
export function openSync(options: Omit<OpenOptions, 'remote'> = {}): Session {
  try {
    const [own] = checkArguments('openSync', 'clCreateContext', { options: openSyncOptions }, [options]);
    return opened(own);
  } catch (error) {
    throwFrom(openSync, error);
  }
}

function opened(options: OpenOptions): Session {
  const device = typeof options.device === 'object' ? options.device : found(options.device);
  const { check, checkBudget, coverage, timeout, maxMemory, robust } = options;
  const given = Object.entries({ check, checkBudget, coverage, timeout, maxMemory, robust }).filter(
    ([, value]) => value !== undefined,
  );
  return new Session(device, Context.create([device], Object.fromEntries(given)));
}
