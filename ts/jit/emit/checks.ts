// SPDX-License-Identifier: MIT
//
// Calls of the device's checks, one for each active work-item.
import { CHECK_CALLS } from '../../base/checks';
import { Wasm } from '../../wasm/opcodes';
import { type Inst, Type } from '../ir/ir';
import { pushLane } from './arithmetic/operations';
import { Extend } from './arithmetic/tables';
import type { Callees } from './calls';
import type { Context } from './context';
import { forActiveLanes } from './control/masks';

/** Lanes of a vector of I32. */
const LANES = 4;

export function emitCheck(c: Context, inst: Inst, callees: Pick<Callees, 'check'>): void {
  const { f } = c;
  const { check, site, offset = 0, align = 1 } = inst.facts;
  const { operands } = inst;
  const { parameters } = CHECK_CALLS[check!];
  const isGuarded = 'guarded' in CHECK_CALLS[check!];
  const isInline = operands.length > parameters.length;
  const registers = inst.type === Type.Void ? undefined : c.registersOf(inst);
  const call = (push: (at: number) => void): void => {
    if (isGuarded) {
      push(0);
      f.if_();
    }
    f.i32(site!);
    for (let at = 0; at < parameters.length; at++) push(at);
    f.call(callees.check(check!, site!));
    if (isGuarded) f.end();
  };
  /** 1 where the call cannot find a fault. */
  const test = (push: (at: number) => void): void => {
    push(0);
    f.i32(offset);
    f.op(Wasm.i32_add);
    push(parameters.length);
    f.op(Wasm.i32_sub);
    push(parameters.length + 1);
    f.op(Wasm.i32_lt_u);
    if (align === 1) return;
    push(0);
    f.i32(offset);
    f.op(Wasm.i32_add);
    f.i32(align - 1);
    f.op(Wasm.i32_and);
    f.op(Wasm.i32_eqz);
    f.op(Wasm.i32_and);
  };
  if (c.lanes === 1) {
    for (let row = 0; row < c.rows; row++) {
      const push = (at: number) => c.scalar(operands[at]!, row);
      if (isInline) {
        if (check === 'access') push(0);
        else f.i32(0);
        f.set(registers![row]!);
        test(push);
        f.op(Wasm.i32_eqz);
        f.if_(false);
      }
      call(push);
      if (registers) f.set(registers[row]!);
      if (isInline) f.end();
    }
    return;
  }
  for (const local of registers ?? []) {
    c.constants.splat(Type.I32, 0);
    f.set(local);
  }
  forActiveLanes(c, (row, lane) => {
    const local = registers?.[((row * c.lanes + lane) / LANES) | 0];
    if (local !== undefined) f.get(local);
    call((at) => pushLane(c, operands[at]!, row, lane, Extend.None));
    if (local === undefined) return;
    f.lane(Wasm.i32x4_replace_lane, lane % LANES);
    f.set(local);
  });
}
