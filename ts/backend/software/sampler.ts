// SPDX-License-Identifier: MIT
import { SAMPLER_BITS } from '../../base/kernel-abi';
import { AddressingMode, ErrorCode, FilterMode, SamplerInfo } from '../../cl/constants.gen';
import { answerInfo, type InfoAnswers } from '../../cl/encode-info';
import { samplerInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendSampler } from '../backend-objects';

const ADDRESSING: ReadonlyMap<number, number> = new Map([
  [AddressingMode.NONE, 0],
  [AddressingMode.CLAMP_TO_EDGE, 1],
  [AddressingMode.CLAMP, 2],
  [AddressingMode.REPEAT, 3],
  [AddressingMode.MIRRORED_REPEAT, 4],
]);

/** How an image is read; for kernels one word. */
export class SoftwareSampler implements BackendSampler {
  readonly word: number;
  private readonly answers: InfoAnswers<typeof samplerInfo>;

  /** @param properties key, value, … as for clCreateSamplerWithProperties, without the closing 0. */
  constructor(properties: readonly bigint[]) {
    const values = new Map<number, number>();
    for (let i = 0; i + 1 < properties.length; i += 2)
      values.set(Number(properties[i]), Number(properties[i + 1]));
    const normalized = values.get(SamplerInfo.NORMALIZED_COORDS) ?? 1;
    const addressing = values.get(SamplerInfo.ADDRESSING_MODE) ?? AddressingMode.CLAMP;
    const filter = values.get(SamplerInfo.FILTER_MODE) ?? FilterMode.NEAREST;
    const mipFilter = values.get(SamplerInfo.MIP_FILTER_MODE) ?? FilterMode.NEAREST;
    const mode = ADDRESSING.get(addressing);
    if (mode === undefined) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clCreateSamplerWithProperties',
        `there is no addressing mode ${addressing}`,
      );
    }
    this.word =
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
      LOD_MIN: 0,
      LOD_MAX: 3.4028234663852886e38,
      PROPERTIES: properties.length > 0 ? [...properties, 0n] : [],
    };
  }

  info(param: number): Uint8Array {
    return answerInfo(samplerInfo, this.answers, 'clGetSamplerInfo', param);
  }

  release(): void {}
}
