// SPDX-License-Identifier: MIT
//
// What a script probably means by a wrong argument. The message ends with it.
import { classNamed, isInstance } from './classes';

type Hint = (value: unknown) => string | undefined;

const isOf = (name: Parameters<typeof classNamed>[0], value: unknown): boolean => {
  const type = classNamed(name);
  return type !== undefined && isInstance(type, value);
};

const isArrayBuffer = (value: unknown): boolean =>
  value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer);

const deviceOption =
  (name: string): Hint =>
  (value) => {
    if (typeof value === 'string' && value.length <= 40)
      return `${name}({ device: '${value}' }) chooses a device`;
    if (isOf('Device', value)) return `${name}({ device }) takes a device`;
    return undefined;
  };

const source: Hint = (value) =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')
    ? "join the strings: source.join('\\n')"
    : undefined;

const buildOptions: Hint = (value) =>
  typeof value === 'object'
    ? "they are those of a compiler, as in '-D N=4 -cl-fast-relaxed-math'"
    : undefined;

const bufferData: Hint = (value) => {
  if (Array.isArray(value)) return 'make a typed array of it, such as Float32Array.from(array)';
  if (isArrayBuffer(value)) return 'make a view of it, such as new Uint8Array(data)';
  if (typeof value === 'string') return 'the class is not a string: buffer(Float32Array, length)';
  return undefined;
};

const bufferLength: Hint = (value) =>
  Array.isArray(value) ? 'data is given alone: buffer(Float32Array.from(array))' : undefined;

const readOptions: Hint = (value) => {
  if (typeof value === 'number') return `{ length: ${value} } reads that many elements`;
  if (ArrayBuffer.isView(value)) return '{ into: array } reads into it';
  return undefined;
};

const range: Hint = (value) => {
  if (typeof value === 'number') return `the range is { global: ${value} }`;
  if (Array.isArray(value)) return `the range is { global: [${value.map(String).join(', ').slice(0, 40)}] }`;
  if (isOf('MemoryObject', value)) return 'the range comes before the arguments: run({ global: n }, buffer)';
  return undefined;
};

const HINTS: Readonly<Record<string, Hint>> = {
  'open.options': deviceOption('open'),
  'openSync.options': deviceOption('openSync'),
  'Session.build.source': source,
  'Session.buildSync.source': source,
  'Session.build.options': buildOptions,
  'Session.buildSync.options': buildOptions,
  'Session.buffer.what': bufferData,
  'Session.buffer.lengthOrOptions': bufferLength,
  'Context.createBuffer.what': bufferData,
  'Context.createBuffer.lengthOrOptions': bufferLength,
  'Buffer.read.options': readOptions,
  'Buffer.readSync.options': readOptions,
  'Kernel.run.options': range,
  'Kernel.runSync.options': range,
};

/** With the mark that separates it from the message; empty if there is none. */
export function hintFor(method: string, parameter: string, value: unknown): string {
  const hint = value instanceof Promise ? `await the ${parameter}` : HINTS[`${method}.${parameter}`]?.(value);
  return hint === undefined ? '' : `; ${hint}`;
}
