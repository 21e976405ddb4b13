// SPDX-License-Identifier: MIT

import type { BackendContext, HostData, ImageFormat } from '../backend/backend';
import {
  AddressingMode,
  ErrorCode,
  FilterMode,
  MemFlags,
  QueueFlags,
  QueueInfo as QueueKey,
  SamplerInfo,
} from '../backend/cl.gen';
import { contextInfo } from '../backend/info-keys.gen';
import { OpenCLError } from '../backend/opencl-error';
import { Buffer, type MemoryOptions, memoryFlags } from './buffer';
import { CommandBuffer } from './command-buffer';
import type { Device } from './device';
import type { TypedArray, TypedArrayConstructor } from './element-types';
import { UserEvent } from './event';
import {
  IMAGE_TYPE,
  Image,
  type ImageOptions,
  type ImageShape,
  type ImageType,
  imageDescription,
  imageFormat,
} from './image';
import { type InfoOf, queryInfo } from './info';
import { describe, Owned } from './lifetime';
import { Pipe } from './pipe';
import { Program } from './program';
import { CommandQueue } from './queue';
import { Sampler, type SamplerOptions } from './sampler';
import { Svm, type SvmOptions, svmFlags } from './svm';

/** Properties by name, without `CL_CONTEXT_`. */
export type ContextInfo = InfoOf<typeof contextInfo, { DEVICES: readonly Device[] }>;

export interface QueueOptions {
  /** Keep the times of each command: `event.profile`. */
  readonly profiling?: boolean;
  /** Commands may run in any order that their wait lists allow. */
  readonly outOfOrder?: boolean;
  /** Default: the context's first device. */
  readonly device?: Device;
}

const ADDRESSING = {
  none: AddressingMode.NONE,
  'clamp-to-edge': AddressingMode.CLAMP_TO_EDGE,
  clamp: AddressingMode.CLAMP,
  repeat: AddressingMode.REPEAT,
  'mirrored-repeat': AddressingMode.MIRRORED_REPEAT,
} as const;
const FILTER = { nearest: FilterMode.NEAREST, linear: FilterMode.LINEAR } as const;

export interface LinkOptions {
  readonly options?: string;
}

/** Where devices, queues, memory and programs belong together. */
export class Context extends Owned<BackendContext> {
  #defaultQueue: CommandQueue | undefined;
  #subBufferAlign: number | undefined;

  private constructor(
    handle: BackendContext,
    readonly devices: readonly Device[],
  ) {
    super(handle, ErrorCode.INVALID_CONTEXT);
  }

  /** A context over devices of one platform. Throws INVALID_VALUE without a device, INVALID_DEVICE over two platforms. */
  static create(devices: readonly Device[]): Context {
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
    const handles = devices.map((device) => device.handleFor(functionName));
    return new Context(handles[0]!.createContext(handles, []), devices);
  }

  /** The first device. */
  get device(): Device {
    return this.devices[0]!;
  }

  /** The queue that `buffer.read`, `kernel.run` and the like use when they are given none: in order, with profiling. */
  get defaultQueue(): CommandQueue {
    if (this.#defaultQueue === undefined || this.#defaultQueue.released) {
      this.#defaultQueue = this.createQueue({ profiling: true });
    }
    return this.#defaultQueue;
  }

