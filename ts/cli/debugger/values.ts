// SPDX-License-Identifier: MIT
//
// Values of the program as a debugger shows them: of a type of the source, in memory or as scalars.
import { halfBits, halfValue } from '../../base/half';
import type { DebugPlace } from '../../jit/debug/debug-item';
import type { DebugType } from '../../jit/debug/types';

export interface DebugValue {
  readonly type: DebugType;
  readonly place: DebugPlace;
}

/** The device's memory, and how much of an object follows an address. */
export interface MemoryView {
  readonly memory: DataView;
  bytesFrom(address: number): number | undefined;
}

export type Scalar = number | bigint;

/** The number of scalars in a value. */
function widthOf(type: DebugType): number {
  if (type.kind === 'vector' || type.kind === 'array') return type.count * widthOf(type.element);
  if (type.kind === 'struct') return type.members.reduce((sum, member) => sum + widthOf(member.type), 0);
  return 1;
}

/** A part of a value: an element or a member. */
function part({ place }: DebugValue, type: DebugType, offset: number, scalar: number): DebugValue {
  if ('address' in place) return { type, place: { address: place.address + offset } };
  return { type, place: { values: place.values.slice(scalar, scalar + widthOf(type)) } };
}

export interface NamedValue {
  readonly name: string;
  readonly value: DebugValue;
}

/** Elements of buffers that are shown at once. */
const MOST_ELEMENTS = 1000;

/** The parts of a value, with their names; a pointer's are what it points to. */
export function childrenOf(value: DebugValue, memory: MemoryView): NamedValue[] {
  const { type } = value;
  if (type.kind === 'struct') return type.members.map(({ name }) => ({ name, value: member(value, name)! }));
  let count = type.kind === 'vector' || type.kind === 'array' ? type.count : 0;
  if (type.kind === 'pointer' && type.to && type.to.size > 0) {
    const bytes = memory.bytesFrom(Number(scalarOf(value, memory)));
    count = bytes === undefined ? 1 : Math.floor(bytes / type.to.size);
  }
  const list: NamedValue[] = [];
  for (let at = 0; at < Math.min(count, MOST_ELEMENTS); at++) {
    const found = element(value, at, memory);
    if (found) list.push({ name: `[${at}]`, value: found });
  }
  return list;
}

export function element(value: DebugValue, index: number, memory: MemoryView): DebugValue | undefined {
  const { type } = value;
  if (type.kind === 'pointer') {
    const address = Number(scalarOf(value, memory)) >>> 0;
    if (!type.to || address === 0) return undefined;
    const place = { address: address + index * type.to.size };
    return isOutside(address, index * type.to.size, type.to.size, memory)
      ? undefined
      : { type: type.to, place };
  }
  if ((type.kind !== 'vector' && type.kind !== 'array') || index < 0 || index >= type.count) return undefined;
  return part(value, type.element, index * type.element.size, index * widthOf(type.element));
}

/** Whether an element is not in the object that a pointer points into, as far as that is known. */
function isOutside(address: number, offset: number, size: number, memory: MemoryView): boolean {
  const bytes = memory.bytesFrom(address);
  if (bytes === undefined) return false;
  return offset + size > bytes || memory.bytesFrom(address + offset) !== bytes - offset;
}

const COMPONENTS = 'xyzw';

/** Several components of a vector: `xy`, `s01`, `hi`, `even`. */
export function components(value: DebugValue, name: string, memory: MemoryView): DebugValue | undefined {
  const { type } = value;
  const places = type.kind === 'vector' ? placesOf(name, type.count) : [];
  if (type.kind !== 'vector' || places.length === 0) return undefined;
  const values: Scalar[] = [];
  for (const at of places) {
    const found = element(value, at, memory);
    const scalar = found && scalarOf(found, memory);
    if (scalar === undefined) return undefined;
    values.push(scalar);
  }
  const { element: scalarType } = type;
  const count = places.length;
  const shape = {
    kind: 'vector',
    name: `${scalarType.name}${count}`,
    size: scalarType.size * count,
  } as const;
  return { type: { ...shape, element: scalarType, count }, place: { values } };
}

function placesOf(name: string, count: number): number[] {
  const all = Array.from({ length: count === 3 ? 4 : count }, (_, at) => at);
  const half = all.length / 2;
  const halves: Readonly<Record<string, (at: number) => boolean>> = {
    lo: (at) => at < half,
    hi: (at) => at >= half,
    even: (at) => at % 2 === 0,
    odd: (at) => at % 2 === 1,
  };
  const named = Object.hasOwn(halves, name)
    ? all.filter((at) => halves[name]!(at))
    : /^s[\da-fA-F]+$/.test(name)
      ? [...name.slice(1)].map((digit) => Number.parseInt(digit, 16))
      : [...name].map((letter) => COMPONENTS.indexOf(letter));
  // The fourth component of three exists only in `hi` and `odd`, where it has no value.
  const places = named.filter((at) => at < count);
  return places.every((at) => at >= 0) && (places.length === named.length || count === 3) ? places : [];
}

