// SPDX-License-Identifier: MIT
import type {
  Backend,
  BackendArgument,
  BackendContext,
  BackendDevice,
  BackendEvent,
  BackendKernel,
  BackendMemory,
  BackendPlatform,
  BackendProgram,
  BackendSampler,
  BackendSvm,
  HostData,
  ImageDescription,
  ImageFormat,
} from '../backend';
import type { BackendMapping, BackendQueue } from '../backend-queue';
import { CommandType, DeviceType, ErrorCode, MemObjectType } from '../cl.gen';
import { answerInfo, type InfoAnswers } from '../encode-info';
import type { InfoTable } from '../info';
import {
  contextInfo,
  deviceInfo,
  eventInfo,
  imageInfo,
  kernelArgInfo,
  kernelInfo,
  kernelWorkGroupInfo,
  memInfo,
  pipeInfo,
  platformInfo,
  profilingInfo,
  programBuildInfo,
  programInfo,
  queueInfo,
  samplerInfo,
} from '../info-keys.gen';
import { OpenCLError } from '../opencl-error';

/** A call that the null backend was given. */
export interface RecordedCall {
  /** `queue.readBuffer`, `kernel.setArg` and so on. */
  readonly method: string;
  readonly args: readonly unknown[];
}

/**
 * A backend that computes nothing: it writes down what it is asked to do and says at once that it is done. Kernels are
 * whatever `__kernel void name(` in a source says; their parameters are counted, nothing more.
 */
export class NullBackend implements Backend {
  readonly kind = 'null';
  readonly calls: RecordedCall[] = [];
  private readonly platform: BackendPlatform = new NullPlatform(this);

  platforms(): readonly BackendPlatform[] {
    return [this.platform];
  }

  record(method: string, ...args: readonly unknown[]): void {
    this.calls.push({ method, args });
  }
}

/** Answers from a table; what is not in it is INVALID_VALUE. */
function answer<T extends InfoTable>(table: T, answers: InfoAnswers<T>, param: number): Uint8Array {
  return answerInfo(table, answers, 'clGetInfo', param);
}

class NullPlatform implements BackendPlatform {
  private readonly device: BackendDevice;

  constructor(readonly backend: NullBackend) {
    this.device = new NullDevice(this, backend);
  }

  info(param: number): Uint8Array {
    const version = { major: 3, minor: 0, patch: 0 };
    const answers = {
      PROFILE: 'FULL_PROFILE',
      VERSION: 'OpenCL 3.0 null',
      NAME: 'null',
      VENDOR: 'anycl',
      EXTENSIONS: '',
      NUMERIC_VERSION: version,
    };
    return answer(platformInfo, answers, param);
  }

  devices(): readonly BackendDevice[] {
    return [this.device];
  }

  unloadCompiler(): void {
    this.backend.record('platform.unloadCompiler');
  }
}

class NullDevice implements BackendDevice {
  constructor(
    readonly platform: NullPlatform,
    private readonly backend: NullBackend,
  ) {}

  info(param: number): Uint8Array {
    const answers: InfoAnswers<typeof deviceInfo> = {
      TYPE: DeviceType.CUSTOM,
      NAME: 'null device',
      VENDOR: 'anycl',
      VERSION: 'OpenCL 3.0 null',
      DRIVER_VERSION: '0',
      PROFILE: 'FULL_PROFILE',
      EXTENSIONS: '',
      NUMERIC_VERSION: { major: 3, minor: 0, patch: 0 },
      ADDRESS_BITS: 32,
      MAX_COMPUTE_UNITS: 1,
      MAX_WORK_ITEM_DIMENSIONS: 3,
      MAX_WORK_GROUP_SIZE: 1024,
      MAX_WORK_ITEM_SIZES: [1024, 1024, 1024],
      MAX_MEM_ALLOC_SIZE: 2 ** 31,
      GLOBAL_MEM_SIZE: 2 ** 32,
      LOCAL_MEM_SIZE: 65536,
      MEM_BASE_ADDR_ALIGN: 1024,
      IMAGE_SUPPORT: true,
      AVAILABLE: true,
      COMPILER_AVAILABLE: true,
      SVM_CAPABILITIES: 1,
      PIPE_SUPPORT: true,
      QUEUE_PROPERTIES: 3,
      OPENCL_C_VERSION: 'OpenCL C 1.2',
      IL_VERSION: 'SPIR-V_1.0',
    };
    return answer(deviceInfo, answers, param);
  }

