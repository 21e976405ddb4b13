// SPDX-License-Identifier: MIT
//
// The driver's own command buffers (cl_khr_command_buffer).
import type { NDRange } from '../../base/nd-range';
import { CommandProperty, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { After, BackendCommandBuffer, KernelUpdate, RecordedCommand } from '../backend-command-buffer';
import type { BackendEvent } from '../backend-objects';
import { type BackendKernel, type BackendQueue, LocalArgument } from '../backend-queue';
import type { RecordableCommand } from '../command';
import { UPDATABLE } from '../command-list';
import { bytesOf } from '../host-memory';
import type { Handle } from './addon';
import { CommandEncoder } from './command-encoder';
import { NativeSvm } from './memory';
import { NativeObject } from './native-object';
import { Opcode } from './opcodes.gen';
import type { NativeQueue } from './queue';
import { handleOf, type Session } from './session';

/** How an argument is encoded for `updateCommand`. */
enum ArgumentKind {
  bytes = 0,
  object = 1,
  local = 2,
  svm = 3,
}

const mutableProperties = [BigInt(CommandProperty.MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR), BigInt(UPDATABLE)];

export class NativeCommandBuffer extends NativeObject implements BackendCommandBuffer {
  readonly emulated = false;
  private readonly encode: CommandEncoder;
  private recordingOn: Handle | undefined;

  constructor(
    session: Session,
    handle: Handle,
    private readonly queues: readonly BackendQueue[],
  ) {
    super(session, handle);
    this.encode = new CommandEncoder(session);
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

  recordKernel(kernel: BackendKernel, range: NDRange, after: After, mutable: boolean): RecordedCommand {
    const n = this.encode.kernel(this.begin(Opcode.kernel, after), kernel, range);
    return this.add(n, mutable ? mutableProperties : []);
  }

  record(command: RecordableCommand, after: After): RecordedCommand {
    return this.add(this.encode.operands(this.begin(Opcode[command.op], after), command));
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

  private begin(opcode: Opcode, after: After): number {
    this.session.settleBatch();
    return this.encode.head(0, opcode, false, after ?? []);
  }

  private add(n: number, properties: readonly bigint[] = []): RecordedCommand {
    const command = this.session.addon.record(this.handle, this.recordingOn, n, properties);
    return { point: this.session.words[0]!, command };
  }
}
