// SPDX-License-Identifier: MIT
//
// The inverse of info.ts: the bytes that a clGet…Info function answers, for the backends that are written in TypeScript.
import type { InfoKey, InfoTable, InfoType, InfoValues, Version } from './info-values';
import { UnknownInfoKeyError } from './opencl-error';

/** Values by the names of a table's keys; a function is called when its key is queried. */
export type InfoAnswers<T extends InfoTable> = {
  readonly [K in keyof T]?: InfoValues[T[K][1]] | (() => InfoValues[T[K][1]]);
};

/**
 * Answers one query.
 * @param functionName the OpenCL function that an unknown key is an error of.
 */
export function answerInfo<T extends InfoTable>(
  table: T,
  answers: InfoAnswers<T>,
  functionName: string,
  param: number,
): Uint8Array {
  for (const name in answers) {
    const [number, type]: InfoKey = table[name]!;
    if (number !== param) continue;
    const answer = answers[name] as InfoValues[InfoType] | (() => InfoValues[InfoType]);
    return encodeInfo(type, typeof answer === 'function' ? answer() : answer);
  }
  throw new UnknownInfoKeyError(functionName, param);
}

function encodeVersion({ major, minor, patch }: Version): number {
  return ((major << 22) | (minor << 12) | patch) >>> 0;
}

const utf8 = new TextEncoder();

/** Writes `count` fields of `width` bytes. */
function fields(
  count: number,
  width: number,
  write: (view: DataView, at: number, index: number) => void,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(count * width));
  for (let i = 0; i < count; i++) write(view, i * width, i);
  return new Uint8Array(view.buffer);
}

const words = (values: readonly number[]): Uint8Array =>
  fields(values.length, 4, (view, at, i) => view.setUint32(at, values[i]!, true));

const longs = (values: readonly (number | bigint)[]): Uint8Array =>
  fields(values.length, 8, (view, at, i) =>
    view.setBigUint64(at, BigInt.asUintN(64, BigInt(values[i]!)), true),
  );

/** How each type is written. */
const encoders: { readonly [T in InfoType]: (value: InfoValues[T]) => Uint8Array } = {
  int: (value) => words([value]),
  uint: (value) => words([value]),
  bool: (value) => words([value ? 1 : 0]),
  float: (value) => new Uint8Array(new Float32Array([value]).buffer),
  size: (value) => longs([value]),
  size_t: (value) => longs([value]),
  bitfield: (value) => longs([value]),
  ulong: (value) => longs([value]),
  pointer: (value) => longs([value]),
  handle: (value) => longs([value]),
  string: (value) => utf8.encode(`${value}\0`),
  strings: (value) => utf8.encode(value.map((text) => `${text}\0`).join('')),
  version: (value) => words([encodeVersion(value)]),
  versions: (value) => {
    const bytes = new Uint8Array(value.length * 68);
    value.forEach(({ name, version }, i) => {
      bytes.set(words([encodeVersion(version)]), i * 68);
      bytes.set(utf8.encode(name).subarray(0, 63), i * 68 + 4);
    });
    return bytes;
  },
  'uint[]': words,
  'size_t[]': longs,
  'bitfield[]': longs,
  'ulong[]': longs,
  'intptr[]': longs,
  'handle[]': longs,
  imageFormat: ({ order, type }) => words([order, type]),
  pci: ({ domain, bus, device, function: fn }) => words([domain, bus, device, fn]),
  dotProduct: (value) =>
    words(
      [
        value.signed,
        value.unsigned,
        value.mixedSignedness,
        value.accumulatingSaturatingSigned,
        value.accumulatingSaturatingUnsigned,
        value.accumulatingSaturatingMixedSignedness,
      ].map(Number),
    ),
  bytes: (value) => value,
};

export function encodeInfo<T extends InfoType>(type: T, value: InfoValues[T]): Uint8Array {
  return encoders[type](value);
}
