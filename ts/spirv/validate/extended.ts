// SPDX-License-Identifier: MIT
//
// OpenCL.std: the types of operands and results (OpenCL Extended Instruction Set Specification, 2.1 to 2.4).
import { AddressingModel, OpenCLStd as E, Op, StorageClass } from '../grammar.gen';
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

/**
 * The pointee of a pointer operand: a value of the result's type, of 32-bit integers, a component of the
 * result or of the data, or a half.
 */
type Pointee = 'result' | 'int' | 'component' | 'data' | 'half';

/** Instructions with a pointer: its place among the operands, and its pointee. */
const POINTERS: ReadonlyMap<E, readonly [number, Pointee]> = new Map<E, readonly [number, Pointee]>([
  [E.fract, [1, 'result']],
  [E.modf, [1, 'result']],
  [E.sincos, [1, 'result']],
  [E.frexp, [1, 'int']],
  [E.lgamma_r, [1, 'int']],
  [E.remquo, [2, 'int']],
  [E.vloadn, [1, 'component']],
  [E.vstoren, [2, 'data']],
  [E.vload_half, [1, 'half']],
  [E.vload_halfn, [1, 'half']],
  [E.vloada_halfn, [1, 'half']],
  [E.vstore_half, [2, 'half']],
  [E.vstore_half_r, [2, 'half']],
  [E.vstore_halfn, [2, 'half']],
  [E.vstore_halfn_r, [2, 'half']],
  [E.vstorea_halfn, [2, 'half']],
  [E.vstorea_halfn_r, [2, 'half']],
]);

/** Instructions with an offset: its place among the operands. It is a size_t. */
const OFFSETS: ReadonlyMap<E, number> = new Map<E, number>([
  [E.vloadn, 0],
  [E.vload_half, 0],
  [E.vload_halfn, 0],
  [E.vloada_halfn, 0],
  [E.vstoren, 1],
  [E.vstore_half, 1],
  [E.vstore_half_r, 1],
  [E.vstore_halfn, 1],
  [E.vstore_halfn_r, 1],
  [E.vstorea_halfn, 1],
  [E.vstorea_halfn_r, 1],
]);

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
    const pointer = POINTERS.get(inst);
    if (pointer) leadsTo(c, i, inst, pointer);
    const offset = OFFSETS.get(inst);
    if (offset !== undefined) isSize(c, i, inst, offset);
    if (kind && !pointer) sameType(c, i, inst, kind);
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

function leadsTo(c: Context, i: Instruction, inst: E, [at, pointee]: readonly [number, Pointee]): void {
  const fail = (rule: string): never => c.fail(i, `OpenCL.std ${E[inst]}: ${rule}`);
  const id = i.operands[2 + at];
  const type = id === undefined ? undefined : c.find(c.typeOf(id));
  const pointer = type?.op === Op.TypePointer ? type : fail(`its operand ${at} is a pointer`);
  const target = pointer.operands[1]! as Id;
  const component = (of: Id): Id => {
    const vector = c.find(of);
    return vector?.op === Op.TypeVector ? (vector.operands[0]! as Id) : of;
  };
  const { op, operands = [] } = c.find(component(target)) ?? {};
  const fits = {
    result: () => target === i.type,
    int: () => op === Op.TypeInt && operands[0] === 32,
    component: () => target === component(i.type),
    data: () => target === component(c.typeOf(i.operands[2]! as Id)),
    half: () => op === Op.TypeFloat && operands[0] === 16,
  };
  if (!fits[pointee]()) fail(`its operand ${at} points to ${POINTEE_TEXT[pointee]}`);
}

function isSize(c: Context, i: Instruction, inst: E, at: number): void {
  const bits = c.module.addressing === AddressingModel.Physical64 ? 64 : 32;
  const { op, operands = [] } = c.find(c.typeOf(i.operands[2 + at]!)) ?? {};
  if (op !== Op.TypeInt || operands[0] !== bits)
    c.fail(i, `OpenCL.std ${E[inst]}: its operand ${at} is a size_t, an integer of ${bits} bits`);
}

const POINTEE_TEXT: Readonly<Record<Pointee, string>> = {
  result: 'a value of the result type',
  int: '32-bit integers',
  component: 'a component of the result',
  data: 'a component of the data',
  half: 'a half',
};

function printf(c: Context, i: Instruction): void {
  const type = c.type(c.typeOf(i.operands[2]! as Id));
  if (type.op !== Op.TypePointer || type.operands[0] !== StorageClass.UniformConstant)
    c.fail(i, 'OpenCL.std printf: its format is a pointer to UniformConstant');
}
