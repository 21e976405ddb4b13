// SPDX-License-Identifier: MIT
//
// Host memory of commands: drivers want it in one place until they are done, and a script may move or shrink it.

/** An ArrayBuffer that a script may shrink while a command uses it. */
const mayShrink = (buffer: ArrayBufferLike): boolean =>
  (buffer as { readonly resizable?: boolean }).resizable === true;

/** The view itself, or a copy of its bytes if they could move or be freed before the command runs. */
export function stableSource(view: ArrayBufferView): ArrayBufferView {
  return mayShrink(view.buffer) ? bytesOf(view).slice() : view;
}

/**
 * The memory that a command may write to, and a function that then copies it to `view`, if that is different
 * memory.
 */
export function stableTarget(view: ArrayBufferView): { target: ArrayBufferView; settle?: () => void } {
  if (!mayShrink(view.buffer)) return { target: view };
  const staging = new Uint8Array(view.byteLength);
  return {
    target: staging,
    settle: () => putInto(view, staging),
  };
}

/** Copies to a view's bytes from byte `at` on: at most as many as it still has. */
export function putInto(view: ArrayBufferView, bytes: Uint8Array, at = 0): void {
  const room = byteLengthNow(view) - at;
  if (room > 0) bytesOf(view).set(bytes.subarray(0, room), at);
}

/** The current bytes of the view; 0 if its memory was moved to another owner. */
export function byteLengthNow(view: ArrayBufferView): number {
  try {
    return view.byteLength;
  } catch {
    // A DataView without memory throws.
    return 0;
  }
}

/** Whether the view has still all the bytes that it has now; the API reports to the script if it has not. */
export function intact(view: ArrayBufferView): () => boolean {
  const size = view.byteLength;
  return () => byteLengthNow(view) >= size;
}

export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
