// SPDX-License-Identifier: MIT

import type { BackendKernel } from '../../backend/backend-queue';
import { ErrorCode, KernelExecInfo } from '../../cl/constants.gen';
import { kernelInfo, kernelSubGroupInfo, kernelWorkGroupInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { type KernelArgumentInfo, readArgumentInfo } from '../arguments/arguments';
import { guard } from '../checks/guard';
import { countCalls } from '../errors/call-site';
import { throwFrom } from '../errors/caller-stack';
import { describe, pluralize } from '../errors/describe';
import { illegalReceiver, unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import {
  checkArgumentsSet,
  declareArguments,
  dropReleased,
  enqueueRun,
  handleFor,
  isConstructed,
  isReleased,
  kernelHandle,
  launches,
  owningContext,
} from '../internals';
import { checkRange, type Range } from '../options/range';
import type { CommandOptions, StopOptions } from './command-options';
import type { Context } from './context';
import type { Device } from './device';
import type { Event } from './event';
import { Handle } from './handle';
import { backendArgument, checkIndex, prototypeOf } from './kernel-argument';
import { DevicePointer, type KernelValue } from './kernel-values';
import { watchArguments } from './live-kernels';
import { MemoryObject } from './memory-object';
import type { Program } from './program';
import type { CommandQueue } from './queue';
import type { Svm } from './svm';

/** Properties by name, without `CL_KERNEL_`. */
export type KernelInfo = InfoOf<typeof kernelInfo, { CONTEXT: Context; PROGRAM: Program }>;
/** Properties by name, without `CL_KERNEL_` (clGetKernelSubGroupInfo). */
export type KernelSubGroupInfo = InfoOf<typeof kernelSubGroupInfo>;
/** Properties by name, without `CL_KERNEL_` (clGetKernelWorkGroupInfo). */
export type KernelWorkGroupInfo = InfoOf<typeof kernelWorkGroupInfo>;

/** The range of a launch, and how it runs. */
export interface RunOptions extends Range, CommandOptions, StopOptions {
  /** Default: the context's default queue. */
  readonly queue?: CommandQueue;
}

// Cold error paths are outlined so that V8 can inline the hot callers.

function refuseKernel(kernel: unknown, functionName: string): never {
  const what =
    kernel instanceof Kernel && Kernel[isConstructed](kernel) ? 'one that was released' : describe(kernel);
  const detail = `\`kernel\` must be a Kernel (of program.createKernel), not ${what}`;
  throw new OpenCLError(ErrorCode.INVALID_KERNEL, functionName, detail);
}

function refuseQueue(queue: unknown): never {
  const detail = `\`options.queue\` must be a CommandQueue (of context.createQueue), not ${describe(queue)}`;
  throw new OpenCLError(ErrorCode.INVALID_COMMAND_QUEUE, 'clEnqueueNDRangeKernel', detail);
}

function refuseCount(kernel: Kernel, values: readonly KernelValue[]): never {
  const prototype = prototypeOf(kernel);
  const isOne = values.length === 1;
  const hint = isOne && Array.isArray(values[0]) ? '; give them one by one, as in run(range, ...array)' : '';
  throw new OpenCLError(
    ErrorCode.INVALID_KERNEL_ARGS,
    'clSetKernelArg',
    `kernel '${kernel.name}' takes ${pluralize(kernel.argumentCount, 'argument')}, ${values.length} ${isOne ? 'was' : 'were'} given${prototype ? `: ${prototype}` : ''}${hint}`,
  );
}

function refuseUnset(
  kernel: Kernel,
  held: readonly unknown[],
  dropped: ReadonlySet<number> | undefined,
  functionName: string,
): never {
  const index = held.indexOf(undefined);
  const why = dropped?.has(index) ? 'was released, and its memory was needed' : 'has not been set';
  const name = kernel.arguments[index]?.name;
  throw new OpenCLError(
    ErrorCode.INVALID_KERNEL_ARGS,
    functionName,
    `argument ${index}${name ? ` ('${name}')` : ''} of kernel '${kernel.name}' ${why}`,
  );
}

/**
 * A kernel of a built program, with the arguments of its next launch.
 *
 * @example
 * ```ts
 * const { twice } = (await cl.build('kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }')).kernels;
 * const x = cl.buffer(Float32Array.of(1, 2, 3));
 * await twice.run({ global: 3 }, x);
 * console.log(await x.read(), twice.arguments[0].typeName); // Float32Array(3) [ 2, 4, 6 ] float*
 * ```
 */
export class Kernel<
  Arguments extends readonly KernelValue[] = readonly KernelValue[],
> extends Handle<BackendKernel> {
  /** How many arguments it has. */
  readonly argumentCount: number;
  /** @internal */
  readonly [launches] = countCalls();
  /** Keeps the arguments' objects alive as long as the kernel may use them. */
  readonly #held: (KernelValue | undefined)[];
  /** The handle again: V8 reads a private field of one class several times faster than one that all objects share. */
  #backend: BackendKernel | undefined;
  #missing: number;
  /** Arguments that were set, and whose objects were released and then given up. */
  #dropped: Set<number> | undefined;
  #arguments: readonly KernelArgumentInfo[] | undefined;

  /** @internal */
  constructor(
    handle: BackendKernel,
    /** The program that it is of. */
    readonly program: Program,
    /** The name of its function. */
    readonly name: string,
  ) {
    super(handle, ErrorCode.INVALID_KERNEL);
    this.#backend = handle;
    this.argumentCount = queryInfo(kernelInfo, 'NUM_ARGS', 'clGetKernelInfo', (n) =>
      handle.info(n),
    ) as number;
    this.#held = new Array<KernelValue | undefined>(this.argumentCount).fill(undefined);
    this.#missing = this.argumentCount;
    watchArguments(this);
  }

  /** @internal */
  override get [owningContext](): object {
    return this.program.context;
  }

  /** @internal */
  static [kernelHandle](kernel: Kernel, functionName: string): BackendKernel {
    const live = typeof kernel === 'object' && kernel !== null && #backend in kernel && kernel.#backend;
    return live || refuseKernel(kernel, functionName);
  }

  /** Releases the kernel. Launches that were enqueued run to their end. */
  override release(): void {
    super.release();
    this.#backend = undefined;
  }

  /** The declared arguments; types are known if the driver keeps them (`-cl-kernel-arg-info`). */
  get arguments(): readonly KernelArgumentInfo[] {
    this.#arguments ??= readArgumentInfo(
      this[handleFor]('clGetKernelArgInfo'),
      this.argumentCount,
      this.program.hasGuessedPointees,
    );
    return this.#arguments;
  }

  /** @internal Types that are known from the source, where the driver does not tell them or names a typedef. */
  [declareArguments](types: readonly string[]): void {
    this.#arguments = this.arguments.map((argument, i) => argument.declaredAs(types[i] ?? ''));
  }

  /**
   * A property by its name without `CL_KERNEL_`, or by number as bytes (clGetKernelInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof KernelInfo>(key: K): KernelInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof KernelInfo | number): unknown {
    const handle = this[handleFor]('clGetKernelInfo');
    const own = { CONTEXT: this.program.context, PROGRAM: this.program };
    return queryInfo(kernelInfo, key, 'clGetKernelInfo', (param) => handle.info(param), own);
  }

  /**
   * A property on a device, the first one unless it is given, by its name without `CL_KERNEL_`, or by number as bytes
   * (clGetKernelWorkGroupInfo).
   */
  workGroupInfo<K extends keyof KernelWorkGroupInfo>(key: K, device?: Device): KernelWorkGroupInfo[K];
  workGroupInfo(key: number, device?: Device): Uint8Array;
  workGroupInfo(
    key: keyof KernelWorkGroupInfo | number,
    device: Device = this.program.context.device,
  ): unknown {
    const functionName = 'clGetKernelWorkGroupInfo';
    return queryInfo(kernelWorkGroupInfo, key, functionName, (param) =>
      this[handleFor](functionName).workGroupInfo(device[handleFor](functionName), param),
    );
  }

  /** A property for a local size, by its name without `CL_KERNEL_`, or by number as bytes (clGetKernelSubGroupInfo). */
  subGroupInfo<K extends keyof KernelSubGroupInfo>(
    key: K,
    local?: readonly number[],
    device?: Device,
  ): KernelSubGroupInfo[K];
  subGroupInfo(key: number, local?: readonly number[], device?: Device): Uint8Array;
  /**
   * A property of sub-groups in work-groups of the size `local`; for LOCAL_SIZE_FOR_SUB_GROUP_COUNT, `local` is the count.
   * Properties that do not depend on it need no `local`.
   */
  subGroupInfo(
    key: keyof KernelSubGroupInfo | number,
    local: readonly number[] = [],
    device: Device = this.program.context.device,
  ): unknown {
    const functionName = 'clGetKernelSubGroupInfo';
    return queryInfo(kernelSubGroupInfo, key, functionName, (param) =>
      this[handleFor](functionName).subGroupInfo(device[handleFor](functionName), param, local),
    );
  }

  /** Shared memory that the kernel accesses through pointers in memory, not through its arguments. */
  useSvm(...pointers: readonly Svm[]): this {
    const functionName = 'clSetKernelExecInfo';
    const handles = pointers.map((svm) => svm[handleFor](functionName).svm);
    this[handleFor](functionName).setExecInfo(KernelExecInfo.SVM_PTRS, handles);
    return this;
  }

  /** A local size that suits kernel and device for this range (clGetKernelSuggestedLocalWorkSize). */
  suggestedLocalSize(
    range: Range,
    queue: CommandQueue = this.program.context.defaultQueue,
  ): readonly number[] {
    const functionName = 'clGetKernelSuggestedLocalWorkSize';
    const { global, offset } = checkRange(range, functionName);
    return this[handleFor](functionName).suggestedLocalSize(queue[handleFor](functionName), global, offset);
  }

  /**
   * Sets the value of argument `index` for all later launches (clSetKernelArg).
   * @throws OpenCLError INVALID_ARG_INDEX, INVALID_ARG_VALUE, INVALID_ARG_SIZE
   */
  setArg(index: number, value: KernelValue): this {
    try {
      return this.#setArg(index, value);
    } catch (error) {
      if (!(#held in Object(this)))
        throwFrom(Kernel.prototype.setArg, illegalReceiver(this, 'Kernel.setArg'));
      throwFrom(Kernel.prototype.setArg, error);
    }
  }

  #setArg(index: number, value: KernelValue): this {
    const functionName = 'clSetKernelArg';
    const handle = Kernel[kernelHandle](this, functionName);
    if (typeof index !== 'number') checkIndex(this, index, functionName);
    if (this.#isSet(index, value)) return this;
    if (typeof value === 'number') {
      // The usual case: a value, without an allocation.
      const argument = this.#arguments?.[index];
      const box = argument?.box;
      if (box) {
        box[0] = value;
        if (box[0] === value || argument.rounds) {
          handle.setArg(index, box);
          return this.#hold(index, value);
        }
      }
    }
    checkIndex(this, index, functionName);
    if (value instanceof DevicePointer) return this.setDevicePointer(index, value.address);
    handle.setArg(index, backendArgument(this, index, value));
    return this.#hold(index, value);
  }

  #hold(index: number, value: KernelValue): this {
    if (this.#held[index] === undefined) this.#missing--;
    this.#held[index] = value;
    return this;
  }

  /**
   * Whether the argument has this value already: many scripts set all arguments before each launch, and few of them change.
   */
  #isSet(index: number, value: KernelValue): boolean {
    if (value !== this.#held[index]) return false;
    if (typeof value === 'number') return value !== 0 || Object.is(value, this.#held[index]);
    return value instanceof MemoryObject && !value[isReleased];
  }

  /**
   * Sets a pointer argument to a device address (clSetKernelArgDevicePointerEXT, cl_ext_buffer_device_address): that of a
   * buffer (its `DEVICE_ADDRESS_EXT`), or one within it. The buffer must outlive the kernel's launches.
   */
  setDevicePointer(index: number, address: bigint): this {
    const functionName = 'clSetKernelArgDevicePointerEXT';
    const handle = this[handleFor](functionName);
    if (!handle.setDevicePointer) throw unsupported(functionName, 'cl_ext_buffer_device_address');
    checkIndex(this, index, functionName);
    handle.setDevicePointer(index, address);
    return this.#hold(index, new DevicePointer(address));
  }

  /** Sets all arguments, in order. */
  setArgs(...values: Arguments): this {
    try {
      return this.#setArgs(values);
    } catch (error) {
      if (!(#held in Object(this)))
        throwFrom(Kernel.prototype.setArgs, illegalReceiver(this, 'Kernel.setArgs'));
      throwFrom(Kernel.prototype.setArgs, error);
    }
  }

  #setArgs(values: readonly KernelValue[]): this {
    if (values.length !== this.argumentCount) refuseCount(this, values);
    for (let i = 0; i < values.length; i++) this.#setArg(i, values[i]!);
    return this;
  }

  /** Sets the arguments and runs the kernel over the range. Await the event for its completion. */
  run(options: RunOptions, ...values: Arguments): Event {
    this.#setArgs(values);
    const queue = options.queue ?? this.program.context.defaultQueue;
    // A getter may have answered differently before.
    if (typeof queue[enqueueRun] !== 'function') refuseQueue(queue);
    return queue[enqueueRun](this, options, options);
  }

  /** The same, blocking the thread until the kernel has run. */
  runSync(options: RunOptions, ...values: Arguments): void {
    const event = this.run(options, ...values);
    try {
      event.waitSync();
    } finally {
      event.release();
    }
  }

  /** A copy with its own arguments, initialized with the current ones (clCloneKernel). */
  clone(): Kernel<Arguments> {
    const copy = new Kernel<Arguments>(this[handleFor]('clCloneKernel').clone(), this.program, this.name);
    copy.#held.splice(0, this.argumentCount, ...this.#held);
    copy.#missing = this.#missing;
    return copy;
  }

  /** @internal */
  [dropReleased](): void {
    for (const [index, value] of this.#held.entries()) {
      if (!(value instanceof MemoryObject) || !value[isReleased]) continue;
      try {
        this.#backend?.setArg(index, null);
      } catch {
        // An image: nothing but another one takes its place.
        continue;
      }
      this.#held[index] = undefined;
      this.#dropped = (this.#dropped ?? new Set()).add(index);
      this.#missing++;
    }
  }

  /** @internal */
  [checkArgumentsSet](functionName: string): void {
    if (this.#missing > 0) refuseUnset(this, this.#held, this.#dropped, functionName);
  }
}

guard('Kernel', Kernel);
