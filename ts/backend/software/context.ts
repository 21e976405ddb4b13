// SPDX-License-Identifier: MIT
//
// A context of the software device: creates its queues, memory objects, programs and events.
import { ROBUST_PROPERTY } from '../../base/bounds';
import { CHECK_PROPERTY, type Checking, DEFAULT_LOOP_BUDGET, readCheckProperty } from '../../base/checks';
import { COVERAGE_KINDS, COVERAGE_PROPERTY, type CoverageKind } from '../../base/coverage';
import type { Host } from '../../base/host';
import type { AddressBits } from '../../base/kernel-abi';
import { LIMIT_PROPERTIES } from '../../base/limit-properties';
import { CommandType, ContextProperty, ErrorCode, QueueFlags } from '../../cl/constants.gen';
import { answerInfo } from '../../cl/encode-info';
import { contextInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { Command } from '../../device/commands/command';
import { Device, type DeviceOptions } from '../../device/device';
import { formatsOf } from '../../device/images/image-formats';
import type { JitOptions } from '../../jit/compiled';
import type {
  BackendContext,
  BackendDevice,
  BackendProgram,
  HostData,
  ImageDescription,
  ImageFormat,
} from '../backend';
import type { BackendEvent, BackendSvm } from '../backend-objects';
import type { BackendQueue } from '../backend-queue';
import { CommandList } from '../command-list';
import { checkTerminated, queueFlags } from './command-stream';
import { retainOperands } from './commands/retain-operands';
import { missingOfEngine } from './device/missing-of-engine';
import type { DevicePart } from './device/sub-devices';
import { SoftwareDeviceQueue } from './device-queue';
import { SoftwareEvent } from './event';
import { whereMoreFits } from './memory/allocate';
import { SoftwareBuffer } from './memory/buffer';
import { SoftwareImage } from './memory/image';
import { checkMemoryProperties } from './memory/memory';
import { SoftwarePipe } from './memory/pipe';
import { SoftwareSampler } from './memory/sampler';
import { SharedPages } from './memory/shared-pages';
import { SoftwareSvm } from './memory/svm';
import { ofSvmAlloc, readUnifiedSvm, suggestedSvmType, unifiedSvmInfo } from './memory/unified-svm';
import { SoftwareProgram } from './programs/program';
import { SoftwareQueue } from './queue';
import { RefCounted } from './ref-counted';
import { SoftwareSemaphore } from './semaphore';
import type { ContextServices, Services } from './services';

export class SoftwareContext extends RefCounted implements BackendContext {
  private readonly services: ContextServices;

  constructor(
    services: Services,
    readonly devices: readonly BackendDevice[],
    private readonly properties: readonly bigint[],
  ) {
    super();
    const { host, processor, compiler, turns, target } = services;
    const zeroed = zeroedMemory(properties);
    const coverage = COVERAGE_KINDS[Number(contextProperty(properties, COVERAGE_PROPERTY) ?? 0n)];
    const checking = checkingOf(properties, host, coverage);
    const isRobust = contextProperty(properties, ROBUST_PROPERTY) === 1n;
    const isNarrowed = services.addressBits === 64 && Boolean(checking || coverage || isRobust);
    const addressBits = isNarrowed ? 32 : services.addressBits;
    const device = deviceOn(services, {
      terminable: contextProperty(properties, ContextProperty.TERMINATE_KHR) === 1n,
      checking,
      addressBits,
      isNarrowed,
    });
    limit(device, properties);
    device.coverage = coverage;
    device.isRobust = isRobust;
    this.services = {
      host,
      processor,
      compiler,
      turns,
      target,
      addressBits,
      // Loaded when a program needs it: the threads start first.
      get toolchain() {
        return services.toolchain;
      },
      device,
      settings: () => ({
        ...settingsFor(addressBits, services.settings()),
        ...zeroed,
        ...(checking ? { checks: checking.checks } : {}),
        ...(coverage ? { coverage } : {}),
        ...(device.isRobust ? { robust: true as const } : {}),
      }),
      prepare: (signal) => services.prepare(signal),
    };
    processor.pool.threads.prepareInTurns();
  }

  prepare(signal?: AbortSignal): Promise<void> {
    return this.services.prepare(signal);
  }

  /** Whether the context knows which bytes were written. */
  get isChecked(): boolean {
    return this.services.device.checked !== undefined;
  }

  whereMoreFits(): string | undefined {
    return whereMoreFits(this.services.device);
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: this.referenceCount,
      NUM_DEVICES: this.devices.length,
      PROPERTIES: this.properties.length > 0 ? [...this.properties, 0n] : [],
    };
    return answerInfo(contextInfo, answers, 'clGetContextInfo', param);
  }

  createQueue(device: BackendDevice, properties: readonly bigint[]): SoftwareQueue | SoftwareDeviceQueue {
    checkTerminated(this.services.device, 'clCreateCommandQueueWithProperties');
    this.retain();
    const flags = queueFlags(properties);
    if (flags & QueueFlags.ON_DEVICE)
      return new SoftwareDeviceQueue(this.services.device, properties, flags, () => this.release());
    const { workers } = device as DevicePart;
    return new SoftwareQueue(this.services.device, workers, properties, () => this.release());
  }

  createBuffer(flags: number, size: number, host?: HostData, properties?: readonly bigint[]): SoftwareBuffer {
    checkTerminated(this.services.device, 'clCreateBuffer');
    checkMemoryProperties(properties, 'clCreateBufferWithProperties');
    return SoftwareBuffer.create(this.services.device, flags, size, host, properties);
  }

  /** A buffer whose pages `share` maps from elsewhere. */
  createSharedBuffer(
    flags: number,
    size: number,
    properties: readonly bigint[],
    pages: SharedPages,
    offset: number,
  ): SoftwareBuffer {
    const { device } = this.services;
    checkTerminated(device, 'clCreateBuffer');
    checkMemoryProperties(properties, 'clCreateBufferWithProperties');
    return SoftwareBuffer.createShared(device, flags, size, properties, pages, offset);
  }

  mapPages(
    size: number,
    share: (bytes: Uint8Array) => void,
    unshare: (bytes: Uint8Array) => void,
    onFree: () => void,
  ): SharedPages | undefined {
    return SharedPages.map(this.services.device, size, share, unshare, onFree);
  }

  createImage(
    flags: number,
    format: ImageFormat,
    desc: ImageDescription,
    host?: HostData,
    properties?: readonly bigint[],
  ): SoftwareImage {
    checkTerminated(this.services.device, 'clCreateImage');
    checkMemoryProperties(properties, 'clCreateImageWithProperties');
    return SoftwareImage.create(this.services.device, flags, format, desc, host, properties);
  }

  supportedImageFormats(_flags: number, type: number): readonly ImageFormat[] {
    return formatsOf(type);
  }

  createSampler(properties: readonly bigint[]): SoftwareSampler {
    return new SoftwareSampler(properties);
  }

  createPipe(flags: number, packetSize: number, maxPackets: number): SoftwarePipe {
    checkTerminated(this.services.device, 'clCreatePipe');
    return new SoftwarePipe(this.services.device, flags, packetSize, maxPackets);
  }

  createProgramWithSource(sources: readonly string[]): SoftwareProgram {
    return SoftwareProgram.fromSource(this.services, sources.join(''));
  }

  createProgramWithIL(il: Uint8Array): SoftwareProgram {
    return SoftwareProgram.fromIL(this.services, il);
  }

  createProgramWithBinary(
    _devices: readonly BackendDevice[],
    binaries: readonly Uint8Array[],
  ): SoftwareProgram {
    return SoftwareProgram.fromBinary(this.services, binaries[0]!);
  }

  createProgramWithBuiltInKernels(_devices: readonly BackendDevice[], names: string): BackendProgram {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      'clCreateProgramWithBuiltInKernels',
      `the device has no built-in kernels, so none named '${names}'`,
    );
  }

  async linkProgram(
    _devices: readonly BackendDevice[],
    options: string,
    inputs: readonly BackendProgram[],
    signal?: AbortSignal,
  ): Promise<SoftwareProgram> {
    return SoftwareProgram.link(this.services, options, inputs as readonly SoftwareProgram[], signal);
  }

  createUserEvent(): BackendEvent {
    checkTerminated(this.services.device, 'clCreateUserEvent');
    const command = new Command({ kind: 'user' }, false);
    command.status = 2;
    return new SoftwareEvent(this.services.device, command, CommandType.USER);
  }

  createCommandBuffer(queues: readonly BackendQueue[], properties: readonly bigint[]): CommandList {
    checkTerminated(this.services.device, 'clCreateCommandBufferKHR');
    const eventOf = (queue: BackendQueue, replay: () => void) =>
      (queue as SoftwareQueue).markerOf(replay, CommandType.COMMAND_BUFFER_KHR);
    return new CommandList(queues, properties, eventOf, retainOperands);
  }

  createSemaphore(properties: readonly bigint[]): SoftwareSemaphore {
    return new SoftwareSemaphore(this.services.device.scheduler, properties);
  }

  svmAlloc(flags: number, size: number, align: number): SoftwareSvm {
    checkTerminated(this.services.device, 'clSVMAlloc');
    return SoftwareSvm.create(this.services.device, size, align, ofSvmAlloc(flags));
  }

  /** For a process that maps the memory at the same address: `share` makes it so, `unshare` leaves zeros in its place. */
  svmAllocAt(
    flags: number,
    address: number,
    size: number,
    share: (bytes: Uint8Array) => void,
    unshare: (bytes: Uint8Array) => void,
  ): SoftwareSvm {
    const { device } = this.services;
    checkTerminated(device, 'clSVMAlloc');
    const svm = SoftwareSvm.at(device, address, size, ofSvmAlloc(flags), () => unshare(svm.bytes));
    share(svm.bytes);
    return svm;
  }

  unifiedSvmAlloc(
    properties: readonly bigint[],
    type: number,
    size: number,
    device?: BackendDevice,
  ): SoftwareSvm {
    checkTerminated(this.services.device, 'clSVMAllocWithPropertiesKHR');
    const { align, ...unified } = readUnifiedSvm(type, properties, device !== undefined);
    return SoftwareSvm.create(this.services.device, size, align, unified);
  }

  svmTypeIndex(required: number): number {
    return suggestedSvmType(required);
  }

  svmPointerInfo(svm: BackendSvm, _device: BackendDevice | undefined, param: number): Uint8Array {
    return unifiedSvmInfo(svm as SoftwareSvm, param);
  }

  setDefaultDeviceQueue(_device: BackendDevice, queue: BackendQueue): void {
    if (!(queue instanceof SoftwareDeviceQueue))
      throw new OpenCLError(
        ErrorCode.INVALID_COMMAND_QUEUE,
        'clSetDefaultDeviceCommandQueue',
        'the queue is not one on the device',
      );
    this.services.device.defaultQueue = queue;
  }

  terminate(): void {
    const functionName = 'clTerminateContextKHR';
    const { device } = this.services;
    checkTerminated(device, functionName);
    if (!device.terminable)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        functionName,
        'the context was created without CL_CONTEXT_TERMINATE_KHR (`terminable`)',
      );
    device.terminate();
  }

  protected override destroy(): void {
    this.services.compiler.abandon(this.services.device);
    this.services.device.close();
  }
}

