// SPDX-License-Identifier: MIT

import type { BackendSampler } from '../backend/backend';
import { ErrorCode } from '../backend/cl.gen';
import type { Context } from './context';
import { Owned } from './lifetime';

export interface SamplerOptions {
  /** Coordinates run from 0 to 1 instead of over pixels. Default false. */
  readonly normalized?: boolean;
  /** What lies outside of the image. Default 'clamp-to-edge'. */
  readonly addressing?: 'none' | 'clamp-to-edge' | 'clamp' | 'repeat' | 'mirrored-repeat';
  /** Default 'nearest'. */
  readonly filter?: 'nearest' | 'linear';
}

/** How kernels read images. */
export class Sampler extends Owned<BackendSampler> {
  /** @internal */
  constructor(
    handle: BackendSampler,
    readonly context: Context,
  ) {
    super(handle, ErrorCode.INVALID_SAMPLER);
  }
}
