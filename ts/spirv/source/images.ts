// SPDX-License-Identifier: MIT
//
// Images. In OpenCL C the function determines the sign of an integer texel, in SPIR-V the format: where the instruction does not
// specify it, the generated code tests the image's channel type at run time.
import { Dim, ImageOperands, Op } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import { isZeroConstant } from '../zero';
import type { Body, Statement, Statements } from './body';
import { inexpressible } from './tables';

const CHANNEL_ORDER = 0x10b0;
const CHANNEL_DATA_TYPE = 0x10d0;

interface Shape {
  /** Components of a coordinate, as OpenCL C has them: three are given as four. */
  readonly coordinates: number;
  readonly dimensions: number;
  readonly arrayed: boolean;
  readonly depth: boolean;
}

function shapeOf(b: Body, imageType: Id): Shape {
  let definition = b.t.tables.definition(imageType);
  if (definition.op === Op.TypeSampledImage) definition = b.t.tables.definition(definition.operands[0]!);
  const dim = definition.operands[1]!;
  const dimensions = dim === Dim._3D ? 3 : dim === Dim._2D ? 2 : 1;
  const arrayed = definition.operands[3] === 1;
  const axes = dimensions + (arrayed ? 1 : 0);
  return { coordinates: axes === 3 ? 4 : axes, dimensions, arrayed, depth: definition.operands[2] === 1 };
}

function coordinate(b: Body, id: number, { coordinates }: Shape): string {
  const { count } = b.info(b.typeOf(id));
  const text = b.signed(id);
  if (count === coordinates) return text;
  if (count > coordinates) return `${text}.${'xyzw'.slice(0, coordinates)}`;
  const element = b.info(b.typeOf(id)).kind === 'float' ? 'float' : 'int';
  return `(${element}${coordinates})(${[text, ...new Array<string>(coordinates - count).fill('0')].join(', ')})`;
}

const SINGLE = [
  ImageOperands.Bias,
  ImageOperands.Lod,
  ImageOperands.Grad,
  ImageOperands.ConstOffset,
  ImageOperands.Offset,
  ImageOperands.ConstOffsets,
  ImageOperands.Sample,
] as const;

/** The ids of the image operands; a gradient has two. */
function imageOperands(operands: readonly number[]): { mask: number; ids: Map<ImageOperands, number[]> } {
  const mask = operands[0] ?? 0;
  const ids = new Map<ImageOperands, number[]>();
  let at = 1;
  for (const bit of SINGLE) {
    if ((mask & bit) === 0) continue;
    const count = bit === ImageOperands.Grad ? 2 : 1;
    ids.set(bit, operands.slice(at, at + count));
    at += count;
  }
  return { mask, ids };
}

/** Arguments after the coordinate: a level of detail, gradients or a sample. */
function further(b: Body, { ids }: ReturnType<typeof imageOperands>): string {
  for (const bit of ids.keys())
    if (bit !== ImageOperands.Lod && bit !== ImageOperands.Grad && bit !== ImageOperands.Sample)
      inexpressible(`the image operand ${ImageOperands[bit]}`);
  const sample = ids.get(ImageOperands.Sample);
  if (sample) return `, ${b.signed(sample[0]!)}`;
  const grad = ids.get(ImageOperands.Grad);
  if (grad) {
    b.t.extension('cl_khr_mipmap_image');
    return `, ${grad.map((g) => (b.info(b.typeOf(g)).count === 3 ? `(float4)(${b.get(g)}, 0)` : b.get(g))).join(', ')}`;
  }
  const lod = ids.get(ImageOperands.Lod);
  if (!lod || isZeroConstant(b.t.tables.definition(lod[0]!))) return '';
  b.t.extension('cl_khr_mipmap_image');
  return `, ${b.get(lod[0]!)}`;
}

const isUnsigned = (image: string): string => `get_image_channel_data_type(${image}) >= CLK_UNSIGNED_INT8`;

function read(b: Body, i: Instruction, image: string, shape: Shape, args: string, mask: number): void {
  const info = b.info(i.type);
  if (shape.depth) {
    b.set(i, `(${b.t.types.name(i.type)})(read_imagef(${args}))`);
    return;
  }
  if (info.kind === 'float') {
    b.set(i, `${info.bits === 16 ? 'read_imageh' : 'read_imagef'}(${args})`);
    return;
  }
  const signed = `as_uint4(read_imagei(${args}))`;
  const unsigned = `read_imageui(${args})`;
  if (mask & ImageOperands.SignExtend) b.set(i, signed);
  else if (mask & ImageOperands.ZeroExtend) b.set(i, unsigned);
  else {
    b.line(`if (${isUnsigned(image)})`);
    b.set(i, unsigned);
    b.line('else');
    b.set(i, signed);
  }
}

