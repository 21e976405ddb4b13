// SPDX-License-Identifier: MIT

import type { BackendProgram } from '../../backend/backend';
import type { BackendKernel } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { kernelInfo, programBuildInfo, programInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { checkView } from '../data/transfers';
import { inPlaceOf, throwFrom } from '../errors/caller-stack';
import { unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { checkBuiltFor, handleFor } from '../internals';
import { unlessAborted, type Waiting } from '../options/abort';
import { completedOptions } from '../options/build-options';
import { settings } from '../runtime';
import type { Context } from './context';
import type { Device } from './device';
import { Handle } from './handle';
import { Kernel } from './kernel';
import type { ArgumentsOf } from './kernel-types';

/** Properties by name, without `CL_PROGRAM_`. */
export type ProgramInfo = InfoOf<
  typeof programInfo,
  { CONTEXT: Context; DEVICES: readonly Device[]; BINARIES: readonly Uint8Array[] }
>;
/** Properties by name, without `CL_PROGRAM_BUILD_`. */
export type ProgramBuildInfo = InfoOf<typeof programBuildInfo>;

/** Kernels by name; a name that the program does not have throws INVALID_KERNEL_NAME and lists those it has. */
export type Kernels<Known = never> = [Known] extends [string]
  ? { readonly [Name in Known]: Kernel } & Readonly<Record<string, Kernel>>
  : { readonly [Name in keyof Known]: Kernel<ArgumentsOf<Known[Name]>> };

/**
 * The names of the kernels that a source written as a literal defines, as far as types can read them: `kernel void NAME(`.
 * With `noUncheckedIndexedAccess` TypeScript knows that these exist; others may be undefined.
 */
export type KernelNames<Source> = string extends Source
  ? never
  : Source extends `${string}kernel void ${infer Name}(${infer Rest}`
    ? Trim<Name> | KernelNames<Rest>
    : never;
type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

/** Separate from the check, which is part of each enqueue. */
function refuseDevice(device: Device, functionName: string): never {
  const detail = `the program has not been built for '${device.name}'`;
  throw new OpenCLError(ErrorCode.INVALID_PROGRAM_EXECUTABLE, functionName, detail);
}

/**
 * A program from source, SPIR-V or binaries; `build` makes its kernels available. `Known` is what types know of these: a union of
 * their names, or their signatures by name.
 *
 * @example
 * ```ts
 * const program = await cl.build('kernel void a() {} kernel void b() {}', '-cl-std=CL3.0');
 * console.log(program.kernelNames);                // [ 'a', 'b' ]
 * await program.kernels.a.run({ global: 1 });
 * ```
 */
export class Program<Known = never> extends Handle<BackendProgram> {
  #kernels: Kernels | undefined;
  /** Undefined until `build` has chosen devices: linked programs are for all devices of the context. */
  #builtFor: Set<Device> | undefined;

  /** @internal */
  constructor(
    handle: BackendProgram,
    /** The context that it belongs to. */
    readonly context: Context,
    /** @internal Whether the types that its kernels' pointers point to are guesses. */
    readonly hasGuessedPointees = false,
  ) {
    super(handle, ErrorCode.INVALID_PROGRAM);
  }

  /**
   * Compiles and links for the context's devices (clBuildProgram), on another thread if it takes long. On the software
   * device `signal` ends the build. A driver's build continues, and only the wait for it ends.
   * @throws OpenCLError BUILD_PROGRAM_FAILURE with `buildLog`, INVALID_BUILD_OPTIONS
   */
  async build(
    options = '',
    devices: readonly Device[] = this.context.devices,
    { signal }: Waiting = {},
  ): Promise<this> {
    const functionName = 'clBuildProgram';
    const program = this[handleFor](functionName);
    const targets = devices.map((device) => device[handleFor](functionName));
    const built = () => this.#addBuilt(devices);
    await unlessAborted(
      () =>
        program.build(targets, completedOptions(options, functionName), signal).then(built, explainOptions),
      signal,
    );
    return this;
  }

  /** The same, blocking the thread. */
  buildSync(options = '', devices: readonly Device[] = this.context.devices): this {
    const functionName = 'clBuildProgram';
    const program = this[handleFor](functionName);
    const targets = devices.map((device) => device[handleFor](functionName));
    try {
      program.buildSync(targets, completedOptions(options, functionName));
    } catch (error) {
      explainOptions(error);
    }
    return this.#addBuilt(devices);
  }

  #addBuilt(devices: readonly Device[]): this {
    this.#builtFor = new Set([...(this.#builtFor ?? []), ...devices]);
    return this;
  }

  /** @internal Some drivers end the process for a kernel that was not built for the queue's device. */
  [checkBuiltFor](device: Device, functionName: string): void {
    if (this.context.devices.length > 1 && this.#builtFor?.has(device) === false)
      refuseDevice(device, functionName);
  }

  /**
   * Compiles without linking (clCompileProgram); `headers` are programs by the name that `#include` gives. Link the
   * result with `context.link`.
   */
  async compile(
    options = '',
    headers: Readonly<Record<string, Program>> = {},
    { signal }: Waiting = {},
  ): Promise<this> {
    const functionName = 'clCompileProgram';
    const handles = new Map(
      Object.entries(headers).map(([name, program]) => [name, program[handleFor](functionName)]),
    );
    const program = this[handleFor](functionName);
    const devices = this.context.devices.map((device) => device[handleFor](functionName));
    await unlessAborted(
      () =>
        program
          .compile(devices, completedOptions(options, functionName), handles, signal)
          .catch(explainOptions),
      signal,
    );
    return this;
  }

  /** Sets a specialization constant of a SPIR-V program before it is built (clSetProgramSpecializationConstant). */
  specialize(id: number, value: ArrayBufferView): this {
    const functionName = 'clSetProgramSpecializationConstant';
    checkView(value, functionName);
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    this[handleFor](functionName).setSpecializationConstant(id, bytes);
    return this;
  }

  /**
   * A property by its name without `CL_PROGRAM_`, or by number as bytes (clGetProgramInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof ProgramInfo>(key: K): ProgramInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof ProgramInfo | number): unknown {
    const handle = this[handleFor]('clGetProgramInfo');
    const own = {
      CONTEXT: this.context,
      DEVICES: this.context.devices,
      get BINARIES() {
        return handle.binaries();
      },
    };
    return queryInfo(programInfo, key, 'clGetProgramInfo', (param) => handle.info(param), own);
  }

  /**
   * A property of the build on a device, by its name without `CL_PROGRAM_`, or by number as bytes
   * (clGetProgramBuildInfo).
   */
  buildInfo<K extends keyof ProgramBuildInfo>(key: K, device?: Device): ProgramBuildInfo[K];
  buildInfo(key: number, device?: Device): Uint8Array;
  buildInfo(key: keyof ProgramBuildInfo | number, device: Device = this.context.device): unknown {
    const functionName = 'clGetProgramBuildInfo';
    return queryInfo(programBuildInfo, key, functionName, (param) =>
      this[handleFor](functionName).buildInfo(device[handleFor](functionName), param),
    );
  }

  /** The log of the last build, including warnings. */
  get log(): string {
    return this.buildInfo('BUILD_LOG');
  }

  /** One binary for each device, for a later `createProgramWithBinary`. */
  get binaries(): readonly Uint8Array[] {
    return this[handleFor]('clGetProgramInfo').binaries();
  }

  /** The names of its kernels, once it is built. */
  get kernelNames(): readonly string[] {
    return this[handleFor]('clGetProgramInfo').kernelNames();
  }

  /** A new kernel object, with its own arguments. Throws INVALID_KERNEL_NAME. */
  createKernel(name: string): Kernel {
    const functionName = 'clCreateKernel';
    const handle = this[handleFor](functionName);
    if (!executed(() => hasKernel(handle, name), functionName)) {
      const names = handle.kernelNames();
      const has = names.length > 0 ? `it has ${names.map((n) => `'${n}'`).join(', ')}` : 'it has none';
      throw new OpenCLError(
        ErrorCode.INVALID_KERNEL_NAME,
        functionName,
        `the program has no kernel '${name}'; ${has}`,
      );
    }
    return new Kernel(handle.createKernel(name), this, name);
  }

  /** A kernel of each name in the program (clCreateKernelsInProgram). */
  createKernels(): readonly Kernel[] {
    const functionName = 'clCreateKernelsInProgram';
    const handle = this[handleFor](functionName);
    const kernels = executed(
      () => handle.createKernels?.() ?? handle.kernelNames().map((name) => handle.createKernel(name)),
      functionName,
    );
    const nameOf = (kernel: BackendKernel) =>
      queryInfo(kernelInfo, 'FUNCTION_NAME', 'clGetKernelInfo', (param) => kernel.info(param)) as string;
    return kernels.map((kernel) => new Kernel(kernel, this, nameOf(kernel)));
  }

  /** Calls back when the program is destroyed (clSetProgramReleaseCallback, only in OpenCL 2.2). */
  onRelease(listener: () => void): void {
    const functionName = 'clSetProgramReleaseCallback';
    const handle = this[handleFor](functionName);
    if (!handle.onRelease) throw unsupported(functionName, 'OpenCL 2.2, which later versions took back');
    handle.onRelease(listener);
  }

  /** The program's kernels, one object for each name, created on first access. */
  get kernels(): Kernels<Known> {
    this.#kernels ??= this.#kernelsByName();
    return this.#kernels as Kernels<Known>;
  }

  #kernelsByName(): Kernels {
    const made = new Map<string, Kernel>();
    const get = (name: string): Kernel => {
      let kernel = made.get(name);
      if (kernel === undefined) {
        kernel = this.createKernel(name);
        made.set(name, kernel);
      }
      return kernel;
    };
    const has = (name: string | symbol): name is string =>
      typeof name === 'string' && !this.released && hasKernel(this[handleFor]('clGetProgramInfo'), name);
    const asked = (_: object, name: string | symbol): unknown => {
      // An unknown name throws, except for those that the language accesses by itself.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if ((name in Object.prototype || name === 'toJSON') && !has(name)) return Reflect.get({}, name);
      try {
        return get(name);
      } catch (error) {
        throwFrom(asked, error);
      }
    };
    // A program may have 10^5 kernels: no property is created before it is asked for.
    const names = (): readonly string[] => (this.released ? [] : this.kernelNames);
    const property = (name: string) => ({ enumerable: true, configurable: true, get: () => get(name) });
    // util.inspect does not ask the proxy, but its target.
    const all = (): object =>
      Object.defineProperties({}, Object.fromEntries(names().map((name) => [name, property(name)])));
    const target: Record<string, Kernel> = Object.defineProperty({}, INSPECT, {
      configurable: true,
      value: all,
    });
    return new Proxy<Record<string, Kernel>>(target, {
      get: asked,
      has: (_, name) => has(name) || name in Object.prototype,
      ownKeys: () => [...names()],
      getOwnPropertyDescriptor: (_, name) => (has(name) ? property(name) : undefined),
    });
  }
}

/** A program that was built again may have other names. */
const hasKernel = (handle: BackendProgram, name: string): boolean =>
  handle.hasKernel?.(name) ?? handle.kernelNames().includes(name);

/** What `ask` returns; if there is no executable, the error names the function that was called and what it needs. */
function executed<T>(ask: () => T, functionName: string): T {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof OpenCLError && error.code === ErrorCode.INVALID_PROGRAM_EXECUTABLE)) throw error;
    throw new OpenCLError(
      error.code,
      functionName,
      'the program has no kernels yet: await `build()`; one that was compiled needs `context.link()`',
    );
  }
}

/** What `util.inspect` and `console.log` of Node.js call. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

guard('Program', Program);

/** Throws the error of a build. Whoever reads that options are wrong may not know of those that the environment adds. */
function explainOptions(error: unknown): never {
  const { buildOptions } = settings();
  if (
    buildOptions &&
    error instanceof OpenCLError &&
    (error.code === ErrorCode.INVALID_BUILD_OPTIONS || error.code === ErrorCode.INVALID_COMPILER_OPTIONS)
  )
    throw inPlaceOf(
      new OpenCLError(
        error.code,
        error.functionName,
        `${(error.buildLog ?? error.message).trimEnd()}\nnote: ANYCL_BUILD_OPTIONS adds '${buildOptions}'`,
        error.buildLog,
      ),
      error,
    );
  throw error;
}
