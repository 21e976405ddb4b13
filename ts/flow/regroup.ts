// SPDX-License-Identifier: MIT
import { checkArguments } from '../api/checks/guard';
import type { TypedArray, TypedArrayConstructor } from '../api/data/typed-arrays';
import { describe } from '../api/errors/describe';
import * as kinds from './checks';

/** A source of data: an array, a generator, a stream of Node.js or of the web. */
export type Source<T> = AsyncIterable<T> | Iterable<T>;

/**
 * Cuts data that comes in pieces of any size, such as a file's, into arrays of `length` elements; the last one may be shorter. A
 * piece may end within an element, the data may not: that throws a RangeError.
 *
 * Where the next `length` elements are within one piece, the array is a view of that piece and not a copy: the source must not
 * change a piece afterwards. Streams of Node.js and of the web do not.
 */
export function regroup<T extends TypedArray>(
  source: Source<ArrayBufferView>,
  type: TypedArrayConstructor<T>,
  length: number,
): AsyncGenerator<T, void, undefined> {
  const checks = { source: kinds.source, type: kinds.arrayType, length: kinds.count };
  checkArguments('regroup', 'regroup', checks, [source, type, length]);
  return regroupInto(source, type, length, () => new Uint8Array(length * type.BYTES_PER_ELEMENT));
}

/**
 * The same. `take` returns the memory for an array that is put together from several pieces. It is not called before that array is
 * requested.
 */
export async function* regroupInto<T extends TypedArray>(
  source: Source<ArrayBufferView>,
  type: TypedArrayConstructor<T>,
  length: number,
  take: () => Uint8Array,
): AsyncGenerator<T, void, undefined> {
  const size = type.BYTES_PER_ELEMENT;
  const whole = length * size;
  /** The array that is being filled from several pieces. */
  let bytes: Uint8Array | undefined;
  let filled = 0;
  for await (const piece of source) {
    const given = bytesOf(piece);
    for (let at = 0; at < given.length; ) {
      const start = given.byteOffset + at;
      if (filled === 0 && given.length - at >= whole && start % size === 0 && isPlain(given)) {
        yield new type(given.buffer as ArrayBuffer, start, length);
        at += whole;
        continue;
      }
      bytes ??= take();
      const count = Math.min(whole - filled, given.length - at);
      bytes.set(given.subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled < whole) continue;
      yield elements(bytes, type, length);
      bytes = undefined;
      filled = 0;
    }
  }
  if (filled % size !== 0)
    throw new RangeError(`the data ends within an element: ${filled % size} of ${size} bytes are left`);
  if (bytes && filled > 0) yield elements(bytes, type, filled / size);
}

function bytesOf(piece: ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  const hint = typeof piece === 'string' ? ': read the stream without an encoding' : '';
  throw new TypeError(`the source must give typed arrays or bytes, not ${describe(piece)}${hint}`);
}

/** Views need memory that stays as it is: other threads may write to shared memory, and resizable memory may shrink. */
const isPlain = ({ buffer }: Uint8Array): boolean =>
  buffer[Symbol.toStringTag] === 'ArrayBuffer' && !(buffer as { resizable?: boolean }).resizable;

const elements = <T extends TypedArray>(
  bytes: Uint8Array,
  type: TypedArrayConstructor<T>,
  length: number,
): T => new type(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
