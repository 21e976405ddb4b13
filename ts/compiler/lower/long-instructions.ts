// SPDX-License-Identifier: MIT
//
// Constants and switches that do not fit one instruction of 65535 words.
import { Op } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { LoweringContext } from './context';

/** Constituents of one OpConstantComposite: the first word, the type and the result take three. */
const LONGEST_COMPOSITE = 65_532;

/**
 * A constant of the array type with these first elements and zeros for the rest. If it does not fit one instruction, it is a
 * struct of arrays, which has the same bytes and another type; users must query its type.
 */
export function arrayConstant(ctx: LoweringContext, array: Id, first: readonly Id[], count: number): Id {
  const { builder } = ctx;
  const element = builder.definitionOf(array)!.operands[0] as Id;
  if (count <= LONGEST_COMPOSITE) {
    const parts = first.slice();
    for (let null_ = builder.constantNull(element); parts.length < count; ) parts.push(null_);
    return builder.constantComposite(array, parts);
  }
  const parts: Id[] = [];
  for (let i = 0; i < first.length; i += LONGEST_COMPOSITE) {
    const some = first.slice(i, i + LONGEST_COMPOSITE);
    parts.push(builder.constantComposite(builder.array(element, some.length), some));
  }
  const rest = count - first.length;
  if (rest > 0) parts.push(builder.constantNull(builder.array(element, rest)));
  const struct = builder.struct(parts.map((part) => builder.typeOf(part)));
  return builder.constantComposite(struct, parts);
}

/** Cases of one OpSwitch (universal limits, 2.17). */
const LONGEST_SWITCH = 16_383;

/** Ends the block with OpSwitch, or with a chain of them. `wordsPerCase`: of a literal and its label. */
export function emitSwitch(
  ctx: LoweringContext,
  value: Id,
  otherwise: Id,
  targets: readonly number[],
  wordsPerCase: number,
): void {
  const { builder } = ctx;
  const most = LONGEST_SWITCH * wordsPerCase;
  for (let i = 0; ; i += most) {
    const isLast = targets.length - i <= most;
    const next = isLast ? otherwise : builder.id();
    builder.terminate(Op.Switch, [value, next, ...targets.slice(i, i + most)]);
    if (isLast) return;
    builder.label(next);
  }
}
