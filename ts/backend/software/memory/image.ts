// SPDX-License-Identifier: MIT
//
// Images: their memory, their descriptor for kernels, and the data that the host gives.
import { IMAGE_DESCRIPTOR } from '../../../base/kernel-abi';
import { ErrorCode, MemFlags, MemObjectType } from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { imageInfo } from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import { elementSize, isSupported } from '../../../device/images/image-formats';
import { describeTexels } from '../../../device/images/texel-layout';
import type { Block } from '../../../device/memory/allocator';
import { type Box, copyBox, type Triple } from '../../../device/memory/copies';
import { largestMemory } from '../../../device/memory/memory';
import type { HostData, ImageDescription, ImageFormat } from '../../backend';
import type { ImageOrigin } from '../../command';
import { allocate, BASE_ALIGN } from './allocate';
import { SoftwareBuffer } from './buffer';
import { checkedExtent, coordinatesOf, type Layout, type Level, packedLevels, sizeOf } from './image-layout';
import { bytesOf, SoftwareMemory } from './memory';

const CREATE = 'clCreateImage';

/** The levels: the first is the image itself; mipmaps have more. */
type Levels = readonly [Level, ...Level[]];

/** Where an image's memory is, and whose it is. */
interface Placed {
  readonly device: Device;
  readonly flags: number;
  readonly format: ImageFormat;
  readonly description: ImageDescription;
  readonly levels: Levels;
  readonly address: number;
  /** The memory of USE_HOST_PTR, and its layout. */
  readonly host?: Uint8Array | undefined;
  readonly hostLayout?: Layout | undefined;
  readonly properties: readonly bigint[] | undefined;
  /** The allocation, if the image owns it. */
  readonly data?: Block;
  /** The buffer or image whose memory it is. */
  readonly parent?: SoftwareMemory;
}

export class SoftwareImage extends SoftwareMemory {
  override readonly type: MemObjectType;
  /** Address of the image's descriptor for kernels. */
  readonly descriptor: number;
  readonly element: number;
  readonly hostLayout: Layout | undefined;

  private constructor({ device, flags, format, description, levels, address, properties, ...more }: Placed) {
    const last = levels.at(-1)!;
    super(device, flags, address, last.offset + sizeOf(last, elementSize(format)), more.host, properties);
    this.format = format;
    this.description = description;
    this.levels = levels;
    this.hostLayout = more.hostLayout;
    this.data = more.data;
    this.parent = more.parent;
    this.type = description.type;
    this.element = elementSize(format);
    this.descriptorBlock = allocate(device, IMAGE_DESCRIPTOR.bytes, BASE_ALIGN, CREATE);
    this.descriptor = this.descriptorBlock.address;
    this.writeDescriptor();
  }

  readonly format: ImageFormat;
  private readonly description: ImageDescription;
  private readonly levels: Levels;
  private readonly data: Block | undefined;
  private readonly parent: SoftwareMemory | undefined;
  private readonly descriptorBlock: Block;

  static create(
    device: Device,
    flags: number,
    format: ImageFormat,
    description: ImageDescription,
    data?: HostData,
    properties?: readonly bigint[],
  ): SoftwareImage {
    const access = flags & ACCESS ? flags : flags | MemFlags.READ_WRITE;
    const element = elementSize(format);
    if (!isSupported(format, description.type)) {
      throw new OpenCLError(
        ErrorCode.IMAGE_FORMAT_NOT_SUPPORTED,
        CREATE,
        `order ${format.order} with type ${format.type} in an image of type ${description.type}`,
      );
    }
    if (description.samples > 1) {
      throw new OpenCLError(
        ErrorCode.INVALID_IMAGE_DESCRIPTOR,
        CREATE,
        'the software device has no multisampled images',
      );
    }
    const extent = checkedExtent(description);
    const parent = description.parent as SoftwareMemory | undefined;
    if (parent) return SoftwareImage.over(parent, access, format, description, extent, properties);

    if (data && description.mipLevels > 1) {
      throw new OpenCLError(
        ErrorCode.INVALID_HOST_PTR,
        CREATE,
        'images with mip levels are made without data: write each level',
      );
    }
    const levels = packedLevels(description, extent, element);
    const last = levels.at(-1)!;
    const room = device.isRobust ? restOfWord(element) : 0;
    const block = allocate(device, last.offset + sizeOf(last, element) + room, BASE_ALIGN, CREATE);
    const hostLayout = hostLayoutOf(description, extent, element);
    const host = data && bytesOf(data);
    if (host && host.length < sizeOf(hostLayout, element)) {
      device.memory.free(block);
      throw new OpenCLError(
        ErrorCode.INVALID_HOST_PTR,
        CREATE,
        `the image needs ${sizeOf(hostLayout, element)} bytes of data, not ${host.length}`,
      );
    }
    const uses = flags & MemFlags.USE_HOST_PTR ? host : undefined;
    const image = new SoftwareImage({
      device,
      flags: access,
      format,
      description,
      levels,
      address: block.address,
      host: uses,
      hostLayout: uses && hostLayout,
      properties,
      data: block,
    });
    if (host) {
      const from = {
        bytes: host,
        offset: 0,
        rowPitch: hostLayout.rowPitch,
        slicePitch: hostLayout.slicePitch,
      };
      copyBox(from, image.box([0, 0, 0, 0]), [extent[0] * element, extent[1], extent[2]]);
    }
    return image;
  }

