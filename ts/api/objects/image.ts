// SPDX-License-Identifier: MIT

import type { ImageDescription, ImageFormat } from '../../backend/backend';
import type { BackendMemory } from '../../backend/backend-objects';
import type { Triple } from '../../backend/command';
import { ErrorCode, MemFlags, MemObjectType } from '../../cl/constants.gen';
import { imageInfo, imageRequirementsInfo } from '../../cl/info-keys.gen';
import { decodeInfo, type InfoValues } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { imageBox } from '../commands/images';
import type { ImageRegion } from '../commands/operands';
import {
  type FormatTraits,
  formatByName,
  type ImageFormatName,
  type PixelArray,
} from '../data/image-formats';
import { checkView, type MapMode } from '../data/transfers';
import type { TypedArray } from '../data/typed-arrays';
import { unsupported } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor, hostView } from '../internals';
import { externalMemoryProperties } from '../interop/external-memory';
import { unlessAborted, type Waiting } from '../options/abort';
import type { Buffer } from './buffer';
import type { CommandOptions } from './command-options';
import type { Context } from './context';
import type { Event } from './event';
import { checkConstructor } from './handle';
import type { Mapping } from './mapping';
import { MemoryObject, type MemoryOptions, memoryFlags } from './memory-object';
import { memoryPressure } from './memory-pressure';
import type { CommandQueue } from './queue';

/** Properties by name, without `CL_IMAGE_`. */
export type ImageInfo = InfoOf<typeof imageInfo, { BUFFER: Buffer | undefined }>;

/** How many dimensions an image has, and whether it is an array of layers or over a buffer. */
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

/** The number of a pixel's coordinates, and how many of them shrink from one mip level to the next. */
const DIMENSIONS = {
  '1d': { coordinates: 1, axes: 1 },
  '1d-array': { coordinates: 2, axes: 1 },
  '1d-buffer': { coordinates: 1, axes: 1 },
  '2d': { coordinates: 2, axes: 2 },
  '2d-array': { coordinates: 3, axes: 2 },
  '3d': { coordinates: 3, axes: 3 },
} as const satisfies Record<ImageType, object>;

function levelExtent(type: ImageType, extent: Triple, level: number): Triple {
  if (level === 0) return extent;
  const { axes } = DIMENSIONS[type];
  const size = (axis: number) => (axis < axes ? Math.max(1, extent[axis]! >> level) : extent[axis]!);
  return [size(0), size(1), size(2)];
}

/** Type, format and size of an image. */
export interface ImageShape<F extends ImageFormatName = ImageFormatName> {
  /** Absent: the type that has the given sizes; with `buffer` and `width` alone an image over the buffer. */
  readonly type?: ImageType;
  /** The format of a pixel. */
  readonly format: F;
  /** In pixels. */
  readonly width: number;
  /** In pixels; absent for 1D images. */
  readonly height?: number;
  /** In pixels, for 3D images. */
  readonly depth?: number;
  /** For arrays: number of layers. */
  readonly layers?: number;
  /** Bytes from one row (slice) of the given data to the next; absent if they have no gaps. */
  readonly rowPitch?: number;
  /** Bytes from one slice of the given data to the next; absent if they have no gaps. */
  readonly slicePitch?: number;
  /**
   * Levels of detail, each with half the size of the one before, rounded down (cl_khr_mipmap_image). Such an image is
   * created without data: write each level.
   */
  readonly mipLevels?: number;
  /** Samples of a pixel; more than 1 are only in images of OpenGL. */
  readonly samples?: number;
  /** The buffer that an image is created over. */
  readonly buffer?: Buffer;
}

/** Options of images: those of all memory. */
export type ImageOptions = MemoryOptions;

function typeOf({ type, height, depth, layers, buffer }: ImageShape): ImageType {
  if (type !== undefined) return type;
  if (depth !== undefined) return '3d';
  if (layers !== undefined) return height === undefined ? '1d-array' : '2d-array';
  if (height !== undefined) return '2d';
  return buffer ? '1d-buffer' : '1d';
}

