// SPDX-License-Identifier: MIT
//
// Commands as calls of the API: the method follows from the kinds of memory and of the place.
import type * as Anycl from '../../../ts';
import type { Rect } from '../../../ts/api/data/transfers';
import type {
  CommandBuffer,
  KernelChange,
  Recorded,
  RecordOptions,
} from '../../../ts/api/objects/command-buffer';
import type { CommandOptions } from '../../../ts/api/objects/command-options';
import { UNTOUCHED } from './effects';
import { sizeOf } from './places';
import { type Box, bytesOf, type HostBox, type Launch, type Place, type Work } from './program';

export type AnyMemory = Anycl.Buffer | Anycl.Image | Anycl.Svm;

/** The objects of a running program. */
export interface Objects {
  readonly api: typeof Anycl;
  memory(id: number): AnyMemory;
  kernel(name: string): Anycl.Kernel;
  bytesAt(place: Place): Parameters<typeof sizeOf>[0];
}

const rectOf = (buffer: Box, host: Box): Rect => ({
  region: buffer.region,
  bufferOrigin: buffer.origin,
  bufferRowPitch: buffer.rowPitch,
  bufferSlicePitch: buffer.slicePitch,
  hostOrigin: host.origin,
  hostRowPitch: host.rowPitch,
  hostSlicePitch: host.slicePitch,
});

export const pixelsOf = ({ origin, region }: Extract<Place, { kind: 'pixels' }>, coordinates: number) => ({
  origin: origin.slice(0, coordinates),
  region,
});

/** The arguments of a launch. */
export const valuesOf = (objects: Objects, { memories, numbers, locals }: Launch) => [
  ...memories.map((id) => objects.memory(id) as Anycl.Buffer),
  ...numbers,
  ...locals.map((bytes) => objects.api.local(bytes)),
];

export const rangeOf = ({ global, local, offset }: Launch) => ({
  global,
  ...(local && { local }),
  ...(offset && { offset }),
});

/** The launch with its arguments set. */
export const prepared = (objects: Objects, launch: Launch): Anycl.Kernel =>
  objects.kernel(launch.kernel).setArgs(...(valuesOf(objects, launch) as []));

export interface Enqueued {
  readonly event: Anycl.Event<unknown>;
  /** The array of the host: a read stores to it, a write takes from it. */
  readonly host?: Uint8Array;
}

export function enqueueWork(
  objects: Objects,
  queue: Anycl.CommandQueue,
  work: Work,
  options: CommandOptions,
): Enqueued {
  switch (work.op) {
    case 'write':
      return write(objects, queue, work, options);
    case 'read':
      return read(objects, queue, work, options);
    case 'fill':
      return { event: fill(objects, queue, work, options) };
    case 'copy':
      return { event: copy(objects, queue, work, options) };
    case 'migrate':
      return { event: migrate(objects, queue, work, options) };
    case 'run':
      return { event: queue.enqueueNDRange(prepared(objects, work.launch), rangeOf(work.launch), options) };
  }
}

const hostOf = (objects: Objects, place: Place, host: HostBox | undefined): number =>
  host?.size ?? sizeOf(objects.bytesAt(place));

function write(
  objects: Objects,
  queue: Anycl.CommandQueue,
  { to, seed, host: layout }: Extract<Work, { op: 'write' }>,
  options: CommandOptions,
): Enqueued {
  const memory = objects.memory(to.memory);
  const host = bytesOf(seed, hostOf(objects, to, layout));
  if (to.kind === 'pixels') {
    const image = memory as Anycl.Image;
    const pixels = pixelsOf(to, image.coordinates);
    return { event: queue.enqueueWriteImage(image, host, { ...pixels, ...options }), host };
  }
  const buffer = memory as Anycl.Buffer;
  if (to.kind === 'box')
    return { event: queue.enqueueWriteRect(buffer, host, rectOf(to.box, layout!.box), options), host };
  return { event: queue.enqueueWrite(buffer, host, { offset: to.offset, ...options }), host };
}

