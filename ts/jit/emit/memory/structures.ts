// SPDX-License-Identifier: MIT
//
// Accesses to structures at any addresses in memory order (vectorize/passes/memory/memory-order.ts): each vector register has sixteen bytes of
// one work-item.
import { Wasm } from '../../../wasm/opcodes';
import type { Inst } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import type { Context } from '../context';
import { holdVector, type MemoryPlan } from './addresses';
import { pushBase } from './base-address';

/** Loads one component of structures at any addresses. */
export function loadStructures(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  into: readonly number[],
): void {
  into.forEach((local, part) => {
    c.f.memory(Wasm.v128_load, pushAddress(c, plan, inst, row, part, plan.safeReadAddress));
    c.f.set(local);
  });
}

/** Stores one component of structures at any addresses; inactive lanes write to the sink. */
export function storeStructures(c: Context, plan: MemoryPlan, inst: Inst): void {
  const value = inst.operands[1]!;
  const held = holdVector(c, inst.operands[0]!);
  for (let row = 0; row < c.rows; row++)
    for (let part = 0; part < c.perRow(value.type); part++) {
      const offset = pushAddress(c, plan, inst, row, part, plan.writeSink);
      c.vector(value, row, part);
      c.f.memory(Wasm.v128_store, offset);
    }
  held();
}

/** Pushes the address of the vector that a part of a component is, without the offset that it returns. */
function pushAddress(
  c: Context,
  plan: MemoryPlan,
  access: Inst,
  row: number,
  part: number,
  instead: number,
): number {
  const { memoryOrder = 0, offset = 0 } = access.facts;
  const { type } = access.operands[1] ?? access;
  const lane = memoryOrder * c.perRow(type) + part;
  const start = offset - memoryOrder * bytesOf(type);
  return pushBase(c, plan, { members: [access], offset: start }, row, lane, instead);
}