  /** @internal In bytes. */
  get subBufferAlign(): number {
    this.#subBufferAlign ??= Math.max(
      1,
      ...this.devices.map((d) => Number(d.info('MEM_BASE_ADDR_ALIGN')) / 8),
    );
    return this.#subBufferAlign;
  }

  info<K extends keyof ContextInfo>(key: K): ContextInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof ContextInfo | number): unknown {
    const read = (param: number) => this.handleFor('clGetContextInfo').info(param);
    return queryInfo(contextInfo, key, 'clGetContextInfo', read, { DEVICES: this.devices });
  }

  createQueue(options: QueueOptions = {}): CommandQueue {
    const functionName = 'clCreateCommandQueueWithProperties';
    const device = options.device ?? this.device;
    if (!this.devices.includes(device)) {
      throw new OpenCLError(ErrorCode.INVALID_DEVICE, functionName, 'the device is not one of the context');
    }
    const handle = this.handleFor(functionName).createQueue(
      device.handleFor(functionName),
      queueProperties(options),
    );
    return new CommandQueue(handle, this, device, options.outOfOrder ?? false, options.profiling ?? false);
  }

  /** A buffer with the contents of an array. */
  createBuffer<T extends TypedArray>(data: T, options?: MemoryOptions): Buffer<T>;
  /** A buffer of `length` elements, its contents undefined. */
  createBuffer<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: MemoryOptions,
  ): Buffer<T>;
  /** A buffer of so many bytes. */
  createBuffer(bytes: number, options?: MemoryOptions): Buffer<Uint8Array>;
  createBuffer(
    what: TypedArray | TypedArrayConstructor | number,
    second?: number | MemoryOptions,
    third?: MemoryOptions,
  ): Buffer {
    const functionName = 'clCreateBuffer';
    const options = (typeof second === 'object' ? second : third) ?? {};
    const context = this.handleFor(functionName);
    let data: TypedArray | undefined;
    let type: TypedArrayConstructor;
    let size: number;
    if (ArrayBuffer.isView(what)) {
      data = what;
      type = elementType(what);
      size = what.byteLength;
    } else if (typeof what === 'number') {
      type = Uint8Array;
      size = what;
    } else if (typeof what === 'function' && what.BYTES_PER_ELEMENT > 0) {
      type = what;
      size = (second as number) * what.BYTES_PER_ELEMENT;
    } else {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `a buffer is made of a typed array, a typed array's class and a length, or a number of bytes, not of ${describe(what)}`,
      );
    }
    if (!Number.isSafeInteger(size) || size <= 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_BUFFER_SIZE,
        functionName,
        `a buffer needs at least one byte, not ${size}`,
      );
    }
    const limit = Math.max(...this.devices.map((device) => Number(device.info('MAX_MEM_ALLOC_SIZE'))));
    if (size > limit) {
      throw new OpenCLError(
        ErrorCode.INVALID_BUFFER_SIZE,
        functionName,
        `${size} bytes are more than the ${limit} that the device allocates at once`,
      );
    }
    const flags = memoryFlags(options, data !== undefined, functionName);
    return new Buffer(
      context.createBuffer(flags, size, data as HostData | undefined),
      this,
      size,
      flags,
      type,
    );
  }

  createImage(shape: ImageShape, data?: ArrayBufferView, options: ImageOptions = {}): Image {
    const functionName = 'clCreateImage';
    const context = this.handleFor(functionName);
    const format = imageFormat(shape);
    const description = imageDescription(shape, data);
    const flags = memoryFlags(options, data !== undefined, functionName);
    return new Image(context.createImage(flags, format, description, data), this, flags, shape);
  }

  createSampler(options: SamplerOptions = {}): Sampler {
    const functionName = 'clCreateSamplerWithProperties';
    const addressing = ADDRESSING[options.addressing ?? 'clamp-to-edge'];
    const filter = FILTER[options.filter ?? 'nearest'];
    if (addressing === undefined || filter === undefined) {
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'unknown addressing or filter');
    }
    const properties = [
      SamplerInfo.NORMALIZED_COORDS,
      options.normalized ? 1 : 0,
      SamplerInfo.ADDRESSING_MODE,
      addressing,
      SamplerInfo.FILTER_MODE,
      filter,
    ];
    return new Sampler(this.handleFor(functionName).createSampler(properties.map(BigInt)), this);
  }

  /** Shared virtual memory (clSVMAlloc). Throws INVALID_OPERATION on devices that have none. */
  createSvm(size: number, options: SvmOptions = {}): Svm {
    const functionName = 'clSVMAlloc';
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, `${size} is not a size`);
    }
    const flags = svmFlags(options);
    return new Svm(this.handleFor(functionName).svmAlloc(flags, size, options.align ?? 0), this, flags);
  }

  /** A pipe for packets of so many bytes (clCreatePipe). */
  createPipe(packetSize: number, maxPackets: number): Pipe {
    const functionName = 'clCreatePipe';
    if (!(Number.isInteger(packetSize) && packetSize > 0 && Number.isInteger(maxPackets) && maxPackets > 0)) {
      throw new OpenCLError(
        ErrorCode.INVALID_PIPE_SIZE,
        functionName,
        'packet size and count must be at least 1',
      );
    }
    const flags = MemFlags.READ_WRITE | MemFlags.HOST_NO_ACCESS;
    const handle = this.handleFor(functionName).createPipe(flags, packetSize, maxPackets);
    return new Pipe(handle, this, flags, packetSize, maxPackets);
  }

  /** Formats that images of this type can have here (clGetSupportedImageFormats), as cl_channel_order and _type. */
  supportedImageFormats(type: ImageType, options: MemoryOptions = {}): readonly ImageFormat[] {
    const functionName = 'clGetSupportedImageFormats';
    const flags = memoryFlags(options, false, functionName);
    return this.handleFor(functionName).supportedImageFormats(flags, IMAGE_TYPE[type]);
  }

  /** Calls back when the context is destroyed for good (clSetContextDestructorCallback). */
  onDestroy(listener: () => void): void {
    this.handleFor('clSetContextDestructorCallback').onDestroy(listener);
  }

  /** A program of kernels that the device brings along (clCreateProgramWithBuiltInKernels). */
  createProgramWithBuiltInKernels(names: readonly string[]): Program {
    const functionName = 'clCreateProgramWithBuiltInKernels';
    const devices = this.devices.map((device) => device.handleFor(functionName));
    return new Program(
      this.handleFor(functionName).createProgramWithBuiltInKernels(devices, names.join(';')),
      this,
    );
  }

  /** A program of OpenCL C source text; several strings are joined. */
  createProgram(...sources: readonly string[]): Program {
    const functionName = 'clCreateProgramWithSource';
    if (sources.length === 0 || !sources.every((source) => typeof source === 'string')) {
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, 'a program needs its source as a string');
    }
    return new Program(this.handleFor(functionName).createProgramWithSource(sources), this);
  }

  /** A program of SPIR-V. */
  createProgramWithIL(il: Uint8Array): Program {
    return new Program(this.handleFor('clCreateProgramWithIL').createProgramWithIL(il), this);
  }

  /** A program of what `program.binaries` gave, one for each device of the context. */
  createProgramWithBinary(binaries: readonly Uint8Array[]): Program {
    const functionName = 'clCreateProgramWithBinary';
    if (binaries.length !== this.devices.length) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `${this.devices.length} binaries are needed, one a device`,
      );
    }
    const devices = this.devices.map((device) => device.handleFor(functionName));
    return new Program(this.handleFor(functionName).createProgramWithBinary(devices, binaries), this);
  }

  /** Links compiled programs into one that has kernels (clLinkProgram). Throws LINK_PROGRAM_FAILURE with the log. */
  async link(programs: readonly Program[], { options = '' }: LinkOptions = {}): Promise<Program> {
    const functionName = 'clLinkProgram';
    const devices = this.devices.map((device) => device.handleFor(functionName));
    const inputs = programs.map((program) => program.handleFor(functionName));
    return new Program(await this.handleFor(functionName).linkProgram(devices, options, inputs), this);
  }

  /** Commands to record once and enqueue often, on the default queue or another. */
  createCommandBuffer(queue: CommandQueue = this.defaultQueue): CommandBuffer {
    return CommandBuffer.create(queue);
  }

  createUserEvent(): UserEvent {
    return new UserEvent(this.handleFor('clCreateUserEvent').createUserEvent());
  }
}

/** The class of a view's elements; Node's Buffer and DataView count as bytes. */
function elementType(view: ArrayBufferView): TypedArrayConstructor {
  const type = view.constructor as TypedArrayConstructor;
  const isTypedArray = 'BYTES_PER_ELEMENT' in type;
  return isTypedArray && !(view instanceof Uint8Array) ? type : Uint8Array;
}

/** Property list of a queue, without the closing 0. */
function queueProperties(options: { profiling?: boolean; outOfOrder?: boolean }): bigint[] {
  let bits = 0;
  if (options.outOfOrder) bits |= QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (options.profiling) bits |= QueueFlags.PROFILING_ENABLE;
  return bits === 0 ? [] : [BigInt(QueueKey.PROPERTIES), BigInt(bits)];
}
