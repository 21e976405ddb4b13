// SPDX-License-Identifier: MIT
//
// Images of random kernels: one is read, with samplers and without, at texels' centres, and each work-item writes its own
// texel of another one.
import { CHANNEL, type ImageFormat } from '../../helpers/image-argument';
import { flavour, index } from './leaves';
import { IMAGE, OWN_TEXEL, type Place, scalar, vector } from './model';
import type { Writer } from './writer';

/** Those whose texels are exact: no normalized ones. */
const FORMATS: readonly ImageFormat[] = [
  { order: CHANNEL.RGBA, type: CHANNEL.UNSIGNED_INT8 },
  { order: CHANNEL.RGBA, type: CHANNEL.UNSIGNED_INT32 },
  { order: CHANNEL.R, type: CHANNEL.UNSIGNED_INT16 },
  { order: CHANNEL.RGBA, type: CHANNEL.SIGNED_INT16 },
  { order: CHANNEL.R, type: CHANNEL.SIGNED_INT32 },
  { order: CHANNEL.RGBA, type: CHANNEL.SIGNED_INT8 },
  { order: CHANNEL.RGBA, type: CHANNEL.FLOAT },
  { order: CHANNEL.R, type: CHANNEL.FLOAT },
];

const SUFFIX = { float: 'f', int: 'i', uint: 'ui' } as const;

export function pickFormat(w: Writer): ImageFormat {
  // PoCL 3.1 reads 0 for the alpha that a format lacks, where OpenCL C has 1.
  const format = w.chance.pick(FORMATS.filter(({ order }) => !w.portable || order === CHANNEL.RGBA));
  const { type } = format;
  w.image =
    type === CHANNEL.FLOAT
      ? 'float'
      : type === CHANNEL.SIGNED_INT8 || type === CHANNEL.SIGNED_INT16 || type === CHANNEL.SIGNED_INT32
        ? 'int'
        : 'uint';
  return format;
}

export const SAMPLERS = [
  'constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;',
  'constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;',
  'constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;',
  'constant sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;',
];

/** A texel, as four components. */
export function imageRead(w: Writer, depth: number): string {
  const { width, height } = IMAGE;
  const read = `read_image${SUFFIX[w.image!]}(image, `;
  const number = (bound: number) =>
    w.chance.with(0.5)
      ? `(int)(${index(w, bound, flavour(w))})`
      : `(int)(${w.expression(scalar('uint'), depth - 1)} & ${bound - 1})`;
  switch (w.chance.integer(0, 3)) {
    case 0:
      return `${read}(int2)(${number(width)}, ${number(height)}))`;
    case 1:
      // Including points outside of the image.
      return `${read}${w.chance.pick(['edge', 'border'])}, (int2)(${number(32)} - 8, ${number(16)} - 4))`;
    case 2:
      return `${read}${w.chance.pick(['edge', 'border'])}, (float2)((float)(${number(32)}) - 7.5f, (float)(${number(16)}) - 3.5f))`;
    default:
      return `${read}${w.chance.pick(['repeat', 'mirror'])}, (float2)(((float)(${number(64)}) - 15.5f) / ${width}.0f, ((float)(${number(16)}) + 0.5f) / ${height}.0f))`;
  }
}

/** Writes the work-item's own texel. */
export function imageWrite(w: Writer, { indent }: Place): string {
  if (w.image === undefined || !w.inKernel) return `${indent};\n`;
  const name = w.fresh('w');
  const value = w.expression(vector(w.image, 4), 2);
  const texel =
    w.image === 'float'
      ? `select(${name}, (float4)(7.0f), isnan(${name}))`
      : `${name} & ${w.chance.pick(['127', '1'])}`;
  return `${indent}{ ${w.image}4 ${name} = ${value}; write_image${SUFFIX[w.image]}(target, ${OWN_TEXEL}, ${texel}); }\n`;
}
