// SPDX-License-Identifier: MIT
import { Capability, MemorySemantics, Op, Scope } from '../../../spirv/grammar.gen';
import { type Builder, constantOf, type Emitter, type Id, NO_ID, scope, u32 } from './site';

/** cl_mem_fence_flags in SPIR-V's bits: local 1 and global 2 are shifted left by 8, image 4 by 9. */
function storageSemantics(b: Builder, flags: Id): Id {
  const known = constantOf(b, flags);
  if (known !== undefined) return u32(b, ((known & 3) << 8) | ((known & 4) << 9));
  const uint = b.int(32);
  const memory = b.emit(Op.ShiftLeftLogical, uint, [
    b.emit(Op.BitwiseAnd, uint, [flags, u32(b, 3)]),
    u32(b, 8),
  ]);
  const image = b.emit(Op.ShiftLeftLogical, uint, [
    b.emit(Op.BitwiseAnd, uint, [flags, u32(b, 4)]),
    u32(b, 9),
  ]);
  return b.emit(Op.BitwiseOr, uint, [memory, image]);
}

/** memory_order in SPIR-V's bits: relaxed 0, acquire 2, release 3, acq_rel 4, seq_cst 5. */
export function orderSemantics(b: Builder, order: Id): Id {
  const known = constantOf(b, order);
  if (known !== undefined) return u32(b, known < 2 ? 0 : 1 << (known - 1));
  const uint = b.int(32);
  const bit = b.emit(Op.ShiftLeftLogical, uint, [u32(b, 1), order]);
  // Relaxed gives 1, which the shift drops.
  return b.emit(Op.ShiftRightLogical, uint, [bit, u32(b, 1)]);
}

/** SPIR-V's scope of each memory_scope, four bits for each: work-item, work-group, device, all devices, sub-group. */
const SCOPES = 0x30124;

/** memory_scope as SPIR-V's scope. */
export function scopeOf(b: Builder, memoryScope: Id): Id {
  const known = constantOf(b, memoryScope);
  if (known !== undefined) return u32(b, (SCOPES >> (known * 4)) & 0xf);
  const uint = b.int(32);
  const shift = b.emit(Op.ShiftLeftLogical, uint, [memoryScope, u32(b, 2)]);
  const shifted = b.emit(Op.ShiftRightLogical, uint, [u32(b, SCOPES), shift]);
  return b.emit(Op.BitwiseAnd, uint, [shifted, u32(b, 0xf)]);
}

function combine(b: Builder, order: Id, storage: Id): Id {
  const [known, memory] = [constantOf(b, order), constantOf(b, storage)];
  if (known !== undefined && memory !== undefined) return u32(b, memory === 0 ? 0 : known | memory);
  return b.emit(Op.BitwiseOr, b.int(32), [order, storage]);
}

/** barrier, work_group_barrier, sub_group_barrier: the memory's scope is the group's unless an argument specifies it. */
const barrier: Emitter = ({ builder: b, args, data }) => {
  const group = scope(b, data[0] === 'Subgroup' ? Scope.Subgroup : Scope.Workgroup);
  const memory = args[1] === undefined ? group : scopeOf(b, args[1]);
  const semantics = combine(b, u32(b, MemorySemantics.SequentiallyConsistent), storageSemantics(b, args[0]!));
  b.emitVoid(Op.ControlBarrier, [group, memory, semantics]);
  return NO_ID;
};

const memFence: Emitter = ({ builder: b, args, data }) => {
  const order = u32(b, MemorySemantics[data[0] as 'Acquire' | 'Release' | 'AcquireRelease']);
  const semantics = combine(b, order, storageSemantics(b, args[0]!));
  b.emitVoid(Op.MemoryBarrier, [scope(b, Scope.Workgroup), semantics]);
  return NO_ID;
};

const workItemFence: Emitter = ({ builder: b, args }) => {
  const order = orderSemantics(b, args[1]!);
  if (constantOf(b, order) === 0) return NO_ID;
  const semantics = combine(b, order, storageSemantics(b, args[0]!));
  b.emitVoid(Op.MemoryBarrier, [scopeOf(b, args[2]!), semantics]);
  return NO_ID;
};

/** SPIR-V has clocks of the device and of a sub-group; the device's is used for the work-group. */
const CLOCK_SCOPES: Readonly<Record<string, Scope>> = {
  Device: Scope.Device,
  Workgroup: Scope.Device,
  Subgroup: Scope.Subgroup,
};

const readClock: Emitter = ({ builder: b, type, data }) => {
  b.capability(Capability.ShaderClockKHR);
  return b.emit(Op.ReadClockKHR, type, [scope(b, CLOCK_SCOPES[data[0]!]!)]);
};

export const synchronizationEmitters = {
  barrier,
  mem_fence: memFence,
  atomic_work_item_fence: workItemFence,
  read_clock: readClock,
};
