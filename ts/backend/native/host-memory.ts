// SPDX-License-Identifier: MIT
//
// Host memory as drivers want it: in one place until the command is done.

/** An ArrayBuffer that a script may shrink while a command uses it. */
const mayShrink = (buffer: ArrayBufferLike): boolean =>
  (buffer as { readonly resizable?: boolean }).resizable === true;

/** The view itself, or a copy of what it shows if that could move or vanish before the command runs. */
export function steadySource(view: ArrayBufferView): ArrayBufferView {
  return mayShrink(view.buffer) ? bytesOf(view).slice() : view;
}

/** Where a command may write, and what then brings it to `view`; nothing to do where that is the same. */
export function steadyTarget(view: ArrayBufferView): { target: ArrayBufferView; settle?: () => void } {
  if (!mayShrink(view.buffer)) return { target: view };
  const staging = new Uint8Array(view.byteLength);
  return {
    target: staging,
    settle: () => {
      const now = bytesOf(view);
      now.set(staging.subarray(0, now.length));
    },
  };
}

export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
