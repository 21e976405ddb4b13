// SPDX-License-Identifier: MIT
//
// The predefined type names. They are typedefs, not keywords: a program may declare them again or hide them (`typedef unsigned
// int uint;`).
import type { LanguageOptions } from './language';
import {
  atomicOf,
  MOTION_ESTIMATION_TYPES,
  opaqueOf,
  type QualType,
  type ScalarKind,
  scalarOf,
  type Type,
  type VectorType,
  vectorOf,
} from './types';

/** The element types of vectors, and how many elements there may be. */
export const ELEMENTS: readonly ScalarKind[] = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'half',
  'float',
  'double',
];
export const COUNTS: readonly VectorType['count'][] = [2, 3, 4, 8, 16];

/** `float4`; undefined for other names. Derived from the name: a table would have 55 entries, and a program uses few. */
function vectorType(name: string): Type | undefined {
  const letters = name.search(/\d/);
  if (letters < 0) return undefined;
  const element = ELEMENTS.find((kind) => kind === name.slice(0, letters));
  const count = COUNTS.find((number) => String(number) === name.slice(letters));
  return element === undefined || count === undefined ? undefined : vectorOf(element, count);
}

interface Predefined {
  readonly type: Type;
  /** The first version that has it. */
  readonly since: number;
  /** The extension that provides it. */
  readonly extension?: string;
}

function makeTable(addressBits: 32 | 64): ReadonlyMap<string, Predefined> {
  const table = new Map<string, Predefined>();
  const add = (name: string, type: Type, since = 100) => table.set(name, { type, since });
  const sized = scalarOf(addressBits === 64 ? 'ulong' : 'uint');
  const signed = scalarOf(addressBits === 64 ? 'long' : 'int');
  for (const name of ['uchar', 'ushort', 'uint', 'ulong'] as const) add(name, scalarOf(name));
  add('size_t', sized);
  add('uintptr_t', sized);
  add('ptrdiff_t', signed);
  add('intptr_t', signed);
  add('cl_mem_fence_flags', scalarOf('uint'));
  for (const name of ['sampler_t', 'event_t'] as const) add(name, opaqueOf(name));
  for (const name of ['queue_t', 'clk_event_t', 'reserve_id_t', 'ndrange_t'] as const) {
    add(name, opaqueOf(name), 200);
  }
  for (const name of ['memory_order', 'memory_scope', 'kernel_enqueue_flags_t', 'clk_profiling_info']) {
    add(name, scalarOf('int'), 200);
  }
  for (const name of ['int', 'uint', 'long', 'ulong', 'half', 'float', 'double'] as const) {
    add(`atomic_${name}`, atomicOf(scalarOf(name)), 200);
  }
  add('atomic_flag', atomicOf(scalarOf('int')), 200);
  for (const name of ['size_t', 'uintptr_t']) add(`atomic_${name}`, atomicOf(sized), 200);
  for (const name of ['ptrdiff_t', 'intptr_t']) add(`atomic_${name}`, atomicOf(signed), 200);
  for (const part of MOTION_ESTIMATION_TYPES) {
    const name = `intel_sub_group_avc_${part}_t` as const;
    table.set(name, {
      type: opaqueOf(name),
      since: 100,
      extension: 'cl_intel_device_side_avc_motion_estimation',
    });
  }
  return table;
}

const tables: { 32?: ReadonlyMap<string, Predefined>; 64?: ReadonlyMap<string, Predefined> } = {};

function table(language: LanguageOptions): ReadonlyMap<string, Predefined> {
  const bits = language.addressBits;
  let found = tables[bits];
  if (!found) {
    found = makeTable(bits);
    tables[bits] = found;
  }
  return found;
}

/** The features of OpenCL C 3.0 that have these types. */
const FEATURES: Readonly<Record<string, string | undefined>> = {
  queue_t: '__opencl_c_device_enqueue',
  clk_event_t: '__opencl_c_device_enqueue',
  ndrange_t: '__opencl_c_device_enqueue',
  reserve_id_t: '__opencl_c_pipes',
};

/** The predefined type of a name; undefined if this language has no such type. */
export function predefinedType(name: string, language: LanguageOptions): Type | undefined {
  const vector = vectorType(name);
  if (vector !== undefined) return vector;
  const found = table(language).get(name);
  if (found?.extension !== undefined && !language.features.has(found.extension)) return undefined;
  if (found === undefined || found.since > language.version) return undefined;
  const feature = language.version >= 300 ? FEATURES[name] : undefined;
  return feature === undefined || language.features.has(feature) ? found.type : undefined;
}

/** All names that `predefinedType` knows in this language, for editors. */
export function predefinedTypeNames(language: LanguageOptions): readonly string[] {
  const vectors = ELEMENTS.flatMap((element) => COUNTS.map((count) => `${element}${count}`));
  return [...vectors, ...table(language).keys()].filter(
    (name) => predefinedType(name, language) !== undefined,
  );
}

const plain = (type: Type): QualType => ({
  type,
  const: false,
  volatile: false,
  restrict: false,
  space: 'private',
});

/** A qualified type without qualifiers, in private memory. */
export const unqualified = plain;
