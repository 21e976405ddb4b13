// SPDX-License-Identifier: MIT

import type { BackendMemory, ImageDescription, ImageFormat } from '../backend/backend';
import { ErrorCode, MemFlags, MemObjectType } from '../backend/cl.gen';
import type { Triple } from '../backend/command';
import { imageInfo } from '../backend/info-keys.gen';
import { OpenCLError } from '../backend/opencl-error';
import { unlessAborted, type Waiting } from './abort';
import { type Buffer, Mapping, MemoryObject, type MemoryOptions } from './buffer';
import type { Context } from './context';
import { encodeValue, firstMisfit, limitsOf, mayStandFor, type TypedArray } from './element-types';
import { Event, waitList } from './event';
import { type FormatTraits, formatByName, type ImageFormatName } from './image-formats';
import { type InfoOf, queryInfo } from './info';
import { checkMade, describe, withArticle } from './lifetime';
import type { CommandOptions, CommandQueue, MapMode } from './queue';
import { checkView, MAP_FLAGS, whenStillThere } from './transfers';

/** Properties by name, without `CL_IMAGE_`. */
export type ImageInfo = InfoOf<typeof imageInfo, { BUFFER: Buffer | undefined }>;

export type ImageType = '1d' | '1d-array' | '1d-buffer' | '2d' | '2d-array' | '3d';

/** @internal */
export const IMAGE_TYPE = {
  '1d': MemObjectType.IMAGE1D,
  '1d-array': MemObjectType.IMAGE1D_ARRAY,
  '1d-buffer': MemObjectType.IMAGE1D_BUFFER,
  '2d': MemObjectType.IMAGE2D,
  '2d-array': MemObjectType.IMAGE2D_ARRAY,
  '3d': MemObjectType.IMAGE3D,
} as const satisfies Record<ImageType, MemObjectType>;

export interface ImageShape<F extends ImageFormatName = ImageFormatName> {
  /** Default '2d', or what follows from the sizes given. */
  readonly type?: ImageType;
  readonly format: F;
  /** In pixels. */
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  /** For arrays: number of layers. */
  readonly layers?: number;
  /** Bytes from one row (slice) of the given data to the next; left out where they follow each other. */
  readonly rowPitch?: number;
  readonly slicePitch?: number;
  readonly mipLevels?: number;
  readonly samples?: number;
  /** The memory itself, for images over buffers. */
  readonly buffer?: Buffer;
}

export type ImageOptions = MemoryOptions;

/** Part of an image in pixels; layers and mip levels count as further coordinates, as in OpenCL. */
export interface ImageRegion {
  readonly origin?: readonly number[];
  readonly region?: readonly number[];
}

const typeOf = (shape: ImageShape): ImageType =>
  shape.type ?? (shape.depth !== undefined ? '3d' : shape.height !== undefined ? '2d' : '1d');

/** @internal */
export function imageFormat(shape: ImageShape): ImageFormat {
  const { order, type } = formatByName(shape.format);
  return { order, type };
}

