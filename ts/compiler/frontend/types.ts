// SPDX-License-Identifier: MIT
//
// The types of OpenCL C. Scalars, vectors and opaque types are interned: compare them with ===. Pointers, arrays and
// functions are structural: compare with `sameType`. Records and enums are nominal: one object per declaration.
import { SCALAR_KINDS, type ScalarKind } from './scalars';

export type { ScalarKind };

export type AddressSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';

export interface VoidType {
  readonly kind: 'void';
}
/**
 * size_t, ptrdiff_t, intptr_t and uintptr_t are typedefs of int/uint or long/ulong, depending on the width of
 * pointers.
 */
export interface ScalarType {
  readonly kind: 'scalar';
  readonly scalar: ScalarKind;
}
export interface VectorType {
  readonly kind: 'vector';
  readonly element: ScalarType;
  readonly count: 2 | 3 | 4 | 8 | 16;
}
export interface PointerType {
  readonly kind: 'pointer';
  readonly pointee: QualType;
  readonly space: AddressSpace;
}
/** `count` is undefined for an array of unknown size (`extern int a[];`). */
export interface ArrayType {
  readonly kind: 'array';
  readonly element: QualType;
  readonly count: number | undefined;
}
export interface FunctionType {
  readonly kind: 'function';
  readonly result: Type;
  readonly parameters: readonly QualType[];
  readonly variadic: boolean;
}
export interface AtomicType {
  readonly kind: 'atomic';
  readonly value: ScalarType | PointerType;
}
export interface BlockType {
  readonly kind: 'block';
  readonly signature: FunctionType;
}
export interface EnumType {
  readonly kind: 'enum';
  readonly name: string | undefined;
  underlying: ScalarType;
  /** Their values by name; undefined until the enum is defined. */
  enumerators?: ReadonlyMap<string, bigint>;
}

export interface Field {
  readonly name: string | undefined;
  readonly type: QualType;
  /** Bytes from the start of the record. */
  offset: number;
  readonly align: number;
}

/** Mutable only until its declaration is complete. */
export interface RecordType {
  readonly kind: 'record';
  readonly tag: 'struct' | 'union';
  readonly name: string | undefined;
  fields: readonly Field[] | undefined;
  packed: boolean;
  size: number;
  align: number;
}

export type ImageKind =
  | 'image1d'
  | 'image1d_buffer'
  | 'image1d_array'
  | 'image2d'
  | 'image2d_array'
  | 'image2d_depth'
  | 'image2d_array_depth'
  | 'image2d_msaa'
  | 'image2d_array_msaa'
  | 'image2d_msaa_depth'
  | 'image2d_array_msaa_depth'
  | 'image3d';
export type Access = 'read_only' | 'write_only' | 'read_write';

export interface ImageType {
  readonly kind: 'image';
  readonly image: ImageKind;
  readonly access: Access;
}
export interface PipeType {
  readonly kind: 'pipe';
  readonly packet: Type;
  readonly access: 'read_only' | 'write_only';
}
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name:
    | 'sampler_t'
    | 'event_t'
    | 'queue_t'
    | 'clk_event_t'
    | 'reserve_id_t'
    | 'ndrange_t'
    | MotionEstimationTypeName;
}
/** The types of cl_intel_device_side_avc_motion_estimation. */
export const MOTION_ESTIMATION_TYPES = [
  'mce_payload',
  'mce_result',
  'ime_payload',
  'ime_result',
  'ime_result_single_reference_streamout',
  'ime_result_dual_reference_streamout',
  'ime_single_reference_streamin',
  'ime_dual_reference_streamin',
  'ref_payload',
  'ref_result',
  'sic_payload',
  'sic_result',
] as const;
export type MotionEstimationTypeName = `intel_sub_group_avc_${(typeof MOTION_ESTIMATION_TYPES)[number]}_t`;

export type Type =
  | VoidType
  | ScalarType
  | VectorType
  | PointerType
  | ArrayType
  | FunctionType
  | AtomicType
  | BlockType
  | EnumType
  | RecordType
  | ImageType
  | PipeType
  | OpaqueType;

/** The type of a declaration or an lvalue. `space` is the address space of the object. */
export interface QualType {
  readonly type: Type;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly space: AddressSpace;
  /** The alignment that the attribute `aligned` of a typedef gives to its objects: more or less than the type's own. */
  readonly align?: number;
}

// ---- making types

export const VOID: VoidType = { kind: 'void' };

const SCALARS = Object.fromEntries(
  SCALAR_KINDS.map((scalar) => [scalar, { kind: 'scalar', scalar }]),
) as unknown as Readonly<Record<ScalarKind, ScalarType>>;

/** Interned types by a key that spells them. Types are added on first use and never changed. */
const interned = new Map<string, Type>();
function intern<T extends Type>(key: string, make: () => T): T {
  let type = interned.get(key) as T | undefined;
  if (type === undefined) {
    type = make();
    interned.set(key, type);
  }
  return type;
}

export const scalarOf = (kind: ScalarKind): ScalarType => SCALARS[kind];
export const vectorOf = (element: ScalarKind, count: VectorType['count']): VectorType =>
  intern(`${element}${count}`, () => ({ kind: 'vector', element: SCALARS[element], count }));
export const imageOf = (image: ImageKind, access: Access): ImageType =>
  intern(`${access} ${image}`, () => ({ kind: 'image', image, access }));
export const opaqueOf = (name: OpaqueType['name']): OpaqueType =>
  intern(name, () => ({ kind: 'opaque', name }));
export const pointerTo = (pointee: QualType, space: AddressSpace): PointerType => ({
  kind: 'pointer',
  pointee,
  space,
});
export const atomicOf = (value: AtomicType['value']): AtomicType =>
  value.kind === 'scalar'
    ? intern(`atomic ${value.scalar}`, () => ({ kind: 'atomic', value }))
    : { kind: 'atomic', value };

const sameQualified = (a: QualType, b: QualType): boolean =>
  a.const === b.const && a.volatile === b.volatile && a.restrict === b.restrict && sameType(a.type, b.type);

/** Whether these are the same type. Qualifiers of pointees count. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'pointer':
      return b.kind === 'pointer' && a.space === b.space && sameQualified(a.pointee, b.pointee);
    case 'array':
      return b.kind === 'array' && a.count === b.count && sameQualified(a.element, b.element);
    case 'function':
      return (
        b.kind === 'function' &&
        a.variadic === b.variadic &&
        sameType(a.result, b.result) &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((p, i) => sameType(p.type, b.parameters[i]!.type))
      );
    case 'atomic':
      return b.kind === 'atomic' && sameType(a.value, b.value);
    case 'block':
      return b.kind === 'block' && sameType(a.signature, b.signature);
    case 'pipe':
      return b.kind === 'pipe' && a.access === b.access && sameType(a.packet, b.packet);
    default:
      return false;
  }
}
