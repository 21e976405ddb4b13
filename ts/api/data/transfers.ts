// SPDX-License-Identifier: MIT
//
// What transfers between host and buffers are checked for before they reach a backend.

import type { RectLayout } from '../../backend/command';
import { byteLengthNow } from '../../backend/host-memory';
import { ErrorCode, MapFlags } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';

/** A box within two linear memories; absent pitches follow from the region. */
export interface Rect {
  /** [bytes, rows, slices] */
  readonly region: readonly [number, number, number];
  /** The first byte, row and slice in the buffer; default: zeros. */
  readonly bufferOrigin?: readonly [number, number, number];
  /** The same of the host’s array, or of the other buffer. */
  readonly hostOrigin?: readonly [number, number, number];
  /** Bytes from one row of the buffer to the next; default: those of the region. */
  readonly bufferRowPitch?: number;
  /** Bytes from one slice of the buffer to the next; default: those of the region. */
  readonly bufferSlicePitch?: number;
  /** Bytes from one row of the array to the next; default: those of the region. */
  readonly hostRowPitch?: number;
  /** Bytes from one slice of the array to the next; default: those of the region. */
  readonly hostSlicePitch?: number;
}

export function rectLayout(
  rect: Rect,
  bufferSize: number,
  hostSize: number,
  functionName: string,
): RectLayout {
  const { region } = rect;
  const origin = [0, 0, 0] as const;
  const bufferOrigin = rect.bufferOrigin ?? origin;
  const hostOrigin = rect.hostOrigin ?? origin;
  const counts = [...region, ...bufferOrigin, ...hostOrigin];
  if (!counts.every((n) => Number.isSafeInteger(n) && n >= 0) || region.some((n) => n === 0)) {
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, `region ${region.join(' × ')} is not a box`);
  }
  const side = (
    what: string,
    at: readonly [number, number, number],
    row: number,
    slice: number,
    size: number,
  ) => {
    const rowPitch = row || region[0];
    const slicePitch = slice || rowPitch * region[1];
    if (rowPitch < region[0] || slicePitch < rowPitch * region[1] || slicePitch % rowPitch !== 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `${what} pitches ${rowPitch} and ${slicePitch} do not hold the region`,
      );
    }
    const end = (at[2] + region[2] - 1) * slicePitch + (at[1] + region[1] - 1) * rowPitch + at[0] + region[0];
    if (end > size) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        functionName,
        `the region ends at byte ${end} of the ${what}'s ${size}`,
      );
    }
    return [rowPitch, slicePitch] as const;
  };
  const [bufferRowPitch, bufferSlicePitch] = side(
    'buffer',
    bufferOrigin,
    rect.bufferRowPitch ?? 0,
    rect.bufferSlicePitch ?? 0,
    bufferSize,
  );
  const [hostRowPitch, hostSlicePitch] = side(
    'host',
    hostOrigin,
    rect.hostRowPitch ?? 0,
    rect.hostSlicePitch ?? 0,
    hostSize,
  );
  return { region, bufferOrigin, hostOrigin, bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch };
}

/** Host memory must be a view of an ArrayBuffer that is not detached. */
export function checkView(view: ArrayBufferView, functionName: string): void {
  if (!ArrayBuffer.isView(view)) {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      'host memory must be a typed array, a Buffer or a DataView',
    );
  }
  if (byteLengthNow(view) === 0 && isGone(view))
    throw new OpenCLError(
      ErrorCode.INVALID_HOST_PTR,
      functionName,
      'the array has no memory any more: its ArrayBuffer was resized, or moved to another owner (transfer, postMessage)',
    );
}

/** Whether a view is empty because its buffer was detached, or resized to a size below the view's range. */
function isGone({ buffer }: ArrayBufferView): boolean {
  try {
    new Uint8Array(buffer);
    return (buffer as { readonly resizable?: boolean }).resizable === true;
  } catch {
    return true;
  }
}

/**
 * The result of a command over host memory: the array, unless a script has moved or shrunk its memory meanwhile.
 * Then the array does not show the transferred data.
 */
export function ifNotDetached<T extends ArrayBufferView>(
  view: T,
  use: string,
  functionName: string,
): () => T {
  const size = view.byteLength;
  return () => {
    if (byteLengthNow(view) >= size) return view;
    throw new OpenCLError(
      ErrorCode.INVALID_HOST_PTR,
      functionName,
      `the array's memory was moved or resized (transfer, postMessage, resize) while the command ${use}`,
    );
  };
}

/** The same for memory that a command reads. The command has a copy of resizable memory. */
export function ifSourceNotDetached(view: ArrayBufferView, functionName: string): (() => void) | undefined {
  if ((view.buffer as { readonly resizable?: boolean }).resizable) return undefined;
  return ifNotDetached(view, 'read from it', functionName);
}

/** The range `offset` … `offset + size` must be within the buffer, and must not be empty. */
export function checkSpan(
  offset: number,
  size: number,
  buffer: { readonly size: number },
  functionName: string,
): void {
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(size) || size < 0) {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `offset ${offset} and size ${size} must be whole and not negative`,
    );
  }
  if (offset > buffer.size)
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `the transfer begins at byte ${offset}, and the buffer has ${buffer.size}`,
    );
  if (size === 0)
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      'there is nothing to transfer: the size is 0',
    );
  if (offset + size > buffer.size) {
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `bytes ${offset} to ${offset + size} reach beyond the buffer's ${buffer.size}`,
    );
  }
}

/** The flags that the buffer was created with may forbid this use by the host. */
export function checkHostAccess(
  memory: { readonly flags: number },
  forbidden: number,
  use: string,
  functionName: string,
): void {
  if (memory.flags & forbidden) {
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      functionName,
      `this buffer's hostAccess does not let it be ${use}`,
    );
  }
}

/** The bytes of a pattern: 1, 2, 4 … 128 bytes, and the range is a multiple of them. */
export function patternBytes(
  pattern: ArrayBufferView,
  offset: number,
  size: number,
  functionName: string,
): Uint8Array {
  checkView(pattern, functionName);
  const step = pattern.byteLength;
  if (step < 1 || step > 128 || (step & (step - 1)) !== 0) {
    const detail = `a pattern has 1, 2, 4 … 128 bytes, not ${step}`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  if (offset % step !== 0 || size % step !== 0) {
    const detail = `offset ${offset} and size ${size} must be multiples of the pattern's ${step} bytes`;
    throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
  }
  return new Uint8Array(pattern.buffer, pattern.byteOffset, step);
}

/** What the host does with mapped memory; `write-invalidate` does not keep what was there. */
export type MapMode = 'read' | 'write' | 'read-write' | 'write-invalidate';

/** cl_map_flags of each mode. */
export const MAP_FLAGS: Readonly<Record<MapMode, number>> = {
  read: MapFlags.READ,
  write: MapFlags.WRITE,
  'read-write': MapFlags.READ | MapFlags.WRITE,
  'write-invalidate': MapFlags.WRITE_INVALIDATE_REGION,
};