function read(
  objects: Objects,
  queue: Anycl.CommandQueue,
  { from, how, host: layout }: Extract<Work, { op: 'read' }>,
  options: CommandOptions,
): Enqueued {
  const memory = objects.memory(from.memory);
  if (how === 'new' && from.kind === 'span') {
    const { offset, size } = from;
    return { event: (memory as Anycl.Buffer).read({ offset, length: size, queue, ...options }) };
  }
  const host = new Uint8Array(hostOf(objects, from, layout)).fill(UNTOUCHED);
  if (from.kind === 'pixels') {
    const image = memory as Anycl.Image;
    const pixels = pixelsOf(from, image.coordinates);
    return { event: queue.enqueueReadImage(image, host, { ...pixels, ...options }), host };
  }
  if (memory instanceof objects.api.Svm && from.kind === 'span') {
    const { offset, size } = from;
    return { event: queue.enqueueSvmCopy(memory, host, { offset, size, ...options }), host };
  }
  const buffer = memory as Anycl.Buffer;
  if (from.kind === 'box')
    return { event: queue.enqueueReadRect(buffer, host, rectOf(from.box, layout!.box), options), host };
  return { event: queue.enqueueRead(buffer, host, { offset: from.offset, ...options }), host };
}

function fill(
  objects: Objects,
  queue: Anycl.CommandQueue,
  { to, pattern, color }: Extract<Work, { op: 'fill' }>,
  options: CommandOptions,
): Anycl.Event<unknown> {
  const memory = objects.memory(to.memory);
  if (to.kind === 'pixels') {
    const image = memory as Anycl.Image;
    return queue.enqueueFillImage(image, color!, { ...pixelsOf(to, image.coordinates), ...options });
  }
  if (to.kind === 'box') throw new Error('boxes cannot be filled');
  const { offset, size } = to;
  const bytes = Uint8Array.from(pattern);
  const isSvm = memory instanceof objects.api.Svm;
  const event = isSvm
    ? queue.enqueueSvmFill(memory, bytes, { offset, size, ...options })
    : queue.enqueueFill(memory as Anycl.Buffer, bytes, { offset, size, ...options });
  // The pattern was copied.
  bytes.fill(0x5a);
  return event;
}

function migrate(
  objects: Objects,
  queue: Anycl.CommandQueue,
  { memories, toHost = false }: Extract<Work, { op: 'migrate' }>,
  waits: CommandOptions,
): Anycl.Event<unknown> {
  const moved = memories.map((id) => objects.memory(id));
  const isShared = (memory: AnyMemory) => memory instanceof objects.api.Svm;
  const options = { ...(toHost && { toHost }), ...waits };
  return moved.some(isShared)
    ? queue.enqueueSvmMigrate(moved as Anycl.Svm[], options)
    : queue.enqueueMigrate(moved as Anycl.MemoryObject[], options);
}

/** A copy as one of the API's six. */
type Copy =
  | {
      readonly kind: 'images';
      readonly from: Anycl.Image;
      readonly to: Anycl.Image;
      readonly options: object;
    }
  | {
      readonly kind: 'to buffer';
      readonly from: Anycl.Image;
      readonly to: Anycl.Buffer;
      readonly options: object;
    }
  | {
      readonly kind: 'to image';
      readonly from: Anycl.Buffer;
      readonly to: Anycl.Image;
      readonly options: object;
    }
  | { readonly kind: 'box'; readonly from: Anycl.Buffer; readonly to: Anycl.Buffer; readonly rect: Rect }
  | { readonly kind: 'svm'; readonly from: Anycl.Svm; readonly to: Anycl.Svm; readonly options: object }
  | {
      readonly kind: 'buffers';
      readonly from: Anycl.Buffer;
      readonly to: Anycl.Buffer;
      readonly options: object;
    };

