// SPDX-License-Identifier: MIT
//
// Kernels that sample, read, write and query images of one type and kind of texels.

import type { Kind } from './formats';
import { type ImageType, TYPES } from './model';
import type { SamplerModel } from './sampling';

const SUFFIX = { float: 'f', int: 'i', uint: 'ui' } as const;

export function typeName(type: ImageType, isDepth: boolean): string {
  const [dimension, rest] = type.split('-');
  return `image${dimension}${rest ? `_${rest}` : ''}${isDepth ? '_depth' : ''}_t`;
}

/** The coordinates that an image takes, from a vector of four. */
function coordinate(type: ImageType, vector: string): string {
  const { axes, arrayed } = TYPES[type];
  const count = axes + (arrayed ? 1 : 0);
  return count === 1 ? `${vector}.x` : count === 2 ? `${vector}.xy` : vector;
}

const MODES = {
  none: 'NONE',
  'clamp-to-edge': 'CLAMP_TO_EDGE',
  clamp: 'CLAMP',
  repeat: 'REPEAT',
  'mirrored-repeat': 'MIRRORED_REPEAT',
} as const;

export const samplerLiteral = ({ normalized, addressing, filter }: SamplerModel) =>
  `CLK_NORMALIZED_COORDS_${normalized ? 'TRUE' : 'FALSE'} | CLK_ADDRESS_${MODES[addressing]} | CLK_FILTER_${filter.toUpperCase()}`;

/** How a work-item comes to its read: with others, in a branch, in a loop. */
export const WAYS = ['plain', 'branch', 'loop', 'call'] as const;
export type Way = (typeof WAYS)[number];

interface Wanted {
  readonly type: ImageType;
  readonly kind: Kind;
  readonly isDepth: boolean;
  /** That of the kernel's own sampler. */
  readonly sampler: SamplerModel;
  readonly withIntegers: boolean;
  readonly way: Way;
}

export function sampleSource({ type, kind, isDepth, sampler, withIntegers, way }: Wanted): string {
  const image = typeName(type, isDepth);
  const value = isDepth ? 'float' : `${kind}4`;
  const vector = withIntegers ? 'int4' : 'float4';
  const widened = isDepth ? '(float4)(r, 0, 0, 1)' : 'r';
  const result = isDepth ? 'float4' : value;
  const at = coordinate(type, 'at');
  const own = `read_image${SUFFIX[kind]}(im, own, ${at})`;
  const given = `read_image${SUFFIX[kind]}(im, s, ${at})`;
  const body = {
    plain: `r = flags & 1 ? ${own} : ${given};`,
    branch: `if (i % 3 == 1) r = ${own}; else if (i % 3 == 0) r = ${given}; else r = ${given};`,
    loop: `for (int k = 0; k <= (i & 3); k++) { at = c[i - (i & 3) + k]; r = k & 1 ? ${own} : ${given}; }`,
    call: 'r = look(im, s, at);',
  }[way];
  return `constant sampler_t own = ${samplerLiteral(sampler)};
${value} look(read_only ${image} im, sampler_t s, ${vector} at) { return ${given}; }
kernel void sample(read_only ${image} im, sampler_t s, global const ${vector} *c, global ${result} *out, int flags) {
  int i = get_global_id(0);
  ${vector} at = c[i];
  ${value} r;
  ${body}
  out[i] = ${widened};
}
`;
}

/** Reads without a sampler, and queries. */
export function readSource(type: ImageType, kind: Kind, isDepth: boolean): string {
  const image = typeName(type, isDepth);
  const at = coordinate(type, 'c[i]');
  const read = `read_image${SUFFIX[kind]}(im, ${at})`;
  const { axes, arrayed } = TYPES[type];
  const sizes = [
    'get_image_width(im)',
    axes > 1 ? 'get_image_height(im)' : '1',
    axes > 2 ? 'get_image_depth(im)' : '1',
    arrayed ? '(int)get_image_array_size(im)' : '1',
    'get_image_channel_order(im)',
    'get_image_channel_data_type(im)',
    axes === 1 ? '0' : axes === 2 ? 'get_image_dim(im).y' : 'get_image_dim(im).z',
  ];
  return `kernel void fetch(read_only ${image} im, global const int4 *c, global ${isDepth ? 'float' : kind}4 *out, global int *sizes) {
  int i = get_global_id(0);
  out[i] = ${isDepth ? `(float4)(${read}, 0, 0, 1)` : read};
  if (i == 0) {
${sizes.map((size, k) => `    sizes[${k}] = ${size};\n`).join('')}  }
}
`;
}

/** Writes colours: each work-item its own texel; some do not. */
export function writeSource(type: ImageType, kind: Kind, isDepth: boolean): string {
  const at = coordinate(type, 'c[i]');
  const color = isDepth ? 'colors[i].x' : 'colors[i]';
  return `kernel void put(write_only ${typeName(type, isDepth)} im, global const int4 *c, global const ${kind}4 *colors) {
  int i = get_global_id(0);
  if (c[i].w == 0) write_image${SUFFIX[kind]}(im, ${at}, ${color});
}
`;
}

/** Changes texels in place. */
export function changeSource(type: ImageType, kind: Kind, isDepth: boolean): string {
  const at = coordinate(type, 'c[i]');
  const changed = isDepth ? 'old' : kind === 'float' ? 'old.wzyx' : 'old.yxwz';
  return `kernel void change(read_write ${typeName(type, isDepth)} im, global const int4 *c) {
  int i = get_global_id(0);
  ${isDepth ? 'float' : `${kind}4`} old = read_image${SUFFIX[kind]}(im, ${at});
  if (c[i].w == 0) write_image${SUFFIX[kind]}(im, ${at}, ${changed});
}
`;
}
