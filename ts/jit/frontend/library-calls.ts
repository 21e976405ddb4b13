// SPDX-License-Identifier: MIT
//
// Which instructions become calls of the built-in library (kernels/lib), and of which functions. The reachability scan and the
// translation both use this table, so that they agree.
//
// Math: `__anycl_<instruction>_<f32|f64>(scalars...)`, by the type of the first operand where that is a float (half is
// computed in f32, some with a function `_f16` of floats that are halves) and of the result otherwise. Results through pointers are written to private memory.
//
// Images: the image is `__global const uint *`, the address of its descriptor (IMAGE_DESCRIPTOR in kernel-abi.ts):
//   float4 or int4  __anycl_image_sample_<dim>_<f32|i32>_<f|i>(image, uint sampler, float4 or int4 coord, float lod)
//   float           __anycl_image_lod(uint sampler, float lod)
//   float           __anycl_image_gradient_lod_<1d|2d|3d>(image, float4 dx, float4 dy)
//   float4 or int4  __anycl_image_read_<dim>_<f32|i32>(image, int4 coord, int lodOrSample)
//   void            __anycl_image_write_<dim>_<f32|i32>(image, int4 coord, int lod, float4 or int4 texel)
// with <dim> one of 1d, 2d, 3d, 1d_buffer, 1d_array, 2d_array, 2d_msaa, 2d_array_msaa; coordinates that the dimension
// does not have are 0. Depth images use the functions of their shape; the first component is the depth. Whether
// integers are signed is the descriptor's channel type's affair.
import { Dim, Op, OpenCLStd } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { Type } from '../ir/ir';
import { isFloat } from '../ir/types';
import { JitError } from '../jit-error';
import { sampledLevel } from './image-operands';
import type { ModuleIndex } from './module-index';
import type { TypeInfo } from './types';

const E = OpenCLStd;

/**
 * Instructions computed by the library, scalar by scalar. The value is the index of the operand that is a pointer to a result.
 */
export const LIBRARY_MATH: ReadonlyMap<OpenCLStd, number | undefined> = new Map([
  ...[
    E.acos,
    E.acosh,
    E.acospi,
    E.asin,
    E.asinh,
    E.asinpi,
    E.atan,
    E.atan2,
    E.atanh,
    E.atanpi,
    E.atan2pi,
    E.cbrt,
    E.cos,
    E.cosh,
    E.cospi,
    E.erfc,
    E.erf,
    E.exp,
    E.exp2,
    E.exp10,
    E.expm1,
    E.hypot,
    E.ilogb,
    E.ldexp,
    E.lgamma,
    E.log,
    E.log2,
    E.log10,
    E.log1p,
    E.logb,
    E.nextafter,
    E.pow,
    E.pown,
    E.powr,
    E.remainder,
    E.rootn,
    E.round,
    E.rsqrt,
    E.sin,
    E.sinh,
    E.sinpi,
    E.tan,
    E.tanh,
    E.tanpi,
    E.tgamma,
    E.half_cos,
    E.half_exp,
    E.half_exp2,
    E.half_exp10,
    E.half_log,
    E.half_log2,
    E.half_log10,
    E.half_powr,
    E.half_sin,
    E.half_tan,
    E.native_cos,
    E.native_exp,
    E.native_exp2,
    E.native_exp10,
    E.native_log,
    E.native_log2,
    E.native_log10,
    E.native_powr,
    E.native_sin,
    E.native_tan,
  ].map((inst): [OpenCLStd, undefined] => [inst, undefined]),
  [E.frexp, 1],
  [E.lgamma_r, 1],
  [E.modf, 1],
  [E.remquo, 2],
  [E.sincos, 1],
]);

/** What `fma` of doubles calls beside the instruction. */
export const DOUBLE_FMA = '__anycl_fma_f64';

/** `fmod` of floats and halves, and SPIR-V's FRem and FMod. */
export const FLOAT_REMAINDER = '__anycl_fmod_f32';
const remainderCalls = (type: Type): string[] => (type === Type.F64 ? [] : [FLOAT_REMAINDER]);

function suffix(type: Type): string {
  switch (type) {
    case Type.F16:
    case Type.F32:
      return 'f32';
    case Type.F64:
      return 'f64';
    default:
      return Type[type]!.toLowerCase();
  }
}

/**
 * Functions that halves have of their own, on floats that are halves: the next half is not the next float, and results of the others
 * (kernels/lib/half.cl, half-pairs.cl) would not all be correctly rounded.
 */
const OF_HALVES: ReadonlySet<OpenCLStd> = new Set([
  E.nextafter,
  E.acos,
  E.acosh,
  E.asinh,
  E.asinpi,
  E.atan,
  E.atan2,
  E.atan2pi,
  E.atanpi,
  E.cbrt,
  E.cos,
  E.cosh,
  E.erf,
  E.erfc,
  E.exp,
  E.exp2,
  E.exp10,
  E.expm1,
  E.hypot,
  E.lgamma,
  E.lgamma_r,
  E.log,
  E.log10,
  E.log1p,
  E.pow,
  E.pown,
  E.powr,
  E.rootn,
  E.sin,
  E.sincos,
  E.sinh,
  E.tan,
  E.tanpi,
  E.tgamma,
]);

export function mathFunction(inst: OpenCLStd, result: Type, firstOperand: Type): string {
  if (firstOperand === Type.F16 && OF_HALVES.has(inst)) return `__anycl_${OpenCLStd[inst]}_f16`;
  return `__anycl_${OpenCLStd[inst]}_${suffix(isFloat(firstOperand) ? firstOperand : result)}`;
}

