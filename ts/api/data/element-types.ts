// SPDX-License-Identifier: MIT
//
// How JavaScript's typed arrays and OpenCL's types correspond.

/** `Float16Array`, if the program's TypeScript library (ES2025) declares it. */
export type HalfArray = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : never;

/** The typed arrays that memory can be seen as; a `DataView` or an `ArrayBuffer` is none. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | HalfArray
  | Float32Array
  | Float64Array;

/** A typed array whose elements are numbers. */
export type NumberArray = Exclude<TypedArray, BigInt64Array | BigUint64Array>;

/** The class of a typed array, such as `Float32Array`. */
export interface TypedArrayConstructor<T extends TypedArray = TypedArray> {
  /** The name of the class. */
  readonly name: string;
  /** The size of an element in bytes. */
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
}

/** The class of arrays of halves; if the runtime has none (before Node.js 24), of their bits. */
export const HALF_ARRAY =
  (globalThis as { Float16Array?: TypedArrayConstructor<Uint16Array> }).Float16Array ?? Uint16Array;

/** The scalar or vector type of a kernel argument. */
export interface ValueType {
  readonly scalar: ScalarTypeName;
  readonly components: 1 | 2 | 3 | 4 | 8 | 16;
  /** Bytes in memory: a vector of 3 is as large as one of 4. */
  readonly size: number;
}

export type ScalarTypeName =
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

interface ScalarTraits {
  readonly bytes: number;
  readonly domain: 'integer' | 'float';
  write(view: DataView, offset: number, value: number | bigint): void;
  /** The typed arrays with such elements; the first one is preferred. */
  readonly arrays: readonly string[];
}

export const SCALARS: Readonly<Record<ScalarTypeName, ScalarTraits>> = {
  char: {
    bytes: 1,
    domain: 'integer',
    write: (v, o, x) => v.setInt8(o, Number(x)),
    arrays: ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Buffer'],
  },
  uchar: {
    bytes: 1,
    domain: 'integer',
    write: (v, o, x) => v.setUint8(o, Number(x)),
    arrays: ['Uint8Array', 'Uint8ClampedArray', 'Int8Array', 'Buffer'],
  },
  short: {
    bytes: 2,
    domain: 'integer',
    write: (v, o, x) => v.setInt16(o, Number(x), true),
    arrays: ['Int16Array', 'Uint16Array'],
  },
  ushort: {
    bytes: 2,
    domain: 'integer',
    write: (v, o, x) => v.setUint16(o, Number(x), true),
    arrays: ['Uint16Array', 'Int16Array'],
  },
  int: {
    bytes: 4,
    domain: 'integer',
    write: (v, o, x) => v.setInt32(o, Number(x), true),
    arrays: ['Int32Array', 'Uint32Array'],
  },
  uint: {
    bytes: 4,
    domain: 'integer',
    write: (v, o, x) => v.setUint32(o, Number(x), true),
    arrays: ['Uint32Array', 'Int32Array'],
  },
  long: {
    bytes: 8,
    domain: 'integer',
    write: (v, o, x) => v.setBigInt64(o, BigInt(x), true),
    arrays: ['BigInt64Array', 'BigUint64Array'],
  },
  ulong: {
    bytes: 8,
    domain: 'integer',
    write: (v, o, x) => v.setBigUint64(o, BigInt.asUintN(64, BigInt(x)), true),
    arrays: ['BigUint64Array', 'BigInt64Array'],
  },
  half: {
    bytes: 2,
    domain: 'float',
    write: (v, o, x) => v.setUint16(o, halfBits(Number(x)), true),
    arrays: ['Float16Array', 'Uint16Array', 'Int16Array'],
  },
  float: {
    bytes: 4,
    domain: 'float',
    write: (v, o, x) => v.setFloat32(o, Number(x), true),
    arrays: ['Float32Array'],
  },
  double: {
    bytes: 8,
    domain: 'float',
    write: (v, o, x) => v.setFloat64(o, Number(x), true),
    arrays: ['Float64Array'],
  },
};

/** Spellings that drivers and sources use for the same scalar. */
const SPELLINGS: Readonly<Record<string, ScalarTypeName>> = {
  'signed char': 'char',
  'unsigned char': 'uchar',
  bool: 'uchar',
  'signed short': 'short',
  'unsigned short': 'ushort',
  'signed int': 'int',
  signed: 'int',
  unsigned: 'uint',
  'unsigned int': 'uint',
  'signed long': 'long',
  'unsigned long': 'ulong',
};