  createSubDevices(properties: readonly number[]): readonly BackendDevice[] {
    this.backend.record('device.createSubDevices', properties);
    return [];
  }

  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): BackendContext {
    this.backend.record('device.createContext', devices, properties);
    return new NullContext(this.backend, devices);
  }

  timers(): { device: bigint; host: bigint } {
    return { device: 0n, host: 0n };
  }

  release(): void {
    this.backend.record('device.release');
  }
}

abstract class NullObject {
  private readonly destructors: (() => void)[] = [];

  constructor(
    protected readonly backend: NullBackend,
    private readonly kind: string,
  ) {}

  onDestroy(callback: () => void): void {
    this.destructors.push(callback);
  }

  release(): void {
    this.backend.record(`${this.kind}.release`);
    for (const callback of this.destructors.reverse()) queueMicrotask(callback);
  }
}

class NullContext extends NullObject implements BackendContext {
  constructor(
    backend: NullBackend,
    readonly devices: readonly BackendDevice[],
  ) {
    super(backend, 'context');
  }

  info(param: number): Uint8Array {
    return answer(contextInfo, { REFERENCE_COUNT: 1, NUM_DEVICES: 1, PROPERTIES: [] }, param);
  }

  createQueue(_device: BackendDevice, properties: readonly bigint[]): BackendQueue {
    this.backend.record('context.createQueue', properties);
    return new NullQueue(this.backend, Number(properties[1] ?? 0n));
  }

  createBuffer(flags: number, size: number, host?: HostData): BackendMemory {
    this.backend.record('context.createBuffer', flags, size, host);
    return new NullMemory(this.backend, MemObjectType.BUFFER, flags, size);
  }

  createImage(flags: number, format: ImageFormat, desc: ImageDescription): BackendMemory {
    this.backend.record('context.createImage', flags, format, desc);
    const pixels = desc.width * Math.max(1, desc.height) * Math.max(1, desc.depth, desc.arraySize);
    return new NullMemory(this.backend, desc.type, flags, pixels * 16, format, desc);
  }

  supportedImageFormats(): readonly ImageFormat[] {
    return [{ order: 0x10b5, type: 0x10d2 }];
  }

  createSampler(properties: readonly bigint[]): BackendSampler {
    this.backend.record('context.createSampler', properties);
    return new NullSampler(this.backend);
  }

  createPipe(flags: number, packetSize: number, maxPackets: number): BackendMemory {
    this.backend.record('context.createPipe', flags, packetSize, maxPackets);
    return new NullMemory(this.backend, MemObjectType.PIPE, flags, packetSize * maxPackets);
  }

  createProgramWithSource(sources: readonly string[]): BackendProgram {
    this.backend.record('context.createProgramWithSource', sources);
    return new NullProgram(this.backend, sources.join(''));
  }

  createProgramWithIL(il: Uint8Array): BackendProgram {
    this.backend.record('context.createProgramWithIL', il);
    return new NullProgram(this.backend, '');
  }

  createProgramWithBinary(
    _devices: readonly BackendDevice[],
    binaries: readonly Uint8Array[],
  ): BackendProgram {
    this.backend.record('context.createProgramWithBinary', binaries);
    return new NullProgram(this.backend, '');
  }

  createProgramWithBuiltInKernels(_devices: readonly BackendDevice[], names: string): BackendProgram {
    this.backend.record('context.createProgramWithBuiltInKernels', names);
    return new NullProgram(this.backend, '');
  }

  async linkProgram(
    _devices: readonly BackendDevice[],
    options: string,
    inputs: readonly BackendProgram[],
  ): Promise<BackendProgram> {
    this.backend.record('context.linkProgram', options, inputs);
    return new NullProgram(this.backend, inputs.map((input) => (input as NullProgram).source).join('\n'));
  }

  createUserEvent(): BackendEvent {
    return new NullEvent(CommandType.USER, false);
  }

