// SPDX-License-Identifier: MIT
//
// The native addon as TypeScript sees it: a flat list of methods over handles. A handle is a number that names one
// live object of one kind; the addon refuses any other. native/src/objects/*.h documents each method's parameters.
import { load } from '../../host/node/place';
import { addonFiles } from './addon-file';
import { interfaceNumber } from './interface.gen';

export type Handle = number;
/** Identifies an operation that will finish: the dispatch function gets it with a status. */
export type Ticket = number;

type Bytes = ArrayBufferView | ArrayBuffer;
type Properties = readonly bigint[];

// Most methods without parameters are quick calls: `Session` puts their operands into the scratch memory.
export interface Addon {
  /** The hash of the sources that it was built from; early builds have none. */
  readonly interfaceNumber?: number;
  /** The memory that both sides share. */
  attach(
    dispatch: (finished: number | string) => void,
    error: new (code: number, functionName: string, detail?: string) => Error,
    mainThread: boolean,
  ): ArrayBuffer;
  open(path?: string): string;
  platforms(): Handle[];
  devices(platform: Handle, type: number): Handle[];
  createSubDevices(device: Handle, properties: Properties): Handle[];
  unloadCompiler(platform: Handle): void;
  placeThread(thread: number, part: number, parts: number): number;
  currentPart(parts: number): number;
  timers(device: Handle, deviceToo: boolean): Uint8Array;
  entryPoint(platform: Handle, name: string): number;

  info(object: Handle, key: number): Uint8Array;
  imageInfo(memory: Handle, key: number): Uint8Array;
  pipeInfo(memory: Handle, key: number): Uint8Array;
  buildInfo(program: Handle, device: Handle, key: number): Uint8Array;
  argInfo(kernel: Handle, index: number, key: number): Uint8Array;
  workGroupInfo(kernel: Handle, device: Handle, key: number): Uint8Array;
  subGroupInfo(kernel: Handle, device: Handle, key: number, input: readonly number[]): Uint8Array;
  profilingInfo(event: Handle, key: number): Uint8Array;
  svmPointerInfo(context: Handle, device: Handle | undefined, svm: Handle, key: number): Uint8Array;
  glObjectInfo(memory: Handle): Uint8Array;
  glTextureInfo(memory: Handle, key: number): Uint8Array;
  glContextInfo(platform: Handle, properties: Properties, key: number): Handle[];
  imageRequirements(context: Handle, flags: number, key: number): Uint8Array;
  binaries(program: Handle): Uint8Array[];

  release(): void;
  retain(object: Handle): Handle;
  liveObjects(): number;

  createContext(devices: readonly Handle[], properties: Properties): Handle;
  createContextFromType(platform: Handle, type: number, properties: Properties): Handle;
  onContextDestroyed(context: Handle): Ticket;
  terminateContext(context: Handle): void;
  createQueue(context: Handle, device: Handle, properties: Properties): Handle;
  setDefaultDeviceQueue(context: Handle, device: Handle, queue: Handle): void;
  setQueueProperty(queue: Handle, flags: number, on: boolean): void;
  flush(): void;
  finishSync(): void;

  createBuffer(
    context: Handle,
    flags: number,
    size: number,
    host: Bytes | undefined,
    properties: Properties,
  ): Handle;
  createSubBuffer(buffer: Handle, flags: number, origin: number, size: number): Handle;
  createImage(context: Handle, flags: number, host: Bytes | undefined, properties: Properties): Handle;
  supportedImageFormats(context: Handle, flags: number, type: number): number[];
  createPipe(context: Handle, flags: number, packetSize: number, packets: number): Handle;
  createSampler(context: Handle, properties: Properties): Handle;
  onMemoryDestroyed(memory: Handle): Ticket;
  createFromGlBuffer(context: Handle, flags: number, name: number): Handle;
  createFromGlTexture(context: Handle, flags: number, target: number, level: number, name: number): Handle;
  createFromGlRenderbuffer(context: Handle, flags: number, name: number): Handle;
  createFromEglImage(context: Handle, display: bigint, image: bigint, flags: number): Handle;
  eventFromEglSync(context: Handle, sync: bigint, display: bigint): Handle;

  createProgramWithSource(context: Handle, sources: readonly string[]): Handle;
  createProgramWithIl(context: Handle, il: Bytes): Handle;
  createProgramWithBinary(context: Handle, devices: readonly Handle[], binaries: readonly Bytes[]): Handle;
  createProgramWithBuiltInKernels(context: Handle, devices: readonly Handle[], names: string): Handle;
  build(program: Handle, devices: readonly Handle[], options: string): Ticket;
  buildSync(program: Handle, devices: readonly Handle[], options: string): void;
  compile(
    program: Handle,
    devices: readonly Handle[],
    options: string,
    names: readonly string[],
    headers: readonly Handle[],
  ): Ticket;
  link(context: Handle, devices: readonly Handle[], options: string, programs: readonly Handle[]): Ticket;
  /** 0 if linking created none. */
  linkedProgram(ticket: Ticket): Handle;
  jobDone(ticket: Ticket): void;
  setSpecializationConstant(program: Handle, id: number, value: Bytes): void;
  onProgramReleased(program: Handle): Ticket;
  createKernel(program: Handle, name: string): Handle;
  createKernels(program: Handle): Handle[];
  cloneKernel(kernel: Handle): Handle;

