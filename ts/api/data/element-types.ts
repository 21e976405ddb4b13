// SPDX-License-Identifier: MIT
//
// How JavaScript's typed arrays and OpenCL's types correspond.
import { SCALARS, type ScalarTypeName } from './scalars';
import { isBigArray } from './typed-arrays';

/** The scalar or vector type of a kernel argument. */
export interface ValueType {
  readonly scalar: ScalarTypeName;
  readonly components: 1 | 2 | 3 | 4 | 8 | 16;
  /** Bytes in memory: a vector of 3 is as large as one of 4. */
  readonly size: number;
}

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
  return Object.values(SCALARS).some(({ accepts }) => accepts.includes(name) && accepts.includes(held));
}

/** Whether a typed array's elements may represent `scalar`: raw bytes always may, and integers of the same width. */
export function arrayHolds(arrayName: string, scalar: ScalarTypeName): boolean {
  return arrayName === 'Uint8Array' || SCALARS[scalar].accepts.includes(arrayName);
}

/** The bytes of a value argument for clSetKernelArg. */
export function encodeValue(type: ValueType, components: readonly (number | bigint)[]): Uint8Array {
  const bytes = new Uint8Array(type.size);
  const view = new DataView(bytes.buffer);
  const { bytes: step, array, set } = SCALARS[type.scalar];
  const convert = isBigArray(array) ? BigInt : Number;
  for (let i = 0; i < components.length; i++) set(view, i * step, convert(components[i]!));
  return bytes;
}
