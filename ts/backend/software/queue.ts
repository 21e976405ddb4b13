// SPDX-License-Identifier: MIT
import { type Box, copyBox, fillPattern } from '../../device/copies';
import { encodePixel } from '../../device/pixel';
import type { BackendEvent, BackendKernel, BackendMemory, BackendSvm } from '../backend';
import type {
  BackendMapping,
  BackendQueue,
  MaybeEvent,
  RectLayout,
  Triple,
  Wait,
  WorkSizes,
} from '../backend-queue';
import { CommandType, ErrorCode, MapFlags, MemMigrationFlags } from '../cl.gen';
import { putInto, steadySource, whileWhole } from '../host-memory';
import { OpenCLError } from '../opencl-error';
import { bufferBox, byteRegion, hostBox, hostBytes, hostImageBox, offsetOf, packedBox } from './boxes';
import { CommandStream } from './command-stream';
import type { SoftwareImage } from './image';
import type { SoftwareKernel } from './kernel';
import { prepareLaunch } from './launch';
import { bytesOf, type SoftwareMemory, SoftwareSvm } from './memory';

/** Writes mapped host memory back; undefined where the mapping is the memory itself. */
interface Mapping extends BackendMapping {
  readonly writeBack: (() => void) | undefined;
}

const WRITES = MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;

export class SoftwareQueue extends CommandStream implements BackendQueue {
  enqueueKernel(kernel: BackendKernel, range: WorkSizes, wait: Wait, wantEvent: boolean): MaybeEvent {
    const { work, uses } = prepareLaunch(kernel as SoftwareKernel, range, this.queue.profiling);
    return this.submit(CommandType.NDRANGE_KERNEL, work, uses, wait, wantEvent);
  }

  readBuffer(
    source: BackendMemory,
    offset: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const from = source as SoftwareMemory;
    const size = into.byteLength;
    const copy = (): void => putInto(into, from.bytes(offset, size));
    return this.host(CommandType.READ_BUFFER, copy, [from], wait, wantEvent);
  }

  writeBuffer(
    target: BackendMemory,
    offset: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const to = target as SoftwareMemory;
    const steady = steadySource(from);
    const copy = whileWhole(steady, () => to.bytes(offset, steady.byteLength).set(bytesOf(steady)));
    return this.host(CommandType.WRITE_BUFFER, copy, [to], wait, wantEvent);
  }

  readBufferRect(
    source: BackendMemory,
    into: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const from = source as SoftwareMemory;
    const copy = whileWhole(into, () => copyBox(bufferBox(from, rect), hostBox(into, rect), rect.region));
    return this.host(CommandType.READ_BUFFER_RECT, copy, [from], wait, wantEvent);
  }

  writeBufferRect(
    target: BackendMemory,
    from: ArrayBufferView,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const to = target as SoftwareMemory;
    const steady = steadySource(from);
    const copy = whileWhole(steady, () => copyBox(hostBox(steady, rect), bufferBox(to, rect), rect.region));
    return this.host(CommandType.WRITE_BUFFER_RECT, copy, [to], wait, wantEvent);
  }

  copyBuffer(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const copy = (): void => {
      const start = source.address + fromOffset;
      this.device.memory.u8.copyWithin(target.address + toOffset, start, start + size);
    };
    return this.host(CommandType.COPY_BUFFER, copy, [source, target], wait, wantEvent);
  }

  /** The first buffer is the rectangle's `buffer…`, the second its `host…`. */
  copyBufferRect(
    from: BackendMemory,
    to: BackendMemory,
    rect: RectLayout,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const source = from as SoftwareMemory;
    const target = to as SoftwareMemory;
    const copy = (): void => {
      const { hostOrigin, hostRowPitch, hostSlicePitch } = rect;
      copyBox(
        bufferBox(source, rect),
        {
          bytes: this.device.memory.u8,
          offset: target.address + offsetOf(hostOrigin, hostRowPitch, hostSlicePitch),
          rowPitch: hostRowPitch,
          slicePitch: hostSlicePitch,
        },
        rect.region,
      );
    };
    return this.host(CommandType.COPY_BUFFER_RECT, copy, [source, target], wait, wantEvent);
  }

  fillBuffer(
    target: BackendMemory,
    pattern: Uint8Array,
    offset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const to = target as SoftwareMemory;
    const copy = pattern.slice();
    const fill = (): void => fillPattern(to.bytes(offset, size), copy);
    return this.host(CommandType.FILL_BUFFER, fill, [to], wait, wantEvent);
  }

  readImage(
    source: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    into: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const image = source as SoftwareImage;
    const run = whileWhole(into, () => {
      const to = hostImageBox(image, region, rowPitch, slicePitch, into);
      copyBox(image.box(origin), to, byteRegion(image, region));
    });
    return this.host(CommandType.READ_IMAGE, run, [image], wait, wantEvent);
  }

  writeImage(
    target: BackendMemory,
    origin: Triple,
    region: Triple,
    rowPitch: number,
    slicePitch: number,
    from: ArrayBufferView,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const image = target as SoftwareImage;
    const steady = steadySource(from);
    const run = whileWhole(steady, () => {
      const source = hostImageBox(image, region, rowPitch, slicePitch, steady);
      copyBox(source, image.box(origin), byteRegion(image, region));
    });
    return this.host(CommandType.WRITE_IMAGE, run, [image], wait, wantEvent);
  }

  copyImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const source = from as SoftwareImage;
    const target = to as SoftwareImage;
    const run = (): void => copyBox(source.box(fromOrigin), target.box(toOrigin), byteRegion(source, region));
    return this.host(CommandType.COPY_IMAGE, run, [source, target], wait, wantEvent);
  }

  fillImage(
    target: BackendMemory,
    color: Uint8Array,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const image = target as SoftwareImage;
    const pixel = encodePixel(image.format, color);
    const run = (): void => {
      const row = new Uint8Array(region[0] * image.element);
      fillPattern(row, pixel);
      const from: Box = { bytes: row, offset: 0, rowPitch: 0, slicePitch: 0 };
      copyBox(from, image.box(origin), byteRegion(image, region));
    };
    return this.host(CommandType.FILL_IMAGE, run, [image], wait, wantEvent);
  }

  copyImageToBuffer(
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const image = from as SoftwareImage;
    const buffer = to as SoftwareMemory;
    const run = (): void =>
      copyBox(image.box(origin), packedBox(image, region, buffer, toOffset), byteRegion(image, region));
    return this.host(CommandType.COPY_IMAGE_TO_BUFFER, run, [image, buffer], wait, wantEvent);
  }

  copyBufferToImage(
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const buffer = from as SoftwareMemory;
    const image = to as SoftwareImage;
    const run = (): void =>
      copyBox(packedBox(image, region, buffer, fromOffset), image.box(origin), byteRegion(image, region));
    return this.host(CommandType.COPY_BUFFER_TO_IMAGE, run, [buffer, image], wait, wantEvent);
  }

  mapBuffer(
    memory: BackendMemory,
    flags: number,
    offset: number,
    size: number,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping } {
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
    return { event: this.host(CommandType.MAP_BUFFER, load, [buffer], wait, true)!, mapped };
  }

  mapImage(
    memory: BackendMemory,
    flags: number,
    origin: Triple,
    region: Triple,
    wait: Wait,
  ): { event: BackendEvent; mapped: BackendMapping } {
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

  unmap(memory: BackendMemory, mapped: BackendMapping, wait: Wait, wantEvent: boolean): MaybeEvent {
    const object = memory as SoftwareMemory;
    const { writeBack } = mapped as Mapping;
    const run = (): void => {
      writeBack?.();
      object.mapCount--;
    };
    return this.host(CommandType.UNMAP_MEM_OBJECT, run, [object], wait, wantEvent);
  }

  migrate(memories: readonly BackendMemory[], flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    if (flags & ~(MemMigrationFlags.HOST | MemMigrationFlags.CONTENT_UNDEFINED)) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueMigrateMemObjects',
        `there are no flags ${flags}`,
      );
    }
    const uses = memories as readonly SoftwareMemory[];
    return this.host(CommandType.MIGRATE_MEM_OBJECTS, undefined, uses, wait, wantEvent);
  }

  svmMemcpy(
    to: BackendSvm | ArrayBufferView,
    toOffset: number,
    from: BackendSvm | ArrayBufferView,
    fromOffset: number,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const source = ArrayBuffer.isView(from) ? steadySource(from) : from;
    const copy = (): void => hostBytes(to, toOffset, size).set(hostBytes(source, fromOffset, size));
    const intoWhole = ArrayBuffer.isView(to) ? whileWhole(to, copy) : copy;
    const run = ArrayBuffer.isView(source) ? whileWhole(source, intoWhole) : intoWhole;
    return this.host(CommandType.SVM_MEMCPY, run, sharedOf(to, from), wait, wantEvent);
  }

  svmFill(
    to: BackendSvm,
    offset: number,
    pattern: Uint8Array,
    size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    const copy = pattern.slice();
    const run = (): void => fillPattern(hostBytes(to, offset, size), copy);
    return this.host(CommandType.SVM_MEMFILL, run, sharedOf(to), wait, wantEvent);
  }

  svmMap(
    _svm: BackendSvm,
    _flags: number,
    _offset: number,
    _size: number,
    wait: Wait,
    wantEvent: boolean,
  ): MaybeEvent {
    return this.host(CommandType.SVM_MAP, undefined, [], wait, wantEvent);
  }

  svmUnmap(_svm: BackendSvm, wait: Wait, wantEvent: boolean): MaybeEvent {
    return this.host(CommandType.SVM_UNMAP, undefined, [], wait, wantEvent);
  }

  svmFree(svms: readonly BackendSvm[], wait: Wait, wantEvent: boolean): MaybeEvent {
    const run = (): void => {
      for (const svm of svms) svm.free();
    };
    return this.host(CommandType.SVM_FREE, run, [], wait, wantEvent);
  }

  svmMigrate(_svms: readonly BackendSvm[], _flags: number, wait: Wait, wantEvent: boolean): MaybeEvent {
    return this.host(CommandType.SVM_MIGRATE_MEM, undefined, [], wait, wantEvent);
  }
}

const sharedOf = (...memories: readonly (BackendSvm | ArrayBufferView)[]): SoftwareSvm[] =>
  memories.filter((memory) => memory instanceof SoftwareSvm);
