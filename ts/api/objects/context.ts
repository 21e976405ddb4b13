// SPDX-License-Identifier: MIT

import type { BackendContext } from '../../backend/backend';
import { ErrorCode } from '../../cl/constants.gen';
import { contextInfo, type imageRequirementsInfo } from '../../cl/info-keys.gen';
import type { InfoValues } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import { hasGuessedPointees } from '../arguments/guessed-pointees';
import { guard } from '../checks/guard';
import {
  formatName,
  type ImageFormatName,
  type NamedImageFormat,
  type PixelArray,
} from '../data/image-formats';
import { refuseFileName, refuseText } from '../data/program-source';
import { checkView } from '../data/transfers';
import type { TypedArray, TypedArrayConstructor } from '../data/typed-arrays';
import { pluralize } from '../errors/describe';
import { unsupported } from '../errors/refusals';
import { DeviceLimits } from '../info/device-limits';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor, isReleased, limits, owningContext, queueInUse, releasedError, wrap } from '../internals';
import { EglSharing, GlSharing } from '../objects/gl-sharing';
import { unlessAborted, type Waiting } from '../options/abort';
import { checkedOptions } from '../options/build-options';
import { type ContextOptions, checkContextOptions, contextProperties } from '../options/context-options';
import { type Buffer, type BufferOptions, newBuffer } from './buffer';
import { CommandBuffer, type CommandBufferOptions } from './command-buffer';
import type { Device } from './device';
import { UserEvent } from './event';
import { Handle } from './handle';
import {
  IMAGE_TYPE,
  type Image,
  type ImageOptions,
  type ImageShape,
  type ImageType,
  imageRequirement,
  newImage,
} from './image';
import { type MemoryOptions, memoryFlags } from './memory-object';
import { newPipe, type Pipe } from './pipe';
import { Program } from './program';
import { CommandQueue } from './queue';
import { isOnDevice, type QueueOptions, queueProperties } from './queue-options';
import { Sampler, type SamplerOptions, samplerProperties } from './sampler';
import { Semaphore, type SemaphoreOptions, semaphoreProperties } from './semaphore';
import { allocateSvm, allocateUnifiedSvm, type Svm, type SvmOptions, type UnifiedSvmOptions } from './svm';

/** Properties by name, without `CL_CONTEXT_`. */
export type ContextInfo = InfoOf<typeof contextInfo, { DEVICES: readonly Device[] }>;

export interface LinkOptions {
  readonly options?: string;
}

/**
 * The owner of devices, queues, memory and programs that work together.
 *
 * @example
 * ```ts
 * const context = cl.device.createContext({ timeout: 1000 });
 * const program = await context.createProgram('kernel void nothing() {}').build();
 * console.log(program.kernelNames);                // [ 'nothing' ]
 * context.release();
 * ```
 */
export class Context extends Handle<BackendContext> {
  #defaultQueue: CommandQueue | undefined;
  /** Default device-side queues. Kernels use them, so they live as long as the context, whether the program refers to them or not. */
  readonly #deviceQueues = new Map<Device, CommandQueue>();
  /** Objects of OpenGL; needs a context created with the option `gl`. */
  readonly gl = new GlSharing(this);
  /** Images and fences of EGL. */
  readonly egl = new EglSharing(this);

  /** @internal */
  readonly [limits]: DeviceLimits;

  private constructor(
    handle: BackendContext,
    /** Its devices, all of one platform. */
    readonly devices: readonly Device[],
  ) {
    super(handle, ErrorCode.INVALID_CONTEXT);
    this[limits] = new DeviceLimits(devices);
  }

  /** @internal Sessions seldom show their context: the message names both ways to release it. */
  override [releasedError](functionName: string): OpenCLError {
    return new OpenCLError(
      ErrorCode.INVALID_CONTEXT,
      functionName,
      'this Context was released: its session was closed, or `context.release()` was called',
    );
  }

  /** @internal */
  override get [owningContext](): this {
    return this;
  }

