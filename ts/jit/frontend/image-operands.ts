// SPDX-License-Identifier: MIT
//
// The optional operands of image instructions, after their mask.
import { ImageOperands } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import type { ModuleIndex } from './module-index';

const OPERAND_COUNT: ReadonlyMap<ImageOperands, number> = new Map([
  [ImageOperands.Grad, 2],
  [ImageOperands.NonPrivateTexel, 0],
  [ImageOperands.VolatileTexel, 0],
  [ImageOperands.SignExtend, 0],
  [ImageOperands.ZeroExtend, 0],
  [ImageOperands.Nontemporal, 0],
]);

/**
 * The position of the first operand of `bit`; undefined if the instruction has none. `maskAt` is the position of the mask.
 */
function positionOf(i: Instruction, maskAt: number, bit: ImageOperands): number | undefined {
  const mask = i.operands[maskAt] ?? 0;
  if ((mask & bit) === 0) return undefined;
  let at = maskAt + 1;
  for (let lower = 1; lower < bit; lower *= 2) if (mask & lower) at += OPERAND_COUNT.get(lower) ?? 1;
  return at;
}

/** The operand of `bit`. */
export function imageOperand(i: Instruction, maskAt: number, bit: ImageOperands): Id | undefined {
  const at = positionOf(i, maskAt, bit);
  return at === undefined ? undefined : (i.operands[at] as Id);
}

/**
 * The level that an OpImageSampleExplicitLod reads. Compilers emit the constant 0 for functions without a level: these read
 * the first level, whatever the sampler's limits are.
 */
export type SampledLevel =
  | { readonly kind: 'first' }
  | { readonly kind: 'lod'; readonly lod: Id }
  | { readonly kind: 'gradients'; readonly dx: Id; readonly dy: Id };

const SAMPLE_MASK = 2;

export function sampledLevel(index: ModuleIndex, i: Instruction): SampledLevel {
  const grad = positionOf(i, SAMPLE_MASK, ImageOperands.Grad);
  if (grad !== undefined) {
    return { kind: 'gradients', dx: i.operands[grad] as Id, dy: i.operands[grad + 1] as Id };
  }
  const lod = imageOperand(i, SAMPLE_MASK, ImageOperands.Lod);
  if (lod === undefined || index.constants.leaves(lod)?.[0] === 0) return { kind: 'first' };
  return { kind: 'lod', lod };
}