/** @internal */
export function imageDescription(shape: ImageShape, data: ArrayBufferView | undefined): ImageDescription {
  const functionName = 'clCreateImage';
  const type = typeOf(shape);
  if (!Object.hasOwn(IMAGE_TYPE, type)) {
    throw new OpenCLError(ErrorCode.INVALID_IMAGE_DESCRIPTOR, functionName, `unknown image type '${type}'`);
  }
  const sizes = {
    width: shape.width,
    height: shape.height ?? 1,
    depth: shape.depth ?? 1,
    layers: shape.layers ?? 1,
  };
  for (const [name, size] of Object.entries(sizes)) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new OpenCLError(
        ErrorCode.INVALID_IMAGE_SIZE,
        functionName,
        `${name} must be at least 1, not ${size}`,
      );
    }
  }
  const rowBytes = sizes.width * formatByName(shape.format).pixelBytes;
  const rowPitch = shape.rowPitch ?? 0;
  if (rowPitch !== 0 && rowPitch < rowBytes) {
    throw new OpenCLError(
      ErrorCode.INVALID_IMAGE_DESCRIPTOR,
      functionName,
      `row pitch ${rowPitch} is less than a row's ${rowBytes} bytes`,
    );
  }
  const needed = (rowPitch || rowBytes) * sizes.height * sizes.depth * sizes.layers;
  if (data !== undefined && data.byteLength < needed) {
    throw new OpenCLError(
      ErrorCode.INVALID_HOST_PTR,
      functionName,
      `the image needs ${needed} bytes of data, ${data.byteLength} were given`,
    );
  }
  const isArray = type.endsWith('array');
  return {
    type: IMAGE_TYPE[type],
    width: sizes.width,
    height: type.startsWith('1d') ? 0 : sizes.height,
    depth: type === '3d' ? sizes.depth : 0,
    arraySize: isArray ? sizes.layers : 0,
    rowPitch,
    slicePitch: shape.slicePitch ?? 0,
    mipLevels: shape.mipLevels ?? 0,
    samples: shape.samples ?? 0,
    ...(shape.buffer ? { parent: shape.buffer.handleFor(functionName) } : {}),
  };
}