  /** A context over devices of one platform. Throws INVALID_VALUE without a device, INVALID_DEVICE over two platforms. */
  static create(devices: readonly Device[], options: ContextOptions = {}): Context {
    const functionName = 'clCreateContext';
    const first = devices[0];
    if (first === undefined)
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a context needs a device');
    if (devices.some((device) => device.platform !== first.platform)) {
      throw new OpenCLError(
        ErrorCode.INVALID_DEVICE,
        functionName,
        'the devices of a context are of one platform',
      );
    }
    checkContextOptions(devices, options, functionName);
    const handles = devices.map((device) => device[handleFor](functionName));
    return new Context(handles[0]!.createContext(handles, contextProperties(options)), devices);
  }

  /** @internal */
  static [wrap](handle: BackendContext, devices: readonly Device[]): Context {
    return new Context(handle, devices);
  }

  /** The first device. */
  get device(): Device {
    return this.devices[0]!;
  }

  /** The default queue of `buffer.read`, `kernel.run` and the like: in-order, with profiling. */
  get defaultQueue(): CommandQueue {
    this.#defaultQueue = this[queueInUse] ?? this.createQueue({ profiling: true });
    return this.#defaultQueue;
  }

  /** @internal */
  get [queueInUse](): CommandQueue | undefined {
    return this.#defaultQueue?.[isReleased] ? undefined : this.#defaultQueue;
  }

  /**
   * A property by its name without `CL_CONTEXT_`, or by number as bytes (clGetContextInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof ContextInfo>(key: K): ContextInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof ContextInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetContextInfo').info(param);
    return queryInfo(contextInfo, key, 'clGetContextInfo', read, { DEVICES: this.devices });
  }

  /**
   * A queue of commands on one of the devices, the first one unless an option names it
   * (clCreateCommandQueueWithProperties).
   * @throws OpenCLError INVALID_QUEUE_PROPERTIES for what the device does not support
   */
  createQueue(options: QueueOptions = {}): CommandQueue {
    const functionName = 'clCreateCommandQueueWithProperties';
    const device = options.device ?? this.device;
    if (!this.devices.includes(device)) {
      throw new OpenCLError(ErrorCode.INVALID_DEVICE, functionName, 'the device is not one of the context');
    }
    const properties = queueProperties(options);
    if (isOnDevice(properties) && !hasOnDeviceQueues(device))
      throw new OpenCLError(
        ErrorCode.INVALID_QUEUE_PROPERTIES,
        functionName,
        `'${device.name}' has no queues on the device (QUEUE_ON_DEVICE_PROPERTIES is 0)`,
      );
    const handle = this[handleFor](functionName).createQueue(device[handleFor](functionName), properties);
    const queue = new CommandQueue(
      handle,
      this,
      device,
      options.outOfOrder ?? false,
      options.profiling ?? false,
    );
    if (options.onDevice?.default) this.#deviceQueues.set(device, queue);
    return queue;
  }

