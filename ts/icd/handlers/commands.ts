// SPDX-License-Identifier: MIT
//
// Commands. Transfers between the device and the client's memory are functions that this thread runs: they copy between the device's
// memory and the staging memory. All other commands are commands of the backend.
import type { BackendEvent } from '../../backend/backend-objects';
import type { Command, Triple } from '../../backend/command';
import type { SoftwareImage } from '../../backend/software/memory/image';
import type { SoftwareMemory } from '../../backend/software/memory/memory';
import type { SoftwareQueue } from '../../backend/software/queue';
import { CommandType, MapFlags } from '../../cl/constants.gen';
import { type Box, copyBox } from '../../device/memory/copies';
import type { RequestName } from '../messages.gen';
import type { Handlers, Session } from './handler';
import {
  imageOf,
  type Operands,
  originOf,
  RECORDABLE,
  type RecordableName,
  rangeOf,
  tripleOf,
} from './recordable';

/** The operands that all commands have. */
interface Placed {
  readonly queue: number;
  readonly wait: readonly number[];
  readonly event: number;
}

function waitList({ objects }: Session, { wait }: Placed): readonly BackendEvent[] | undefined {
  return wait.length === 0 ? undefined : wait.map((id) => objects.get('event', id));
}

/** The number of commands that each queue has accepted. */
const accepted = new WeakMap<object, number>();

interface Accepted {
  /** If the queue is idle, the number of commands that it has accepted so far; otherwise 0. */
  readonly idle: number;
}

const idleAfter = (queue: SoftwareQueue): number => (queue.isIdle ? (accepted.get(queue) ?? 0) : 0);

/** The answer to a request whose command was enqueued. */
function accept(
  session: Session,
  placed: Pick<Placed, 'queue' | 'event'>,
  event: BackendEvent | undefined,
): Accepted {
  const queue = session.objects.get('queue', placed.queue);
  accepted.set(queue, (accepted.get(queue) ?? 0) + 1);
  if (event) session.track(placed.event, event, () => idleAfter(queue));
  return { idle: idleAfter(queue) };
}

/** Enqueues one of the backend's commands. */
function enqueue(session: Session, placed: Placed, command: Command): Accepted {
  const queue = session.objects.get('queue', placed.queue);
  const event = queue.enqueue(command, waitList(session, placed), placed.event !== 0);
  return accept(session, placed, event);
}

/** Enqueues a function of this thread that accesses a memory object. */
function enqueueTransfer(
  session: Session,
  placed: Placed,
  type: CommandType,
  memory: SoftwareMemory | undefined,
  run: (() => void) | undefined,
): Accepted {
  const queue = session.objects.get('queue', placed.queue);
  const event = queue.enqueueHost(
    type,
    run,
    memory ? [memory] : [],
    waitList(session, placed),
    placed.event !== 0,
  );
  return accept(session, placed, event);
}