const DIMENSIONS: Partial<Record<Dim, string>> = {
  [Dim._1D]: '1d',
  [Dim._2D]: '2d',
  [Dim._3D]: '3d',
  [Dim.Buffer]: '1d_buffer',
};

export interface ImageShape {
  readonly name: string;
  /** Coordinates of one texel, the layer included. */
  readonly coordinates: number;
  readonly arrayed: boolean;
  readonly dimension: Dim;
  readonly multisampled: boolean;
}

/** The shape of an OpTypeImage, or of the image in an OpTypeSampledImage. */
export function imageShape(index: ModuleIndex, type: Id): ImageShape {
  let definition = index.definition(type);
  if (definition.op === Op.TypeSampledImage) definition = index.definition(definition.operands[0]! as Id);
  const dimension: Dim = definition.operands[1]!;
  const base = DIMENSIONS[dimension];
  if (!base) throw new JitError(`images of dimension ${Dim[dimension] ?? dimension} are not supported`);
  const arrayed = definition.operands[3] !== 0;
  const multisampled = definition.operands[4] !== 0;
  const axes = dimension === Dim._3D ? 3 : dimension === Dim._2D ? 2 : 1;
  return {
    name: `${base}${arrayed ? '_array' : ''}${multisampled ? '_msaa' : ''}`,
    coordinates: axes + (arrayed ? 1 : 0),
    arrayed,
    dimension,
    multisampled,
  };
}

const scalarOf = (info: TypeInfo): Type =>
  info.kind === 'vector' ? info.element!.scalar : info.kind === 'struct' ? Type.F32 : info.scalar;

const kind = (type: Type) => (isFloat(type) ? 'f32' : 'i32');

const IMAGE_CALLS = new Set([Op.ImageSampleExplicitLod, Op.ImageRead, Op.ImageFetch, Op.ImageWrite]);

export function imageFunction(index: ModuleIndex, i: Instruction): string | undefined {
  if (!IMAGE_CALLS.has(i.op)) return undefined;
  const typeOf = (id: number) => index.definition(id as Id).type;
  const scalar = (id: number) => scalarOf(index.types.get(typeOf(id)));
  switch (i.op) {
    case Op.ImageSampleExplicitLod: {
      const shape = imageShape(index, typeOf(i.operands[0]!));
      const coordinate = isFloat(scalar(i.operands[1]!)) ? 'f' : 'i';
      return `__anycl_image_sample_${shape.name}_${kind(scalarOf(index.types.get(i.type)))}_${coordinate}`;
    }
    case Op.ImageRead:
    case Op.ImageFetch:
      return `__anycl_image_read_${imageShape(index, typeOf(i.operands[0]!)).name}_${kind(scalarOf(index.types.get(i.type)))}`;
    case Op.ImageWrite:
      return `__anycl_image_write_${imageShape(index, typeOf(i.operands[0]!)).name}_${kind(scalar(i.operands[2]!))}`;
    default:
      return undefined;
  }
}

export const LOD_FUNCTION = '__anycl_image_lod';

export const gradientFunction = ({ dimension }: ImageShape): string =>
  `__anycl_image_gradient_lod_${DIMENSIONS[dimension]}`;

/** The functions that read or write an image, and those that compute the mip level before. */
function imageFunctions(index: ModuleIndex, i: Instruction): string[] {
  const image = imageFunction(index, i);
  if (!image) return [];
  const level = i.op === Op.ImageSampleExplicitLod ? sampledLevel(index, i).kind : 'first';
  switch (level) {
    case 'first':
      return [image];
    case 'lod':
      return [image, LOD_FUNCTION];
    case 'gradients': {
      const shape = imageShape(index, index.definition(i.operands[0]! as Id).type);
      return [image, LOD_FUNCTION, gradientFunction(shape)];
    }
  }
}

/** One module has all pipe functions. */
const PIPE_FUNCTIONS = ['__anycl_pipe_reserve_read'];

/** Instructions that read a launch's region or events. */
const ENQUEUING = new Set([
  Op.EnqueueKernel,
  Op.EnqueueMarker,
  Op.GetDefaultQueue,
  Op.CreateUserEvent,
  Op.SetUserEventStatus,
  Op.RetainEvent,
  Op.ReleaseEvent,
  Op.IsValidEvent,
  Op.CaptureEventProfilingInfo,
]);

/** The prefix of the functions for enqueuing; one module has them all. */
export const ENQUEUE_LIBRARY = '__anycl_enqueue_';
const ENQUEUE_FUNCTIONS = [`${ENQUEUE_LIBRARY}record`];

/** The library functions that an instruction needs. */
export function libraryCalls(index: ModuleIndex, i: Instruction): string[] {
  if (i.op === Op.ExtInst) {
    if (index.extInstSets.get(i.operands[0]! as Id) !== 'OpenCL.std') return [];
    const inst: OpenCLStd = i.operands[1]!;
    const result = scalarOf(index.types.get(i.type));
    if (inst === E.fma) return result === Type.F64 ? [DOUBLE_FMA] : [];
    if (inst === E.fmod) return remainderCalls(result);
    if (inst === E.rsqrt && result !== Type.F64) return [];
    if (!LIBRARY_MATH.has(inst)) return [];
    const first = index.definition(i.operands[2]! as Id);
    return [mathFunction(inst, result, scalarOf(index.types.get(first.type)))];
  }
  if (i.op === Op.FRem || i.op === Op.FMod) return remainderCalls(scalarOf(index.types.get(i.type)));
  if (i.op >= Op.ReadPipe && i.op <= Op.GroupCommitWritePipe) return PIPE_FUNCTIONS;
  if (ENQUEUING.has(i.op)) return ENQUEUE_FUNCTIONS;
  return imageFunctions(index, i);
}
