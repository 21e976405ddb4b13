// SPDX-License-Identifier: MIT
//
// What a new buffer is made of: an array, a class with a length, or a number of bytes.
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { describe } from '../errors/describe';
import { checkView } from './transfers';
import type { TypedArray, TypedArrayConstructor } from './typed-arrays';

export interface BufferContents {
  readonly data: TypedArray | undefined;
  readonly type: TypedArrayConstructor;
  /** Bytes. */
  readonly size: number;
}

/** The contents of a new buffer: an array, a class and a length, or a number of bytes. */
export function bufferContents(
  what: TypedArray | TypedArrayConstructor | number,
  length: unknown,
  functionName: string,
): BufferContents {
  let data: TypedArray | undefined;
  let type: TypedArrayConstructor;
  let size: number;
  if (ArrayBuffer.isView(what)) {
    checkView(what, functionName);
    data = what;
    type = elementType(what);
    size = what.byteLength;
  } else if (typeof what === 'number') {
    type = Uint8Array;
    size = what;
  } else if (typeof what === 'function' && what.BYTES_PER_ELEMENT > 0) {
    if (length === undefined)
      throw new OpenCLError(
        ErrorCode.INVALID_BUFFER_SIZE,
        functionName,
        `a buffer of the class ${what.name} needs a length, in elements`,
      );
    type = what;
    size = (length as number) * what.BYTES_PER_ELEMENT;
  } else {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `a buffer is made of a typed array, a typed array's class and a length, or a number of bytes, not of ${describe(what)}`,
    );
  }
  if (!Number.isSafeInteger(size) || size <= 0) {
    throw new OpenCLError(
      ErrorCode.INVALID_BUFFER_SIZE,
      functionName,
      `a buffer's size must be a whole number of at least 1, not ${size}`,
    );
  }
  return { data, type, size };
}

/** The class of a view's elements; Node's Buffer and DataView count as bytes. */
function elementType(view: ArrayBufferView): TypedArrayConstructor {
  // Bun's class DataView has the property too, but no DataView has it.
  const isTypedArray = 'BYTES_PER_ELEMENT' in view;
  return isTypedArray && !(view instanceof Uint8Array)
    ? (view.constructor as TypedArrayConstructor)
    : Uint8Array;
}
