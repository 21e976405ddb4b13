// SPDX-License-Identifier: MIT
//
// The commands of a queue of a driver, and the host memory that they need.
import type { NDRange } from '../../base/nd-range';
import { ErrorCode, MapFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendMemory } from '../backend-objects';
import type { BackendKernel, BackendQueue, Mapped, Wait } from '../backend-queue';
import type { Command, CommandOp, ImageOrigin, Triple } from '../command';
import { COMMANDS } from '../command-table';
import type { Handle, NativeMapped, Ticket } from './addon';
import { CommandStream, type MaybeEvent } from './command-stream';
import { NativeEvent } from './event';
import { type HostMemory, hostMemoryOf } from './host-transfers';
import { NativeMapping, type NativeMemory, NativeSvm } from './memory';
import { enqueueNativeKernel } from './native-kernel';
import { Opcode } from './opcodes.gen';
import { handleOf } from './session';

/** Commands with lists of any length; each may use all of the shared words. */
const TAKES_LISTS: ReadonlySet<CommandOp> = new Set<CommandOp>([
  'migrate',
  'svmFree',
  'svmMigrate',
  'waitSemaphores',
  'signalSemaphores',
  'acquireExternal',
  'releaseExternal',
  'acquireGl',
  'releaseGl',
  'acquireEgl',
  'releaseEgl',
]);

/** Bytes from which on a copy is worth a thread, which takes some 50 µs to start and end. */
const LEAST_APART = 1 << 20;

/** The copies before and after a command for mapped memory that the runtime cannot show directly. */
interface Around {
  /** Whether the command's event is needed in any case. */
  readonly needsEvent?: boolean;
  before?(): void;
  after?(event: MaybeEvent): void;
}

export class NativeQueue extends CommandStream implements BackendQueue {
  enqueueKernel(kernel: BackendKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent {
    const n = this.begin(Opcode.kernel, wait, wantEvent);
    return this.submit(this.encode.kernel(n, kernel, range), wantEvent);
  }

  enqueue(command: Command, wait: Wait, wantEvent: boolean): MaybeEvent {
    const host = hostMemoryOf(command);
    if (host) return this.transfer(command, host, wait, wantEvent);
    const around = this.around(command);
    if (TAKES_LISTS.has(command.op)) this.executeBatch();
    const needsEvent = wantEvent || around?.needsEvent === true;
    const end = this.encode.operands(this.begin(Opcode[command.op], wait, needsEvent), command);
    around?.before?.();
    const event = this.submit(end, needsEvent);
    around?.after?.(event);
    return event;
  }

  copyApart(command: Command<'readBuffer' | 'writeBuffer'>): Promise<void> | undefined {
    const { byteLength } = command.op === 'readBuffer' ? command.into : command.from;
    // A copy that is blocked in the driver would never end if the connection were lost.
    if (this.connection || byteLength < LEAST_APART) return undefined;
    return this.copyOnThread(command, hostMemoryOf(command)!);
  }

  private async copyOnThread(
    { op, buffer, offset }: Command<'readBuffer' | 'writeBuffer'>,
    { view, settle }: HostMemory,
  ): Promise<void> {
    const { addon } = this.session;
    const ticket = addon.copyApart(this.handle, handleOf(buffer), offset, view, op === 'readBuffer');
    const status = await this.jobEnds(ticket);
    if (status !== ErrorCode.SUCCESS) throw new OpenCLError(status, COMMANDS[op].enqueuedBy);
    settle?.();
  }

  copyMemory(from: Uint8Array, to: Uint8Array): Promise<void> | undefined {
    if (from.byteLength < LEAST_APART) return undefined;
    return this.jobEnds(this.session.addon.copyMemory(this.handle, from, to)).then(() => undefined);
  }

  /** The status that the job ends with. */
  private async jobEnds(ticket: Ticket): Promise<number> {
    const status = await this.session.done(ticket);
    this.session.addon.jobDone(ticket);
    return status;
  }

  supports(): boolean {
    return true;
  }

  private transfer(command: Command, host: HostMemory, wait: Wait, wantEvent: boolean): MaybeEvent {
    const event = wantEvent || host.settle !== undefined;
    const end = this.encode.operands(this.begin(Opcode[command.op], wait, event), command);
    return this.submitWithHost(end, event, host.view, host.settle, host.second);
  }

  private around(command: Command): Around | undefined {
    switch (command.op) {
      case 'unmap': {
        const mapping = command.mapping as NativeMapping;
        return { before: () => mapping.store(), after: () => mapping.close() };
      }
      case 'svmMap': {
        const svm = command.svm as NativeSvm;
        if (svm.direct) return undefined;
        return { needsEvent: true, after: (event) => event?.settleWith(this.toSettle(() => svm.load())) };
      }
      case 'svmUnmap':
        return { before: () => (command.svm as NativeSvm).store() };
      case 'svmFree':
        return {
          before: () => {
            for (const svm of command.svms) if (svm instanceof NativeSvm) svm.handedOver();
          },
          after: () => this.executeBatch(),
        };
      default:
        return undefined;
    }
  }

  mapBuffer(memory: BackendMemory, flags: number, offset: number, size: number, wait: Wait): Mapped {
    const waits = this.putWaits(wait);
    const made = this.session.addon.mapBuffer(this.handle, handleOf(memory), flags, offset, size, waits);
    return this.mapped(made, flags, (memory as NativeMemory).host?.subarray(offset, offset + size));
  }

  mapImage(memory: BackendMemory, flags: number, origin: ImageOrigin, region: Triple, wait: Wait): Mapped {
    const waits = this.putWaits(wait);
    this.encode.triple(this.encode.origin(waits, origin), region);
    return this.mapped(this.session.addon.mapImage(this.handle, handleOf(memory), flags, waits), flags);
  }

  private mapped(
    [event, handle, bytes, size, rowPitch, slicePitch]: NativeMapped,
    flags: number,
    host?: Uint8Array,
  ): Mapped {
    this.pending = true;
    const writes = (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION)) !== 0;
    const shown = host ? 'host' : bytes ? 'direct' : 'copy';
    const mapped = new NativeMapping(
      this.session,
      handle,
      host ?? bytes ?? new Uint8Array(size),
      rowPitch,
      slicePitch,
      shown,
      writes,
    );
    const settle = shown !== 'copy' ? undefined : this.toSettle(() => mapped.load());
    return { event: new NativeEvent(this.session, event, this, settle), mapped };
  }

  enqueueNativeKernel(
    run: (memories: readonly Uint8Array[]) => void,
    memories: readonly BackendMemory[],
    wait: Wait,
  ): NativeEvent {
    return enqueueNativeKernel(this, this.session, run, memories, wait);
  }

  /** The driver's command buffer; `queues` only if it was recorded for several. */
  enqueueCommandBuffer(
    buffer: Handle,
    queues: readonly BackendQueue[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    this.executeBatch();
    const n = this.encode.numbers(this.begin(Opcode.commandBuffer, wait, wantEvent), buffer);
    return this.submit(this.encode.handles(n, queues), wantEvent);
  }
}
