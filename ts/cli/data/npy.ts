// SPDX-License-Identifier: MIT
//
// NumPy's .npy files, format 1.0: a header that is a Python dictionary, then the elements in C order.
import { inputError } from '../exit';

export interface NpyArray {
  /** NumPy's type, such as `<f4`, byte order included. */
  readonly descr: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

export const isNpy = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

export function decodeNpy(bytes: Uint8Array, name: string): NpyArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6]! >= 2;
  const start = wide ? 12 : 10;
  if (bytes.byteLength < start) throw inputError(`'${name}' is a truncated .npy file`);
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + length));
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1];
  if (descr === undefined || shape === undefined)
    throw inputError(`'${name}' has a .npy header that cannot be read`);
  if (/'fortran_order'\s*:\s*True/.test(header))
    throw inputError(`'${name}' is in Fortran order; save it in C order`);
  if (descr.startsWith('>')) throw inputError(`'${name}' is big endian; save it as little endian`);
  const sizes = shape.split(',').map((n) => n.trim());
  return { descr, shape: sizes.filter(Boolean).map(Number), data: bytes.subarray(start + length) };
}

export function encodeNpy(array: NpyArray): Uint8Array {
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(', ');
  const text = `{'descr': '${array.descr}', 'fortran_order': False, 'shape': (${shape}), }`;
  // Elements start at a multiple of 64; the header ends in a line feed.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const out = new Uint8Array(10 + length + array.data.byteLength);
  out.set([...MAGIC, 1, 0, length & 255, length >> 8]);
  out.set(new TextEncoder().encode(`${text.padEnd(length - 1)}\n`), 10);
  out.set(array.data, 10 + length);
  return out;
}
