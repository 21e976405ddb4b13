// SPDX-License-Identifier: MIT

import type { BackendSampler } from '../backend/backend';
import { ErrorCode } from '../backend/cl.gen';
import { samplerInfo } from '../backend/info-keys.gen';
import type { Context } from './context';
import { type InfoOf, queryInfo } from './info';
import { Owned } from './lifetime';

/** Properties by name, without `CL_SAMPLER_`. */
export type SamplerInfo = InfoOf<typeof samplerInfo, { CONTEXT: Context }>;

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

  info<K extends keyof SamplerInfo>(key: K): SamplerInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof SamplerInfo | number): unknown {
    const read = (param: number) => this.handleFor('clGetSamplerInfo').info(param);
    return queryInfo(samplerInfo, key, 'clGetSamplerInfo', read, { CONTEXT: this.context });
  }
}
