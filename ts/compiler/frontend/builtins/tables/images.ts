// SPDX-License-Identifier: MIT
import { containing, custom, type Family, type Row, row, under } from '../row';

/** Suffix of the function and type of a colour. */
const COLOURS = [
  ['f', 'float4'],
  ['i', 'int4'],
  ['ui', 'uint4'],
] as const;

/** Kinds by the shape of their coordinates: [kinds, integer, floating point, gradient]. */
const SHAPES = [
  ['image1d', 'int', 'float', 'float'],
  ['image1d_array', 'int2', 'float2', 'float'],
  ['image2d', 'int2', 'float2', 'float2'],
  ['image2d_array', 'int4', 'float4', 'float2'],
  ['image3d', 'int4', 'float4', 'float4'],
] as const;
const DEPTH_SHAPES = [
  ['image2d_depth', 'int2', 'float2', 'float2'],
  ['image2d_array_depth', 'int4', 'float4', 'float2'],
] as const;

const READ = custom('read_image');
const WRITE = custom('write_image');
const READ_WRITE = 'CL2.0 & __opencl_c_read_write_images';
const DEPTH = 'cl_khr_depth_images | CL2.0';
const MSAA = 'cl_khr_gl_msaa_sharing';

type Shape = (typeof SHAPES | typeof DEPTH_SHAPES)[number];

function reads(suffix: string, colour: string, shapes: readonly Shape[], withMipmaps: boolean): Row[] {
  const name = `read_image${suffix}`;
  const read = (parameters: string) => row(name, `${colour}(${parameters})`, READ);
  return shapes.flatMap(([kind, integer, float, gradient]) => [
    read(`read_only ${kind}, sampler_t, ${integer}`),
    read(`read_only ${kind}, sampler_t, ${float}`),
    ...under('CL1.2', read(`read_only ${kind}, ${integer}`)),
    ...under(READ_WRITE, read(`read_write ${kind}, ${integer}`)),
    ...(withMipmaps
      ? under(
          'cl_khr_mipmap_image',
          read(`read_only ${kind}, sampler_t, ${float}, float`),
          read(`read_only ${kind}, sampler_t, ${float}, ${gradient}, ${gradient}`),
          ...under(
            READ_WRITE,
            read(`read_write ${kind}, sampler_t, ${float}, float`),
            read(`read_write ${kind}, sampler_t, ${float}, ${gradient}, ${gradient}`),
          ),
        )
      : []),
  ]);
}

/** Kinds that have no sampler: buffers and multi-sample images; `tail` is the sample. */
function lookups(
  suffix: string,
  colour: string,
  kind: string,
  parameters: string,
  when: string,
): readonly Row[] {
  const name = `read_image${suffix}`;
  return [
    ...under(when, row(name, `${colour}(read_only ${kind}, ${parameters})`, READ)),
    ...under(when, ...under(READ_WRITE, row(name, `${colour}(read_write ${kind}, ${parameters})`, READ))),
  ];
}

const readRows = (): Row[] => [
  ...COLOURS.flatMap(([suffix, colour]) => [
    ...reads(suffix, colour, SHAPES, true),
    ...lookups(suffix, colour, 'image1d_buffer', 'int', 'CL1.2'),
    ...lookups(suffix, colour, 'image2d_msaa', 'int2, int', MSAA),
    ...lookups(suffix, colour, 'image2d_array_msaa', 'int4, int', MSAA),
  ]),
  ...under(DEPTH, ...reads('f', 'float', DEPTH_SHAPES, true)),
  ...lookups('f', 'float', 'image2d_msaa_depth', 'int2, int', MSAA),
  ...lookups('f', 'float', 'image2d_array_msaa_depth', 'int4, int', MSAA),
  ...under(
    'cl_khr_fp16',
    ...reads('h', 'half4', SHAPES, false),
    ...lookups('h', 'half4', 'image1d_buffer', 'int', 'CL1.2'),
  ),
];

