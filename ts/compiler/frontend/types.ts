// SPDX-License-Identifier: MIT
//
// The types of OpenCL C. Scalars, vectors and opaque types are interned: compare them with ===. Pointers, arrays and
// functions are structural: compare with `sameType`. Records and enums are nominal: one object per declaration.

export type ScalarKind =
  | 'bool'
  | 'char'
  | 'uchar'
  | 'short'
  | 'ushort'
  | 'int'
  | 'uint'
  | 'long'
  | 'ulong'
  | 'half'
  | 'float'
  | 'double';

export type AddressSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';

export interface VoidType {
  readonly kind: 'void';
}
/** size_t, ptrdiff_t, intptr_t and uintptr_t are typedefs of int/uint or long/ulong, as the target's pointers are wide. */
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
}

export interface Field {
  readonly name: string | undefined;
  readonly type: QualType;
  /** Bytes from the start of the record. */
  offset: number;
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
  readonly name: 'sampler_t' | 'event_t' | 'queue_t' | 'clk_event_t' | 'reserve_id_t' | 'ndrange_t';
}

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

/** A type as a declaration or an lvalue has it. `space` is where the object itself lies. */
export interface QualType {
  readonly type: Type;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly space: AddressSpace;
}
