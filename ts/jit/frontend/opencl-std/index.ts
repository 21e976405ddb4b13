// SPDX-License-Identifier: MIT
//
// OpenCL.std: instructions with a direct form in the IR are in the tables of this folder, the others are calls of the built-in
// library.
import { OpenCLStd as E } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { LIBRARY_MATH } from '../library-calls';
import { printf } from '../printf';
import type { Translation } from '../translation';
import { BITS } from './bits';
import type { Handlers } from './componentwise';
import { FLOATS } from './floats';
import { GEOMETRY } from './geometry';
import { INTEGERS } from './integers';
import { library, sineAndCosine, sineOrCosineOf } from './library';
import { VECTOR_MEMORY } from './vector-memory';

const HANDLERS: Handlers = {
  ...FLOATS,
  ...GEOMETRY,
  ...INTEGERS,
  ...BITS,
  ...VECTOR_MEMORY,
  [E.prefetch]: () => {},
  [E.printf]: printf,
};

/** @param block the instructions of the block of `i`. */
export function openclStd(t: Translation, block: readonly Instruction[], i: Instruction): void {
  const inst: E = i.operands[1]!;
  const other = sineOrCosineOf(block, i);
  if (other) {
    // The first of the two computes both.
    if (block.indexOf(i) > block.indexOf(other)) return;
    if (inst === E.sin) sineAndCosine(t, i, other);
    else sineAndCosine(t, other, i);
    return;
  }
  const handler = HANDLERS[inst];
  if (handler) handler(t, i);
  else if (LIBRARY_MATH.has(inst)) library(t, i, inst);
  else t.fail(`the OpenCL.std instruction ${E[inst] ?? inst} is not supported by the software device`);
}