  /** A buffer with the contents of an array. */
  createBuffer<T extends TypedArray>(data: T, options?: BufferOptions): Buffer<T>;
  /** A buffer of `length` elements, its contents undefined. */
  createBuffer<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: BufferOptions,
  ): Buffer<T>;
  /** A buffer of that many bytes. */
  createBuffer(bytes: number, options?: BufferOptions): Buffer<Uint8Array>;
  createBuffer(
    what: TypedArray | TypedArrayConstructor | number,
    lengthOrOptions?: number | BufferOptions,
    options?: BufferOptions,
  ): Buffer {
    return newBuffer(this, what, lengthOrOptions, options);
  }

  /**
   * An image of a shape and a format, with the contents of an array or undefined (clCreateImage).
   * @throws OpenCLError INVALID_IMAGE_SIZE, INVALID_HOST_PTR where the array has another size,
   * IMAGE_FORMAT_NOT_SUPPORTED
   */
  createImage<F extends ImageFormatName>(
    shape: ImageShape<F>,
    data?: ArrayBufferView,
    options: ImageOptions = {},
  ): Image<PixelArray<F>> {
    return newImage(this, shape, data, options);
  }

  /** A sampler: how kernels read images at coordinates (clCreateSamplerWithProperties). */
  createSampler(options: SamplerOptions = {}): Sampler {
    const functionName = 'clCreateSamplerWithProperties';
    const properties = samplerProperties(options);
    return new Sampler(this[handleFor](functionName).createSampler(properties), this);
  }

  /** Shared virtual memory (clSVMAlloc). Throws INVALID_OPERATION if the devices have none. */
  createSvm(size: number, options: SvmOptions = {}): Svm {
    return allocateSvm(this, size, options);
  }

  /**
   * Shared virtual memory of one of the device's types (clSVMAllocWithPropertiesKHR, cl_khr_unified_svm). The type is
   * the one with all the `capabilities`, bits of `SVM_TYPE_CAPABILITIES_KHR` (clGetSVMSuggestedTypeIndexKHR), or `typeIndex`.
   */
  createUnifiedSvm(size: number, options: UnifiedSvmOptions = {}): Svm {
    return allocateUnifiedSvm(this, size, options);
  }

  /**
   * The index of the most suitable memory type (clGetSVMSuggestedTypeIndexKHR).
   * @throws OpenCLError INVALID_VALUE if no type has these capabilities
   */
  suggestedSvmType(capabilities: number, size: number, device?: Device): number {
    const functionName = 'clGetSVMSuggestedTypeIndexKHR';
    const handle = this[handleFor](functionName);
    if (!handle.svmTypeIndex) throw unsupported(functionName, 'cl_khr_unified_svm');
    return handle.svmTypeIndex(capabilities, device?.[handleFor](functionName), size);
  }

  /** A pipe for packets of that many bytes (clCreatePipe). */
  createPipe(packetSize: number, maxPackets: number): Pipe {
    return newPipe(this, packetSize, maxPackets);
  }

  /**
   * Formats that images of this type can have here (clGetSupportedImageFormats): the name, by which an image is created, and
   * cl_channel_order and _type. Formats that have no name here have OpenCL's two, as in `NV12/UNORM_INT8`.
   */
  supportedImageFormats(type: ImageType, options: MemoryOptions = {}): readonly NamedImageFormat[] {
    const functionName = 'clGetSupportedImageFormats';
    const flags = memoryFlags(options, undefined, functionName);
    const formats = this[handleFor](functionName).supportedImageFormats(flags, IMAGE_TYPE[type]);
    return formats.map((format) => ({ name: formatName(format), ...format }));
  }

  /** The requirements of an image of this shape (clGetImageRequirementsInfoEXT, cl_ext_image_requirements_info). */
  imageRequirement<K extends keyof typeof imageRequirementsInfo>(
    key: K,
    shape: ImageShape,
    options: ImageOptions = {},
  ): InfoValues[(typeof imageRequirementsInfo)[K][1]] {
    return imageRequirement(this, key, shape, options);
  }

  /** A semaphore, new or another API's (clCreateSemaphoreWithPropertiesKHR, cl_khr_semaphore). */
  createSemaphore(options: SemaphoreOptions = {}): Semaphore {
    const functionName = 'clCreateSemaphoreWithPropertiesKHR';
    const handle = this[handleFor](functionName);
    if (!handle.createSemaphore) throw unsupported(functionName, 'cl_khr_semaphore');
    const devices = (options.devices ?? []).map((device) => device[handleFor](functionName));
    return new Semaphore(handle.createSemaphore(semaphoreProperties(options), devices), this);
  }

  /** Makes a device-side queue the result of get_default_queue in the device's kernels (clSetDefaultDeviceCommandQueue). */
  setDefaultDeviceQueue(queue: CommandQueue): void {
    const functionName = 'clSetDefaultDeviceCommandQueue';
    this[handleFor](functionName).setDefaultDeviceQueue(
      queue.device[handleFor](functionName),
      queue[handleFor](functionName),
    );
    this.#deviceQueues.set(queue.device, queue);
  }

  /**
   * Terminates all commands of this context; later calls fail with CONTEXT_TERMINATED_KHR (clTerminateContextKHR,
   * cl_khr_terminate_context); create the context with `terminable`.
   */
  terminate(): void {
    const functionName = 'clTerminateContextKHR';
    const handle = this[handleFor](functionName);
    if (!handle.terminate) throw unsupported(functionName, 'cl_khr_terminate_context');
    handle.terminate();
  }

  /** Calls back when the context is destroyed (clSetContextDestructorCallback). */
  onDestroy(listener: () => void): void {
    this[handleFor]('clSetContextDestructorCallback').onDestroy(listener);
  }

  /** A program of the device's built-in kernels (clCreateProgramWithBuiltInKernels). */
  createProgramWithBuiltInKernels(names: readonly string[]): Program {
    const functionName = 'clCreateProgramWithBuiltInKernels';
    const devices = this.devices.map((device) => device[handleFor](functionName));
    return new Program(
      this[handleFor](functionName).createProgramWithBuiltInKernels(devices, names.join(';')),
      this,
    );
  }

  /** A program of OpenCL C source text; several strings are joined. */
  createProgram(...sources: readonly string[]): Program {
    const functionName = 'clCreateProgramWithSource';
    if (sources.length === 0 || !sources.every((source) => typeof source === 'string')) {
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a program needs its source as a string');
    }
    refuseFileName(sources, functionName);
    return new Program(this[handleFor](functionName).createProgramWithSource(sources), this);
  }

  /** A program of SPIR-V. */
  createProgramWithIL(il: Uint8Array): Program {
    const functionName = 'clCreateProgramWithIL';
    checkView(il, functionName);
    refuseText(il, functionName);
    const program = this[handleFor](functionName).createProgramWithIL(il);
    return new Program(program, this, hasGuessedPointees(il));
  }

  /** A program from the result of `program.binaries`, one binary for each device of the context. */
  createProgramWithBinary(binaries: readonly Uint8Array[]): Program {
    const functionName = 'clCreateProgramWithBinary';
    if (binaries.length !== this.devices.length) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `the context has ${pluralize(this.devices.length, 'device')}, and each needs a binary; ${binaries.length} were given`,
      );
    }
    for (const binary of binaries) checkView(binary, functionName);
    const devices = this.devices.map((device) => device[handleFor](functionName));
    return new Program(this[handleFor](functionName).createProgramWithBinary(devices, binaries), this);
  }

  /** Links compiled programs into one that has kernels (clLinkProgram). Throws LINK_PROGRAM_FAILURE with the log. */
  async link(
    programs: readonly Program[],
    { options = '', signal }: LinkOptions & Waiting = {},
  ): Promise<Program> {
    const functionName = 'clLinkProgram';
    const context = this[handleFor](functionName);
    const devices = this.devices.map((device) => device[handleFor](functionName));
    if (programs.length === 0)
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        'there is nothing to link: `programs` is empty',
      );
    const inputs = programs.map((program) => program[handleFor](functionName));
    checkedOptions(options, functionName);
    const areGuessed = programs.some((program) => program.hasGuessedPointees);
    return await unlessAborted(
      async () => new Program(await context.linkProgram(devices, options, inputs, signal), this, areGuessed),
      signal,
      (program) => program.release(),
    );
  }

  /** Commands to record once and enqueue often, on the default queue or others. */
  createCommandBuffer(
    queues: CommandQueue | readonly CommandQueue[] = this.defaultQueue,
    options: CommandBufferOptions = {},
  ): CommandBuffer {
    return CommandBuffer[wrap](queues instanceof CommandQueue ? [queues] : queues, options);
  }

  /** An event that the program completes (clCreateUserEvent). */
  createUserEvent(): UserEvent {
    return new UserEvent(this[handleFor]('clCreateUserEvent').createUserEvent(), this);
  }
}

guard('Context', Context);

/** Some drivers end the process for a queue on a device that has none. */
function hasOnDeviceQueues(device: Device): boolean {
  try {
    return Number(device.info('QUEUE_ON_DEVICE_PROPERTIES')) !== 0;
  } catch {
    return false; // before OpenCL 2.0
  }
}
