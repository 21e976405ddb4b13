// SPDX-License-Identifier: MIT
//
// Images: reads, samples and writes are calls of the built-in library over the image's descriptor (library-calls.ts);
// queries are loads from it.
import { IMAGE_DESCRIPTOR } from '../../base/kernel-abi';
import { Dim, ImageOperands, Op } from '../../spirv/grammar.gen';
import type { Instruction } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { assertInImage } from './assertions';
import { imageOperand, type SampledLevel, sampledLevel } from './image-operands';
import { gradientFunction, type ImageShape, imageFunction, imageShape, LOD_FUNCTION } from './library-calls';
import type { Handler, HandlerTable, Translation } from './translation';

/** Offsets that turn CL_R (0x10B0) and CL_SNORM_INT8 (0x10D0) into SPIR-V's enumerants. */
const CL_CHANNEL_ORDER_BASE = 0x10b0;
const CL_CHANNEL_TYPE_BASE = 0x10d0;

function descriptorWord(t: Translation, image: Value, offset: number): Value {
  return t.emit(Ir.Load, Type.I32, [image], { offset, align: 4, space: 'constant', invariant: true });
}

/** Coordinates as four scalars, the missing ones 0. */
function coordinates(t: Translation, id: number, count: number): Value[] {
  const given = t.get(id).slice(0, count);
  const type = t.isFloatValue(given[0]!) ? Type.F32 : Type.I32;
  const result = given.map((v) => (t.isFloatValue(v) ? t.narrow(v, Type.F32) : t.resize(v, Type.I32, true)));
  while (result.length < 4) result.push(t.zero(type));
  return result;
}

/** The instruction's result from the library's four texel components: fewer for depth images, converted for half. */
function texel(t: Translation, i: Instruction, values: Value[]): void {
  const info = t.type(i);
  const type = t.scalarType(info);
  t.set(
    i,
    values.slice(0, info.width).map((v) => (t.isFloatValue(v) ? t.narrow(v, type) : t.resize(v, type, true))),
  );
}

/** The level of detail to sample, within the sampler's limits. */
function levelOfDetail(
  t: Translation,
  level: SampledLevel,
  shape: ImageShape,
  image: Value,
  sampler: Value,
): Value {
  switch (level.kind) {
    case 'first':
      return t.const(Type.F32, 0);
    case 'lod': {
      const given = t.scalar(level.lod);
      const lod = t.isFloatValue(given) ? t.narrow(given, Type.F32) : t.emit(Ir.SToF, Type.F32, [given]);
      return t.callLibrary(LOD_FUNCTION, [sampler, lod], 'a level of detail')[0]!;
    }
    case 'gradients': {
      const gradients = [level.dx, level.dy].flatMap((id) => coordinates(t, id, 3));
      const name = gradientFunction(shape);
      const [lod] = t.callLibrary(name, [image, ...gradients], 'sampling such an image with gradients');
      return t.callLibrary(LOD_FUNCTION, [sampler, lod!], 'a level of detail')[0]!;
    }
  }
}

function sample(t: Translation, i: Instruction): void {
  const [image, sampler] = t.get(i.operands[0]!);
  const shape = imageShape(t.index, t.typeOf(i.operands[0]!).id);
  const level = levelOfDetail(t, sampledLevel(t.index, i), shape, image!, sampler!);
  const at = coordinates(t, i.operands[1]!, shape.coordinates);
  if (t.context.checks) assertInImage(t, [image!, sampler!], shape, at, undefined);
  const name = imageFunction(t.index, i)!;
  texel(t, i, t.callLibrary(name, [image!, sampler!, ...at, level], 'sampling such an image'));
}

function read(t: Translation, i: Instruction): void {
  const shape = imageShape(t.index, t.typeOf(i.operands[0]!).id);
  const id = imageOperand(i, 2, shape.multisampled ? ImageOperands.Sample : ImageOperands.Lod);
  const level = id === undefined ? t.i32(0) : t.scalar(id);
  const at = coordinates(t, i.operands[1]!, shape.coordinates);
  if (t.context.checks)
    assertInImage(t, [t.scalar(i.operands[0]!)], shape, at, shape.multisampled ? undefined : level);
  const name = imageFunction(t.index, i)!;
  texel(t, i, t.callLibrary(name, [t.scalar(i.operands[0]!), ...at, level], 'reading such an image'));
}

