// SPDX-License-Identifier: MIT
//
// printf: each active work-item reserves room for a record in the ring by one atomic addition, and fills it.
import { type Expr, emit, i32, loadWord, type Operand, set, tee } from '../../wasm/expressions';
import { type FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { Inst } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { keepResult, pushLane } from './arithmetic/operations';
import { Extend } from './arithmetic/tables';
import type { Context } from './context';
import { forActiveLanes } from './control/masks';
import { scalarStoreOf } from './memory/addresses';

const USED = 0;
const CAPACITY = 4;
const RECORDS = 8;

/** What printf returns, by the specification. */
const PRINTED = 0;
const FAILED = -1;

export function emitPrintf(
  c: Context,
  inst: Inst,
  format: number,
  buffer: number,
  resultUsed: boolean,
): void {
  const registers = resultUsed ? c.registersOf(inst) : [];
  const one = (row: number, lane: number) => {
    if (!resultUsed) {
      emitRecord(c, inst, format, buffer, row, lane);
      return;
    }
    c.withLocal(ValType.I32, (result) => {
      set(c.f, result, i32.const(FAILED));
      emitRecord(c, inst, format, buffer, row, lane, result);
      keepResult(c, inst, registers, row, lane, result);
    });
  };
  if (c.lanes > 1) {
    forActiveLanes(c, one);
    return;
  }
  for (let row = 0; row < c.rows; row++) one(row, 0);
}

/**
 * The record of one work-item: its size, the number of the format, the operands. `result`: a local that is set to what printf
 * returns if there was room.
 */
function emitRecord(
  c: Context,
  inst: Inst,
  format: number,
  buffer: number,
  row: number,
  lane: number,
  result?: number,
): void {
  const { f } = c;
  const bytes = 8 + inst.operands.reduce((n, o) => n + bytesOf(o.type), 0);
  const capacity = loadWord(buffer, CAPACITY);
  const reserve: Expr<'i32'> = () => {
    f.get(buffer);
    f.i32(bytes);
    f.memory(Wasm.i32_atomic_rmw_add, USED, 2);
  };
  c.withLocal(ValType.I32, (record) => {
    // Nothing is added to a full ring, so the counter never wraps.
    emit(f, i32.le_u(loadWord(buffer, USED), capacity));
    f.if_();
    emit(f, i32.le_u(i32.add(tee(record, reserve), i32.const(bytes)), capacity));
    f.if_();
    set(f, record, i32.add(buffer, record));
    storeWord(f, record, RECORDS, bytes);
    storeWord(f, record, RECORDS + 4, format);
    if (result !== undefined) set(f, result, i32.const(PRINTED));
    let at = RECORDS + 8;
    for (const operand of inst.operands) {
      f.get(record);
      pushLane(c, operand, row, lane, Extend.None);
      f.memory(scalarStoreOf(operand.type), at);
      at += bytesOf(operand.type);
    }
    f.else_();
    // The first record that does not fit: one of no bytes ends the ring, if there is room for its size.
    emit(f, i32.le_u(record, capacity));
    f.if_();
    storeWord(f, i32.add(buffer, record), RECORDS, 0);
    f.end();
    f.end();
    f.end();
  });
}

function storeWord(f: FunctionBuilder, address: Operand<'i32'>, offset: number, value: number): void {
  emit(f, address);
  f.i32(value);
  f.memory(Wasm.i32_store, offset);
}
