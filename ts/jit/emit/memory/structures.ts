// SPDX-License-Identifier: MIT
//
// Accesses to structures at any addresses in memory order (vectorize/passes/memory-order/memory-order.ts): each vector register has sixteen bytes of
// one work-item.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { Inst } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import type { Context } from '../context';
import { valTypeOf } from '../value-types';
import { holdVector, type MemoryPlan, STORE_LANE } from './addresses';
import { pushBase } from './base-address';
import { withAnyLane, withPushedAddresses } from './lane-addresses';

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
    if (c.mask) storeActive(c, plan, inst, row);
    else
      for (let part = 0; part < c.perRow(value.type); part++) {
        const offset = pushAddress(c, plan, inst, row, part, plan.writeSink);
        storeComponents(c, inst, offset, () => c.vector(value, row, part));
      }
  held();
}

/** Stores one component of a row's active lanes. Four lanes' addresses are replaced at once. */
function storeActive(c: Context, plan: MemoryPlan, inst: Inst, row: number): void {
  const value = inst.operands[1]!;
  const { lane: first, start } = placeOf(c, inst, 0);
  const access = { ...inst, facts: { offset: start } } as Inst;
  const end = first + c.perRow(value.type);
  for (let from = first; from < end; ) {
    const to = Math.min(end, (from | 3) + 1);
    const withAddresses = to - from > 1 ? withPushedAddresses : withAnyLane;
    withAddresses(c, plan, access, row, from >> 2, plan.writeSink, (push, offset) => {
      for (let lane = from; lane < to; lane++) {
        push(lane & 3);
        storeComponents(c, inst, offset, () => c.vector(value, row, lane - first));
      }
    });
    from = to;
  }
}

/** Stores the components of one structure, whose address is on the stack: those that are stored, two at a time where that is possible. */
function storeComponents(c: Context, inst: Inst, offset: number, push: () => void): void {
  const { f } = c;
  const { storedComponents: stored } = inst.facts;
  if (stored === undefined) {
    push();
    f.memory(Wasm.v128_store, offset);
    return;
  }
  c.withLocal(valTypeOf(inst.operands[0]!.type), (address) => {
    f.set(address);
    c.withLocal(ValType.V128, (vector) => {
      push();
      f.set(vector);
      for (let k = 0; k < 4; k++) {
        if (((stored >> k) & 1) === 0) continue;
        const isPair = k % 2 === 0 && ((stored >> k) & 3) === 3;
        f.get(address);
        f.get(vector);
        if (isPair) f.memoryLane(STORE_LANE[8]!, offset + 4 * k, k >> 1);
        else f.memoryLane(STORE_LANE[4]!, offset + 4 * k, k);
        if (isPair) k++;
      }
    });
  });
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
  const { lane, start } = placeOf(c, access, part);
  return pushBase(c, plan, { members: [access], offset: start }, row, lane, instead);
}

/** The lane whose vector a part of a component is, and where its structure starts from that lane's address on. */
function placeOf(c: Context, access: Inst, part: number): { lane: number; start: number } {
  const { memoryOrder = 0, offset = 0 } = access.facts;
  const { type } = access.operands[1] ?? access;
  return { lane: memoryOrder * c.perRow(type) + part, start: offset - memoryOrder * bytesOf(type) };
}
