// SPDX-License-Identifier: MIT
//
// Pipes, and kernels that enqueue kernels.
import { Op, Scope, StorageClass } from '../../../spirv/grammar.gen';
import type { PipeType } from '../../frontend/types';
import {
  type Builder,
  type Emitter,
  type Id,
  NO_ID,
  opcodeOf,
  type Site,
  scope,
  toGeneric,
  u32,
} from './site';

/** Size and alignment of a pipe's packets, operands of every pipe instruction. */
function packet({ host, builder: b, builtin }: Site): readonly [Id, Id] {
  const { packet: type } = builtin.parameters[0] as PipeType;
  return [u32(b, host.sizeOf(type)), u32(b, host.alignOf(type))];
}

/** data: the opcode, and the scope of the group functions. */
const pipe: Emitter = (site) => {
  const { builder: b, args, type, data } = site;
  const op = opcodeOf(data[0]!);
  const [size, align] = packet(site);
  switch (op) {
    case Op.ReadPipe:
    case Op.WritePipe: {
      if (args.length === 2) return b.emit(op, type, [args[0]!, toGeneric(b, args[1]!), size, align]);
      const reserved = op === Op.ReadPipe ? Op.ReservedReadPipe : Op.ReservedWritePipe;
      const [object, id, index, pointer] = args as [Id, Id, Id, Id];
      return b.emit(reserved, type, [object, id, index, toGeneric(b, pointer), size, align]);
    }
    case Op.CommitReadPipe:
    case Op.CommitWritePipe:
      b.emitVoid(op, [...args, size, align]);
      return NO_ID;
    default: {
      const group =
        data[1] === undefined ? [] : [scope(b, data[1] === 'Workgroup' ? Scope.Workgroup : Scope.Subgroup)];
      const operands = [...group, ...args, size, align];
      if (op !== Op.GroupCommitReadPipe && op !== Op.GroupCommitWritePipe) return b.emit(op, type, operands);
      b.emitVoid(op, operands);
      return NO_ID;
    }
  }
};

/** The operands of a block: function, captured variables, their size and alignment. */
function blockOperands({ host, builder: b, call }: Site, index: number): number[] {
  const { invoke, context, size, align } = host.block(call.arguments[index]!);
  return [invoke, context, u32(b, size), u32(b, align)];
}

const enqueueKernel: Emitter = (site) => {
  const { builder: b, builtin, args, type, data } = site;
  const [queue, flags, ndrange] = args as [Id, Id, Id];
  const withEvents = data[0] === 'events';
  const at = withEvents ? 6 : 3;
  let events: Id[];
  if (withEvents) events = [args[3]!, toGeneric(b, args[4]!), toGeneric(b, args[5]!)];
  else {
    const none = b.constantNull(eventPointer(b));
    events = [u32(b, 0), none, none];
  }
  const sizes = args.slice(at + 1, builtin.parameters.length);
  return b.emit(Op.EnqueueKernel, type, [
    queue,
    flags,
    ndrange,
    ...events,
    ...blockOperands(site, at),
    ...sizes,
  ]);
};

const eventPointer = (b: Builder): Id => b.pointer(StorageClass.Generic, b.opaque(Op.TypeDeviceEvent));

const kernelQuery: Emitter = (site) => {
  const { builder: b, args, type, data } = site;
  const block = blockOperands(site, args.length - 1);
  return b.emit(opcodeOf(data[0]!), type, [...args.slice(0, -1), ...block]);
};

const enqueueMarker: Emitter = ({ builder: b, args, type }) => {
  const [queue, count, wait, returned] = args as [Id, Id, Id, Id];
  return b.emit(Op.EnqueueMarker, type, [queue, count, toGeneric(b, wait), toGeneric(b, returned)]);
};

/** ndrange_nD: (global), (global, local) or (offset, global, local); in 2D and 3D pointers to arrays. */
const ndrange: Emitter = ({ builder: b, args, type, data }) => {
  const dimensions = Number(data[0]);
  const size = b.sizeType();
  const shape = dimensions === 1 ? size : b.array(size, dimensions);
  const value = (argument: Id): Id => {
    if (dimensions === 1) return argument;
    const pointer = b.emit(Op.Bitcast, b.pointer(b.storageOf(b.typeOf(argument)), shape), [argument]);
    return b.emit(Op.Load, shape, [pointer]);
  };
  const none = b.constantNull(shape);
  const given = args.map(value);
  const [offset, global, local] =
    given.length === 3 ? (given as [Id, Id, Id]) : [none, given[0]!, given[1] ?? none];
  return b.emit(Op.BuildNDRange, type, [global, local, offset]);
};

export const deviceSideEmitters = {
  pipe,
  enqueue_kernel: enqueueKernel,
  enqueue_marker: enqueueMarker,
  kernel_query: kernelQuery,
  ndrange,
};
