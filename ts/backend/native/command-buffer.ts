// SPDX-License-Identifier: MIT
//
// The driver's own command buffers (cl_khr_command_buffer).
import {
  type BackendDevice,
  type BackendEvent,
  type BackendKernel,
  type BackendMemory,
  type BackendSemaphore,
  type BackendSvm,
  LocalArgument,
} from '../backend';
import type { BackendCommandBuffer, KernelUpdate, RecordedCommand } from '../backend-command-buffer';
import type { BackendQueue, RectLayout, Triple, WorkSizes } from '../backend-queue';
import { CommandProperty, ErrorCode, MutableDispatchFields } from '../cl.gen';
import { bytesOf } from '../host-memory';
import { OpenCLError } from '../opencl-error';
import type { Handle } from './addon';
import { CommandEncoder } from './command-encoder';
import { NativeSvm } from './memory';
import { Opcode } from './opcodes.gen';
import type { NativeQueue } from './queue';
import { handleOf, type Session } from './session';

type After = readonly number[] | undefined;

/** How an argument is encoded for `updateCommand`. */
enum ArgumentKind {
  bytes = 0,
  object = 1,
  local = 2,
  svm = 3,
}

const everything =
  MutableDispatchFields.GLOBAL_OFFSET_KHR |
  MutableDispatchFields.GLOBAL_SIZE_KHR |
  MutableDispatchFields.LOCAL_SIZE_KHR |
  MutableDispatchFields.ARGUMENTS_KHR;
const mutableProperties = [BigInt(CommandProperty.MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR), BigInt(everything)];

export class NativeCommandBuffer implements BackendCommandBuffer {
  readonly emulated = false;
  private readonly encode: CommandEncoder;
  private recordingOn: Handle | undefined;

  constructor(
    private readonly session: Session,
    readonly handle: Handle,
    private readonly queues: readonly BackendQueue[],
  ) {
    this.encode = new CommandEncoder(session);
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  mutableInfo(command: number, param: number): Uint8Array {
    return this.session.addon.info(command, param);
  }

  recordOn(queue: BackendQueue | undefined): void {
    this.recordingOn = queue && handleOf(queue);
  }

  remap(automatic: boolean, queues: readonly BackendQueue[]): NativeCommandBuffer {
    const handle = this.session.addon.remapCommandBuffer(this.handle, automatic, queues.map(handleOf));
    return new NativeCommandBuffer(this.session, handle, queues);
  }

  kernel(kernel: BackendKernel, range: WorkSizes, after: After, mutable: boolean): RecordedCommand {
    const n = this.encode.kernel(this.begin(Opcode.kernel, after), kernel, range);
    return this.record(n, mutable ? mutableProperties : []);
  }

  copyBuffer(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.copyBuffer, after);
    return this.record(this.encode.copyBuffer(n, from, to, fromOffset, toOffset, size));
  }

  copyBufferRect(from: BackendMemory, to: BackendMemory, rect: RectLayout, after: After): RecordedCommand {
    const n = this.encode.numbers(this.begin(Opcode.copyBufferRect, after), handleOf(from));
    return this.record(this.encode.rect(n, to, rect));
  }

  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.fillBuffer, after);
    return this.record(this.encode.fillBuffer(n, target, pattern, offset, size));
  }

  copyImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.copyImage, after);
    return this.record(this.encode.copyImage(n, from, to, fromOrigin, toOrigin, region));
  }

  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand {
    const n = this.encode.imageRegion(this.begin(Opcode.fillImage, after), target, origin, region);
    return this.record(this.encode.bytes(n, color));
  }

  copyImageToBuffer(
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.copyImageToBuffer, after);
    return this.record(this.encode.copyImageToBuffer(n, from, to, origin, region, toOffset));
  }

  copyBufferToImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.copyBufferToImage, after);
    return this.record(this.encode.copyBufferToImage(n, from, to, fromOffset, origin, region));
  }

  svmMemcpy(
    to: BackendSvm,
    toOffset: number,
    from: BackendSvm,
    fromOffset: number,
    size: number,
    after: After,
  ): RecordedCommand {
    const n = this.begin(Opcode.svmMemcpy, after);
    return this.record(this.encode.svmMemcpy(n, handleOf(to), toOffset, handleOf(from), fromOffset, size));
  }

  svmFill(to: BackendSvm, offset: number, pattern: Uint8Array, size: number, after: After): RecordedCommand {
    const n = this.begin(Opcode.svmFill, after);
    return this.record(this.encode.fillBuffer(n, to, pattern, offset, size));
  }

  barrier(after: After): RecordedCommand {
    return this.record(this.begin(Opcode.barrier, after));
  }

  finalize(): void {
    this.session.addon.finalizeCommandBuffer(this.handle);
  }

  update(command: number, change: KernelUpdate): void {
    const { encode } = this;
    this.session.settleBatch();
    const dimensions = (change.global ?? change.local ?? change.offset)?.length ?? 0;
    let n = encode.numbers(0, dimensions);
    for (const sizes of [change.global, change.offset, change.local])
      n = sizes ? encode.numbers(n, 1, ...sizes) : encode.numbers(n, 0);
    n = encode.numbers(n, change.args?.size ?? 0);
    for (const [index, value] of change.args ?? []) {
      n = encode.numbers(n, index);
      if (ArrayBuffer.isView(value)) n = encode.bytes(encode.numbers(n, ArgumentKind.bytes), bytesOf(value));
      else if (value instanceof LocalArgument) n = encode.numbers(n, ArgumentKind.local, value.bytes);
      else if (value instanceof NativeSvm) n = encode.numbers(n, ArgumentKind.svm, value.handle);
      else if (value === null)
        throw new OpenCLError(
          ErrorCode.INVALID_ARG_VALUE,
          'clUpdateMutableCommandsKHR',
          'a null argument cannot be recorded',
        );
      else n = encode.numbers(n, ArgumentKind.object, handleOf(value));
    }
    this.session.addon.updateCommand(this.handle, command, n);
  }

  enqueue(
    queues: readonly BackendQueue[] | undefined,
    wait: readonly BackendEvent[] | undefined,
    wantEvent: boolean,
  ): BackendEvent | undefined {
    const queue = (queues?.[0] ?? this.queues[0]) as NativeQueue;
    return queue.enqueueCommandBuffer(this.handle, queues ?? [], wait, wantEvent);
  }

  release(): void {
    this.session.release(this, this.handle);
  }

  private begin(opcode: Opcode, after: After): number {
    this.session.settleBatch();
    return this.encode.head(0, opcode, false, after ?? []);
  }

  private record(n: number, properties: readonly bigint[] = []): RecordedCommand {
    const command = this.session.addon.record(this.handle, this.recordingOn, n, properties);
    return { point: this.session.words[0]!, command };
  }
}

/** cl_khr_semaphore */
export class NativeSemaphore implements BackendSemaphore {
  constructor(
    private readonly session: Session,
    readonly handle: Handle,
  ) {
    session.own(this, handle);
  }

  info(param: number): Uint8Array {
    return this.session.addon.info(this.handle, param);
  }

  exportHandle(device: BackendDevice, type: number): Uint8Array {
    return this.session.addon.semaphoreHandle(this.handle, handleOf(device), type);
  }

  reimportSyncFd(properties: readonly bigint[], fd: number): void {
    this.session.addon.reimportSemaphoreSyncFd(this.handle, properties, fd);
  }

  release(): void {
    this.session.release(this, this.handle);
  }
}
