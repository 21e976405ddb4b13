// SPDX-License-Identifier: MIT
//
// OpenCL.std: the types of operands and results (OpenCL Extended Instruction Set Specification, 2.1 to 2.4).
import { OpenCLStd as E, Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Context } from './context';

/** Ranges of instructions whose operands all have the result's type, floats. */
const FLOATS: readonly E[] = [
  ...between(E.acos, E.fmod).filter((e) => e !== E.fma),
  E.fma,
  E.hypot,
  ...between(E.log, E.minmag).filter((e) => e !== E.lgamma_r),
  E.nextafter,
  E.pow,
  E.powr,
  E.remainder,
  E.rint,
  E.round,
  E.rsqrt,
  E.sin,
  ...between(E.sinh, E.native_tan),
  ...between(E.fclamp, E.sign),
  E.normalize,
  E.fast_normalize,
  E.cross,
];

/** The same of integers. */
const INTEGERS: readonly E[] = [
  ...between(E.s_abs, E.s_sub_sat),
  E.u_sub_sat,
  E.popcount,
  ...between(E.s_mad24, E.u_mul24),
  E.u_abs,
  E.u_abs_diff,
  E.u_mul_hi,
  E.u_mad_hi,
];

function between(first: E, last: E): E[] {
  const list: E[] = [];
  for (let e = first; e <= last; e++) if (E[e] !== undefined) list.push(e);
  return list;
}

export function checkExtended(c: Context): void {
  const set = c.module.extInstImports.get('OpenCL.std');
  if (!set) return;
  const kinds = new Map<E, 'float' | 'integer'>();
  for (const e of FLOATS) kinds.set(e, 'float');
  for (const e of INTEGERS) kinds.set(e, 'integer');
  c.eachInstruction((i) => {
    if (i.op !== Op.ExtInst || i.operands[0] !== set) return;
    const inst: E = i.operands[1]!;
    const kind = kinds.get(inst);
    if (kind) sameType(c, i, inst, kind);
    else if (inst === E.printf) printf(c, i);
    else if (inst === E.select || inst === E.bitselect) {
      for (const id of i.operands.slice(2, 4))
        if (c.typeOf(id) !== i.type) c.fail(i, `OpenCL.std ${E[inst]}: its operands have the result's type`);
    }
  });
}

function sameType(c: Context, i: Instruction, inst: E, kind: 'float' | 'integer'): void {
  const fits = kind === 'float' ? c.isFloat(i.type) : c.isInt(i.type);
  if (!fits)
    c.fail(
      i,
      `OpenCL.std ${E[inst]}: its result is ${kind === 'float' ? 'a float' : 'an integer'} scalar or vector`,
    );
  for (const id of i.operands.slice(2))
    if (c.typeOf(id) !== i.type) c.fail(i, `OpenCL.std ${E[inst]}: its operands have the result's type`);
}

function printf(c: Context, i: Instruction): void {
  const type = c.type(c.typeOf(i.operands[2]! as Id));
  if (type.op !== Op.TypePointer || type.operands[0] !== StorageClass.UniformConstant)
    c.fail(i, 'OpenCL.std printf: its format is a pointer to UniformConstant');
}
