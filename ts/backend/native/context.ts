// SPDX-License-Identifier: MIT
//
// A context of a driver: creates its queues, memory objects, programs and events.
import * as threads from 'node:worker_threads';
import { DeviceInfo, ErrorCode, MemFlags } from '../../cl/constants.gen';
import { deviceInfo } from '../../cl/info-keys.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import { brokenForm } from '../../spirv/instruction-words';
import { withoutDebugInfo } from '../../spirv/strip-debug-info';
import type {
  BackendContext,
  BackendDevice,
  BackendProgram,
  HostData,
  ImageDescription,
  ImageFormat,
} from '../backend';
import type { BackendCommandBuffer } from '../backend-command-buffer';
import type { BackendSvm } from '../backend-objects';
import type { BackendQueue } from '../backend-queue';
import { CommandList } from '../command-list';
import { bytesOf, stableSource } from '../host-memory';
import type { Handle } from './addon';
import { NativeCommandBuffer } from './command-buffer';
import { NativeEvent } from './event';
import { NativeMemory, NativeSampler, NativeSvm } from './memory';
import { NativeObject } from './native-object';
import { linkProgram, NativeProgram } from './program';
import { NativeQueue } from './queue';
import { connectionOf } from './remote-device';
import { NativeSemaphore } from './semaphore';
import { handleOf, type Session } from './session';
import { TranslatedProgram, takesDebugInfo, takesIL } from './translated-program';

export class NativeContext extends NativeObject implements BackendContext {
  constructor(
    session: Session,
    handle: Handle,
    readonly devices: readonly BackendDevice[],
  ) {
    super(session, handle);
  }

  createQueue(device: BackendDevice, properties: readonly bigint[]): NativeQueue {
    const { addon } = this.session;
    const connection = connectionOf(device);
    connection?.check('clCreateCommandQueueWithProperties');
    const handle = addon.createQueue(this.handle, handleOf(device), properties);
    return new NativeQueue(this.session, handle, connection);
  }

  createBuffer(
    flags: number,
    size: number,
    host?: HostData,
    properties: readonly bigint[] = [],
  ): NativeMemory {
    const { addon } = this.session;
    const bytes = host && hostMemory(host, flags);
    const handle = addon.createBuffer(this.handle, flags, size, bytes, properties);
    return new NativeMemory(
      this.session,
      handle,
      bytes && flags & MemFlags.USE_HOST_PTR ? bytesOf(bytes) : undefined,
    );
  }

  createImage(
    flags: number,
    format: ImageFormat,
    desc: ImageDescription,
    host?: HostData,
    properties: readonly bigint[] = [],
  ): NativeMemory {
    const { addon, words } = this.session;
    const bytes = host && hostMemory(host, flags);
    this.session.settleBatch();
    putImage(words, format, desc);
    return this.memory(addon.createImage(this.handle, flags, bytes, properties));
  }

  supportedImageFormats(flags: number, type: number): readonly ImageFormat[] {
    const pairs = this.session.addon.supportedImageFormats(this.handle, flags, type);
    const formats: ImageFormat[] = [];
    for (let i = 0; i < pairs.length; i += 2) formats.push({ order: pairs[i]!, type: pairs[i + 1]! });
    return formats;
  }

  createSampler(properties: readonly bigint[]): NativeSampler {
    return new NativeSampler(this.session, this.session.addon.createSampler(this.handle, properties));
  }

  createPipe(flags: number, packetSize: number, maxPackets: number): NativeMemory {
    return this.memory(this.session.addon.createPipe(this.handle, flags, packetSize, maxPackets));
  }

  createProgramWithSource(sources: readonly string[]): NativeProgram {
    const handle = this.session.addon.createProgramWithSource(this.handle, sources);
    return new NativeProgram(this.session, handle, this.devices, { text: sources.join('') });
  }

  /** If a driver of the context does not accept SPIR-V, the program is translated to OpenCL C. */
  createProgramWithIL(il: Uint8Array): BackendProgram {
    if (this.devices.every(takesIL)) {
      const fault = brokenForm(il);
      if (fault) throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clCreateProgramWithIL', fault);
      const taken = this.devices.every(takesDebugInfo) ? il : withoutDebugInfo(il);
      const handle = this.session.addon.createProgramWithIl(this.handle, taken);
      return new NativeProgram(
        this.session,
        handle,
        this.devices,
        taken === il ? {} : { il: new Uint8Array(il) },
      );
    }
    return new TranslatedProgram(il, this.devices, (source) => this.createProgramWithSource([source]));
  }

  createProgramWithBinary(devices: readonly BackendDevice[], binaries: readonly Uint8Array[]): NativeProgram {
    const { addon } = this.session;
    return this.program(addon.createProgramWithBinary(this.handle, devices.map(handleOf), binaries));
  }

  createProgramWithBuiltInKernels(devices: readonly BackendDevice[], names: string): NativeProgram {
    const { addon } = this.session;
    return this.program(addon.createProgramWithBuiltInKernels(this.handle, devices.map(handleOf), names));
  }

  linkProgram(
    devices: readonly BackendDevice[],
    options: string,
    inputs: readonly BackendProgram[],
  ): Promise<NativeProgram> {
    return linkProgram(this.session, this.handle, this.devices, devices, options, inputs);
  }

  createUserEvent(): NativeEvent {
    return new NativeEvent(this.session, this.session.addon.createUserEvent(this.handle));
  }

