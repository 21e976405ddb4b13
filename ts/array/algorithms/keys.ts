// SPDX-License-Identifier: MIT
//
// Keys of sorts: integers without sign that have the elements' order.

import { DTYPES, type DType, isFloat } from '../dtype';
import type { Node } from '../node';
import type { Task } from '../task';
import { allAxes, type KernelWriter } from '../writer';
import type { Accumulator } from './accumulators';
import { reduceNode } from './reduce';

/** How the keys of a type are sorted. */
export interface KeyCode {
  /** The integer type that has the order. */
  readonly dtype: DType;
  readonly encode: (value: string) => string;
  readonly decode: (key: string) => string;
}

export function keyCode(dtype: DType, descending: boolean): KeyCode {
  const { kind, bytes, value } = DTYPES[dtype];
  const wide = dtype === 'float16' ? 4 : bytes;
  const key = (['uint8', 'uint16', 'uint32', 'uint64'] as const)[Math.log2(wide)]!;
  const type = DTYPES[key].value;
  const flip = descending ? (text: string) => `(${type})~(${text})` : (text: string) => text;
  const sign = `((${type})1 << ${8 * wide - 1})`;
  if (kind === 'unsigned') return { dtype: key, encode: flip, decode: flip };
  if (kind === 'signed')
    return {
      dtype: key,
      encode: (text) => flip(`(${type})((${type})${text} ^ ${sign})`),
      decode: (text) => `(${value})(${flip(text)} ^ ${sign})`,
    };
  return {
    dtype: key,
    encode: (text) => flip(`ordered(${text})`),
    decode: (text) => `unordered(${flip(text)})`,
  };
}

/** Floats as integers of the same order; NaN comes last. */
export function declareOrder(writer: KernelWriter, dtype: DType): void {
  if (!isFloat(dtype)) return;
  const [float, type, top, nan] =
    dtype === 'float64'
      ? ['double', 'ulong', 63, '0xfff8000000000000ul']
      : ['float', 'uint', 31, '0xffc00000u'];
  writer.type(dtype);
  writer.helper(
    `${type} ordered(${float} value) {\n  const ${type} bits = as_${type}(value);\n  return value != value ? ${nan} : bits ^ (bits >> ${top} ? ~(${type})0 : (${type})1 << ${top});\n}`,
  );
  writer.helper(
    `${float} unordered(${type} key) {\n  return as_${float}(key ^ (key >> ${top} ? (${type})1 << ${top} : ~(${type})0));\n}`,
  );
}

/** Collects bits that are 1 in a key, and bits that are 0 in one: those that are both differ. */
function keyBits(dtype: DType, code: KeyCode): Accumulator {
  const { value: key, bytes } = DTYPES[code.dtype];
  return {
    name: 'key_bits',
    type: `${key}2`,
    bytes: 2 * bytes,
    initial: '0',
    declare: (writer) => {
      declareOrder(writer, dtype);
      writer.helper(`${key}2 both(${key} key) {\n  return (${key}2)(key, (${key})~key);\n}`);
    },
    take: (element) => `both(${code.encode(element)})`,
    combine: (a, b) => `${a} | ${b}`,
    finish: (sum) => `(${key})(${sum}.x & ${sum}.y)`,
  };
}

/** The bits in which keys differ: from `from` on, and not from `to` on. Reads them from the device. */
export function* differingBits(
  node: Node,
  code: KeyCode,
): Task<{ readonly from: number; readonly to: number }> {
  const found = yield* reduceNode(node, allAxes(node.shape), keyBits(node.dtype, code), code.dtype);
  try {
    const words = (yield* node.space.read(found, 0, 1)) as Uint16Array | Uint32Array | BigUint64Array;
    const text = words[0]!.toString(2);
    if (text === '0') return { from: 0, to: 0 };
    return { from: text.length - 1 - text.lastIndexOf('1'), to: text.length };
  } finally {
    found.release();
  }
}