  svmAlloc(flags: number, size: number, align: number): BackendSvm {
    this.backend.record('context.svmAlloc', flags, size, align);
    const free = (): void => this.backend.record('svm.free');
    return { address: 0n, size, bytes: new Uint8Array(size), free };
  }

  setDefaultDeviceQueue(): void {
    this.backend.record('context.setDefaultDeviceQueue');
  }
}

class NullMemory extends NullObject implements BackendMemory {
  constructor(
    backend: NullBackend,
    private readonly type: MemObjectType,
    private readonly flags: number,
    readonly size: number,
    private readonly format?: ImageFormat,
    private readonly desc?: ImageDescription,
  ) {
    super(backend, 'memory');
  }

  info(param: number): Uint8Array {
    const answers = {
      TYPE: this.type,
      FLAGS: this.flags,
      SIZE: this.size,
      HOST_PTR: 0n,
      MAP_COUNT: 0,
      REFERENCE_COUNT: 1,
      OFFSET: 0,
    };
    return answer(memInfo, answers, param);
  }

  imageInfo(param: number): Uint8Array {
    const { width = 0, height = 0, depth = 0, arraySize = 0 } = this.desc ?? {};
    const answers = {
      FORMAT: this.format ?? { order: 0, type: 0 },
      ELEMENT_SIZE: 16,
      ROW_PITCH: width * 16,
      SLICE_PITCH: 0,
      WIDTH: width,
      HEIGHT: height,
      DEPTH: depth,
      ARRAY_SIZE: arraySize,
      NUM_MIP_LEVELS: 0,
      NUM_SAMPLES: 0,
    };
    return answer(imageInfo, answers, param);
  }

  pipeInfo(param: number): Uint8Array {
    return answer(pipeInfo, { PACKET_SIZE: 0, MAX_PACKETS: 0, PROPERTIES: [] }, param);
  }

  createSubBuffer(flags: number, origin: number, size: number): BackendMemory {
    this.backend.record('memory.createSubBuffer', flags, origin, size);
    return new NullMemory(this.backend, this.type, flags, size);
  }
}

class NullSampler extends NullObject implements BackendSampler {
  constructor(backend: NullBackend) {
    super(backend, 'sampler');
  }

  info(param: number): Uint8Array {
    return answer(samplerInfo, { REFERENCE_COUNT: 1 }, param);
  }
}

class NullProgram extends NullObject implements BackendProgram {
  private readonly kernels: ReadonlyMap<string, readonly string[]>;

  constructor(
    backend: NullBackend,
    readonly source: string,
  ) {
    super(backend, 'program');
    const found = source.matchAll(/\b(?:__)?kernel\s+void\s+(\w+)\s*\(([^)]*)\)/g);
    this.kernels = new Map(
      [...found].map(([, name, list]) => [name!, list!.split(',').filter((text) => text.trim() !== '')]),
    );
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: 1,
      NUM_DEVICES: 1,
      SOURCE: this.source,
      NUM_KERNELS: this.kernels.size,
      KERNEL_NAMES: [...this.kernels.keys()].join(';'),
      IL: new Uint8Array(0),
    };
    return answer(programInfo, answers, param);
  }

  buildInfo(_device: BackendDevice, param: number): Uint8Array {
    const answers = { BUILD_STATUS: 0, BUILD_OPTIONS: '', BUILD_LOG: '', BINARY_TYPE: 4 };
    return answer(programBuildInfo, answers, param);
  }

  async build(devices: readonly BackendDevice[], options: string): Promise<void> {
    this.buildSync(devices, options);
  }

  buildSync(_devices: readonly BackendDevice[], options: string): void {
    this.backend.record('program.build', options);
  }

  async compile(
    _devices: readonly BackendDevice[],
    options: string,
    headers: ReadonlyMap<string, BackendProgram>,
  ): Promise<void> {
    this.backend.record('program.compile', options, headers);
  }

  setSpecializationConstant(id: number, value: Uint8Array): void {
    this.backend.record('program.setSpecializationConstant', id, value);
  }

  createKernel(name: string): BackendKernel {
    const parameters = this.kernels.get(name);
    if (parameters) return new NullKernel(this.backend, name, parameters);
    throw new OpenCLError(ErrorCode.INVALID_KERNEL_NAME, 'clCreateKernel', `there is no kernel '${name}'`);
  }

  kernelNames(): readonly string[] {
    return [...this.kernels.keys()];
  }

  binaries(): readonly Uint8Array[] {
    return [new Uint8Array(0)];
  }
}

