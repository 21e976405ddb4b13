// SPDX-License-Identifier: MIT
//
// The rules for Kernel modules, group by group. `decode` has already checked what only the binary form can break: the header, the
// order of the sections, the nesting of functions and blocks.
import type { Module } from '../module';
import { SpirvError } from '../spirv-error';
import { checkBarriers } from './barriers';
import { Context } from './context';
import { checkControlFlow } from './control-flow';
import { checkDebugInfo } from './debug-info';
import { checkDecorations } from './decorations';
import { checkExtended } from './extended';
import { checkFunctions } from './functions';
import { checkGrammar } from './grammar';
import { checkIds } from './ids';
import { checkImages } from './images';
import { checkMemory } from './memory';
import { checkSignatures } from './signatures';
import { checkTypes } from './types';
import { checkValues } from './values';

const GROUPS: readonly ((c: Context) => void)[] = [
  checkGrammar,
  checkIds,
  checkTypes,
  checkFunctions,
  checkControlFlow,
  checkValues,
  checkSignatures,
  checkMemory,
  checkImages,
  checkExtended,
  checkBarriers,
  checkDecorations,
  checkDebugInfo,
];

/** The first rule that a module breaks, or undefined for a valid one. */
export function validate(module: Module): string | undefined {
  try {
    const context = new Context(module);
    for (const check of GROUPS) check(context);
  } catch (error) {
    if (error instanceof SpirvError) return error.message;
    throw error;
  }
  return undefined;
}