function writes(
  suffix: string,
  colour: string,
  kind: string,
  integer: string,
  when?: string,
): readonly Row[] {
  const name = `write_image${suffix}`;
  const forms = (access: string) => [
    row(name, `void(${access} ${kind}, ${integer}, ${colour})`, WRITE),
    ...(suffix === 'h' || kind === 'image1d_buffer'
      ? []
      : under(
          'cl_khr_mipmap_image_writes',
          row(name, `void(${access} ${kind}, ${integer}, int, ${colour})`, WRITE),
        )),
  ];
  const rows = [...forms('write_only'), ...under(READ_WRITE, ...forms('read_write'))];
  return when === undefined ? rows : under(when, ...rows);
}

const writeRows = (): Row[] => [
  ...[...COLOURS, ['h', 'half4'] as const].flatMap(([suffix, colour]) => [
    ...SHAPES.flatMap(([kind, integer]) =>
      writes(
        suffix,
        colour,
        kind,
        integer,
        kind === 'image3d' ? 'cl_khr_3d_image_writes | __opencl_c_3d_image_writes' : undefined,
      ),
    ),
    ...writes(suffix, colour, 'image1d_buffer', 'int'),
  ]),
  ...DEPTH_SHAPES.flatMap(([kind, integer]) => writes('f', 'float', kind, integer, DEPTH)),
];

const ACCESSES = ['read_only', 'write_only', 'read_write'] as const;
const PLAIN_2D = ['image2d', 'image2d_array'];
const DEPTH_2D = ['image2d_depth', 'image2d_array_depth'];
const MSAA_2D = ['image2d_msaa', 'image2d_array_msaa', 'image2d_msaa_depth', 'image2d_array_msaa_depth'];

/** A query of each of the kinds, with every access qualifier. */
function query(name: string, result: string, kinds: readonly string[], when?: string): readonly Row[] {
  if (kinds.length === 0) return [];
  const rows = ACCESSES.flatMap((access) => {
    const one = row(name, `X in ${kinds.join(' ')}; ${result}(${access} X)`, custom('image_query', name));
    return access === 'read_write' ? under(READ_WRITE, one) : [one];
  });
  return when === undefined ? rows : under(when, ...rows);
}

/** The query of plain, depth and multi-sample kinds. */
const queries = (
  name: string,
  result: string,
  plain: string[],
  depth: string[],
  msaa: string[],
): readonly Row[] => [
  ...query(name, result, plain),
  ...query(name, result, depth, DEPTH),
  ...query(name, result, msaa, MSAA),
];

const ONE_DIMENSION = ['image1d', 'image1d_buffer', 'image1d_array'];
const ARRAYS_2D = (kinds: string[]) => kinds.filter((kind) => kind.includes('array'));
const MIPMAPPED = ['image1d', 'image1d_array', ...PLAIN_2D, 'image3d', ...DEPTH_2D];

export const images: Family = {
  title: 'Image functions',
  mayHave: containing('_image'),
  rows: () => [
    ...readRows(),
    ...writeRows(),
    ...queries('get_image_width', 'int', [...ONE_DIMENSION, ...PLAIN_2D, 'image3d'], DEPTH_2D, MSAA_2D),
    ...queries('get_image_height', 'int', [...PLAIN_2D, 'image3d'], DEPTH_2D, MSAA_2D),
    ...query('get_image_depth', 'int', ['image3d']),
    ...queries('get_image_dim', 'int2', PLAIN_2D, DEPTH_2D, MSAA_2D),
    ...query('get_image_dim', 'int4', ['image3d']),
    ...queries(
      'get_image_array_size',
      'size_t',
      ['image1d_array', 'image2d_array'],
      ARRAYS_2D(DEPTH_2D),
      ARRAYS_2D(MSAA_2D),
    ),
    ...queries(
      'get_image_channel_data_type',
      'int',
      [...ONE_DIMENSION, ...PLAIN_2D, 'image3d'],
      DEPTH_2D,
      MSAA_2D,
    ),
    ...queries(
      'get_image_channel_order',
      'int',
      [...ONE_DIMENSION, ...PLAIN_2D, 'image3d'],
      DEPTH_2D,
      MSAA_2D,
    ),
    ...query('get_image_num_mip_levels', 'int', MIPMAPPED, 'cl_khr_mipmap_image'),
    ...query('get_image_num_samples', 'int', MSAA_2D, MSAA),
  ],
};
