// SPDX-License-Identifier: MIT
//
// The host memory of transfers, which crosses to the addon beside the words.
import type { Command } from '../command';
import { stableSource, stableTarget } from '../host-memory';

export interface HostMemory {
  readonly view: ArrayBufferView;
  /** The second host memory of a copy between two. */
  readonly second?: ArrayBufferView | undefined;
  /** Copies the data from staging memory to their destination, if the command used staging memory. */
  readonly settle?: (() => void) | undefined;
}

/** The host memory that a command reads or writes; undefined if none. */
export function hostMemoryOf(command: Command): HostMemory | undefined {
  switch (command.op) {
    case 'readBuffer':
    case 'readBufferRect':
    case 'readImage':
      return targetOf(command.into);
    case 'writeBuffer':
    case 'writeBufferRect':
    case 'writeImage':
      return { view: stableSource(command.from) };
    case 'svmMemcpy': {
      const source = ArrayBuffer.isView(command.from) ? stableSource(command.from) : undefined;
      if (!ArrayBuffer.isView(command.to)) return source && { view: source };
      return { ...targetOf(command.to), second: source };
    }
    default:
      return undefined;
  }
}

function targetOf(view: ArrayBufferView): HostMemory {
  const { target, settle } = stableTarget(view);
  return { view: target, settle };
}
