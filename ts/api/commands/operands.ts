// SPDX-License-Identifier: MIT
//
// What a command needs of the objects that it works on. The classes in ts/api/objects have it, and know the commands.

import type { BackendMemory, BackendSemaphore, BackendSvm } from '../../backend/backend-objects';
import type { Triple } from '../../backend/command';
import type { FormatTraits } from '../data/image-formats';
import { handleFor } from '../internals';

/** An object of the API over a backend's handle. */
interface Operand<Handle> {
  /** Throws if the object was released. */
  [handleFor](functionName: string): Handle;
}

export type MemoryOperand = Operand<BackendMemory>;
export type SemaphoreOperand = Operand<BackendSemaphore>;

export interface SvmOperand extends Operand<{ readonly svm: BackendSvm }> {
  /** Bytes. */
  readonly size: number;
}

export interface BufferOperand extends MemoryOperand {
  /** Bytes. */
  readonly size: number;
  /** cl_mem_flags */
  readonly flags: number;
  /** Where a sub-buffer begins in its parent, in bytes. */
  readonly origin: number;
  readonly parent?: BufferOperand | undefined;
}

export interface ImageOperand extends MemoryOperand {
  readonly extent: Triple;
  /** Coordinates of a pixel, the layer included. */
  readonly coordinates: number;
  /** The extents of the mip levels; only the image's own if it has no others. */
  readonly levelExtents: readonly Triple[];
  readonly format: FormatTraits;
  readonly shape: { readonly format: string };
}

/**
 * Part of an image in pixels. A layer is a further coordinate. So is a mip level, the last coordinate of the origin, as in
 * OpenCL: `[x, y, level]` for 2D images.
 */
export interface ImageRegion {
  /** The first pixel; default: zeros. */
  readonly origin?: readonly number[];
  /** The size in pixels; default: up to the end. */
  readonly region?: readonly number[];
}