/** The device with a memory for another context. */
function deviceOn(
  { processor }: Services,
  options: DeviceOptions & Required<Pick<DeviceOptions, 'addressBits'>>,
): Device {
  const missing = missingOfEngine();
  if (missing !== undefined)
    throw new OpenCLError(ErrorCode.DEVICE_NOT_AVAILABLE, 'clCreateContext', missing);
  try {
    return new Device(processor, options);
  } catch (error) {
    throw new OpenCLError(
      ErrorCode.DEVICE_NOT_AVAILABLE,
      'clCreateContext',
      `the process may not reserve the address space of a context's memory, about ${options.addressBits === 64 ? 16 : 10} GB (ulimit -v); release contexts that are not needed: ${error}`,
    );
  }
}

/** A context of the device with 64-bit addresses may have a memory with 32-bit ones (docs/adr/0027-more-than-4-gb.md). */
function settingsFor(addressBits: AddressBits, { addressBits: _, ...settings }: JitOptions): JitOptions {
  return addressBits === 64 ? { ...settings, addressBits } : settings;
}

/** Sets the limits that the context's properties ask for. */
function limit(device: Device, properties: readonly bigint[]): void {
  const timeout = contextProperty(properties, LIMIT_PROPERTIES.timeout);
  const memory = contextProperty(properties, LIMIT_PROPERTIES.memory);
  if (timeout !== undefined) device.limitMs = Number(timeout);
  if (memory !== undefined) device.memory.budget = Number(memory);
}

