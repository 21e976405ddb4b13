// SPDX-License-Identifier: MIT
//
// What random kernels consist of: types, variables, functions, and the places where statements stand.
import type { ImageFormat } from '../../helpers/image-argument';

export interface RandomKernel {
  readonly source: string;
  readonly global: Triple;
  readonly local: Triple;
  readonly offset?: Triple;
  /** The formats of the read image and of the written one, if the kernel has them. */
  readonly image?: ImageFormat;
  /** What `out` contains afterwards, if a model knows it. */
  readonly expected?: BigUint64Array;
  /** Whether the second of the arguments that overlap may point one element further. */
  readonly isShifted?: boolean;
}

export type Triple = readonly [number, number, number];

/** Work-items of a group, in two dimensions: multiples of tiles, and others. */
export const GROUP_SIZES = [[16, 1], [32, 1], [8, 1], [7, 1], [1, 1], [40, 1], [16, 2], [8, 4]] as const; // biome-ignore format: a table

/** Elements per work-item of each buffer of results. */
export const RESULTS = { out: 8, slots: 4, bytes: 2, shorts: 2, floats: 2 } as const;
export type ResultBuffer = keyof typeof RESULTS;
export const COUNTERS = 16;
/** Bytes of the kernel's input. */
export const INPUT_BYTES = 1024;
/** The image that is read; the one that is written has a texel for each work-item. */
export const IMAGE = { width: 16, height: 8 } as const;
/** The place of a work-item's texel. */
export const OWN_TEXEL = '(int2)(x, z * H + y)';

/** The parameters of every random kernel without images. */
export const PARAMETERS = `global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k`;

/** The line before the first statement of a kernel. */
export const BODY = '// statements';

export const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
export const FLOATS = ['float', 'double'] as const;
export type Base = (typeof INTEGERS)[number] | (typeof FLOATS)[number];

export interface ValueType {
  readonly base: Base;
  readonly count: number;
}

export interface RecordType {
  readonly name: string;
  /** Members that are values; elements of arrays are separate members, such as `d[1]`. */
  readonly members: readonly { readonly name: string; readonly type: ValueType }[];
}

export type ObjectType = ValueType | RecordType;

export interface Variable {
  readonly name: string;
  readonly type: ValueType;
  /** All work-items of a group have the same value, and assignments preserve this. */
  readonly uniform: boolean;
  readonly writable: boolean;
}

export interface RecordVariable {
  readonly name: string;
  readonly type: RecordType;
}

export interface ArrayVariable {
  readonly name: string;
  readonly element: ObjectType;
  /** A power of two: indices are masked. */
  readonly length: number;
  /** In bytes, if it is not the element type's. */
  readonly align?: number;
}

/** `array`: a pointer to the kernel's `pa`. */
export type Passing = 'value' | 'pointer' | 'array';

export interface Parameter {
  readonly type: ObjectType;
  readonly passing: Passing;
}

export interface Helper {
  readonly name: string;
  /** Undefined: the function returns nothing. */
  readonly result: ObjectType | undefined;
  readonly parameters: readonly Parameter[];
}

/** The dimensions that an expression may vary with. */
export type Flavour = 'group' | 'x' | 'y' | 'any';

/** The constraints of the code at a place. */
export interface Place {
  readonly indent: string;
  /** All work-items of the group come here, or none: barriers are allowed. */
  readonly uniform: boolean;
  /** How work-items leave the enclosing loop: one by one, in the same iteration, or there is none. */
  readonly loop: 'divergent' | 'uniform' | 'none';
  /** Barriers may follow, so no work-item may return before them. */
  readonly staying: boolean;
}

export const COMPONENTS = '0123456789abcdef';
export const scalar = (base: Base): ValueType => ({ base, count: 1 });
export const vector = (base: Base, count: number): ValueType => ({ base, count });
export const isRecord = (type: ObjectType): type is RecordType => 'members' in type;
export const isFloat = (base: Base): boolean => base === 'float' || base === 'double';
export const isScalarInteger = (type: ValueType): boolean => type.count === 1 && !isFloat(type.base);
export const bytesOf = (base: Base): number =>
  base === 'float' ? 4 : base === 'double' ? 8 : 1 << (INTEGERS.indexOf(base as 'int') >> 1);
export const wideOf = (base: Base): Base => (bytesOf(base) === 8 ? 'ulong' : 'uint');
export const unsignedOf = (base: Base): Base => (base.startsWith('u') ? base : `u${base}`) as Base;
export const same = (a: ObjectType, b: ObjectType): boolean => nameOf(a) === nameOf(b);

export function nameOf(type: ObjectType): string {
  if (isRecord(type)) return type.name;
  return type.count === 1 ? type.base : `${type.base}${type.count}`;
}
