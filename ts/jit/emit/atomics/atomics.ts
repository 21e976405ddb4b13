// SPDX-License-Identifier: MIT
//
// Atomics, lane by lane in the order of the work-items. A group's local memory belongs to the one worker that runs the
// group, so that atomics on it are plain loads and stores.
import { type Inst, Op, Type } from '../../ir/ir';
import { keepResult, pushLane } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { forActiveLanes } from '../control/masks';
import { laneOffset, type MemoryPlan, pushLaneAddress } from '../memory/addresses';
import { valTypeOf } from '../value-types';
import { compareExchange, load, readModifyWrite, store } from './atomic-access';
import { emitInTurn, pushDiffers, sharesAddress } from './in-turn';
import { emitOnOneAddress, isCombined, isOnOneAddress } from './one-address';

export function emitAtomic(c: Context, memory: MemoryPlan, inst: Inst, resultUsed: boolean): void {
  const { f } = c;
  const type = inst.type === Type.Void ? inst.operands[1]!.type : inst.type;
  const own =
    inst.facts.space === 'local' ||
    inst.facts.space === 'private' ||
    (memory.privatized && inst.facts.privatized !== undefined);
  const hasResult = inst.type !== Type.Void && resultUsed;
  const registers = hasResult ? c.registersOf(inst) : [];
  if (hasResult && (type === Type.I8 || type === Type.I16)) c.zeroExtended.add(inst.id);
  const one = (row: number, lane: number) => {
    const offset = laneOffset(c, inst);
    const address = c.allocate(valTypeOf(inst.operands[0]!.type));
    pushLaneAddress(c, memory, inst, row, lane);
    f.set(address);
    const push = (index: number) => pushLane(c, inst.operands[index]!, row, lane, operandExtension(inst));
    if (inst.op === Op.AtomicStore) {
      store(c, type, own, address, offset, () => push(1));
      c.release(address);
      return;
    }
    const old = c.allocate(valTypeOf(type));
    if (inst.op === Op.AtomicLoad) {
      load(c, type, own, address, offset);
      f.set(old);
    } else if (inst.op === Op.AtomicCmpXchg) compareExchange(c, type, own, address, offset, old, push);
    else readModifyWrite(c, inst.facts.rmw!, type, own, address, offset, old, () => push(1));
    if (hasResult) keepResult(c, inst, registers, row, lane, old);
    c.release(old);
    c.release(address);
  };
  const combined = () =>
    emitOnOneAddress(c, inst, registers, (operand, old) =>
      c.withLocal(valTypeOf(inst.operands[0]!.type), (address) => {
        pushLaneAddress(c, memory, inst, 0, 0);
        f.set(address);
        readModifyWrite(c, inst.facts.rmw!, type, own, address, laneOffset(c, inst), old, () =>
          f.get(operand),
        );
      }),
    );
  if (isOnOneAddress(c, inst, hasResult)) {
    combined();
    return;
  }
  const keep = (row: number, lane: number, old: number) => keepResult(c, inst, registers, row, lane, old);
  const inTurn = () => emitInTurn(c, memory, inst, hasResult ? keep : undefined);
  // Plain loads and stores in turn are as fast lane by lane.
  const canCombine = isCombined(inst, hasResult);
  const shared = own && !canCombine ? undefined : sharesAddress(c, inst);
  if (shared === 'always') {
    inTurn();
    return;
  }
  if (shared === 'often') {
    pushDiffers(c, inst.operands[0]!);
    f.if_();
    forActiveLanes(c, one);
    f.else_();
    if (canCombine) combined();
    else inTurn();
    f.end();
    return;
  }
  if (c.lanes === 1) {
    for (let row = 0; row < c.rows; row++) one(row, 0);
    return;
  }
  forActiveLanes(c, one);
}

function operandExtension(inst: Inst): Extend {
  return inst.facts.rmw === 'smin' || inst.facts.rmw === 'smax' ? Extend.Sign : Extend.Zero;
}
