// SPDX-License-Identifier: MIT
//
// Reads, writes and queries of images.
import { Capability, ImageOperands, Op } from '../../../spirv/grammar.gen';
import type { ImageKind, ImageType } from '../../frontend/types';
import { type Builder, type Emitter, type Id, NO_ID, u32 } from './site';

const isDepth = (image: ImageKind): boolean => image.includes('depth');
const isMultisampled = (image: ImageKind): boolean => image.includes('msaa');
const isArray = (image: ImageKind): boolean => image.includes('array');
const dimensionsOf = (image: ImageKind): number =>
  image === 'image3d' ? 3 : image.startsWith('image2d') ? 2 : 1;

/** A level of detail that is not the constant 0 reads a mipmap. */
function needMipmaps(b: Builder): void {
  b.capability(Capability.ImageMipmap);
}

/** From 1.4 on, an operand specifies whether integers of the image's format are sign-extended. */
const signOperand = (b: Builder, name: string): number => {
  if (b.module.version < 0x10400) return 0;
  if (name.endsWith('ui')) return ImageOperands.ZeroExtend;
  return name.endsWith('i') ? ImageOperands.SignExtend : 0;
};

/** Reading a depth image gives a colour whose first component is the result. */
function texel(b: Builder, kind: ImageKind, type: Id, read: (type: Id) => Id): Id {
  if (!isDepth(kind)) return read(type);
  return b.emit(Op.CompositeExtract, type, [read(b.vector(type, 4)), 0]);
}

/** A gradient has as many components as the image has dimensions; OpenCL C gives four for three. */
const gradient = (b: Builder, kind: ImageKind, value: Id): Id =>
  kind === 'image3d' ? b.emit(Op.VectorShuffle, b.vector(b.float(32), 3), [value, value, 0, 1, 2]) : value;

/** read_image…: sampled with a sampler, at level 0 unless an argument specifies the level; read directly without one. */
const readImage: Emitter = ({ builder: b, builtin, args, type }) => {
  const { image: kind } = builtin.parameters[0] as ImageType;
  const [image, second, third] = args as [Id, Id, Id];
  const sign = signOperand(b, builtin.name);
  if (builtin.parameters[1]?.kind !== 'opaque') {
    let mask = sign;
    const operands: number[] = [];
    if (isMultisampled(kind)) {
      mask |= ImageOperands.Sample;
      operands.push(third);
    }
    const all = mask === 0 ? [image, second] : [image, second, mask, ...operands];
    return texel(b, kind, type, (result) => b.emit(Op.ImageRead, result, all));
  }
  const sampled = b.emit(Op.SampledImage, b.sampledImage(b.typeOf(image)), [image, second]);
  const rest = args.slice(3);
  let operands: number[];
  if (rest.length === 2) operands = [ImageOperands.Grad | sign, ...rest.map((d) => gradient(b, kind, d))];
  else operands = [ImageOperands.Lod | sign, rest[0] ?? b.constantFloat(b.float(32), 0)];
  if (rest.length > 0) needMipmaps(b);
  return texel(b, kind, type, (result) =>
    b.emit(Op.ImageSampleExplicitLod, result, [sampled, third, ...operands]),
  );
};

/** write_image…, with the mip level before the colour if there is one. */
const writeImage: Emitter = ({ builder: b, builtin, args }) => {
  const [image, coordinate] = args as [Id, Id];
  const colour = args.at(-1)!;
  let mask = signOperand(b, builtin.name);
  const operands: number[] = [];
  if (args.length === 4) {
    needMipmaps(b);
    mask |= ImageOperands.Lod;
    operands.push(args[2]!);
  }
  b.emitVoid(
    Op.ImageWrite,
    mask === 0 ? [image, coordinate, colour] : [image, coordinate, colour, mask, ...operands],
  );
  return NO_ID;
};

/** All sizes of an image: dimensions, then layers. */
function sizes(b: Builder, kind: ImageKind, image: Id, component: Id): Id {
  const count = dimensionsOf(kind) + (isArray(kind) ? 1 : 0);
  const type = count === 1 ? component : b.vector(component, count);
  if (kind === 'image1d_buffer' || isMultisampled(kind)) return b.emit(Op.ImageQuerySize, type, [image]);
  return b.emit(Op.ImageQuerySizeLod, type, [image, u32(b, 0)]);
}

const SIZE_COMPONENT: Readonly<Record<string, number>> = {
  get_image_width: 0,
  get_image_height: 1,
  get_image_depth: 2,
};
/** SPIR-V counts channel data types and orders from 0, OpenCL from these. */
const CHANNEL_DATA_TYPE = 0x10d0;
const CHANNEL_ORDER = 0x10b0;

const query: Emitter = ({ builder: b, builtin, args, type, data }) => {
  const { image: kind } = builtin.parameters[0] as ImageType;
  const image = args[0]!;
  const int = b.int(32);
  const name = data[0]!;
  switch (name) {
    case 'get_image_channel_data_type':
      return b.emit(Op.IAdd, int, [b.emit(Op.ImageQueryFormat, int, [image]), u32(b, CHANNEL_DATA_TYPE)]);
    case 'get_image_channel_order':
      return b.emit(Op.IAdd, int, [b.emit(Op.ImageQueryOrder, int, [image]), u32(b, CHANNEL_ORDER)]);
    case 'get_image_num_mip_levels':
      needMipmaps(b);
      return b.emit(Op.ImageQueryLevels, int, [image]);
    case 'get_image_num_samples':
      return b.emit(Op.ImageQuerySamples, int, [image]);
    case 'get_image_dim': {
      const all = sizes(b, kind, image, int);
      if (kind === 'image3d')
        return b.emit(Op.VectorShuffle, type, [all, b.constantNull(b.typeOf(all)), 0, 1, 2, 3]);
      return isArray(kind) ? b.emit(Op.VectorShuffle, type, [all, all, 0, 1]) : all;
    }
    default: {
      const all = sizes(b, kind, image, int);
      if (b.countOf(b.typeOf(all)) === 1) return all;
      const component = SIZE_COMPONENT[name] ?? dimensionsOf(kind);
      const size = b.emit(Op.CompositeExtract, int, [all, component]);
      // The array's size is a size_t.
      return type === int ? size : b.emit(Op.UConvert, type, [size]);
    }
  }
};

export const imageEmitters = { read_image: readImage, write_image: writeImage, image_query: query };
