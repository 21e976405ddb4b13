// SPDX-License-Identifier: MIT
//
// What a kind of device must be able to do: the only way from the API to the devices. Implemented by native/ (the
// addon over the machine's drivers), software/ (compiler, JIT and device) and null/ (for tests).
//
// The contract:
// - The API validates first, so that the same wrong call gives the same error everywhere; a backend may rely on
//   argument types, on sizes and offsets being safe integers within the object, and on objects being its own and alive.
//   A device reports what only it can detect (out of resources, an unsupported format) by throwing OpenCLError.
// - The implementation counts references to objects as OpenCL prescribes: `release()` gives up the caller's
//   reference; commands in flight keep what they use alive. After `release()` the API makes no further call.
// - Nothing here blocks, except methods named `…Sync`. What can fail later fails through its event or Promise.
// - Host memory handed to a command (an ArrayBufferView) stays referenced until the command's event is complete.
// - `info(param)` returns the bytes that the matching clGet…Info would, little endian, strings NUL-terminated; keys
//   that hold handles are answered by the API and never reach a backend. An unknown key throws INVALID_VALUE.
// - An `undefined` wait list is an empty one; with `wantEvent: false` a backend need not create an event, and it then
//   returns undefined.
import type { RemoteAddress } from '../base/remote-address';
import type { BackendCommandBuffer } from './backend-command-buffer';
import type {
  BackendEvent,
  BackendMemory,
  BackendSampler,
  BackendSemaphore,
  BackendSvm,
  DeviceReference,
} from './backend-objects';
import type { BackendKernel, BackendQueue } from './backend-queue';

export interface Backend {
  readonly kind: 'native' | 'software' | 'null';
  /** Empty if there is none; `problem` then is a sentence that says why. */
  platforms(): readonly BackendPlatform[];
  /**
   * Makes devices of other machines appear among the platforms'. Absent if the kind has no remote devices.
   * @throws OpenCLError that says which do not, and why
   */
  connect?(addresses: readonly RemoteAddress[]): Promise<void>;
  readonly problem?: string;
}

export interface BackendPlatform {
  readonly backend: Backend;
  info(param: number): Uint8Array;
  devices(): readonly BackendDevice[];
  /** Frees the memory of the platform's compiler (clUnloadPlatformCompiler). */
  unloadCompiler(): void;
  /** clCreateContextFromType; without it the API chooses the devices. */
  createContextFromType?(type: number, properties: readonly bigint[]): BackendContext;
  /** clGetGLContextInfoKHR: which devices can share with the GL context that the properties name. */
  glDevices?(properties: readonly bigint[], param: number): readonly BackendDevice[];
}

export interface BackendDevice extends DeviceReference {
  readonly platform: BackendPlatform;
  /** The address of a device of another machine. */
  readonly remote?: string | undefined;
  /** clCreateSubDevices; `properties` without the closing 0. */
  createSubDevices(properties: readonly number[]): readonly BackendDevice[];
  createContext(devices: readonly BackendDevice[], properties: readonly bigint[]): BackendContext;
  /** clGetDeviceAndHostTimer and clGetHostTimer, in nanoseconds. */
  timers(): { device: bigint; host: bigint };
  release(): void;
}

/** Host memory that a buffer uses or is filled from. */
export type HostData = ArrayBufferView | ArrayBufferLike;

export interface ImageFormat {
  readonly order: number;
  readonly type: number;
}

/** cl_image_desc; absent members are 0. */
export interface ImageDescription {
  readonly type: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arraySize: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
  readonly mipLevels: number;
  readonly samples: number;
  readonly parent?: BackendMemory;
}