  /** An image over the memory of a buffer or of another image. */
  private static over(
    parent: SoftwareMemory,
    flags: number,
    format: ImageFormat,
    description: ImageDescription,
    extent: Triple,
    properties: readonly bigint[] | undefined,
  ): SoftwareImage {
    const element = elementSize(format);
    let rowPitch = description.rowPitch || extent[0] * element;
    if (parent instanceof SoftwareImage) {
      if (
        parent.levels.length > 1 ||
        parent.element !== element ||
        extent.some((n, i) => n !== parent.levels[0].extent[i])
      ) {
        throw new OpenCLError(
          ErrorCode.INVALID_IMAGE_FORMAT_DESCRIPTOR,
          CREATE,
          'an image over another must have its size and its bytes per pixel, and neither has mip levels',
        );
      }
      rowPitch = parent.levels[0].rowPitch;
    } else if (!(parent instanceof SoftwareBuffer)) {
      throw new OpenCLError(
        ErrorCode.INVALID_IMAGE_DESCRIPTOR,
        CREATE,
        'an image cannot use the memory of a pipe',
      );
    }
    const layout: Level = { extent, rowPitch, slicePitch: rowPitch * extent[1], offset: 0 };
    if (sizeOf(layout, element) > parent.size) {
      throw new OpenCLError(
        ErrorCode.INVALID_IMAGE_SIZE,
        CREATE,
        `the image needs ${sizeOf(layout, element)} bytes, the buffer has ${parent.size}`,
      );
    }
    const { device, address } = parent;
    if (address + parent.size > largestMemory(32))
      throw new OpenCLError(
        ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
        CREATE,
        'the buffer is above the first 4 GB of the device’s memory, where images cannot be; create the image first, or release buffers',
      );
    parent.retain();
    return new SoftwareImage({
      device,
      flags,
      format,
      description,
      levels: [layout],
      address,
      properties,
      parent,
    });
  }

  override imageInfo(param: number): Uint8Array {
    const { type, width, height, depth, arraySize, mipLevels } = this.description;
    const { rowPitch, slicePitch, extent } = this.levels[0];
    const is1DArray = type === MemObjectType.IMAGE1D_ARRAY;
    const sliced = type === MemObjectType.IMAGE3D || type === MemObjectType.IMAGE2D_ARRAY;
    const is2D = type === MemObjectType.IMAGE2D || type === MemObjectType.IMAGE2D_ARRAY;
    const answers = {
      FORMAT: this.format,
      ELEMENT_SIZE: this.element,
      ROW_PITCH: is1DArray ? extent[0] * this.element : rowPitch,
      SLICE_PITCH: is1DArray ? rowPitch : sliced ? slicePitch : 0,
      WIDTH: width,
      HEIGHT: is2D || type === MemObjectType.IMAGE3D ? height : 0,
      DEPTH: type === MemObjectType.IMAGE3D ? depth : 0,
      ARRAY_SIZE: is1DArray || type === MemObjectType.IMAGE2D_ARRAY ? arraySize : 0,
      NUM_MIP_LEVELS: mipLevels,
      NUM_SAMPLES: 0,
    };
    return answerInfo(imageInfo, answers, 'clGetImageInfo', param);
  }