const sample: Statement = (b, i) => {
  const source = b.t.tables.definition(i.operands[0]!);
  if (source.op !== Op.SampledImage) inexpressible('a sampled image that is not made where it is used');
  const [image, sampler] = b.gets(source.operands) as [string, string];
  const shape = shapeOf(b, b.typeOf(i.operands[0]!));
  const operands = imageOperands(i.operands.slice(2));
  const args = `${image}, ${sampler}, ${coordinate(b, i.operands[1]!, shape)}${further(b, operands)}`;
  read(b, i, image, shape, args, operands.mask);
};

const readTexel: Statement = (b, i) => {
  const image = b.get(i.operands[0]!);
  const shape = shapeOf(b, b.typeOf(i.operands[0]!));
  const operands = imageOperands(i.operands.slice(2));
  const args = `${image}, ${coordinate(b, i.operands[1]!, shape)}${further(b, operands)}`;
  read(b, i, image, shape, args, operands.mask);
};

const write: Statement = (b, i) => {
  const [imageId, at, texel] = i.operands as [Id, Id, Id];
  const image = b.get(imageId);
  const shape = shapeOf(b, b.typeOf(imageId));
  if (shape.dimensions === 3) b.t.extension('cl_khr_3d_image_writes');
  const { mask, ids } = imageOperands(i.operands.slice(3));
  const lod = ids.get(ImageOperands.Lod);
  if (lod) b.t.extension('cl_khr_mipmap_image_writes');
  const where = `${image}, ${coordinate(b, at, shape)}${lod ? `, ${b.signed(lod[0]!)}` : ''}`;
  const { kind, bits, count } = b.info(b.typeOf(texel));
  const value = b.get(texel);
  if (shape.depth) b.line(`write_imagef(${where}, ${count > 1 ? `${value}.s0` : value});`);
  else if (kind === 'float') b.line(`${bits === 16 ? 'write_imageh' : 'write_imagef'}(${where}, ${value});`);
  else if (mask & ImageOperands.SignExtend) b.line(`write_imagei(${where}, as_int4(${value}));`);
  else if (mask & ImageOperands.ZeroExtend) b.line(`write_imageui(${where}, ${value});`);
  else
    b.line(
      `if (${isUnsigned(image)}) write_imageui(${where}, ${value}); else write_imagei(${where}, as_int4(${value}));`,
    );
};

const size: Statement = (b, i) => {
  const image = b.get(i.operands[0]!);
  const shape = shapeOf(b, b.typeOf(i.operands[0]!));
  if (i.op === Op.ImageQuerySizeLod && !isZeroConstant(b.t.tables.definition(i.operands[1]!)))
    inexpressible('the size of a mip level');
  const names = ['width', 'height', 'depth'].slice(0, shape.dimensions);
  if (shape.arrayed) names.push('array_size');
  const component = b.info(i.type).bits === 64 ? 'ulong' : 'uint';
  const parts = names.map((name) => `(${component})get_image_${name}(${image})`);
  b.define(i, parts.length === 1 ? parts[0]! : `(${b.t.types.name(i.type)})(${parts.join(', ')})`);
};

const query =
  (name: string, base: number): Statement =>
  (b, i) =>
    b.define(i, `(${b.t.types.name(i.type)})(${name}(${b.get(i.operands[0]!)}) - ${base})`);

export const IMAGES: Statements = {
  // The sampling instruction reads its operands.
  [Op.SampledImage]: () => {},
  [Op.ImageSampleExplicitLod]: sample,
  [Op.ImageRead]: readTexel,
  [Op.ImageFetch]: readTexel,
  [Op.ImageWrite]: write,
  [Op.ImageQuerySize]: size,
  [Op.ImageQuerySizeLod]: size,
  [Op.ImageQueryFormat]: query('get_image_channel_data_type', CHANNEL_DATA_TYPE),
  [Op.ImageQueryOrder]: query('get_image_channel_order', CHANNEL_ORDER),
  [Op.ImageQueryLevels]: query('get_image_num_mip_levels', 0),
  [Op.ImageQuerySamples]: query('get_image_num_samples', 0),
};