  svmAlloc(flags: number, size: number, align: number): NativeSvm {
    const [handle, address, bytes] = this.session.addon.svmAlloc(this.handle, flags, size, align);
    return new NativeSvm(this.session, handle, address, size, bytes);
  }

  setDefaultDeviceQueue(device: BackendDevice, queue: BackendQueue): void {
    this.session.addon.setDefaultDeviceQueue(this.handle, handleOf(device), handleOf(queue));
  }

  createSemaphore(properties: readonly bigint[], devices: readonly BackendDevice[]): NativeSemaphore {
    const { addon } = this.session;
    return new NativeSemaphore(
      this.session,
      addon.createSemaphore(this.handle, properties, devices.map(handleOf)),
    );
  }

  createCommandBuffer(queues: readonly BackendQueue[], properties: readonly bigint[]): BackendCommandBuffer {
    if (!this.devices.every(hasCommandBuffers)) return new CommandList(queues, properties);
    const { addon } = this.session;
    const handle = addon.createCommandBuffer(queues.map(handleOf), properties);
    return new NativeCommandBuffer(this.session, handle, queues);
  }

  imageRequirements(flags: number, format: ImageFormat, desc: ImageDescription, param: number): Uint8Array {
    this.session.settleBatch();
    putImage(this.session.words, format, desc);
    return this.session.addon.imageRequirements(this.handle, flags, param);
  }

  unifiedSvmAlloc(
    properties: readonly bigint[],
    type: number,
    size: number,
    device?: BackendDevice,
  ): NativeSvm {
    const own = device && handleOf(device);
    const [handle, address, bytes] = this.session.addon.unifiedSvmAlloc(
      this.handle,
      properties,
      type,
      size,
      own,
    );
    return new NativeSvm(this.session, handle, address, size, bytes);
  }

  svmTypeIndex(required: number, device: BackendDevice | undefined, size: number): number {
    return this.session.addon.svmTypeIndex(this.handle, required, device && handleOf(device), size);
  }

  svmPointerInfo(svm: BackendSvm, device: BackendDevice | undefined, param: number): Uint8Array {
    return this.session.addon.svmPointerInfo(this.handle, device && handleOf(device), handleOf(svm), param);
  }

  createFromEglImage(display: bigint, image: bigint, flags: number): NativeMemory {
    return this.memory(this.session.addon.createFromEglImage(this.handle, display, image, flags));
  }

  eventFromGlSync(sync: bigint): NativeEvent {
    return new NativeEvent(this.session, this.session.addon.eventFromGlSync(this.handle, sync));
  }

  eventFromEglSync(sync: bigint, display: bigint): NativeEvent {
    return new NativeEvent(this.session, this.session.addon.eventFromEglSync(this.handle, sync, display));
  }

  createFromGl(
    kind: 'buffer' | 'texture' | 'renderbuffer',
    flags: number,
    name: number,
    target = 0,
    level = 0,
  ): NativeMemory {
    const { addon } = this.session;
    switch (kind) {
      case 'buffer':
        return this.memory(addon.createFromGlBuffer(this.handle, flags, name));
      case 'texture':
        return this.memory(addon.createFromGlTexture(this.handle, flags, target, level, name));
      case 'renderbuffer':
        return this.memory(addon.createFromGlRenderbuffer(this.handle, flags, name));
    }
  }

  terminate(): void {
    this.session.addon.terminateContext(this.handle);
  }

  onDestroy(callback: () => void): void {
    this.session.when(this.session.addon.onContextDestroyed(this.handle), callback);
  }

  private memory(handle: Handle): NativeMemory {
    return new NativeMemory(this.session, handle);
  }

  private program(handle: Handle): NativeProgram {
    return new NativeProgram(this.session, handle, this.devices);
  }
}

/**
 * Whether the driver's command buffers have the functions that the addon calls: before version 0.9.5 of the extension
 * they had fewer parameters.
 */
function hasCommandBuffers(device: BackendDevice): boolean {
  try {
    const [, type] = deviceInfo.EXTENSIONS_WITH_VERSION;
    const found = decodeInfo(type, device.info(DeviceInfo.EXTENSIONS_WITH_VERSION)).find(
      ({ name }) => name === 'cl_khr_command_buffer',
    );
    const { major, minor, patch } = found?.version ?? { major: 0, minor: 0, patch: 0 };
    return major > 0 || minor > 9 || (minor === 9 && patch >= 5);
  } catch {
    return false;
  }
}

/**
 * The driver accesses the memory of USE_HOST_PTR as long as the object lives. Node-API cannot keep memory alive that was moved to
 * another owner, so postMessage and structuredClone refuse to move it.
 */
function hostMemory(host: HostData, flags: number): ArrayBufferView {
  const view = ArrayBuffer.isView(host) ? host : new Uint8Array(host);
  if (flags & MemFlags.USE_HOST_PTR) threads.markAsUntransferable?.(view.buffer);
  return stableSource(view);
}

/** As native/src/objects/image.h reads it. */
function putImage(words: Float64Array, format: ImageFormat, desc: ImageDescription): void {
  words[0] = format.order;
  words[1] = format.type;
  words[2] = desc.type;
  words[3] = desc.width;
  words[4] = desc.height;
  words[5] = desc.depth;
  words[6] = desc.arraySize;
  words[7] = desc.rowPitch;
  words[8] = desc.slicePitch;
  words[9] = desc.mipLevels;
  words[10] = desc.samples;
  words[11] = desc.parent ? handleOf(desc.parent) : 0;
}