interface BufferRect {
  readonly origin: readonly number[];
  readonly region: readonly number[];
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** A rectangle of a buffer, and its bytes. */
function bufferBox(buffer: SoftwareMemory, { origin, rowPitch, slicePitch }: BufferRect): Box {
  const offset = buffer.address + origin[2]! * slicePitch + origin[1]! * rowPitch + origin[0]!;
  return { bytes: buffer.device.memory.u8, offset, rowPitch, slicePitch };
}

/** The region of an image in bytes, rows, slices. */
function imageBytes(image: SoftwareImage, [width, height, depth]: readonly number[]): Triple {
  return [width! * image.element, height!, depth!];
}

const packed = ([row, rows, slices]: Triple): Box => ({
  bytes: new Uint8Array(row * rows * slices),
  offset: 0,
  rowPitch: row,
  slicePitch: row * rows,
});

/** Whether the box is contiguous in memory. */
const isPacked = ({ rowPitch, slicePitch }: Box, [row, rows, slices]: Triple): boolean =>
  (rowPitch === row || (rows === 1 && slices === 1)) && (slicePitch === row * rows || slices === 1);

const wholeOf = ({ bytes, offset }: Box, [row, rows, slices]: Triple): Uint8Array =>
  bytes.subarray(offset, offset + row * rows * slices);

/** From the device's memory to the staging memory. */
function stageOut({ staging }: Session, box: Box, bytes: Triple, staged: number): void {
  let from = box;
  if (!isPacked(box, bytes)) {
    from = packed(bytes);
    copyBox(box, from, bytes);
  }
  staging.write(wholeOf(from, bytes), staged);
}

function stageIn({ staging }: Session, box: Box, bytes: Triple, staged: number): void {
  if (isPacked(box, bytes)) {
    staging.read(wholeOf(box, bytes), staged);
    return;
  }
  const from = packed(bytes);
  staging.read(from.bytes, staged);
  copyBox(from, box, bytes);
}

function receive(
  { staging }: Session,
  buffer: SoftwareMemory,
  offset: number,
  size: number,
  staged: number,
): void {
  staging.read(buffer.bytes(offset, size), staged);
  buffer.noteWritten(offset, size);
}

const image = ({ objects }: Session, id: number): SoftwareImage => imageOf(objects, id);

/** Whether the client overwrites the whole mapped region, so that it need not be read. */
const isInvalidated = (flags: number): boolean => (flags & MapFlags.WRITE_INVALIDATE_REGION) !== 0;

const isForWriting = (flags: number): boolean =>
  (flags & (MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION)) !== 0;

type CommandName = Extract<RequestName, `enqueue${string}`> | 'endTurn' | 'noteDone' | 'finish';

const semaphores = ({ objects }: Session, ids: readonly number[]) => ({
  semaphores: ids.map((id) => objects.get('semaphore', id)),
  payloads: [],
});

/** Enqueues a command whose operands requests for command buffers have in the same form. */
const enqueueRecordable =
  <Name extends RecordableName>(name: Name) =>
  (session: Session, request: Operands<Name> & Placed): Accepted =>
    enqueue(session, request, RECORDABLE[name](session.objects, request));

export const COMMANDS: Handlers<CommandName> = {
  enqueueCopyBuffer: enqueueRecordable('CopyBuffer'),
  enqueueCopyBufferRect: enqueueRecordable('CopyBufferRect'),
  enqueueFillBuffer: enqueueRecordable('FillBuffer'),
  enqueueCopyImage: enqueueRecordable('CopyImage'),
  enqueueFillImage: enqueueRecordable('FillImage'),
  enqueueCopyImageToBuffer: enqueueRecordable('CopyImageToBuffer'),
  enqueueCopyBufferToImage: enqueueRecordable('CopyBufferToImage'),
  enqueueSvmMemcpy: enqueueRecordable('SvmMemcpy'),
  enqueueSvmFill: enqueueRecordable('SvmFill'),
  enqueueBarrier: enqueueRecordable('Barrier'),

  enqueueKernel(session, request) {
    const { objects } = session;
    const event = objects
      .get('queue', request.queue)
      .enqueueKernel(
        objects.get('kernel', request.kernel),
        rangeOf(request),
        waitList(session, request),
        request.event !== 0,
      );
    return accept(session, request, event);
  },

  enqueueReadBuffer(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const { offset, size, staged } = request;
    const run = (): void => session.staging.write(buffer.bytes(offset, size), staged);
    return enqueueTransfer(session, request, CommandType.READ_BUFFER, buffer, run);
  },

  enqueueWriteBuffer(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const { offset, size, staged } = request;
    const run = (): void => receive(session, buffer, offset, size, staged);
    return enqueueTransfer(session, request, CommandType.WRITE_BUFFER, buffer, run);
  },

  enqueueReadBufferRect(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const run = (): void =>
      stageOut(session, bufferBox(buffer, request), tripleOf(request.region), request.staged);
    return enqueueTransfer(session, request, CommandType.READ_BUFFER_RECT, buffer, run);
  },

  enqueueWriteBufferRect(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const run = (): void => {
      stageIn(session, bufferBox(buffer, request), tripleOf(request.region), request.staged);
      buffer.noteWritten();
    };
    return enqueueTransfer(session, request, CommandType.WRITE_BUFFER_RECT, buffer, run);
  },

  enqueueReadImage(session, request) {
    const from = image(session, request.image);
    const bytes = imageBytes(from, request.region);
    const run = (): void => stageOut(session, from.box(originOf(request.origin)), bytes, request.staged);
    return enqueueTransfer(session, request, CommandType.READ_IMAGE, from, run);
  },

  enqueueWriteImage(session, request) {
    const to = image(session, request.image);
    const bytes = imageBytes(to, request.region);
    const run = (): void => stageIn(session, to.box(originOf(request.origin)), bytes, request.staged);
    return enqueueTransfer(session, request, CommandType.WRITE_IMAGE, to, run);
  },

  enqueueMapBuffer(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const { flags, offset, size, staged } = request;
    const isChecked = buffer.device.checked !== undefined && staged !== 0;
    const run = (): void => {
      if (!isInvalidated(flags)) session.staging.write(buffer.bytes(offset, size), staged);
      if (isChecked) buffer.noteMapped(offset, size, isForWriting(flags));
    };
    const isNothing = isInvalidated(flags) && !isChecked;
    return enqueueTransfer(session, request, CommandType.MAP_BUFFER, buffer, isNothing ? undefined : run);
  },

  enqueueMapImage(session, request) {
    const from = image(session, request.image);
    const bytes = imageBytes(from, request.region);
    const load = (): void => stageOut(session, from.box(originOf(request.origin)), bytes, request.staged);
    const run = isInvalidated(request.flags) ? undefined : load;
    return enqueueTransfer(session, request, CommandType.MAP_IMAGE, from, run);
  },

  enqueueUnmapBuffer(session, request) {
    const buffer = session.objects.get('memory', request.buffer);
    const { offset, size, staged, write } = request;
    const isChecked = buffer.device.checked !== undefined && staged !== 0;
    const run = (): void => {
      if (write !== 0) receive(session, buffer, offset, size, staged);
      if (isChecked) buffer.noteUnmapped(offset, size, write !== 0);
    };
    const isNothing = write === 0 && !isChecked;
    return enqueueTransfer(
      session,
      request,
      CommandType.UNMAP_MEM_OBJECT,
      buffer,
      isNothing ? undefined : run,
    );
  },

  enqueueUnmapImage(session, request) {
    const to = image(session, request.image);
    const bytes = imageBytes(to, request.region);
    const store = (): void => stageIn(session, to.box(originOf(request.origin)), bytes, request.staged);
    const run = request.write !== 0 ? store : undefined;
    return enqueueTransfer(session, request, CommandType.UNMAP_MEM_OBJECT, to, run);
  },

  enqueueSvmRead(session, request) {
    const from = session.objects.svmBytes(request.from).subarray(0, request.size);
    const run = (): void => session.staging.write(from, request.staged);
    return enqueueTransfer(session, request, CommandType.SVM_MEMCPY, undefined, run);
  },

  enqueueSvmWrite(session, request) {
    const to = session.objects.svmBytes(request.to).subarray(0, request.size);
    const run = (): void => session.staging.read(to, request.staged);
    return enqueueTransfer(session, request, CommandType.SVM_MEMCPY, undefined, run);
  },

  enqueueNothing(session, request) {
    return enqueueTransfer(session, request, request.type, undefined, undefined);
  },

  enqueueTurn(session, request) {
    const { objects, turns } = session;
    const memory = objects.get('memory', request.memory);
    const begin = (): void => session.notify('reached', { token: request.token, status: 0 });
    const queue = objects.get('queue', request.queue);
    const { event, end } = queue.enqueueTurn(request.type, begin, [memory], waitList(session, request));
    turns.set(request.event, end);
    event.onComplete(() => turns.delete(request.event));
    return accept(session, request, event);
  },

  endTurn({ turns }, { event }) {
    turns.get(event)?.();
  },

  noteDone(session, request) {
    const queue = session.objects.get('queue', request.queue);
    accept(session, request, queue.enqueueHost(request.type, undefined, [], undefined, true));
  },

  enqueueMigrate(session, request) {
    const memories = request.memories.map((id) => session.objects.get('memory', id));
    return enqueue(session, request, { op: 'migrate', memories, flags: request.flags });
  },

  enqueueMarker(session, request) {
    const event = session.objects.get('queue', request.queue).marker(waitList(session, request));
    return accept(session, request, request.event !== 0 ? event : undefined);
  },

  enqueueWaitSemaphores(session, request) {
    return enqueue(session, request, { op: 'waitSemaphores', ...semaphores(session, request.semaphores) });
  },

  enqueueSignalSemaphores(session, request) {
    return enqueue(session, request, { op: 'signalSemaphores', ...semaphores(session, request.semaphores) });
  },

  enqueueCommandBuffer(session, request) {
    const { objects } = session;
    const queues = [objects.get('queue', request.queue)];
    const event = objects
      .get('commandBuffer', request.commandBuffer)
      .enqueue(queues, waitList(session, request), request.event !== 0);
    return accept(session, request, event);
  },

  async finish({ objects }, { queue }) {
    const finished = objects.get('queue', queue);
    await finished.finish();
    return { idle: idleAfter(finished) };
  },
};
