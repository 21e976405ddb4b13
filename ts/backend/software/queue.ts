// SPDX-License-Identifier: MIT
import type { NDRange } from '../../base/nd-range';
import { CommandType, ErrorCode, MapFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { type Prepared, Status, type Work } from '../../device/command';
import { type Box, copyBox } from '../../device/copies';
import type { BackendEvent, BackendMemory } from '../backend-objects';
import type { BackendKernel, BackendQueue, MaybeEvent, Wait } from '../backend-queue';
import {
  type BackendMapping,
  COMMAND_TYPES,
  type Command,
  type ExtensionOp,
  type ImageOrigin,
  type Triple,
} from '../command';
import { withWrittenBytes } from './checks/commands';
import { CommandStream, checkTerminated } from './command-stream';
import { isPrepared, type Mapping, prepareCommand } from './commands';
import type { SoftwareEvent } from './event';
import { prepareLaunch } from './launch/launch';
import { launchLater, launchWhenStarted, mustWait } from './launch/launch-elsewhere';
import { checkResources } from './launch/launch-job';
import { checkArguments } from './launch/launch-memory';
import { byteRegion } from './memory/boxes';
import type { SoftwareImage } from './memory/image';
import type { SoftwareMemory } from './memory/memory';
import type { SoftwareKernel } from './programs/kernel';
import type { RefCounted } from './ref-counted';

const WRITES = MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;

export class SoftwareQueue extends CommandStream implements BackendQueue {
  enqueueKernel(kernel: BackendKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent {
    checkTerminated(this.device, 'clEnqueueNDRangeKernel');
    const own = kernel as SoftwareKernel;
    if (mustWait(own, range)) return this.launchWhenCompiled(own, range, wait, wantEvent);
    if (this.device.checked && !range.global.includes(0))
      return this.launchChecked(own, range, wait, wantEvent);
    const { profiling } = this.queue;
    const { work, uses, region } = prepareLaunch(own, range, profiling, this.workers);
    const all = region ? [...uses, region] : uses;
    const event = this.submit(CommandType.NDRANGE_KERNEL, work, all, wait, wantEvent);
    region?.release();
    return event;
  }

  /** Its checks depend on what the commands before it have written. Errors of the call are thrown now. */
  private launchChecked(kernel: SoftwareKernel, range: NDRange, wait: Wait, wantEvent: boolean): MaybeEvent {
    checkArguments(kernel);
    checkResources(kernel, range);
    const { work, snapshot } = launchWhenStarted(kernel, range, this.prepare);
    const event = this.submit(CommandType.NDRANGE_KERNEL, work, [snapshot], wait, wantEvent);
    snapshot.release();
    return event;
  }

  private readonly prepare = (kernel: SoftwareKernel, range: NDRange): Prepared => {
    const { work, region } = prepareLaunch(kernel, range, this.queue.profiling, this.workers);
    return { kind: 'prepared', work, uses: region ? [region] : [] };
  };

  private launchWhenCompiled(
    kernel: SoftwareKernel,
    range: NDRange,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const { work, compiled, snapshot } = launchLater(kernel, range, this.prepare);
    const ready = this.device.scheduler.untilSettled(compiled);
    const event = this.submit(CommandType.NDRANGE_KERNEL, work, [snapshot], wait, wantEvent, [ready]);
    // The command keeps it alive.
    snapshot.release();
    return event;
  }

  enqueue(command: Command, wait: Wait, wantEvent: boolean): MaybeEvent {
    checkTerminated(this.device, 'clEnqueue');
    if (command.op === 'barrier') return this.barrier(wait, wantEvent);
    const prepared = prepareCommand(command);
    if (!prepared)
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        'clEnqueue',
        `the software device has no '${command.op}'`,
      );
    const { checked } = this.device;
    const run = checked ? withWrittenBytes(checked, command, prepared.run) : prepared.run;
    const work: Work = { kind: 'host', run };
    return this.submit(COMMAND_TYPES[command.op], work, prepared.uses, wait, wantEvent, prepared.waits?.());
  }

  /** Enqueues a function that runs on the scheduling thread and may use the memory of `uses`. */
  enqueueHost(
    type: CommandType,
    run: (() => void) | undefined,
    uses: readonly RefCounted[],
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    return this.host(type, run, uses, wait, wantEvent);
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

  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping } {
    checkTerminated(this.device, 'clEnqueueMapBuffer');
    const buffer = memory as SoftwareMemory;
    const host = buffer.host?.subarray(offset, offset + size);
    const mapped: Mapping = {
      bytes: host ?? buffer.bytes(offset, size),
      rowPitch: 0,
      slicePitch: 0,
      writeBack: host && flags & WRITES ? () => buffer.bytes(offset, size).set(host) : undefined,
    };
    const load =
      host && !(flags & MapFlags.WRITE_INVALIDATE_REGION)
        ? () => host.set(buffer.bytes(offset, size))
        : undefined;
    buffer.mapCount++;
    if (flags & WRITES) this.device.checked?.written(buffer.address + offset, size);
    return { event: this.host(CommandType.MAP_BUFFER, load, [buffer], wait, true)!, mapped };
  }

  mapImage(
    memory: BackendMemory,
    flags: number,
    origin: ImageOrigin,
    region: Triple,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping } {
    checkTerminated(this.device, 'clEnqueueMapImage');
    const image = memory as SoftwareImage;
    const { host, hostLayout } = image;
    const bytes = byteRegion(image, region);
    const box = image.box(origin);
    const pitches = hostLayout ?? box;
    const span = (bytes[2] - 1) * pitches.slicePitch + (bytes[1] - 1) * pitches.rowPitch + bytes[0];
    let mapped: Mapping;
    let load: (() => void) | undefined;
    if (host && hostLayout) {
      const { rowPitch, slicePitch } = hostLayout;
      const offset = origin[2] * slicePitch + origin[1] * rowPitch + origin[0] * image.element;
      const target: Box = { bytes: host, offset, rowPitch, slicePitch };
      if (!(flags & MapFlags.WRITE_INVALIDATE_REGION)) load = () => copyBox(image.box(origin), target, bytes);
      const writeBack = flags & WRITES ? () => copyBox(target, image.box(origin), bytes) : undefined;
      mapped = { bytes: host.subarray(offset, offset + span), rowPitch, slicePitch, writeBack };
    } else {
      const { offset, rowPitch, slicePitch } = box;
      const view = this.device.memory.bytes(offset, span);
      mapped = { bytes: view, rowPitch, slicePitch, writeBack: undefined };
    }
    image.mapCount++;
    return { event: this.host(CommandType.MAP_IMAGE, load, [image], wait, true)!, mapped };
  }
}
