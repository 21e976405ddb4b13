// SPDX-License-Identifier: MIT
//
// printf: each active work-item reserves room for a record in the ring by one atomic addition, and fills it.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Inst, Type } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { scalarStoreOf } from './addresses';
import type { Context } from './context';
import { forActiveLanes } from './masks';
import { pushLane } from './operations';
import { Extend } from './tables';

const USED = 0;
const CAPACITY = 4;
const RECORDS = 8;

export function emitPrintf(c: Context, inst: Inst, format: number, buffer: number): void {
  const { f } = c;
  const bytes = 8 + inst.operands.reduce((n, o) => n + bytesOf(o.type), 0);
  const hasResult = inst.type !== Type.Void;
  if (hasResult)
    for (const local of c.registersOf(inst)) {
      if (c.isVector(inst)) c.constants.splat(Type.I32, 0);
      else f.i32(0);
      f.set(local);
    }
  const word = (offset: number) => {
    f.get(buffer);
    f.memory(Wasm.i32_load, offset, 2);
  };
  const one = (row: number, lane: number) =>
    c.withLocal(ValType.I32, (record) => {
      // Nothing is added to a full ring, so the counter never wraps.
      word(USED);
      word(CAPACITY);
      f.op(Wasm.i32_le_u);
      f.if_();
      f.get(buffer);
      f.i32(bytes);
      f.memory(Wasm.i32_atomic_rmw_add, USED, 2);
      f.tee(record);
      f.i32(bytes);
      f.op(Wasm.i32_add);
      word(CAPACITY);
      f.op(Wasm.i32_le_u);
      f.if_();
      f.get(buffer);
      f.get(record);
      f.op(Wasm.i32_add);
      f.set(record);
      f.get(record);
      f.i32(bytes);
      f.memory(Wasm.i32_store, RECORDS);
      f.get(record);
      f.i32(format);
      f.memory(Wasm.i32_store, RECORDS + 4);
      let at = RECORDS + 8;
      for (const operand of inst.operands) {
        f.get(record);
        pushLane(c, operand, row, lane, Extend.None);
        f.memory(scalarStoreOf(operand.type), at);
        at += bytesOf(operand.type);
      }
      f.else_();
      f.get(record);
      word(CAPACITY);
      f.op(Wasm.i32_le_u);
      f.if_();
      f.get(buffer);
      f.get(record);
      f.op(Wasm.i32_add);
      f.i32(0);
      f.memory(Wasm.i32_store, RECORDS);
      f.end();
      f.end();
      f.end();
    });
  if (c.lanes > 1) {
    forActiveLanes(c, one);
    return;
  }
  for (let row = 0; row < c.rows; row++) one(row, 0);
}
