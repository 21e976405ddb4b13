// SPDX-License-Identifier: MIT
//
// clang's functions on bytes: what C has in string.h.
import { Op } from '../../../spirv/grammar.gen';
import { isZeroConstant } from '../../../spirv/zero';
import { bytesAt, loop } from './loop';
import { type Builder, type Emitter, type Id, integer } from './site';

/** MemoryAccess */
const ALIGNED = 2;

const zero = (b: Builder): Id => b.constantInt(b.sizeType(), 0);
const load = (b: Builder, pointer: Id, at: Id): Id =>
  b.emit(Op.Load, b.int(8), [bytesAt(b, pointer, at), ALIGNED, 1]);
const store = (b: Builder, pointer: Id, at: Id, byte: Id): void =>
  b.emitVoid(Op.Store, [bytesAt(b, pointer, at), byte, ALIGNED, 1]);

const copyBytes: Emitter = ({ builder: b, args }) => {
  const [target, source, size] = args as [Id, Id, Id];
  // SPIR-V forbids a copy whose size is a constant 0.
  if (isZeroConstant(b.definitionOf(size))) return target;
  const operands = [bytesAt(b, target, zero(b)), bytesAt(b, source, zero(b)), size, ALIGNED, 1];
  b.emitVoid(Op.CopyMemorySized, operands);
  return target;
};

/** Copies backwards if the target is after the source, so that no byte is read after it was written. */
const moveBytes: Emitter = ({ builder: b, args }) => {
  const [target, source, size] = args as [Id, Id, Id];
  const type = b.sizeType();
  const [to, from] = [target, source].map((pointer) => b.emit(Op.ConvertPtrToU, type, [pointer])) as [Id, Id];
  const isBehind = b.emit(Op.UGreaterThan, b.bool(), [to, from]);
  const last = b.emit(Op.ISub, type, [size, b.constantInt(type, 1)]);
  loop(b, size, zero(b), (index, nothing) => {
    const at = b.emit(Op.Select, type, [isBehind, b.emit(Op.ISub, type, [last, index]), index]);
    store(b, target, at, load(b, source, at));
    return nothing;
  });
  return target;
};

/** data: `zero` for bzero, which has no value among its arguments. */
const fillBytes: Emitter = ({ builder: b, args, data }) => {
  const [target, value] = args as [Id, Id];
  const byte = data[0] === 'zero' ? b.constantInt(b.int(8), 0) : b.emit(Op.UConvert, b.int(8), [value]);
  loop(b, args.at(-1)!, zero(b), (index, nothing) => {
    store(b, target, index, byte);
    return nothing;
  });
  return target;
};

/** The difference of the first bytes that differ, 0 if none do. */
const compareBytes: Emitter = ({ builder: b, args, type }) => {
  const [left, right, size] = args as [Id, Id, Id];
  const none = integer(b, type, 0);
  return loop(b, size, none, (index, found) => {
    const [x, y] = [left, right].map((pointer) => b.emit(Op.UConvert, type, [load(b, pointer, index)]));
    const isEqual = b.emit(Op.IEqual, b.bool(), [found, none]);
    return b.emit(Op.Select, type, [isEqual, b.emit(Op.ISub, type, [x!, y!]), found]);
  });
};

export const memoryFunctionEmitters = {
  copy_bytes: copyBytes,
  move_bytes: moveBytes,
  fill_bytes: fillBytes,
  compare_bytes: compareBytes,
};
