// SPDX-License-Identifier: MIT
//
// For functions that iterate over memory.
import { Op } from '../../../spirv/grammar.gen';
import type { Builder, Id } from './site';

/** Emits `body` for 0 ≤ i < count, with a value passed from one iteration to the next; returns the last one. */
export function loop(b: Builder, count: Id, initial: Id, body: (index: Id, value: Id) => Id): Id {
  const size = b.sizeType();
  const [head, turn, next, end] = [b.id(), b.id(), b.id(), b.id()];
  const before = b.blockLabel;
  b.branch(head);
  b.label(head);
  // The phis' operands of the back edge are filled in when the body has been emitted.
  const indexOperands: number[] = [b.constantInt(size, 0), before];
  const valueOperands: number[] = [initial, before];
  const index = b.emit(Op.Phi, size, indexOperands);
  const value = b.emit(Op.Phi, b.typeOf(initial), valueOperands);
  const more = b.emit(Op.ULessThan, b.bool(), [index, count]);
  b.branchIf(more, turn, end);
  b.label(turn);
  const result = body(index, value);
  b.branch(next);
  b.label(next);
  const following = b.emit(Op.IAdd, size, [index, b.constantInt(size, 1)]);
  b.branch(head);
  indexOperands.push(following, next);
  valueOperands.push(result, next);
  b.label(end);
  return value;
}

/** The void pointer as one to bytes, `offset` bytes further. */
export function bytesAt(b: Builder, pointer: Id, offset: Id): Id {
  const type = b.pointer(b.storageOf(b.typeOf(pointer)), b.int(8));
  const bytes = b.typeOf(pointer) === type ? pointer : b.emit(Op.Bitcast, type, [pointer]);
  return b.emit(Op.InBoundsPtrAccessChain, type, [bytes, offset]);
}