const COMPONENTS = [1, 2, 3, 4, 8, 16] as const;

/** Reads `float`, `uint4`, `unsigned int`; undefined for structs, typedefs and everything else. */
export function parseValueType(typeName: string): ValueType | undefined {
  const name = typeName.trim();
  const known = Object.hasOwn(SPELLINGS, name) ? SPELLINGS[name]! : name;
  // A regular expression would be compiled for the first kernel of every process.
  let end = known.length;
  while (end > 0 && known[end - 1]! >= '0' && known[end - 1]! <= '9') end--;
  const scalar = known.slice(0, end) as ScalarTypeName;
  if (!Object.hasOwn(SCALARS, scalar)) return undefined;
  const components = COMPONENTS.find((count) => known.slice(end) === (count === 1 ? '' : String(count)));
  if (components === undefined) return undefined;
  return { scalar, components, size: SCALARS[scalar].bytes * (components === 3 ? 4 : components) };
}

/**
 * Whether elements of a view may be copied into memory with elements of the class `held`: those of the same class,
 * integers of another signedness, and the bits of halves. Bytes may be copied into any memory, and any elements into
 * memory of bytes.
 */
export function mayStandFor(given: ArrayBufferView, held: string): boolean {
  const name = (given as Uint8Array)[Symbol.toStringTag];
  if (name === held || name === 'Uint8Array' || (name as string) === 'DataView' || held === 'Uint8Array')
    return true;
  return Object.values(SCALARS).some(({ arrays }) => arrays.includes(name) && arrays.includes(held));
}

/** Whether a typed array's elements may represent `scalar`: raw bytes always may, and integers of the same width. */
export function arrayHolds(arrayName: string, scalar: ScalarTypeName): boolean {
  return arrayName === 'Uint8Array' || SCALARS[scalar].arrays.includes(arrayName);
}

const NUMBER_ARRAYS: Readonly<Partial<Record<ScalarTypeName, new (length: number) => NumberArray>>> = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  float: Float32Array,
  double: Float64Array,
};

/** An array of one element that encodes a number as `scalar` when it is assigned; undefined for 64 bits and halves. */
export function numberArray(scalar: ScalarTypeName): NumberArray | undefined {
  const array = NUMBER_ARRAYS[scalar];
  return array && new array(1);
}

/**
 * The least and the greatest value of an integer type; undefined for other types, which accept all numbers and round.
 */
export function limitsOf(scalar: ScalarTypeName): readonly [low: bigint, high: bigint] | undefined {
  const { bytes, domain } = SCALARS[scalar];
  if (domain === 'float') return undefined;
  const values = 1n << BigInt(8 * bytes);
  return scalar.startsWith('u') ? [0n, values - 1n] : [-values / 2n, values / 2n - 1n];
}

/** The first of some numbers that a value of this type cannot hold without changing it; -1 if there is none. */
export function firstMisfit(scalar: ScalarTypeName, values: readonly (number | bigint)[]): number {
  const limits = limitsOf(scalar);
  if (limits === undefined) return -1;
  const whole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);
  return values.findIndex((value) => !whole(value) || value < limits[0] || value > limits[1]);
}

/** The bytes of a value argument for clSetKernelArg. */
export function encodeValue(type: ValueType, components: readonly (number | bigint)[]): Uint8Array {
  const bytes = new Uint8Array(type.size);
  const view = new DataView(bytes.buffer);
  const { bytes: step, write } = SCALARS[type.scalar];
  for (let i = 0; i < components.length; i++) write(view, i * step, components[i]!);
  return bytes;
}

/** The nearest half-precision number's bits, ties to even. */
export function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | roundHalfEven(magnitude * 2 ** 24);
  const exponent = Math.floor(Math.log2(magnitude));
  const scale = magnitude < 2 ** exponent ? exponent - 1 : exponent;
  // A mantissa that rounds up to 2048 carries into the exponent, as it should.
  return sign | (((scale + 15) << 10) + (roundHalfEven(magnitude * 2 ** (10 - scale)) - 1024));
}

export function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25));
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
