// SPDX-License-Identifier: MIT
//
// The elements of buffers as numbers: made before a run, shown after it. It knows no files: the playground has it too.

import type { ValueType } from '../../api/data/element-types';
import { SCALARS, type ScalarTypeName } from '../../api/data/scalars';
import type { TypedArray } from '../../api/data/typed-arrays';
import { halfBits, halfValue } from '../../base/half';
import { inputError } from '../exit';
import type { Contents } from '../run/argument-spec';

/** Any typed array, with elements of either type. */
type Numeric = TypedArray & { [index: number]: number | bigint };

/** A typed array of this element type over bytes; halves are their bits. */
export function elements(type: ScalarTypeName, bytes: Uint8Array): Numeric {
  const array = type === 'half' ? Uint16Array : SCALARS[type].array;
  const count = Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
  return new array(bytes.buffer, bytes.byteOffset, count);
}

/** As many zeros. More bytes than the engine can give are an error of the input, which names `what` they are for. */
export function zeros(bytes: number, what: string): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw inputError(`there is no memory for the ${bytes} bytes of ${what}`);
  }
}

/** The same sequence in every run, on every machine: xorshift32. */
function randomSource(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** A number as an element of this type. */
function asElement(type: ScalarTypeName, value: number | bigint): number | bigint {
  if (type === 'long' || type === 'ulong') return BigInt(value);
  return type === 'half' ? halfBits(Number(value)) : Number(value);
}

/** `random` is floats from 0 to 1, or integers of the whole range. */
export function fill(
  type: ScalarTypeName,
  bytes: Uint8Array,
  contents: Exclude<Contents, { from: 'file' }>,
): void {
  if (contents.from === 'zero') return;
  const target = elements(type, bytes);
  if (contents.from === 'range') {
    const { start, step } = contents;
    for (let i = 0; i < target.length; i++) target[i] = asElement(type, start + i * step);
    return;
  }
  if (contents.from === 'fill' || contents.from === 'list') {
    const values = contents.values.map((value) => asElement(type, value));
    for (let i = 0; i < target.length; i++) target[i] = values[i % values.length]!;
    return;
  }
  const random = randomSource();
  const big = type === 'long' || type === 'ulong';
  const floating = SCALARS[type].domain === 'float';
  for (let i = 0; i < target.length; i++) {
    if (big) target[i] = (BigInt(random()) << 32n) | BigInt(random());
    else if (floating) target[i] = type === 'half' ? halfBits(random() / 2 ** 32) : random() / 2 ** 32;
    else target[i] = random();
  }
}

/** Elements as JSON, vectors as arrays; values that JSON has no number for are strings. */
export function elementValues(bytes: Uint8Array, type: ValueType): readonly unknown[] {
  const source = elements(type.scalar, bytes);
  const step = type.size / SCALARS[type.scalar].bytes;
  const value = (i: number): number | string => {
    const element = type.scalar === 'half' ? halfValue(source[i] as number) : source[i]!;
    const number = Number(element);
    const isExact = typeof element !== 'bigint' || Number.isSafeInteger(number);
    return Number.isFinite(number) && isExact ? number : String(element);
  };
  return Array.from({ length: source.length / step }, (_, item) =>
    type.components === 1
      ? value(item)
      : Array.from({ length: type.components }, (_, c) => value(item * step + c)),
  );
}

/** Elements as text, vectors in parentheses, at most sixteen columns per line. */
export function formatElements(bytes: Uint8Array, type: ValueType): string {
  const source = elements(type.scalar, bytes);
  const step = type.size / SCALARS[type.scalar].bytes;
  const text = (i: number): string =>
    type.scalar === 'half'
      ? String(halfValue(source[i] as number))
      : type.scalar === 'float'
        ? String(Number((source[i] as number).toPrecision(9)))
        : String(source[i]);
  const items: string[] = [];
  for (let i = 0; i < source.length; i += step) {
    const components = Array.from({ length: type.components }, (_, c) => text(i + c));
    items.push(type.components === 1 ? components[0]! : `(${components.join(', ')})`);
  }
  const columns = type.components === 1 ? 8 : 2;
  const lines: string[] = [];
  for (let i = 0; i < items.length; i += columns) lines.push(items.slice(i, i + columns).join(' '));
  return lines.join('\n');
}