class NullKernel extends NullObject implements BackendKernel {
  constructor(
    backend: NullBackend,
    private readonly name: string,
    private readonly parameters: readonly string[],
  ) {
    super(backend, 'kernel');
  }

  info(param: number): Uint8Array {
    const answers = {
      FUNCTION_NAME: this.name,
      NUM_ARGS: this.parameters.length,
      REFERENCE_COUNT: 1,
      ATTRIBUTES: '',
    };
    return answer(kernelInfo, answers, param);
  }

  argInfo(_index: number, param: number): Uint8Array {
    answer(
      kernelArgInfo,
      { NAME: '', TYPE_NAME: '', ADDRESS_QUALIFIER: 0, ACCESS_QUALIFIER: 0, TYPE_QUALIFIER: 0 },
      param,
    );
    throw new OpenCLError(ErrorCode.KERNEL_ARG_INFO_NOT_AVAILABLE, 'clGetKernelArgInfo');
  }

  workGroupInfo(_device: BackendDevice, param: number): Uint8Array {
    const answers = {
      WORK_GROUP_SIZE: 1024,
      COMPILE_WORK_GROUP_SIZE: [0, 0, 0],
      LOCAL_MEM_SIZE: 0,
      PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 1,
      PRIVATE_MEM_SIZE: 0,
    };
    return answer(kernelWorkGroupInfo, answers, param);
  }

  subGroupInfo(): Uint8Array {
    throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clGetKernelSubGroupInfo', 'there are no sub-groups');
  }

  setArg(index: number, value: BackendArgument): void {
    this.backend.record('kernel.setArg', index, ArrayBuffer.isView(value) ? copyOf(value) : value);
  }

  setExecInfo(param: number, value: Uint8Array | readonly BackendSvm[]): void {
    this.backend.record('kernel.setExecInfo', param, value);
  }

  suggestedLocalSize(_queue: BackendQueue, global: readonly number[]): readonly number[] {
    return global.map(() => 1);
  }

  clone(): BackendKernel {
    this.backend.record('kernel.clone');
    return new NullKernel(this.backend, this.name, this.parameters);
  }
}

/** Complete from the start, but for user events. */
class NullEvent implements BackendEvent {
  private waiting: { readonly at: number; readonly callback: (status: number) => void }[] = [];
  private state: number;

  constructor(
    private readonly type: CommandType,
    complete = true,
  ) {
    this.state = complete ? 0 : 2;
  }

  info(param: number): Uint8Array {
    const answers = { COMMAND_TYPE: this.type, COMMAND_EXECUTION_STATUS: this.state, REFERENCE_COUNT: 1 };
    return answer(eventInfo, answers, param);
  }

  status(): number {
    return this.state;
  }

  profilingInfo(param: number): Uint8Array {
    const answers = {
      COMMAND_QUEUED: 0n,
      COMMAND_SUBMIT: 0n,
      COMMAND_START: 0n,
      COMMAND_END: 0n,
      COMMAND_COMPLETE: 0n,
    };
    return answer(profilingInfo, answers, param);
  }

  onComplete(callback: (status: number) => void): void {
    this.onStatus(0, callback);
  }

  onStatus(type: number, callback: (status: number) => void): void {
    if (this.state <= type) queueMicrotask(() => callback(Math.min(this.state, type)));
    else this.waiting.push({ at: type, callback });
  }

  waitSync(): void {
    if (this.state > 0)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clWaitForEvents', 'this would never end');
  }

  setUserStatus(status: number): void {
    if (this.state <= 0) throw new OpenCLError(ErrorCode.INVALID_OPERATION, 'clSetUserEventStatus');
    this.state = status;
    for (const { callback } of this.waiting) queueMicrotask(() => callback(status));
    this.waiting = [];
  }

  release(): void {}
}

class NullQueue extends NullObject implements BackendQueue {
  constructor(
    backend: NullBackend,
    private readonly flags: number,
  ) {
    super(backend, 'queue');
  }

