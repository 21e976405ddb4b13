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
export function steadyTarget(view: ArrayBufferView): { target: ArrayBufferView; settle?: () => void } {
  if (!mayShrink(view.buffer)) return { target: view };
  const staging = new Uint8Array(view.byteLength);
  return {
    target: staging,
    settle: () => putInto(view, staging),
  };
}

/** At most as many bytes as the view still has. */
export function putInto(view: ArrayBufferView, bytes: Uint8Array): void {
  const room = byteLengthNow(view);
  if (room > 0) bytesOf(view).set(bytes.subarray(0, room));
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

/** `copy`, unless the view has become shorter, which the API reports to the script. */
export function ifNotDetached(view: ArrayBufferView, copy: () => void): () => void {
  const size = view.byteLength;
  return () => {
    if (byteLengthNow(view) >= size) copy();
  };
}

export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
