// SPDX-License-Identifier: MIT
import type { RecordableCommand } from '../../command';
import { RefCounted } from '../ref-counted';

/** Keeps the memory that a recorded command uses, as command buffers do until they are released. Returns what lets go of it. */
export function retainOperands(command: RecordableCommand): () => void {
  const objects = Object.values(command).filter((operand: unknown) => operand instanceof RefCounted);
  for (const object of objects) object.retain();
  return () => {
    for (const object of objects) object.release();
  };
}