export interface BackendContext {
  readonly devices: readonly BackendDevice[];
  /** Prepares the first build. Absent if there is nothing to prepare. */
  prepare?(signal?: AbortSignal): Promise<void>;
  info(param: number): Uint8Array;
  /** `properties`: the queue property list as for clCreateCommandQueueWithProperties, without the closing 0. */
  createQueue(device: BackendDevice, properties: readonly bigint[]): BackendQueue;
  /** `host` is the initial contents (COPY_HOST_PTR) or the memory itself (USE_HOST_PTR). */
  createBuffer(flags: number, size: number, host?: HostData, properties?: readonly bigint[]): BackendMemory;
  createImage(
    flags: number,
    format: ImageFormat,
    desc: ImageDescription,
    host?: HostData,
    properties?: readonly bigint[],
  ): BackendMemory;
  supportedImageFormats(flags: number, type: number): readonly ImageFormat[];
  createSampler(properties: readonly bigint[]): BackendSampler;
  createPipe(flags: number, packetSize: number, maxPackets: number): BackendMemory;
  createProgramWithSource(sources: readonly string[]): BackendProgram;
  createProgramWithIL(il: Uint8Array): BackendProgram;
  createProgramWithBinary(devices: readonly BackendDevice[], binaries: readonly Uint8Array[]): BackendProgram;
  createProgramWithBuiltInKernels(devices: readonly BackendDevice[], names: string): BackendProgram;
  linkProgram(
    devices: readonly BackendDevice[],
    options: string,
    inputs: readonly BackendProgram[],
    signal?: AbortSignal,
  ): Promise<BackendProgram>;
  createUserEvent(): BackendEvent;
  svmAlloc(flags: number, size: number, align: number): BackendSvm;
  setDefaultDeviceQueue(device: BackendDevice, queue: BackendQueue): void;
  /** cl_khr_semaphore; `devices` are the last property, if there are any. */
  createSemaphore?(properties: readonly bigint[], devices: readonly BackendDevice[]): BackendSemaphore;
  /** cl_khr_command_buffer, emulated (`CommandList`) if the device does not support it. */
  createCommandBuffer?(queues: readonly BackendQueue[], properties: readonly bigint[]): BackendCommandBuffer;
  /** cl_ext_image_requirements_info */
  imageRequirements?(flags: number, format: ImageFormat, desc: ImageDescription, param: number): Uint8Array;
  /** cl_khr_unified_svm: memory of one of the device's types, which `svmTypeIndex` suggests. */
  unifiedSvmAlloc?(
    properties: readonly bigint[],
    type: number,
    size: number,
    device?: BackendDevice,
  ): BackendSvm;
  svmTypeIndex?(required: number, device: BackendDevice | undefined, size: number): number;
  /** clGetSVMPointerInfoKHR */
  svmPointerInfo?(svm: BackendSvm, device: BackendDevice | undefined, param: number): Uint8Array;
  /** cl_khr_gl_sharing: `kind` chooses one of the functions clCreateFromGL…. */
  createFromGl?(
    kind: 'buffer' | 'texture' | 'renderbuffer',
    flags: number,
    name: number,
    target?: number,
    level?: number,
  ): BackendMemory;
  /** cl_khr_egl_image; both are handles of EGL. */
  createFromEglImage?(display: bigint, image: bigint, flags: number): BackendMemory;
  /** cl_khr_gl_event and cl_khr_egl_event */
  eventFromGlSync?(sync: bigint): BackendEvent;
  eventFromEglSync?(sync: bigint, display: bigint): BackendEvent;
  /** cl_khr_terminate_context */
  terminate?(): void;
  /** Says which device has more memory, for errors of allocations. */
  whereMoreFits?(): string | undefined;
  /** Called when the context is destroyed (clSetContextDestructorCallback). */
  onDestroy(callback: () => void): void;
  release(): void;
}

export interface BackendProgram {
  info(param: number): Uint8Array;
  buildInfo(device: BackendDevice, param: number): Uint8Array;
  /** Rejects with BUILD_PROGRAM_FAILURE, the log in the error. `signal` ends the build if the backend can cancel it. */
  build(devices: readonly BackendDevice[], options: string, signal?: AbortSignal): Promise<void>;
  buildSync(devices: readonly BackendDevice[], options: string): void;
  compile(
    devices: readonly BackendDevice[],
    options: string,
    headers: ReadonlyMap<string, BackendProgram>,
    signal?: AbortSignal,
  ): Promise<void>;
  setSpecializationConstant(id: number, value: Uint8Array): void;
  createKernel(name: string): BackendKernel;
  /** clCreateKernelsInProgram; without it they are created one by one. */
  createKernels?(): readonly BackendKernel[];
  kernelNames(): readonly string[];
  /** Whether it has a kernel of this name, where that is known without a list of all names. */
  hasKernel?(name: string): boolean;
  /** clSetProgramReleaseCallback, only in OpenCL 2.2 */
  onRelease?(callback: () => void): void;
  binaries(): readonly Uint8Array[];
  release(): void;
}
