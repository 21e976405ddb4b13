// SPDX-License-Identifier: MIT
//
// Pipes: reservations and commits are the library's (kernels/lib/pipe.cl), packets are copied here.
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { groupScope } from './groups';
import type { Handler, HandlerTable, Translation } from './translation';

type Direction = 'read' | 'write';

const WHAT = 'this use of pipes';

/** Copies one packet of a reservation, in the direction of the instruction. */
function transfer(
  t: Translation,
  direction: Direction,
  pipe: Value,
  id: Value,
  index: Value,
  user: Value,
  size: number,
) {
  const slot = t.callLibrary(`__anycl_pipe_${direction}_slot`, [pipe, id, index], WHAT)[0]!;
  const operands = direction === 'read' ? [user, slot] : [slot, user];
  t.emit(Ir.Copy, Type.Void, operands, { size, align: 1 });
}

/** Packet sizes are constants. */
function packetSize(t: Translation, id: number): number {
  return t.index.constants.tryInteger(id as Id) ?? t.fail('the size of a pipe packet is a constant');
}

/** One packet: reserve, copy, commit; -1 if there is none. */
const single =
  (direction: Direction): Handler =>
  (t, i) => {
    const { builder } = t;
    const [pipe, user] = [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)];
    const id = t.callLibrary(`__anycl_pipe_reserve_${direction}`, [pipe, t.i32(1)], WHAT)[0]!;
    const [some, end] = [t.newBlock(), t.newBlock()];
    const result = t.param(end, Type.I32);
    builder.branch(t.emit(Ir.Ne, Type.I1, [id, t.i32(0)]), some, end);
    builder.block.targets[1]!.arguments = [t.i32(-1)];
    builder.block = some;
    transfer(t, direction, pipe, id, t.i32(0), user, packetSize(t, i.operands[2]!));
    t.callLibrary(`__anycl_pipe_commit_${direction}`, [pipe, id], WHAT);
    builder.jump(end, [t.i32(0)]);
    builder.block = end;
    t.set(i, [result]);
  };

/** A packet of a reservation. */
const reserved =
  (direction: Direction): Handler =>
  (t, i) => {
    const [pipe, id, index, user] = i.operands.slice(0, 4).map((operand) => t.scalar(operand));
    transfer(t, direction, pipe!, id!, index!, user!, packetSize(t, i.operands[4]!));
    t.set(i, [t.i32(0)]);
  };

const reserve =
  (direction: Direction): Handler =>
  (t, i) =>
    t.set(
      i,
      t.callLibrary(
        `__anycl_pipe_reserve_${direction}`,
        [t.scalar(i.operands[0]!), t.resize(t.scalar(i.operands[1]!), Type.I32, false)],
        WHAT,
      ),
    );

const commit =
  (direction: Direction): Handler =>
  (t, i) => {
    t.callLibrary(
      `__anycl_pipe_commit_${direction}`,
      [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)],
      WHAT,
    );
  };

/** Runs `f` only in the group's first work-item. */
function inFirst(t: Translation, scope: 'work-group' | 'sub-group', f: () => Value): Value {
  const { builder } = t;
  const own = t.builder.leaves.leaf(scope === 'work-group' ? Ir.LocalLinearId : Ir.SubGroupLocalId, Type.I32);
  const [first, end] = [t.newBlock(), t.newBlock()];
  const result = t.param(end, Type.I32);
  builder.branch(t.emit(Ir.Eq, Type.I1, [own, t.i32(0)]), first, end);
  builder.block.targets[1]!.arguments = [t.i32(0)];
  builder.block = first;
  builder.jump(end, [f()]);
  builder.block = end;
  return result;
}

function cooperating(t: Translation, id: number): 'work-group' | 'sub-group' {
  return groupScope(t, id) === 'work-group' ? 'work-group' : 'sub-group';
}

const groupReserve =
  (direction: Direction): Handler =>
  (t, i) => {
    const scope = cooperating(t, i.operands[0]!);
    const args = [t.scalar(i.operands[1]!), t.resize(t.scalar(i.operands[2]!), Type.I32, false)];
    const id = inFirst(t, scope, () => t.callLibrary(`__anycl_pipe_reserve_${direction}`, args, WHAT)[0]!);
    const from = scope === 'work-group' ? [0, 0, 0] : [0];
    const zeros = from.map((n) => t.i32(n));
    t.set(i, [t.emit(Ir.GroupBroadcast, Type.I32, [id, ...zeros], { scope })]);
  };

const groupCommit =
  (direction: Direction): Handler =>
  (t, i) => {
    const scope = cooperating(t, i.operands[0]!);
    const args = [t.scalar(i.operands[1]!), t.scalar(i.operands[2]!)];
    t.emit(Ir.Barrier, Type.Void, [], { scope });
    inFirst(t, scope, () => {
      t.callLibrary(`__anycl_pipe_commit_${direction}`, args, WHAT);
      return t.i32(0);
    });
  };

const query =
  (name: string): Handler =>
  (t, i) =>
    t.set(i, t.callLibrary(name, [t.scalar(i.operands[0]!)], WHAT));

export const PIPES: HandlerTable = {
  [Op.ReadPipe]: single('read'),
  [Op.WritePipe]: single('write'),
  [Op.ReservedReadPipe]: reserved('read'),
  [Op.ReservedWritePipe]: reserved('write'),
  [Op.ReserveReadPipePackets]: reserve('read'),
  [Op.ReserveWritePipePackets]: reserve('write'),
  [Op.CommitReadPipe]: commit('read'),
  [Op.CommitWritePipe]: commit('write'),
  [Op.GroupReserveReadPipePackets]: groupReserve('read'),
  [Op.GroupReserveWritePipePackets]: groupReserve('write'),
  [Op.GroupCommitReadPipe]: groupCommit('read'),
  [Op.GroupCommitWritePipe]: groupCommit('write'),
  [Op.IsValidReserveId]: (t, i) => t.set(i, [t.emit(Ir.Ne, Type.I1, [t.scalar(i.operands[0]!), t.i32(0)])]),
  [Op.GetNumPipePackets]: query('__anycl_pipe_packets'),
  [Op.GetMaxPipePackets]: query('__anycl_pipe_max_packets'),
};