function write(t: Translation, i: Instruction): void {
  const shape = imageShape(t.index, t.typeOf(i.operands[0]!).id);
  const id = imageOperand(i, 3, ImageOperands.Lod);
  const level = id === undefined ? t.i32(0) : t.scalar(id);
  const at = coordinates(t, i.operands[1]!, shape.coordinates);
  if (t.context.checks) assertInImage(t, [t.scalar(i.operands[0]!)], shape, at, level);
  const given = t.get(i.operands[2]!);
  const type = t.isFloatValue(given[0]!) ? Type.F32 : Type.I32;
  const color = given.map((v) => (t.isFloatValue(v) ? t.narrow(v, type) : t.resize(v, type, true)));
  while (color.length < 4) color.push(t.zero(type));
  const name = imageFunction(t.index, i)!;
  t.callLibrary(name, [t.scalar(i.operands[0]!), ...at, level, ...color], 'writing such an image');
}

/** Width, height, depth, and the number of layers last. */
function querySize(t: Translation, i: Instruction): void {
  const image = t.scalar(i.operands[0]!);
  const shape = imageShape(t.index, t.typeOf(i.operands[0]!).id);
  const lod = i.op === Op.ImageQuerySizeLod ? t.resize(t.scalar(i.operands[1]!), Type.I32, false) : undefined;
  const axis = (offset: number): Value => {
    const size = descriptorWord(t, image, offset);
    if (!lod) return size;
    return t.emit(Ir.UMax, Type.I32, [t.emit(Ir.LShr, Type.I32, [size, lod]), t.i32(1)]);
  };
  const sizes = [axis(IMAGE_DESCRIPTOR.width)];
  if (shape.dimension === Dim._2D || shape.dimension === Dim._3D) sizes.push(axis(IMAGE_DESCRIPTOR.height));
  if (shape.dimension === Dim._3D) sizes.push(axis(IMAGE_DESCRIPTOR.depth));
  if (shape.arrayed) sizes.push(descriptorWord(t, image, IMAGE_DESCRIPTOR.arraySize));
  const info = t.type(i);
  const type = t.scalarType(info);
  while (sizes.length < info.width) sizes.push(t.i32(0));
  t.set(
    i,
    sizes.slice(0, info.width).map((v) => t.resize(v, type, false)),
  );
}

const word =
  (offset: number, base = 0) =>
  (t: Translation, i: Instruction): void => {
    const value = descriptorWord(t, t.scalar(i.operands[0]!), offset);
    const moved = base === 0 ? value : t.emit(Ir.Sub, Type.I32, [value, t.i32(base)]);
    t.set(i, [t.resize(moved, t.scalarType(t.type(i)), false)]);
  };

/** Checks leave the images' memory to the library, also where a block has captured an image and checks do not see whose memory it is. */
const unchecked =
  (handler: Handler): Handler =>
  (t, i) => {
    t.builder.isOfLibrary = t.context.checks !== undefined;
    try {
      handler(t, i);
    } finally {
      t.builder.isOfLibrary = false;
    }
  };

const HANDLERS: HandlerTable = {
  [Op.SampledImage]: (t, i) => t.set(i, [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)]),
  [Op.Image]: (t, i) => t.set(i, [t.scalar(i.operands[0]!)]),
  [Op.ImageSampleExplicitLod]: sample,
  [Op.ImageRead]: read,
  [Op.ImageFetch]: read,
  [Op.ImageWrite]: write,
  [Op.ImageQuerySize]: querySize,
  [Op.ImageQuerySizeLod]: querySize,
  [Op.ImageQueryFormat]: word(IMAGE_DESCRIPTOR.channelType, CL_CHANNEL_TYPE_BASE),
  [Op.ImageQueryOrder]: word(IMAGE_DESCRIPTOR.channelOrder, CL_CHANNEL_ORDER_BASE),
  [Op.ImageQueryLevels]: word(IMAGE_DESCRIPTOR.mipLevels),
  [Op.ImageQuerySamples]: word(IMAGE_DESCRIPTOR.samples),
};

export const IMAGES: HandlerTable = Object.fromEntries(
  Object.entries(HANDLERS).map(([op, handler]) => [op, unchecked(handler!)]),
);
