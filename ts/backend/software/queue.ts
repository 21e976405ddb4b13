// SPDX-License-Identifier: MIT
//
// The commands of a queue of the software device.
import type { NDRange } from '../../base/nd-range';
import { CommandType, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { type HostWork, type Prepared, Status } from '../../device/commands/command';
import type { BackendEvent, BackendMemory } from '../backend-objects';
import type { BackendKernel, BackendQueue, Mapped, MaybeEvent, NewRead, Wait } from '../backend-queue';
import type { Command, ExtensionOp, ImageOrigin, Triple } from '../command';
import { COMMANDS } from '../command-table';
import { CommandStream, checkTerminated } from './command-stream';
import { isPrepared, prepareCommand } from './commands';
import { prepareMapBuffer, prepareMapImage } from './commands/maps';
import { prepareNewRead } from './commands/new-reads';
import type { SoftwareEvent } from './event';
import { enqueueLaunch } from './launch/enqueue-launch';
import type { SoftwareImage } from './memory/image';
import type { SoftwareMemory } from './memory/memory';
import type { SoftwareKernel } from './programs/kernel';
import type { RefCounted } from './ref-counted';

export class SoftwareQueue extends CommandStream implements BackendQueue {
  enqueueKernel(kernel: BackendKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent {
    checkTerminated(this.device, 'clEnqueueNDRangeKernel');
    return enqueueLaunch(this, kernel as SoftwareKernel, range, wait, wantEvent);
  }

  enqueue(command: Command, wait: Wait, wantEvent: boolean): MaybeEvent {
    const { type, enqueuedBy } = COMMANDS[command.op];
    checkTerminated(this.device, enqueuedBy);
    if (command.op === 'barrier') return this.barrier(wait, wantEvent);
    const prepared = prepareCommand(command);
    if (!prepared)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        enqueuedBy,
        `the software device has no '${command.op}'`,
      );
    const { checked } = this.device;
    const work = checked
      ? (require('./checks') as typeof import('./checks')).withWrittenBytes(checked, command, prepared.work)
      : prepared.work;
    return this.submit(type, work, prepared.uses, wait, wantEvent, prepared.waits?.());
  }

  /**
   * Enqueues a command that the caller carries out: `begin` is called when all that it waits for is complete, and the returned function
   * ends it.
   */
  enqueueTurn(
    type: CommandType,
    begin: () => void,
    uses: readonly RefCounted[],
    wait: Wait,
  ): { readonly event: BackendEvent; end(): void } {
    checkTerminated(this.device, 'clEnqueue');
    const prepare = (): Prepared => {
      begin();
      return { kind: 'prepared', work: { kind: 'user' }, uses: [] };
    };
    const event = this.submit(type, { kind: 'later', prepare }, uses, wait, true) as SoftwareEvent;
    const { command } = event;
    const end = (): void => {
      if (!command.done) this.device.scheduler.complete(command, Status.Complete);
    };
    return { event, end };
  }

  supports(op: ExtensionOp): boolean {
    return isPrepared(op);
  }

  prefersNew(size: number): boolean {
    const { checked, processor } = this.device;
    return !checked && processor.reader.takes(size);
  }

  readNew(memory: BackendMemory, offset: number, size: number, wait: Wait): NewRead {
    checkTerminated(this.device, 'clEnqueueReadBuffer');
    const uses = [memory as SoftwareMemory];
    const type = CommandType.READ_BUFFER;
    const read = prepareNewRead(memory as SoftwareMemory, offset, size);
    const begun = this.submit(type, read.begin, uses, wait, true) as SoftwareEvent;
    begun.onComplete((status) => {
      if (status < 0) read.giveUp();
    });
    const replied = this.device.scheduler.untilSettled(read.replied);
    const event = this.submit(type, read.end, uses, wait, true, [replied]) as SoftwareEvent;
    const { command } = event;
    if (command.profiled)
      command.whenDone(() => {
        if (read.begunAt > 0n) command.submittedAt = command.startedAt = read.begunAt;
      });
    return { event, bytes: read.bytes };
  }

  mapBuffer(memory: BackendMemory, flags: number, offset: number, size: number, wait: Wait): Mapped {
    checkTerminated(this.device, 'clEnqueueMapBuffer');
    const { mapped, load } = prepareMapBuffer(memory as SoftwareMemory, flags, offset, size);
    return {
      event: this.submitMap(CommandType.MAP_BUFFER, load, memory as SoftwareMemory, wait),
      mapped,
    };
  }

  mapImage(memory: BackendMemory, flags: number, origin: ImageOrigin, region: Triple, wait: Wait): Mapped {
    checkTerminated(this.device, 'clEnqueueMapImage');
    const { mapped, load } = prepareMapImage(memory as SoftwareImage, flags, origin, region);
    return {
      event: this.submitMap(CommandType.MAP_IMAGE, load, memory as SoftwareImage, wait),
      mapped,
    };
  }

  private submitMap(type: CommandType, load: HostWork, memory: SoftwareMemory, wait: Wait): BackendEvent {
    return this.submit(type, load, [memory], wait, true)!;
  }
}