/** Pixels that kernels read through samplers and write by coordinate. */
export class Image<Pixels extends TypedArray = TypedArray> extends MemoryObject {
  readonly type: ImageType;
  readonly format: FormatTraits;
  /** [width, height, depth] as regions count them: layers are the last used coordinate. */
  readonly extent: Triple;

  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    flags: number,
    readonly shape: ImageShape,
  ) {
    checkMade(handle, new.target);
    const format = formatByName(shape.format);
    const type = typeOf(shape);
    const layers = shape.layers ?? 1;
    const extent: Triple =
      type === '1d-array'
        ? [shape.width, layers, 1]
        : type === '2d-array'
          ? [shape.width, shape.height ?? 1, layers]
          : [shape.width, shape.height ?? 1, shape.depth ?? 1];
    const bytes = extent[0] * extent[1] * extent[2] * format.pixelBytes;
    super(handle, context, bytes, flags, shape.buffer || flags & MemFlags.USE_HOST_PTR ? 0 : bytes);
    this.type = type;
    this.format = format;
    this.extent = extent;
  }

  get width(): number {
    return this.shape.width;
  }

  get height(): number {
    return this.shape.height ?? 1;
  }

  info<K extends keyof ImageInfo>(key: K): ImageInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof ImageInfo | number): unknown {
    const read = (param: number) => this.handleFor('clGetImageInfo').imageInfo(param);
    return queryInfo(imageInfo, key, 'clGetImageInfo', read, { BUFFER: this.shape.buffer });
  }

  /** Copies pixels to the host, row after row, into a new array of the format's type or `into`. */
  read(options?: ImageRegion & { into?: undefined; queue?: CommandQueue } & CommandOptions): Event<Pixels>;
  read<T extends TypedArray>(
    options: ImageRegion & { into: T; queue?: CommandQueue } & CommandOptions,
  ): Event<T>;
  read(
    options: ImageRegion & { into?: TypedArray; queue?: CommandQueue } & CommandOptions = {},
  ): Event<TypedArray> {
    const functionName = 'clEnqueueReadImage';
    const { origin, region } = this.regionOf(options, functionName);
    const into =
      options.into ?? new this.format.array(region[0] * region[1] * region[2] * this.format.channels);
    this.#checkHost(into, region, functionName);
    const queue = options.queue ?? this.context.defaultQueue;
    const wait = waitList(options.waitFor, functionName);
    const event = queue.handleFor(functionName).enqueue(
      {
        op: 'readImage',
        image: this.handleFor(functionName),
        origin,
        region,
        rowPitch: 0,
        slicePitch: 0,
        into,
      },
      wait,
      true,
    )!;
    return new Event(event, functionName, this.context, whenStillThere(into, 'wrote to it', functionName));
  }

  write(data: ArrayBufferView, options: ImageRegion & { queue?: CommandQueue } & CommandOptions = {}): Event {
    const functionName = 'clEnqueueWriteImage';
    const { origin, region } = this.regionOf(options, functionName);
    this.#checkHost(data, region, functionName);
    const queue = options.queue ?? this.context.defaultQueue;
    const wait = waitList(options.waitFor, functionName);
    const event = queue.handleFor(functionName).enqueue(
      {
        op: 'writeImage',
        image: this.handleFor(functionName),
        origin,
        region,
        rowPitch: 0,
        slicePitch: 0,
        from: data,
      },
      wait,
      true,
    )!;
    return new Event(event, functionName, this.context);
  }

  /** Fills with one colour: four floats, or four integers for integer formats. */
  fill(
    color: readonly [number, number, number, number],
    options: ImageRegion & { queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueFillImage';
    const { origin, region } = this.regionOf(options, functionName);
    const queue = options.queue ?? this.context.defaultQueue;
    const event = queue.handleFor(functionName).enqueue(
      {
        op: 'fillImage',
        image: this.handleFor(functionName),
        pattern: this.colorBytes(color),
        origin,
        region,
      },
      waitList(options.waitFor, functionName),
      true,
    )!;
    return new Event(event, functionName, this.context);
  }

  /** Copies pixels to an image of the same format. */
  copyTo(
    target: Image,
    options: ImageRegion & { targetOrigin?: readonly number[]; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyImage';
    const { origin, region } = this.regionOf(options, functionName);
    const to = target.regionOf({ origin: options.targetOrigin ?? [], region }, functionName);
    if (target.format.order !== this.format.order || target.format.type !== this.format.type) {
      throw new OpenCLError(
        ErrorCode.IMAGE_FORMAT_MISMATCH,
        functionName,
        'both images must have one format',
      );
    }
    const queue = options.queue ?? this.context.defaultQueue;
    const event = queue.handleFor(functionName).enqueue(
      {
        op: 'copyImage',
        from: this.handleFor(functionName),
        to: target.handleFor(functionName),
        fromOrigin: origin,
        toOrigin: to.origin,
        region,
      },
      waitList(options.waitFor, functionName),
      true,
    )!;
    return new Event(event, functionName, this.context);
  }

  /** Copies pixels, packed, into a buffer from byte `targetOffset` on (clEnqueueCopyImageToBuffer). */
  copyToBuffer(
    target: Buffer,
    options: ImageRegion & { targetOffset?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyImageToBuffer';
    const { origin, region } = this.regionOf(options, functionName);
    const targetOffset = options.targetOffset ?? 0;
    this.checkBuffer(target, targetOffset, region, functionName);
    const event = (options.queue ?? this.context.defaultQueue).handleFor(functionName).enqueue(
      {
        op: 'copyImageToBuffer',
        from: this.handleFor(functionName),
        to: target.handleFor(functionName),
        origin,
        region,
        toOffset: targetOffset,
      },
      waitList(options.waitFor, functionName),
      true,
    )!;
    return new Event(event, functionName, this.context);
  }

  /** Copies packed pixels out of a buffer from byte `sourceOffset` on (clEnqueueCopyBufferToImage). */
  copyFromBuffer(
    source: Buffer,
    options: ImageRegion & { sourceOffset?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const functionName = 'clEnqueueCopyBufferToImage';
    const { origin, region } = this.regionOf(options, functionName);
    const sourceOffset = options.sourceOffset ?? 0;
    this.checkBuffer(source, sourceOffset, region, functionName);
    const event = (options.queue ?? this.context.defaultQueue).handleFor(functionName).enqueue(
      {
        op: 'copyBufferToImage',
        from: source.handleFor(functionName),
        to: this.handleFor(functionName),
        fromOffset: sourceOffset,
        origin,
        region,
      },
      waitList(options.waitFor, functionName),
      true,
    )!;
    return new Event(event, functionName, this.context);
  }

  /** Makes pixels visible to the host; rows lie `mapping.rowPitch` bytes apart. */
  async map(
    mode: MapMode = 'read-write',
    options: ImageRegion & { queue?: CommandQueue } & CommandOptions & Waiting = {},
  ): Promise<Mapping<TypedArray>> {
    const functionName = 'clEnqueueMapImage';
    const { origin, region } = this.regionOf(options, functionName);
    const queue = options.queue ?? this.context.defaultQueue;
    const flags = MAP_FLAGS[mode];
    const map = () => {
      const waits = waitList(options.waitFor, functionName);
      const image = this.handleFor(functionName);
      const { event, mapped } = queue.handleFor(functionName).mapImage(image, flags, origin, region, waits);
      return new Event(event, functionName, this.context, () => {
        const { bytes } = mapped;
        const { array } = this.format;
        const length = Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
        return new Mapping(this, queue, mapped, new array(bytes.buffer, bytes.byteOffset, length));
      });
    };
    return await unlessAborted(map, options.signal, (mapping) => void mapping.unmap());
  }

  /** @internal The four channels as clEnqueueFillImage wants them. */
  colorBytes(color: readonly [number, number, number, number]): Uint8Array {
    const scalar = this.shape.format.endsWith('ui')
      ? 'uint'
      : /\di$/.test(this.shape.format)
        ? 'int'
        : 'float';
    const misfit = firstMisfit(scalar, color);
    if (misfit >= 0)
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clEnqueueFillImage',
        `\`color[${misfit}]\` of an image of ${this.shape.format} is a whole number from ${limitsOf(scalar)!.join(' to ')}, not ${describe(color[misfit])}`,
      );
    return encodeValue({ scalar, components: 4, size: 16 }, color);
  }

  /** @internal The options' box, which must lie in the image. */
  regionOf(given: ImageRegion, functionName: string): { origin: Triple; region: Triple } {
    const at = (list: readonly number[] | undefined, i: number, otherwise: number): number =>
      list?.[i] ?? otherwise;
    const origin = [0, 1, 2].map((i) => at(given.origin, i, 0)) as unknown as Triple;
    const region = [0, 1, 2].map((i) =>
      at(given.region, i, this.extent[i]! - origin[i]!),
    ) as unknown as Triple;
    for (let i = 0; i < 3; i++) {
      const [start, count] = [origin[i]!, region[i]!];
      if (
        !Number.isSafeInteger(start) ||
        !Number.isSafeInteger(count) ||
        start < 0 ||
        count < 1 ||
        start + count > this.extent[i]!
      ) {
        throw new OpenCLError(
          ErrorCode.INVALID_VALUE,
          functionName,
          `origin ${origin.join(', ')} and region ${region.join(' × ')} do not lie in the image's ${this.extent.join(' × ')} pixels`,
        );
      }
    }
    return { origin, region };
  }

  /** @internal The packed region must fit into the buffer from `offset` on. */
  checkBuffer(buffer: Buffer, offset: number, region: Triple, functionName: string): void {
    const end = offset + region[0] * region[1] * region[2] * this.format.pixelBytes;
    if (!Number.isSafeInteger(offset) || offset < 0 || end > buffer.size) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `byte ${end} is beyond the buffer's ${buffer.size}`,
      );
    }
  }

  #checkHost(view: ArrayBufferView, region: Triple, functionName: string): void {
    checkView(view, functionName);
    if (!mayStandFor(view, this.format.array.name)) {
      const detail = `an image of ${this.shape.format} has the elements of ${withArticle(this.format.array.name)}, not of ${describe(view)}: convert them, or give their bytes as a Uint8Array`;
      throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
    }
    const needed = region[0] * region[1] * region[2] * this.format.pixelBytes;
    if (view.byteLength < needed) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `the host array must hold the region's ${needed} bytes`,
      );
    }
  }
}