  setArgBytes(): void;
  setArgLarge(kernel: Handle, index: number, value: Bytes): void;
  setArgLocal(kernel: Handle, index: number, size: number): void;
  setArgObject(): void;
  setArgSvm(kernel: Handle, index: number, svm: Handle): void;
  setArgDevicePointer(kernel: Handle, index: number, address: bigint): void;
  setExecInfo(kernel: Handle, key: number, value: Bytes): void;
  setExecSvm(kernel: Handle, key: number, svms: readonly Handle[]): void;
  suggestedLocalSize(
    queue: Handle,
    kernel: Handle,
    global: readonly number[],
    offset: readonly number[] | undefined,
  ): number[];

  createUserEvent(context: Handle): Handle;
  setUserStatus(event: Handle, status: number): void;
  eventStatus(event: Handle): number;
  onEvent(event: Handle, status: number): Ticket;
  waitSync(events: readonly Handle[]): void;
  /** Throws where `waitSync` would, because the awaited commands wait for this thread; does not wait. */
  checkBlocking(events: readonly Handle[]): void;
  eventFromGlSync(context: Handle, sync: bigint): Handle;

  svmAlloc(
    context: Handle,
    flags: number,
    size: number,
    alignment: number,
  ): [Handle, bigint, Uint8Array | undefined];
  unifiedSvmAlloc(
    context: Handle,
    properties: Properties,
    type: number,
    size: number,
    device?: Handle,
  ): [Handle, bigint, Uint8Array | undefined];
  svmTypeIndex(context: Handle, required: number, device: Handle | undefined, size: number): number;
  svmCopy(svm: Handle, offset: number, host: Bytes, toSvm: boolean): void;

  mapBuffer(
    queue: Handle,
    memory: Handle,
    flags: number,
    offset: number,
    size: number,
    waits: number,
  ): NativeMapped;
  mapImage(queue: Handle, memory: Handle, flags: number, waits: number): NativeMapped;
  mappingCopy(mapping: Handle, host: Bytes, toMapping: boolean): void;
  detach(view: Uint8Array): void;

  submit(): void;
  /** As `submit`, with the host memory of one command. */
  execute(queue: Handle, words: number, host?: Bytes, second?: Bytes): Handle;
  /** `jobDone(ticket)` ends its thread. */
  copyApart(queue: Handle, memory: Handle, offset: number, host: Bytes, read: boolean): Ticket;
  /** The same for host memory. `to` is as long as `from`. */
  copyMemory(queue: Handle, from: Bytes, to: Bytes): Ticket;
  enqueueNativeKernel(
    queue: Handle,
    memories: readonly Handle[],
    waits: number,
  ): [event: Handle, ticket: Ticket];
  nativeKernelMemory(ticket: Ticket): (Uint8Array | number)[];
  nativeKernelCopy(ticket: Ticket, index: number, host: Bytes, toMemory: boolean): void;
  nativeKernelDone(ticket: Ticket): void;

  createSemaphore(context: Handle, properties: Properties, devices: readonly Handle[]): Handle;
  semaphoreHandle(semaphore: Handle, device: Handle, type: number): Uint8Array;
  reimportSemaphoreSyncFd(semaphore: Handle, properties: Properties, fd: number): void;
  createCommandBuffer(queues: readonly Handle[], properties: Properties): Handle;
  finalizeCommandBuffer(buffer: Handle): void;
  record(buffer: Handle, queue: Handle | undefined, words: number, properties: Properties): Handle;
  updateCommand(buffer: Handle, command: Handle, words: number): void;
  remapCommandBuffer(buffer: Handle, automatic: boolean, queues: readonly Handle[]): Handle;

  /** The number of a watch, one for each server: it loses a server that gives no sign of life for so long while it is awaited. */
  watchServer(host: string, port: number, milliseconds: number): number;
  /** Calls that do not return count by themselves. */
  awaitServer(watch: number, change: 1 | -1): void;
  serverLost(watch: number): number;
}

/** Event, mapping, the bytes if JavaScript may access them directly, size, row pitch, slice pitch. */
export type NativeMapped = [
  event: Handle,
  mapping: Handle,
  bytes: Uint8Array | undefined,
  size: number,
  rowPitch: number,
  slicePitch: number,
];

/** The addon was built from other sources than this code, so they do not match. */
export class InterfaceMismatch extends Error {}

/** No addon was found, or this machine cannot open any. */
class AddonMissing extends Error {}

/** Opens the prebuilt or locally built addon; throws if none fits this system. */
export function openAddon(): Addon {
  const failures: string[] = [];
  let mismatch: string | undefined;
  for (const file of addonFiles()) {
    try {
      const addon = load()(file) as Addon;
      if (addon.interfaceNumber === interfaceNumber) return addon;
      mismatch ??= file;
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  if (mismatch !== undefined) throw new InterfaceMismatch(mismatch);
  throw new AddonMissing(failures.join('; '));
}