  info(param: number): Uint8Array {
    return answer(queueInfo, { REFERENCE_COUNT: 1, PROPERTIES: this.flags, PROPERTIES_ARRAY: [] }, param);
  }

  readonly enqueueKernel = this.command('enqueueKernel', CommandType.NDRANGE_KERNEL);
  readonly readBuffer = this.command('readBuffer', CommandType.READ_BUFFER);
  readonly writeBuffer = this.command('writeBuffer', CommandType.WRITE_BUFFER);
  readonly readBufferRect = this.command('readBufferRect', CommandType.READ_BUFFER_RECT);
  readonly writeBufferRect = this.command('writeBufferRect', CommandType.WRITE_BUFFER_RECT);
  readonly copyBuffer = this.command('copyBuffer', CommandType.COPY_BUFFER);
  readonly copyBufferRect = this.command('copyBufferRect', CommandType.COPY_BUFFER_RECT);
  readonly fillBuffer = this.command('fillBuffer', CommandType.FILL_BUFFER);
  readonly readImage = this.command('readImage', CommandType.READ_IMAGE);
  readonly writeImage = this.command('writeImage', CommandType.WRITE_IMAGE);
  readonly copyImage = this.command('copyImage', CommandType.COPY_IMAGE);
  readonly fillImage = this.command('fillImage', CommandType.FILL_IMAGE);
  readonly copyImageToBuffer = this.command('copyImageToBuffer', CommandType.COPY_IMAGE_TO_BUFFER);
  readonly copyBufferToImage = this.command('copyBufferToImage', CommandType.COPY_BUFFER_TO_IMAGE);
  readonly unmap = this.command('unmap', CommandType.UNMAP_MEM_OBJECT);
  readonly migrate = this.command('migrate', CommandType.MIGRATE_MEM_OBJECTS);
  readonly svmMemcpy = this.command('svmMemcpy', CommandType.SVM_MEMCPY);
  readonly svmFill = this.command('svmFill', CommandType.SVM_MEMFILL);
  readonly svmMap = this.command('svmMap', CommandType.SVM_MAP);
  readonly svmUnmap = this.command('svmUnmap', CommandType.SVM_UNMAP);
  readonly svmFree = this.command('svmFree', CommandType.SVM_FREE);
  readonly svmMigrate = this.command('svmMigrate', CommandType.SVM_MIGRATE_MEM);
  readonly barrier = this.command('barrier', CommandType.BARRIER);

  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
  ): { event: BackendEvent; mapped: BackendMapping } {
    this.backend.record('queue.mapBuffer', memory, flags, offset, size);
    const mapped = { bytes: new Uint8Array(size), rowPitch: 0, slicePitch: 0 };
    return { event: new NullEvent(CommandType.MAP_BUFFER), mapped };
  }

  mapImage(
    memory: BackendMemory,
    flags: number,
    ...region: readonly unknown[]
  ): { event: BackendEvent; mapped: BackendMapping } {
    this.backend.record('queue.mapImage', memory, flags, ...region);
    const { size } = memory as NullMemory;
    const mapped = { bytes: new Uint8Array(size), rowPitch: size, slicePitch: size };
    return { event: new NullEvent(CommandType.MAP_IMAGE), mapped };
  }

  marker(wait: readonly BackendEvent[] | undefined): BackendEvent {
    this.backend.record('queue.marker', wait);
    return new NullEvent(CommandType.MARKER);
  }

  flush(): void {
    this.backend.record('queue.flush');
  }

  async finish(): Promise<void> {
    this.backend.record('queue.finish');
  }

  finishSync(): void {
    this.backend.record('queue.finish');
  }

  /** A method that records its arguments, of which the last says whether an event is wanted. */
  private command(
    name: string,
    type: CommandType,
  ): (...args: readonly unknown[]) => BackendEvent | undefined {
    return (...args) => {
      this.backend.record(`queue.${name}`, ...args);
      return args.at(-1) === true ? new NullEvent(type) : undefined;
    };
  }
}

/** The same elements in memory of their own: the caller may write the next value into its array. */
function copyOf(view: ArrayBufferView): ArrayBufferView {
  const type = view.constructor as new (buffer: ArrayBufferLike) => ArrayBufferView;
  return new type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}