/** OpenCL ignores the other sizes, and data of that many pixels would lose most of them without an error. */
const SIZES = {
  '1d': ['width'],
  '1d-array': ['width', 'layers'],
  '1d-buffer': ['width'],
  '2d': ['width', 'height'],
  '2d-array': ['width', 'height', 'layers'],
  '3d': ['width', 'height', 'depth'],
} as const satisfies Record<ImageType, readonly (keyof ImageShape)[]>;

function imageFormat(shape: ImageShape): ImageFormat {
  const { order, type } = formatByName(shape.format);
  return { order, type };
}

function imageDescription(shape: ImageShape, data: ArrayBufferView | undefined): ImageDescription {
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
    if (size > 1 && !(SIZES[type] as readonly string[]).includes(name)) {
      throw new OpenCLError(
        ErrorCode.INVALID_IMAGE_DESCRIPTOR,
        functionName,
        `an image of type '${type}' has no \`${name}\`, but ${size} were given; its sizes are ${SIZES[type].join(', ')}`,
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
    ...(shape.buffer ? { parent: shape.buffer[handleFor](functionName) } : {}),
  };
}

/**
 * An image: kernels read its pixels through samplers and write them by coordinate.
 *
 * @example
 * ```ts
 * const image = cl.image({ format: 'rgba8', width: 2, height: 1 });
 * await image.fill([1, 0, 0, 1]);
 * console.log(await image.read());                 // Uint8Array(8) [ 255, 0, 0, 255, 255, 0, 0, 255 ]
 * ```
 */
export class Image<Pixels extends TypedArray = TypedArray> extends MemoryObject {
  /** The type; chosen by the sizes where the shape has none. */
  readonly type: ImageType;
  /** @internal */
  readonly coordinates: number;
  /** @internal */
  readonly levelExtents: readonly Triple[];
  /** The format: channels, bytes of a pixel, and the typed array of its values. */
  readonly format: FormatTraits;
  /** [width, height, depth] as in regions: layers are the last used coordinate. */
  readonly extent: Triple;

  /** @internal */
  constructor(
    handle: BackendMemory,
    context: Context,
    flags: number,
    /** The shape as it was given. */
    readonly shape: ImageShape,
  ) {
    checkConstructor(handle, new.target);
    const format = formatByName(shape.format);
    const type = typeOf(shape);
    const layers = shape.layers ?? 1;
    const extent: Triple =
      type === '1d-array'
        ? [shape.width, layers, 1]
        : type === '2d-array'
          ? [shape.width, shape.height ?? 1, layers]
          : [shape.width, shape.height ?? 1, shape.depth ?? 1];
    const levelExtents = Array.from({ length: Math.max(1, shape.mipLevels ?? 0) }, (_, level) =>
      levelExtent(type, extent, level),
    );
    const pixels = levelExtents.reduce((sum, [width, rows, slices]) => sum + width * rows * slices, 0);
    const bytes = pixels * format.pixelBytes;
    super(handle, context, bytes, flags, shape.buffer || flags & MemFlags.USE_HOST_PTR ? 0 : bytes);
    this.type = type;
    this.format = format;
    this.extent = extent;
    this.levelExtents = levelExtents;
    this.coordinates = DIMENSIONS[type].coordinates;
  }

  /** In pixels. */
  get width(): number {
    return this.shape.width;
  }

  /** In pixels; 1 for 1D images. */
  get height(): number {
    return this.shape.height ?? 1;
  }

  /**
   * A property by its name without `CL_IMAGE_`, or by number as bytes (clGetImageInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof ImageInfo>(key: K): ImageInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof ImageInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetImageInfo').imageInfo(param);
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
    const { queue, into = this.#pixelArray(options), ...rest } = options;
    return this.#queue(queue).enqueueReadImage(this, into, rest);
  }

  /** Copies pixels into the image, row after row. The array must not change until the event is complete. */
  write(data: ArrayBufferView, options: ImageRegion & { queue?: CommandQueue } & CommandOptions = {}): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueWriteImage(this, data, rest);
  }

  /** Fills with one color: four floats, or four integers for integer formats. */
  fill(
    color: readonly [number, number, number, number],
    options: ImageRegion & { queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueFillImage(this, color, rest);
  }

  /** Copies pixels to an image of the same format. */
  copyTo(
    target: Image,
    options: ImageRegion & { targetOrigin?: readonly number[]; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueCopyImage(this, target, rest);
  }

  /** Copies pixels, packed, into a buffer from byte `targetOffset` on (clEnqueueCopyImageToBuffer). */
  copyToBuffer(
    target: Buffer,
    options: ImageRegion & { targetOffset?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueCopyImageToBuffer(this, target, rest);
  }

  /** Copies packed pixels out of a buffer from byte `sourceOffset` on (clEnqueueCopyBufferToImage). */
  copyFromBuffer(
    source: Buffer,
    options: ImageRegion & { sourceOffset?: number; queue?: CommandQueue } & CommandOptions = {},
  ): Event {
    const { queue, ...rest } = options;
    return this.#queue(queue).enqueueCopyBufferToImage(source, this, rest);
  }

  /** Makes pixels visible to the host. The start of each row is `mapping.rowPitch` bytes after the one before. */
  async map(
    mode: MapMode = 'read-write',
    options: ImageRegion & { queue?: CommandQueue } & CommandOptions & Waiting = {},
  ): Promise<Mapping<TypedArray>> {
    const { queue, signal, ...rest } = options;
    const map = () => this.#queue(queue).enqueueMapImage(this as Image, mode, rest);
    return await unlessAborted(map, signal, (mapping) => void mapping.unmap());
  }

  #queue(queue: CommandQueue | undefined): CommandQueue {
    return queue ?? this.context.defaultQueue;
  }

  /** A new array for the pixels of the region. */
  #pixelArray(options: ImageRegion): TypedArray {
    const { region } = imageBox(this as Image, options, 'clEnqueueReadImage');
    return new this.format.array(region[0] * region[1] * region[2] * this.format.channels);
  }
}

guard('Image', Image);

/** @internal `context.createImage` */
export function newImage<F extends ImageFormatName>(
  context: Context,
  shape: ImageShape<F>,
  data: ArrayBufferView | undefined,
  options: ImageOptions,
): Image<PixelArray<F>> {
  const functionName = 'clCreateImage';
  const handle = context[handleFor](functionName);
  if (data) checkView(data, functionName);
  const format = imageFormat(shape);
  const description = imageDescription(shape, data);
  const flags = memoryFlags(options, data, functionName);
  const properties = externalMemoryProperties(options.external, functionName);
  const image = memoryPressure.allocate(() =>
    handle.createImage(flags, format, description, data, properties),
  );
  const made = new Image<PixelArray<F>>(image, context, flags, shape);
  if (flags & MemFlags.USE_HOST_PTR) made[hostView] = data;
  return made;
}

/** @internal `context.imageRequirement` */
export function imageRequirement<K extends keyof typeof imageRequirementsInfo>(
  context: Context,
  key: K,
  shape: ImageShape,
  options: ImageOptions,
): InfoValues[(typeof imageRequirementsInfo)[K][1]] {
  const functionName = 'clGetImageRequirementsInfoEXT';
  const handle = context[handleFor](functionName);
  if (!handle.imageRequirements) throw unsupported(functionName, 'cl_ext_image_requirements_info');
  const flags = memoryFlags(options, undefined, functionName);
  if (!Object.hasOwn(imageRequirementsInfo, key))
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, `there is no property '${key}'`);
  const [param, type] = imageRequirementsInfo[key];
  const description = imageDescription(shape, undefined);
  return decodeInfo(type, handle.imageRequirements(flags, imageFormat(shape), description, param)) as never;
}