/** The checks of the context, or of the environment. What accesses cost is counted by the same calls, even without checks. */
function checkingOf(
  properties: readonly bigint[],
  { settings }: Host,
  coverage: CoverageKind | undefined,
): Checking | undefined {
  const value = contextProperty(properties, CHECK_PROPERTY);
  const checking =
    value === undefined
      ? { checks: settings.check, loopBudget: DEFAULT_LOOP_BUDGET }
      : readCheckProperty(value);
  return checking.checks.length > 0 || coverage === 'memory' ? checking : undefined;
}

/** The bits of CL_CONTEXT_MEMORY_INITIALIZE_KHR, which have no name in cl.xml. */
const INITIALIZE_LOCAL = 1n;
const INITIALIZE_PRIVATE = 2n;

/** The memory that is zeroed for the context's kernels (cl_khr_initialize_memory). */
function zeroedMemory(properties: readonly bigint[]): Pick<JitOptions, 'zeroed'> {
  const bits = contextProperty(properties, ContextProperty.MEMORY_INITIALIZE_KHR) ?? 0n;
  if ((bits & ~(INITIALIZE_LOCAL | INITIALIZE_PRIVATE)) !== 0n)
    throw new OpenCLError(
      ErrorCode.INVALID_PROPERTY,
      'clCreateContext',
      `CL_CONTEXT_MEMORY_INITIALIZE_KHR is made of the bits 1 (local) and 2 (private), not ${bits}`,
    );
  if (bits === 0n) return {};
  return { zeroed: { local: (bits & INITIALIZE_LOCAL) !== 0n, private: (bits & INITIALIZE_PRIVATE) !== 0n } };
}

/** The value of a property in a list of keys and values. */
function contextProperty(properties: readonly bigint[], key: number): bigint | undefined {
  for (let at = 0; at + 1 < properties.length; at += 2)
    if (properties[at] === BigInt(key)) return properties[at + 1];
  return undefined;
}
