// SPDX-License-Identifier: MIT
//
// Asynchronous copies of a work-group.
import { Op, Scope } from '../../../spirv/grammar.gen';
import { bytesAt, loop } from './loop';
import { type Builder, type Emitter, type Id, NO_ID, scope } from './site';

const workGroup = (b: Builder): Id => scope(b, Scope.Workgroup);

/** async_work_group_copy and …_strided_copy: the default stride is 1. */
const copy: Emitter = ({ builder: b, args, type }) => {
  const [to, from, count] = args as [Id, Id, Id];
  const stride = args.length === 5 ? args[3]! : b.constantInt(b.sizeType(), 1);
  return b.emit(Op.GroupAsyncCopy, type, [workGroup(b), to, from, count, stride, args.at(-1)!]);
};

const wait: Emitter = ({ builder: b, args }) => {
  b.emitVoid(Op.GroupWaitEvents, [workGroup(b), ...args]);
  return NO_ID;
};

/** Lines of a 2D copy. All sizes are in elements of `bytes` bytes. */
function copyLines(
  b: Builder,
  target: { pointer: Id; offset: Id; pitch: Id },
  source: { pointer: Id; offset: Id; pitch: Id },
  shape: { bytes: Id; perLine: Id; lines: Id },
  event: Id,
): Id {
  const size = b.sizeType();
  const times = (x: Id, y: Id) => b.emit(Op.IMul, size, [x, y]);
  const lineBytes = times(shape.perLine, shape.bytes);
  const at = (side: { pointer: Id; offset: Id; pitch: Id }, line: Id) => {
    const elements = b.emit(Op.IAdd, size, [side.offset, times(line, side.pitch)]);
    return bytesAt(b, side.pointer, times(elements, shape.bytes));
  };
  const one = b.constantInt(size, 1);
  return loop(b, shape.lines, event, (line, collected) =>
    b.emit(Op.GroupAsyncCopy, b.typeOf(event), [
      workGroup(b),
      at(target, line),
      at(source, line),
      lineBytes,
      one,
      collected,
    ]),
  );
}

const copy2d: Emitter = ({ builder: b, args }) => {
  const [to, toOffset, from, fromOffset, bytes, perLine, lines, fromPitch, toPitch, event] = args as Id[];
  return copyLines(
    b,
    { pointer: to!, offset: toOffset!, pitch: toPitch! },
    { pointer: from!, offset: fromOffset!, pitch: fromPitch! },
    { bytes: bytes!, perLine: perLine!, lines: lines! },
    event!,
  );
};

const copy3d: Emitter = ({ builder: b, args }) => {
  const [
    to,
    toOffset,
    from,
    fromOffset,
    bytes,
    perLine,
    lines,
    planes,
    fromPitch,
    fromArea,
    toPitch,
    toArea,
    event,
  ] = args as Id[];
  const size = b.sizeType();
  const plane = (offset: Id, index: Id, area: Id) =>
    b.emit(Op.IAdd, size, [offset, b.emit(Op.IMul, size, [index, area])]);
  return loop(b, planes!, event!, (index, collected) =>
    copyLines(
      b,
      { pointer: to!, offset: plane(toOffset!, index, toArea!), pitch: toPitch! },
      { pointer: from!, offset: plane(fromOffset!, index, fromArea!), pitch: fromPitch! },
      { bytes: bytes!, perLine: perLine!, lines: lines! },
      collected,
    ),
  );
};

export const asyncCopyEmitters = {
  async_work_group_copy: copy,
  wait_group_events: wait,
  async_copy_2d: copy2d,
  async_copy_3d: copy3d,
};