function copyOf(objects: Objects, { from, to }: Extract<Work, { op: 'copy' }>): Copy {
  const [source, target] = [objects.memory(from.memory), objects.memory(to.memory)];
  if (from.kind === 'pixels') {
    const image = source as Anycl.Image;
    const pixels = pixelsOf(from, image.coordinates);
    if (to.kind === 'pixels') {
      const options = { ...pixels, targetOrigin: to.origin.slice(0, (target as Anycl.Image).coordinates) };
      return { kind: 'images', from: image, to: target as Anycl.Image, options };
    }
    if (to.kind !== 'span') throw new Error('pixels are not copied to boxes');
    const options = { ...pixels, targetOffset: to.offset };
    return { kind: 'to buffer', from: image, to: target as Anycl.Buffer, options };
  }
  if (to.kind === 'pixels') {
    if (from.kind !== 'span') throw new Error('boxes are not copied to pixels');
    const image = target as Anycl.Image;
    const options = { ...pixelsOf(to, image.coordinates), sourceOffset: from.offset };
    return { kind: 'to image', from: source as Anycl.Buffer, to: image, options };
  }
  const [buffer, other] = [source as Anycl.Buffer, target as Anycl.Buffer];
  if (from.kind === 'box' && to.kind === 'box')
    return { kind: 'box', from: buffer, to: other, rect: rectOf(from.box, to.box) };
  if (from.kind !== 'span' || to.kind !== 'span') throw new Error('boxes are copied to boxes');
  const options = { offset: from.offset, targetOffset: to.offset, size: from.size };
  if (source instanceof objects.api.Svm && target instanceof objects.api.Svm)
    return { kind: 'svm', from: source, to: target, options };
  return { kind: 'buffers', from: buffer, to: other, options };
}

function copy(
  objects: Objects,
  queue: Anycl.CommandQueue,
  work: Extract<Work, { op: 'copy' }>,
  waits: CommandOptions,
): Anycl.Event<unknown> {
  const made = copyOf(objects, work);
  switch (made.kind) {
    case 'images':
      return queue.enqueueCopyImage(made.from, made.to, { ...made.options, ...waits });
    case 'to buffer':
      return queue.enqueueCopyImageToBuffer(made.from, made.to, { ...made.options, ...waits });
    case 'to image':
      return queue.enqueueCopyBufferToImage(made.from, made.to, { ...made.options, ...waits });
    case 'box':
      return queue.enqueueCopyRect(made.from, made.to, made.rect, waits);
    case 'svm':
      return queue.enqueueSvmCopy(made.from, made.to, { ...made.options, ...waits });
    case 'buffers':
      return queue.enqueueCopy(made.from, made.to, { ...made.options, ...waits });
  }
}

/** A recorded launch as another one. */
export function changeOf(objects: Objects, launch: Launch): KernelChange {
  const offset = launch.offset ?? launch.global.map(() => 0);
  return { ...rangeOf(launch), offset, args: { ...valuesOf(objects, launch) } } as KernelChange;
}

/** Records a command that command buffers have. */
export function recordWork(
  objects: Objects,
  buffer: CommandBuffer,
  work: Work,
  after: RecordOptions,
  mutable = false,
): Recorded {
  if (work.op === 'run') {
    const values = valuesOf(objects, work.launch) as [];
    const range = { ...rangeOf(work.launch), ...after, ...(mutable && { mutable }) };
    return buffer.run(objects.kernel(work.launch.kernel), range, ...values);
  }
  if (work.op === 'fill') {
    const memory = objects.memory(work.to.memory);
    const pattern = Uint8Array.from(work.pattern);
    if (work.to.kind === 'pixels') {
      const image = memory as Anycl.Image;
      return buffer.fillImage(image, work.color!, { ...pixelsOf(work.to, image.coordinates), ...after });
    }
    if (work.to.kind === 'box') throw new Error('boxes cannot be filled');
    const options = { offset: work.to.offset, size: work.to.size, ...after };
    if (memory instanceof objects.api.Svm) return buffer.fillSvm(memory, pattern, options);
    return buffer.fill(memory as Anycl.Buffer, pattern, options);
  }
  if (work.op !== 'copy') throw new Error(`${work.op} cannot be recorded`);
  const made = copyOf(objects, work);
  switch (made.kind) {
    case 'images':
      return buffer.copyImage(made.from, made.to, { ...made.options, ...after });
    case 'to buffer':
      return buffer.copyImageToBuffer(made.from, made.to, { ...made.options, ...after });
    case 'to image':
      return buffer.copyBufferToImage(made.from, made.to, { ...made.options, ...after });
    case 'box':
      return buffer.copyRect(made.from, made.to, made.rect, after);
    case 'svm':
      return buffer.copySvm(made.from, made.to, { ...made.options, ...after });
    case 'buffers':
      return buffer.copy(made.from, made.to, { ...made.options, ...after });
  }
}
