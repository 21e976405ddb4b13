// SPDX-License-Identifier: MIT
//
// Calls of functions that are kept out of line (out-of-line.ts): for single work-items, or for vectors of four of them.

import type { CheckCall } from '../../base/checks';
import { Wasm } from '../../wasm/opcodes';
import { type Func, type Inst, Type } from '../ir/ir';
import type { Context } from './context';
import { activeMask } from './control/masks';
import { notPaired } from './pairs';
import { isWide } from './value-types';

/** Lanes of such a function's vectors. */
export const LANES = 4;

/** The number of vectors for a value of four work-items. */
export const vectorsOf = (type: Type): number => (isWide(type) ? 2 : 1);

/** The functions that a module's code may call, by their index in the module. */
export interface Callees {
  /** The function for one work-item: (dispatch block, parameters...) -> result. */
  scalar(callee: Func): number;
  /** The function for four: (dispatch block, vectors of the parameters..., mask) -> vectors of the result. */
  vector(callee: Func): number;
  /** The host's clock: () -> nanoseconds, 64 bits. */
  clock(): number;
  /** A function of the device's checks: (site, parameters...) -> an address or a flag, or nothing. */
  check(call: CheckCall, site: number): number;
}

/** Reads the clock for each work-item, in their order. */
export function emitReadClock(c: Context, inst: Inst, callees: Callees): void {
  const { f } = c;
  const registers = c.registersOf(inst);
  const vector = c.isVector(inst);
  for (const local of registers) {
    for (let lane = 0; lane < (vector ? 2 : 1); lane++) {
      if (vector) f.get(local);
      f.call(callees.clock());
      if (vector) f.lane(Wasm.i64x2_replace_lane, lane);
      f.set(local);
    }
  }
}

/** A call for all active lanes of the tile. */
export function emitCall(c: Context, inst: Inst, dispatch: number, callees: Callees): void {
  const { f } = c;
  const registers = c.registersOf(inst);
  const callee = inst.facts.callee!;
  if (!c.isVector(inst)) {
    registers.forEach((local, row) => {
      f.get(dispatch);
      for (const operand of inst.operands) c.scalar(operand, row);
      f.call(callees.scalar(callee));
      f.set(local);
    });
    return;
  }
  const ofResult = vectorsOf(inst.type);
  const callsPerRow = c.lanes / LANES;
  for (let call = 0; call < registers.length / ofResult; call++) {
    const row = Math.floor(call / callsPerRow);
    const part = call % callsPerRow;
    f.get(dispatch);
    for (const operand of inst.operands) {
      const count = vectorsOf(operand.type);
      for (let i = 0; i < count; i++) c.vector(operand, row, part * count + i);
    }
    if (c.mask) activeMask(c, row, part, Type.I32, c.isSharedByRows(inst));
    else c.constants.splat(Type.I32, -1);
    f.call(callees.vector(callee));
    for (let i = ofResult - 1; i >= 0; i--) f.set(registers[call * ofResult + i]!);
    for (let i = 0; i < ofResult; i++) notPaired(c, registers[call * ofResult + i]!);
  }
}
