// SPDX-License-Identifier: MIT
//
// printf's arguments against its format (OpenCL C, 6.15.14), for checked runs: of modules of any compiler.
import { isFloat } from '../ir/types';
import type { TypeInfo } from './types';

interface Conversion {
  readonly text: string;
  readonly letter: string;
  readonly length: string;
  readonly components: number;
}

const CONVERSION = /%(?:%|[-+ #0]*(\*|\d+)?(?:\.(\*|\d+)?)?(?:v(\d+))?(hh|hl|h|ll|l|z|t|j|L)?([a-zA-Z]))/g;
const INTEGERS = 'diouxXc';
const FLOATS = 'fFeEgGaA';
/** Bytes of a vector's integers by the length; those of scalars are int or long. */
const VECTOR_BYTES: Readonly<Record<string, number>> = { hh: 1, h: 2, hl: 4, l: 8 };

function conversionsOf(format: string): Conversion[] {
  const found: Conversion[] = [];
  for (const [text, width, precision, vector, length = '', letter] of format.matchAll(CONVERSION)) {
    for (const star of [width, precision])
      if (star === '*') found.push({ text: '*', letter: 'd', length: '', components: 1 });
    if (letter) found.push({ text, letter, length, components: vector ? Number(vector) : 1 });
  }
  return found;
}

/** What is wrong; undefined if nothing is. */
export function formatProblem(format: string, types: readonly TypeInfo[]): string | undefined {
  const conversions = conversionsOf(format);
  if (types.length < conversions.length)
    return `the format has ${conversions.length} conversions, the call ${types.length} arguments`;
  for (const [at, conversion] of conversions.entries()) {
    const problem = mismatch(conversion, types[at]!);
    if (problem) return `'${conversion.text}' is given ${problem} (argument ${at + 1})`;
  }
  return undefined;
}

function mismatch({ letter, length, components }: Conversion, type: TypeInfo): string | undefined {
  const isPointer = type.kind === 'pointer';
  if (letter === 's' || letter === 'p') return isPointer ? undefined : nameOf(type);
  if (isPointer || type.width !== components) return nameOf(type);
  const scalar = type.kind === 'vector' ? type.element! : type;
  const given = isFloat(scalar.scalar) ? 'float' : 'integer';
  if (FLOATS.includes(letter)) return given === 'float' ? undefined : nameOf(type);
  if (!INTEGERS.includes(letter)) return undefined;
  if (given === 'float') return nameOf(type);
  if (components > 1) return (VECTOR_BYTES[length] ?? scalar.size) === scalar.size ? undefined : nameOf(type);
  // size_t and ptrdiff_t have the bits of the module's pointers, of which it may have two kinds.
  if (POINTER_SIZED.has(length)) return undefined;
  // Narrower ones are promoted.
  return isLong(length) === (scalar.size === 8) ? undefined : nameOf(type);
}

const POINTER_SIZED: ReadonlySet<string> = new Set(['z', 't']);
const isLong = (length: string) => length.startsWith('l') || length === 'j';

function nameOf(type: TypeInfo): string {
  if (type.kind === 'pointer') return 'a pointer';
  if (type.kind === 'vector') return `a vector of ${type.width} times ${nameOf(type.element!)}`;
  return `${isFloat(type.scalar) ? 'a float' : 'an integer'} of ${type.size * 8} bits`;
}
