// SPDX-License-Identifier: MIT
//
// What a launch of a robust kernel was given, as the kernel reads it (base/bounds.ts).
import { BOUNDS, boundsOfArgument } from '../../../base/bounds';
import { IMAGE_DESCRIPTOR } from '../../../base/kernel-abi';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { allocate } from '../memory/allocate';
import { SoftwareImage } from '../memory/image';
import type { ArgumentValue } from '../programs/kernel-arguments';
import type { RefCounted } from '../ref-counted';
import type { EnqueueRegion } from './device-enqueue';

export interface Region {
  readonly base: number;
  readonly size: number;
}

const NOTHING: Region = { base: 0, size: 0 };

export interface GivenMemory {
  readonly values: readonly (ArgumentValue | undefined)[];
  readonly globalBytes: number;
  readonly enqueued: EnqueueRegion | undefined;
  /** Objects that the kernel reaches through pointers in memory. */
  readonly indirect: Iterable<RefCounted>;
  /** What the launch that has enqueued this one was given. */
  readonly inherited: readonly Region[];
}

export class LaunchBounds {
  private readonly block: Block;
  /** All that pointers of unknown origin may lead into. */
  private readonly regions: readonly Region[];
  /** The same for what the launch enqueues, whose blocks may have captured its images. */
  readonly forChildren: readonly Region[];

  constructor(
    private readonly device: Device,
    { values, globalBytes, enqueued, indirect, inherited }: GivenMemory,
  ) {
    const own = values.map((value) => (value?.kind === 'word' ? regionOf(value.uses) : NOTHING));
    const regions = enqueued?.memory ?? [];
    this.regions = [...own, ...regions, ...[...indirect].map(regionOf), ...inherited].filter(
      ({ size }) => size > 0,
    );
    this.forChildren = [
      ...this.regions,
      ...values.flatMap((value) => (value?.kind === 'word' ? capturedRegionsOf(value.uses) : [])),
    ];
    const start = boundsOfArgument(values.length);
    this.block = allocate(device, start + 8 * this.regions.length, 64, 'clEnqueueNDRangeKernel');
    const { u8, i32 } = device.memory;
    u8.fill(0, this.address, this.address + start);
    const put = (offset: number, ...words: readonly number[]): void => {
      words.forEach((word, i) => {
        i32[((this.address + offset) >>> 2) + i] = word;
      });
    };
    const [region = NOTHING] = regions;
    put(BOUNDS.globals, globalBytes, this.regions.length, region.base, region.size);
    for (const [index, { base, size }] of own.entries()) put(boundsOfArgument(index), base, size);
    for (const [index, { base, size }] of this.regions.entries()) put(start + 8 * index, base, size);
  }

  get address(): number {
    return this.block.address;
  }

  free(): void {
    this.device.memory.free(this.block);
  }
}

/** The memory of an object. Of images that of the texels; their descriptors are of a known size. */
function regionOf(object: RefCounted | undefined): Region {
  if (!object || !('address' in object) || !('size' in object)) return NOTHING;
  return { base: Number(object.address), size: Number(object.size) };
}

/** What a block that has captured an image reads: its descriptor, and its texels by words. */
function capturedRegionsOf(object: RefCounted | undefined): Region[] {
  if (!(object instanceof SoftwareImage)) return [];
  return [
    { base: object.descriptor, size: IMAGE_DESCRIPTOR.bytes },
    { base: object.address, size: object.hasRoomToRead ? object.readBytes : object.size },
  ];
}
