// SPDX-License-Identifier: MIT
//
// Memory objects and samplers of the null backend.
import type { MemObjectType } from '../../cl/constants.gen';
import { imageInfo, memInfo, pipeInfo, samplerInfo } from '../../cl/info-keys.gen';
import type { ImageDescription, ImageFormat } from '../backend';
import type { BackendMemory, BackendSampler } from '../backend-objects';
import { answer, NullObject } from './null-object';

export class NullMemory extends NullObject implements BackendMemory {
  constructor(
    private readonly type: MemObjectType,
    private readonly flags: number,
    readonly size: number,
    private readonly format?: ImageFormat,
    private readonly desc?: ImageDescription,
  ) {
    super();
  }

  info(param: number): Uint8Array {
    const answers = {
      TYPE: this.type,
      FLAGS: this.flags,
      SIZE: this.size,
      HOST_PTR: 0n,
      MAP_COUNT: 0,
      REFERENCE_COUNT: 1,
      OFFSET: 0,
    };
    return answer(memInfo, answers, param);
  }

  imageInfo(param: number): Uint8Array {
    const { width = 0, height = 0, depth = 0, arraySize = 0 } = this.desc ?? {};
    const answers = {
      FORMAT: this.format ?? { order: 0, type: 0 },
      ELEMENT_SIZE: 16,
      ROW_PITCH: width * 16,
      SLICE_PITCH: 0,
      WIDTH: width,
      HEIGHT: height,
      DEPTH: depth,
      ARRAY_SIZE: arraySize,
      NUM_MIP_LEVELS: 0,
      NUM_SAMPLES: 0,
    };
    return answer(imageInfo, answers, param);
  }

  pipeInfo(param: number): Uint8Array {
    return answer(pipeInfo, { PACKET_SIZE: 0, MAX_PACKETS: 0, PROPERTIES: [] }, param);
  }

  createSubBuffer(flags: number, _origin: number, size: number): BackendMemory {
    return new NullMemory(this.type, flags, size);
  }
}

export class NullSampler extends NullObject implements BackendSampler {
  info(param: number): Uint8Array {
    return answer(samplerInfo, { REFERENCE_COUNT: 1 }, param);
  }
}
