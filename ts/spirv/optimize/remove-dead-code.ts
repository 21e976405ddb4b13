// SPDX-License-Identifier: MIT
//
// Removes instructions without effects whose result is not used.
import type { Builder } from '../builder';
import { Op, OpenCLDebugInfo, OpenCLStd } from '../grammar.gen';
import { type FunctionDefinition, type Id, type Instruction, NO_ID } from '../module';
import { forEachId } from '../operands';
import type { RemovedIds } from './control-flow';

const VOLATILE = 1;

/** [first, last] opcodes that only compute: conversions, arithmetic, bits, relations. */
const PURE_RANGES: readonly (readonly [Op, Op])[] = [
  [Op.VectorExtractDynamic, Op.Transpose],
  [Op.ConvertFToU, Op.Bitcast],
  [Op.SNegate, Op.SMulExtended],
  [Op.Any, Op.FUnordGreaterThanEqual],
  [Op.ShiftRightLogical, Op.BitCount],
];
const PURE: ReadonlySet<Op> = new Set([
  Op.AccessChain,
  Op.InBoundsAccessChain,
  Op.PtrAccessChain,
  Op.InBoundsPtrAccessChain,
  Op.Phi,
  Op.Variable,
  Op.SampledImage,
  Op.Undef,
  Op.CopyObject,
]);

/** Extended instructions that write to memory or print. */
const EFFECTS: ReadonlySet<OpenCLStd> = new Set([
  OpenCLStd.fract,
  OpenCLStd.frexp,
  OpenCLStd.lgamma_r,
  OpenCLStd.modf,
  OpenCLStd.remquo,
  OpenCLStd.sincos,
  OpenCLStd.vstoren,
  OpenCLStd.vstore_half,
  OpenCLStd.vstore_half_r,
  OpenCLStd.vstore_halfn,
  OpenCLStd.vstore_halfn_r,
  OpenCLStd.vstorea_halfn,
  OpenCLStd.vstorea_halfn_r,
  OpenCLStd.printf,
  OpenCLStd.prefetch,
]);

function isPure({ op, operands }: Instruction, openCl: Id): boolean {
  if (op === Op.Load) return ((operands[1] ?? 0) & VOLATILE) === 0;
  if (op === Op.ExtInst) return operands[0] === openCl && !EFFECTS.has(operands[1]!);
  for (const [first, last] of PURE_RANGES) if (op >= first && op <= last) return true;
  return PURE.has(op);
}

/** Debug information must not keep values alive. */
const debugValueIn = (debug: Id | undefined, { op, operands }: Instruction): boolean =>
  op === Op.ExtInst && operands[0] === debug && operands[1] === OpenCLDebugInfo.DebugValue;

export function removeDeadCode(
  b: Builder,
  definition: FunctionDefinition,
  selectorWords: (selector: Id) => 1 | 2,
  removed: RemovedIds,
): void {
  const imports = b.module.extInstImports;
  const openCl = imports.get('OpenCL.std') ?? NO_ID;
  const debug = imports.get('OpenCL.DebugInfo.100');
  const told: Instruction[] = [];
  /** Pure instructions for which no live user was found so far. */
  const idle = new Map<number, Instruction>();
  const work: Instruction[] = [];
  for (const { instructions } of definition.blocks)
    for (const instruction of instructions) {
      if (isPure(instruction, openCl)) idle.set(instruction.result, instruction);
      else if (debugValueIn(debug, instruction)) told.push(instruction);
      else work.push(instruction);
    }
  const use = (id: Id) => {
    const instruction = idle.get(id);
    if (!instruction) return;
    idle.delete(id);
    work.push(instruction);
  };
  for (let instruction = work.pop(); instruction; instruction = work.pop())
    forEachId(
      instruction,
      use,
      instruction.op === Op.Switch ? selectorWords(instruction.operands[0] as Id) : 1,
    );
  if (idle.size === 0) return;
  for (const block of definition.blocks)
    block.instructions = block.instructions.filter((instruction) => !idle.has(instruction.result));
  for (const { operands } of told) {
    const gone = idle.get(operands[3]!);
    if (gone) operands[3] = b.undef(gone.type);
  }
  for (const id of idle.keys()) removed.add(id as Id);
}