export function member(value: DebugValue, name: string): DebugValue | undefined {
  const { type } = value;
  if (type.kind === 'vector') {
    const at = /^s[\da-fA-F]$/.test(name) ? Number.parseInt(name[1]!, 16) : COMPONENTS.indexOf(name);
    if (at < 0 || at >= type.count || (name.length !== 1 && name[0] !== 's')) return undefined;
    return part(value, type.element, at * type.element.size, at);
  }
  if (type.kind !== 'struct') return undefined;
  let scalar = 0;
  for (const each of type.members) {
    if (each.name === name) return part(value, each.type, each.offset, scalar);
    scalar += widthOf(each.type);
  }
  return undefined;
}

/** A scalar's or pointer's value; undefined for other types, and outside of the memory. */
export function scalarOf({ type, place }: DebugValue, { memory }: MemoryView): Scalar | undefined {
  if (type.kind !== 'scalar' && type.kind !== 'pointer') return undefined;
  const as = type.kind === 'pointer' ? 'uint' : type.as;
  if ('values' in place) return signed(place.values[0]!, as, type.size);
  const { address } = place;
  if (address + type.size > memory.byteLength) return undefined;
  if (type.kind === 'pointer') return memory.getUint32(address, true);
  if (as === 'float') {
    if (type.size === 2) return halfValue(memory.getUint16(address, true));
    return type.size === 8 ? memory.getFloat64(address, true) : memory.getFloat32(address, true);
  }
  const raw =
    type.size === 8
      ? memory.getBigInt64(address, true)
      : type.size === 4
        ? memory.getInt32(address, true)
        : type.size === 2
          ? memory.getInt16(address, true)
          : memory.getInt8(address);
  return signed(raw, as, type.size);
}

/** Why a value cannot be set. */
class NotSettable extends Error {}

/** Writes a scalar to where it is in memory; returns where. */
export function assign({ type, place }: DebugValue, to: Scalar, { memory }: MemoryView): number {
  if (type.kind !== 'scalar')
    throw new NotSettable(`only numbers can be set, not values of type '${type.name}'`);
  if ('values' in place)
    throw new NotSettable(
      'it is not in memory: elements of buffers and arrays, members, and variables whose address is taken can be set',
    );
  const { address } = place;
  if (address + type.size > memory.byteLength) throw new NotSettable('it is outside of the memory');
  if (type.as === 'float') {
    if (type.size === 2) memory.setUint16(address, halfBits(Number(to)), true);
    else if (type.size === 4) memory.setFloat32(address, Number(to), true);
    else memory.setFloat64(address, Number(to), true);
    return address;
  }
  if (typeof to === 'number' && !Number.isFinite(to))
    throw new NotSettable(`${to} is not a value of '${type.name}'`);
  const bits =
    type.as === 'bool' ? BigInt(Boolean(to)) : BigInt(typeof to === 'number' ? Math.trunc(to) : to);
  if (type.size === 8) memory.setBigInt64(address, BigInt.asIntN(64, bits), true);
  else if (type.size === 4) memory.setInt32(address, Number(BigInt.asIntN(32, bits)), true);
  else if (type.size === 2) memory.setInt16(address, Number(BigInt.asIntN(16, bits)), true);
  else memory.setInt8(address, Number(BigInt.asIntN(8, bits)));
  return address;
}

function signed(value: Scalar, as: 'int' | 'uint' | 'float' | 'bool', size: number): Scalar {
  if (as === 'float') return value;
  if (typeof value === 'bigint') return as === 'uint' ? BigInt.asUintN(64, value) : value;
  const bits = Math.min(size * 8, 32);
  if (as !== 'uint') return value;
  return bits === 32 ? value >>> 0 : value & ((1 << bits) - 1);
}

/** Parts of a value that are shown in one line. */
const SHORT = 8;

export function textOf(value: DebugValue, memory: MemoryView): string {
  const { type } = value;
  if (type.kind === 'scalar') return scalarText(value, memory);
  if (type.kind === 'pointer') {
    const address = Number(scalarOf(value, memory) ?? 0);
    return address === 0 ? 'null' : `0x${address.toString(16)}`;
  }
  if (type.kind === 'opaque') return `<${type.name}>`;
  const children = childrenOf(value, memory);
  const shown = children.slice(0, SHORT).map(({ name, value: child }) => {
    const text = textOf(child, memory);
    return type.kind === 'struct' ? `${name} = ${text}` : text;
  });
  return `{${[...shown, ...(children.length > SHORT ? ['…'] : [])].join(', ')}}`;
}

function scalarText(value: DebugValue, memory: MemoryView): string {
  const scalar = scalarOf(value, memory);
  if (scalar === undefined) return '<outside of the memory>';
  if (value.type.kind !== 'scalar') return String(scalar);
  if (value.type.as === 'bool') return scalar ? 'true' : 'false';
  // As many digits as tell floats apart.
  if (value.type.as !== 'float' || value.type.size === 8) return String(scalar);
  return String(Number(Number(scalar).toPrecision(value.type.size === 2 ? 5 : 9)));
}
