// SPDX-License-Identifier: MIT
//
// Which operands are images, sampled images and samplers (3.42.10).
import { Op } from '../grammar.gen';
import type { Context } from './context';

/** The opcodes of the types of an instruction's first operands. */
const OPERANDS: Partial<Record<Op, readonly Op[]>> = {
  [Op.SampledImage]: [Op.TypeImage, Op.TypeSampler],
  [Op.ImageSampleImplicitLod]: [Op.TypeSampledImage],
  [Op.ImageSampleExplicitLod]: [Op.TypeSampledImage],
  [Op.Image]: [Op.TypeSampledImage],
  [Op.ImageFetch]: [Op.TypeImage],
  [Op.ImageRead]: [Op.TypeImage],
  [Op.ImageWrite]: [Op.TypeImage],
  [Op.ImageQueryFormat]: [Op.TypeImage],
  [Op.ImageQueryOrder]: [Op.TypeImage],
  [Op.ImageQuerySizeLod]: [Op.TypeImage],
  [Op.ImageQuerySize]: [Op.TypeImage],
  [Op.ImageQueryLevels]: [Op.TypeImage],
  [Op.ImageQuerySamples]: [Op.TypeImage],
};

export function checkImages(c: Context): void {
  c.eachInstruction((i) => {
    OPERANDS[i.op]?.forEach((want, at) => {
      const type = c.find(c.typeOf(i.operands[at]!));
      if (type?.op !== want) c.fail(i, `its operand %${i.operands[at]} is of Op${Op[want]}`);
    });
  });
}
