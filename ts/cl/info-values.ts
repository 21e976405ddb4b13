// SPDX-License-Identifier: MIT
//
// The values of clGet…Info: what each key's bytes mean. The keys are in info-keys.gen.ts.

/** A cl_name_version: an extension, a feature or the like with its version. */
export interface NameVersion {
  readonly name: string;
  readonly version: Version;
}

/** A cl_version, such as 3.0.17. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** cl_device_pci_bus_info_khr */
export interface PciBusInfo {
  readonly domain: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** cl_device_integer_dot_product_acceleration_properties */
export interface DotProductAcceleration {
  readonly signed: boolean;
  readonly unsigned: boolean;
  readonly mixedSignedness: boolean;
  readonly accumulatingSaturatingSigned: boolean;
  readonly accumulatingSaturatingUnsigned: boolean;
  readonly accumulatingSaturatingMixedSignedness: boolean;
}

/**
 * What a value of each type is in TypeScript. 64-bit sizes, capacities and bit fields (`size`, `bitfield`) stay below
 * 2^53 and are numbers; times, addresses and property lists are bigints. Handles are raw addresses: the API returns
 * objects for such keys.
 */
export interface InfoValues {
  int: number;
  uint: number;
  size: number;
  size_t: number;
  bitfield: number;
  float: number;
  ulong: bigint;
  pointer: bigint;
  handle: bigint;
  bool: boolean;
  string: string;
  /** An array of C strings (cl_khr_spirv_queries): the driver returns pointers, the API the strings. */
  strings: readonly string[];
  version: Version;
  versions: readonly NameVersion[];
  'uint[]': readonly number[];
  'size_t[]': readonly number[];
  'bitfield[]': readonly number[];
  'ulong[]': readonly bigint[];
  'intptr[]': readonly bigint[];
  'handle[]': readonly bigint[];
  imageFormat: { readonly order: number; readonly type: number };
  pci: PciBusInfo;
  dotProduct: DotProductAcceleration;
  bytes: Uint8Array;
}

export type InfoType = keyof InfoValues;

/** A key's number, the type of its value, and the version or extension that defines it. */
export type InfoKey = readonly [param: number, type: InfoType, since: string];
export type InfoTable = Readonly<Record<string, InfoKey>>;

/** The type of the value of key `K` of table `T`. */
export type InfoValue<T extends InfoTable, K extends keyof T> = InfoValues[T[K][1]];

const text = new TextDecoder();

const cString = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
};

const version = (v: number): Version => ({ major: v >>> 22, minor: (v >>> 12) & 0x3ff, patch: v & 0xfff });

/** A cl_name_version is a cl_version and 64 characters. */
const nameVersionBytes = 68;

const list = <V>(bytes: Uint8Array, width: number, read: (at: number) => V): V[] =>
  Array.from({ length: Math.floor(bytes.length / width) }, (_, i) => read(i * width));

/** Converts the bytes that a backend's `info` returned into a value of the key's type. */
export function decodeInfo<T extends InfoType>(type: T, bytes: Uint8Array): InfoValues[T] {
  return decode(type, bytes) as InfoValues[T];
}

function decode(type: InfoType, bytes: Uint8Array): InfoValues[InfoType] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const uint = (at: number) => view.getUint32(at, true);
  const ulong = (at: number) => view.getBigUint64(at, true);
  // Old drivers return 32 bits for some 64-bit keys.
  const wide = (): bigint => (bytes.length >= 8 ? ulong(0) : bytes.length >= 4 ? BigInt(uint(0)) : 0n);
  switch (type) {
    case 'string':
      return cString(bytes);
    case 'strings':
      return text.decode(bytes).split('\0').filter(Boolean);
    case 'bytes':
      return bytes;
    case 'bool':
      return bytes.length >= 4 ? uint(0) !== 0 : bytes[0] === 1;
    case 'int':
      return bytes.length >= 4 ? view.getInt32(0, true) : 0;
    case 'float':
      return bytes.length >= 4 ? view.getFloat32(0, true) : 0;
    case 'uint':
    case 'size':
    case 'size_t':
    case 'bitfield':
      return Number(wide());
    case 'ulong':
    case 'pointer':
    case 'handle':
      return wide();
    case 'version':
      return version(Number(wide()));
    case 'versions':
      return list(bytes, nameVersionBytes, (at) => ({
        name: cString(bytes.subarray(at + 4, at + nameVersionBytes)),
        version: version(uint(at)),
      }));
    case 'uint[]':
      return list(bytes, 4, uint);
    case 'size_t[]':
    case 'bitfield[]':
      return list(bytes, 8, (at) => Number(ulong(at)));
    case 'ulong[]':
    case 'handle[]':
      return list(bytes, 8, ulong);
    case 'intptr[]':
      return list(bytes, 8, (at) => view.getBigInt64(at, true));
    case 'imageFormat':
      return { order: uint(0), type: uint(4) };
    case 'pci':
      return { domain: uint(0), bus: uint(4), device: uint(8), function: uint(12) };
    case 'dotProduct':
      return {
        signed: uint(0) !== 0,
        unsigned: uint(4) !== 0,
        mixedSignedness: uint(8) !== 0,
        accumulatingSaturatingSigned: uint(12) !== 0,
        accumulatingSaturatingUnsigned: uint(16) !== 0,
        accumulatingSaturatingMixedSignedness: uint(20) !== 0,
      };
  }
}
