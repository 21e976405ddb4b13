// SPDX-License-Identifier: MIT
import { MOST_MIP_LEVELS, SAMPLER_BITS, SAMPLER_LOD } from '../../../base/kernel-abi';
import { AddressingMode, ErrorCode, FilterMode, SamplerInfo } from '../../../cl/constants.gen';
import { answerInfo, type InfoAnswers } from '../../../cl/encode-info';
import { samplerInfo } from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { BackendSampler } from '../../backend-objects';

const ADDRESSING: ReadonlyMap<number, number> = new Map([
  [AddressingMode.NONE, 0],
  [AddressingMode.CLAMP_TO_EDGE, 1],
  [AddressingMode.CLAMP, 2],
  [AddressingMode.REPEAT, 3],
  [AddressingMode.MIRRORED_REPEAT, 4],
]);
/** Properties whose value is a float. */
const FLOATS: ReadonlySet<number> = new Set([SamplerInfo.LOD_MIN, SamplerInfo.LOD_MAX]);
/** MAXFLOAT: no limit. */
const MOST_LOD = 3.4028234663852886e38;

/** A float as properties have it, in the low 32 bits. */
function floatProperty(property: bigint): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, Number(BigInt.asUintN(32, property)), true);
  return view.getFloat32(0, true);
}

/** The limits of the level of detail as bits of the sampler word. */
function lodBits(least: number, most: number): number {
  const last = MOST_MIP_LEVELS - 1;
  const steps = (levels: number) => Math.round(Math.max(0, Math.min(levels, last)) * SAMPLER_LOD.steps);
  return (steps(least) << SAMPLER_LOD.leastShift) | (steps(last - most) << SAMPLER_LOD.mostShift);
}

/** How kernels read an image: one word. */
export class SoftwareSampler implements BackendSampler {
  readonly word: number;
  private readonly answers: InfoAnswers<typeof samplerInfo>;

  /** @param properties key, value, … as for clCreateSamplerWithProperties, without the closing 0. */
  constructor(properties: readonly bigint[]) {
    const values = new Map<number, number>();
    for (let i = 0; i + 1 < properties.length; i += 2) {
      const key = Number(properties[i]);
      const value = properties[i + 1]!;
      values.set(key, FLOATS.has(key) ? floatProperty(value) : Number(value));
    }
    const normalized = values.get(SamplerInfo.NORMALIZED_COORDS) ?? 1;
    const addressing = values.get(SamplerInfo.ADDRESSING_MODE) ?? AddressingMode.CLAMP;
    const filter = values.get(SamplerInfo.FILTER_MODE) ?? FilterMode.NEAREST;
    const mipFilter = values.get(SamplerInfo.MIP_FILTER_MODE) ?? FilterMode.NEAREST;
    const lodMin = values.get(SamplerInfo.LOD_MIN) ?? 0;
    const lodMax = values.get(SamplerInfo.LOD_MAX) ?? MOST_LOD;
    const mode = ADDRESSING.get(addressing);
    if (mode === undefined) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clCreateSamplerWithProperties',
        `there is no addressing mode ${addressing}`,
      );
    }
    this.word =
      lodBits(lodMin, lodMax) |
      mode |
      (normalized ? SAMPLER_BITS.normalized : 0) |
      (filter === FilterMode.LINEAR ? SAMPLER_BITS.linear : 0) |
      (mipFilter === FilterMode.LINEAR ? SAMPLER_BITS.mipLinear : 0);
    this.answers = {
      REFERENCE_COUNT: 1,
      NORMALIZED_COORDS: normalized !== 0,
      ADDRESSING_MODE: addressing,
      FILTER_MODE: filter,
      MIP_FILTER_MODE: mipFilter,
      LOD_MIN: lodMin,
      LOD_MAX: lodMax,
      PROPERTIES: properties.length > 0 ? [...properties, 0n] : [],
    };
  }

  info(param: number): Uint8Array {
    return answerInfo(samplerInfo, this.answers, 'clGetSamplerInfo', param);
  }

  release(): void {}
}
