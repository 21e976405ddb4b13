// SPDX-License-Identifier: MIT
//
// Atomics of all lanes on one address whose results are used, as one operation: in locals the lanes go through the operation one
// after the other, as if no other work-item had come between them, and memory is changed once.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { forActiveLanes } from '../control/masks';
import { laneOffset, type MemoryPlan, pushLaneAddress } from '../memory/addresses';
import { isWide, splatOf, valTypeOf } from '../value-types';
import { changeAtOnce, combine, readModifyWrite } from './atomic-access';

/** `always`: the address is one for all lanes; `often`: it is so in most steps, which the code finds out. */
export type Shared = 'always' | 'often';

/** Whether and when the lanes' operations may be done as one. */
export function sharesAddress(c: Context, inst: Inst): Shared | undefined {
  if (c.lanes === 1) return undefined;
  if (inst.op !== Op.AtomicRmw && inst.op !== Op.AtomicCmpXchg) return undefined;
  if (inst.type !== Type.I32 && inst.type !== Type.F32 && !isWide(inst.type)) return undefined;
  const address = inst.operands[0]!;
  if (c.rowsOf(address) > 1 || c.plan.interleavedBytes(inst) !== undefined) return undefined;
  if (!c.isVectorHere(address) && !c.variesAlongX(address)) return 'always';
  // The comparison of the lanes' addresses is one of words.
  const stays =
    address.type === Type.I32 &&
    c.isVector(address) &&
    !c.isInline(address) &&
    stepOf(c, address, 8) >= c.lanes;
  return stays ? 'often' : undefined;
}

/** How many work-items in a row have the same value, if the first of them has a number that is a multiple of that. */
function stepOf(c: Context, value: Value, depth: number): number {
  if (!c.variesAlongX(value)) return Number.POSITIVE_INFINITY;
  if (value.kind !== 'inst' || value.operands.length === 0 || depth === 0) return 1;
  const [first, second] = value.operands as [Value, Value | undefined];
  const amount = Number((second && constantOf(second)) ?? Number.NaN);
  const stride = Math.abs(c.divergence.stride[first.id]!);
  switch (value.op) {
    case Op.LShr:
    case Op.AShr:
      return 2 ** amount / stride || stepOf(c, first, depth - 1);
    case Op.UDiv:
    case Op.SDiv:
      return amount / stride || stepOf(c, first, depth - 1);
    case Op.And:
      // A multiple of a power of two.
      if (amount < 0 && stride > 0) return (amount & -amount) / stride;
      return both();
    case Op.Add:
    case Op.Sub:
    case Op.Mul:
    case Op.Shl:
    case Op.Or:
    case Op.Xor:
      return both();
    case Op.Trunc:
    case Op.ZExt:
    case Op.SExt:
      return stepOf(c, first, depth - 1);
    default:
      return 1;
  }
  function both(): number {
    return Math.min(stepOf(c, first, depth - 1), stepOf(c, second!, depth - 1));
  }
}

/** Pushes 1 if the address differs between lanes. */
export function pushDiffers(c: Context, address: Value): void {
  const { f } = c;
  const vectors = c.lanes >> 2;
  c.withLocal(ValType.V128, (first) => {
    c.vector(address, 0, 0);
    f.lane(Wasm.i32x4_extract_lane, 0);
    f.op(splatOf(Type.I32));
    f.set(first);
    for (let i = 0; i < vectors; i++) {
      c.vector(address, 0, i);
      f.get(first);
      f.op(Wasm.v128_xor);
      if (i > 0) f.op(Wasm.v128_or);
    }
    f.op(Wasm.v128_any_true);
  });
}

/** `keep` takes a lane's result from the local. */
export function emitInTurn(
  c: Context,
  memory: MemoryPlan,
  inst: Inst,
  keep: ((row: number, lane: number, old: number) => void) | undefined,
): void {
  const { f } = c;
  const { type } = inst;
  const { rmw } = inst.facts;
  const offset = laneOffset(c, inst);
  const operand = (index: number, row: number, lane: number) => () =>
    pushLane(c, inst.operands[index]!, row, lane, Extend.Zero);
  const step = (value: number) => (row: number, lane: number) => {
    keep?.(row, lane, value);
    if (inst.op === Op.AtomicRmw) combine(c, rmw!, type, value, operand(1, row, lane));
    else {
      operand(2, row, lane)();
      f.get(value);
      f.get(value);
      operand(1, row, lane)();
      f.op(isWide(type) ? Wasm.i64_eq : Wasm.i32_eq);
      f.op(Wasm.select);
    }
    f.set(value);
  };
  c.withLocal(valTypeOf(inst.operands[0]!.type), (address) =>
    c.withLocal(valTypeOf(type), (value) => {
      pushLaneAddress(c, memory, inst, 0, 0);
      f.set(address);
      if (rmw === 'xchg' && !c.mask) {
        // The last lane's operand stays, and each lane finds that of the lane before it.
        readModifyWrite(c, rmw, type, false, address, offset, value, operand(1, c.rows - 1, c.lanes - 1));
        forActiveLanes(c, step(value));
      } else
        changeAtOnce(c, type, address, offset, value, () => {
          forActiveLanes(c, step(value));
          f.get(value);
        });
    }),
  );
}
