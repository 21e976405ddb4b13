// SPDX-License-Identifier: MIT
//
// What kind of work each instruction of SPIR-V is, for counts.
import type { InstructionKind } from '../../base/coverage';
import { Op } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import type { ModuleIndex } from './module-index';

/** Instructions that declare or structure, and do nothing. */
const DECLARATIONS: ReadonlySet<Op> = new Set([
  Op.Nop,
  Op.Line,
  Op.NoLine,
  Op.Undef,
  Op.Variable,
  Op.Phi,
  Op.SelectionMerge,
  Op.LoopMerge,
  Op.LifetimeStart,
  Op.LifetimeStop,
]);

/** Whether an instruction is not executed: declarations, and debug information. */
export function isNoCode(index: ModuleIndex, { op, operands }: Instruction): boolean {
  if (op !== Op.ExtInst) return DECLARATIONS.has(op);
  return index.extInstSets.get(operands[0]! as Id) !== 'OpenCL.std';
}

/** Ranges of the numbers of instructions, first and last. */
const RANGES: readonly (readonly [first: Op, last: Op, kind: InstructionKind])[] = [
  [Op.ExtInst, Op.ExtInst, 'call'],
  [Op.FunctionCall, Op.FunctionCall, 'call'],
  [Op.Load, Op.CopyMemorySized, 'memory'],
  [Op.SampledImage, Op.ImageQuerySamples, 'image'],
  [Op.ConvertFToU, Op.Bitcast, 'conversion'],
  [Op.Select, Op.Select, 'other'],
  [Op.Any, Op.FUnordGreaterThanEqual, 'comparison'],
  [Op.ShiftRightLogical, Op.BitCount, 'integer'],
  [Op.ControlBarrier, Op.MemoryBarrier, 'group'],
  [Op.AtomicLoad, Op.AtomicXor, 'atomic'],
  [Op.AtomicFlagTestAndSet, Op.AtomicFlagClear, 'atomic'],
  [Op.AtomicFMinEXT, Op.AtomicFMaxEXT, 'atomic'],
  [Op.AtomicFAddEXT, Op.AtomicFAddEXT, 'atomic'],
  [Op.Branch, Op.Unreachable, 'control'],
  [Op.GroupAsyncCopy, Op.GroupSMax, 'group'],
];

const FLOAT: ReadonlySet<Op> = new Set([
  Op.FNegate,
  Op.FAdd,
  Op.FSub,
  Op.FMul,
  Op.FDiv,
  Op.FRem,
  Op.FMod,
  Op.VectorTimesScalar,
  Op.Dot,
]);

export function kindOf(op: Op): InstructionKind {
  if (FLOAT.has(op)) return 'float';
  if (op >= Op.SNegate && op <= Op.SMulExtended) return 'integer';
  return RANGES.find(([first, last]) => op >= first && op <= last)?.[2] ?? 'other';
}