  get isArrayOf1D(): boolean {
    return this.type === MemObjectType.IMAGE1D_ARRAY;
  }

  /** The pixels from `origin` on. */
  box(origin: ImageOrigin): Box {
    const coordinates = coordinatesOf(this.type);
    const { offset, rowPitch, slicePitch } = this.level(origin[coordinates]!);
    const [x, y, z] = [origin[0], coordinates > 1 ? origin[1] : 0, coordinates > 2 ? origin[2] : 0];
    return {
      bytes: this.device.memory.u8,
      offset: this.address + offset + z * slicePitch + y * rowPitch + x * this.element,
      rowPitch,
      slicePitch,
    };
  }

  private level(level: number): Level {
    const found = this.levels[level];
    if (found) return found;
    throw new OpenCLError(
      ErrorCode.INVALID_MIP_LEVEL,
      'clEnqueue',
      `the image has ${this.levels.length} levels, there is no level ${level}`,
    );
  }

  override get owner(): SoftwareMemory | undefined {
    return this.parent ? this.parent.owner : this;
  }

  /** The bytes that kernels may read: texels are read by words. */
  get readBytes(): number {
    return this.size + restOfWord(this.element);
  }

  /** Whether the bytes after the texels are nobody else's. */
  get hasRoomToRead(): boolean {
    return this.data !== undefined && this.device.isRobust;
  }

  protected override destroy(): void {
    this.parent?.release();
    if (this.data) this.device.memory.free(this.data);
    this.device.memory.free(this.descriptorBlock);
  }

  private writeDescriptor(): void {
    const { width, height, depth, arraySize, type } = this.description;
    const { rowPitch, slicePitch, extent } = this.levels[0];
    const view = new DataView(this.device.memory.memory.buffer, this.descriptor, IMAGE_DESCRIPTOR.bytes);
    for (let at = 0; at < IMAGE_DESCRIPTOR.bytes; at += 4) view.setUint32(at, 0, true);
    const is1DArray = type === MemObjectType.IMAGE1D_ARRAY;
    const words: readonly (readonly [number, number])[] = [
      [IMAGE_DESCRIPTOR.data, this.address],
      [IMAGE_DESCRIPTOR.width, width],
      [IMAGE_DESCRIPTOR.height, is1DArray ? 1 : Math.max(1, height)],
      [IMAGE_DESCRIPTOR.depth, Math.max(1, depth)],
      [IMAGE_DESCRIPTOR.rowPitch, is1DArray ? extent[0] * this.element : rowPitch],
      // The distance of array layers, whichever dimension they are.
      [IMAGE_DESCRIPTOR.slicePitch, is1DArray ? rowPitch : slicePitch],
      [IMAGE_DESCRIPTOR.channelOrder, this.format.order],
      [IMAGE_DESCRIPTOR.channelType, this.format.type],
      [IMAGE_DESCRIPTOR.elementSize, this.element],
      [IMAGE_DESCRIPTOR.arraySize, arraySize],
      [IMAGE_DESCRIPTOR.mipLevels, this.levels.length],
      [IMAGE_DESCRIPTOR.samples, 1],
      ...this.levels.map(({ offset }, i) => [IMAGE_DESCRIPTOR.mipOffsets + 4 * i, offset] as const),
    ];
    for (const [at, value] of words) view.setUint32(at, value, true);
    describeTexels(view, this.format);
  }
}

const ACCESS =
  MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY | MemFlags.KERNEL_READ_AND_WRITE;

/** The layout of the data that the host gives: pitches of 0 mean rows and slices without gaps. */
function hostLayoutOf({ type, ...given }: ImageDescription, extent: Triple, element: number): Layout {
  const rowPitch = given.rowPitch || extent[0] * element;
  if (type !== MemObjectType.IMAGE1D_ARRAY)
    return { extent, rowPitch, slicePitch: given.slicePitch || rowPitch * extent[1] };
  const slicePitch = given.slicePitch || rowPitch;
  return { extent, rowPitch: slicePitch, slicePitch: slicePitch * extent[1] };
}

/** Bytes after a texel of a word that begins with it. */
const restOfWord = (element: number): number => -element & 3;
