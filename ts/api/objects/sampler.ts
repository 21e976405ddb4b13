// SPDX-License-Identifier: MIT

import type { BackendSampler } from '../../backend/backend-objects';
import { AddressingMode, ErrorCode, FilterMode, SamplerInfo as Key } from '../../cl/constants.gen';
import { samplerInfo } from '../../cl/info-keys.gen';
import { guard } from '../checks/guard';
import { type InfoOf, queryInfo } from '../info/info';
import { argumentFor, handleFor } from '../internals';
import type { Context } from './context';
import { Handle } from './handle';

/** Properties by name, without `CL_SAMPLER_`. */
export type SamplerInfo = InfoOf<typeof samplerInfo, { CONTEXT: Context }>;

/** How an image is read at coordinates. */
export interface SamplerOptions {
  /** Coordinates run from 0 to 1 instead of over pixels. Default false. */
  readonly normalized?: boolean;
  /** How coordinates outside of the image are treated. Default 'clamp-to-edge'. */
  readonly addressing?: 'none' | 'clamp-to-edge' | 'clamp' | 'repeat' | 'mirrored-repeat';
  /** Default 'nearest'. */
  readonly filter?: 'nearest' | 'linear';
  /**
   * For images with mip levels: 'linear' blends the two levels around the level of detail. Default 'nearest'.
   */
  readonly mipFilter?: 'nearest' | 'linear';
  /** The least and the largest level of detail that is read, from 0. Default: no limits. */
  readonly lodMin?: number;
  /** The last level of detail that is read; default: the image’s last. */
  readonly lodMax?: number;
}

const ADDRESSING = {
  none: AddressingMode.NONE,
  'clamp-to-edge': AddressingMode.CLAMP_TO_EDGE,
  clamp: AddressingMode.CLAMP,
  repeat: AddressingMode.REPEAT,
  'mirrored-repeat': AddressingMode.MIRRORED_REPEAT,
} as const;
const FILTER = { nearest: FilterMode.NEAREST, linear: FilterMode.LINEAR } as const;

/** A property's value that is a float: its bits. */
function floatBits(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0);
}

/** The property list of clCreateSamplerWithProperties, without the closing 0. */
export function samplerProperties(options: SamplerOptions): bigint[] {
  const addressing = ADDRESSING[options.addressing ?? 'clamp-to-edge'];
  const filter = FILTER[options.filter ?? 'nearest'];
  const normalized = options.normalized ? 1 : 0;
  return [
    ...[Key.NORMALIZED_COORDS, normalized],
    ...[Key.ADDRESSING_MODE, addressing],
    ...[Key.FILTER_MODE, filter],
    ...(options.mipFilter === undefined ? [] : [Key.MIP_FILTER_MODE, FILTER[options.mipFilter]]),
    ...(options.lodMin === undefined ? [] : [Key.LOD_MIN, floatBits(options.lodMin)]),
    ...(options.lodMax === undefined ? [] : [Key.LOD_MAX, floatBits(options.lodMax)]),
  ].map(BigInt);
}

/**
 * How kernels read images.
 *
 * @example
 * ```ts
 * const sampler = cl.sampler({ filter: 'linear', addressing: 'clamp-to-edge' });
 * console.log(sampler.info('NORMALIZED_COORDS'));
 * sampler.release();
 * ```
 */
export class Sampler extends Handle<BackendSampler> {
  /** @internal */
  constructor(
    handle: BackendSampler,
    /** The context that it belongs to. */
    readonly context: Context,
  ) {
    super(handle, ErrorCode.INVALID_SAMPLER);
  }

  /** @internal */
  override [argumentFor](functionName: string): BackendSampler {
    return this[handleFor](functionName);
  }

  /**
   * A property by its name without `CL_SAMPLER_`, or by number as bytes (clGetSamplerInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof SamplerInfo>(key: K): SamplerInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof SamplerInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetSamplerInfo').info(param);
    return queryInfo(samplerInfo, key, 'clGetSamplerInfo', read, { CONTEXT: this.context });
  }
}

guard('Sampler', Sampler);
