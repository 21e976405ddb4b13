// SPDX-License-Identifier: MIT
import { compile } from '../../ts/compiler/compile';
import type { CompileInput } from '../../ts/compiler/compiled';
import type { Module } from '../../ts/spirv/module';

/** What our compiler makes of a source that it must accept; throws the messages if it does not. */
export function compiledModule(input: CompileInput): Module {
  const { module, log } = compile(input);
  if (!module) throw new Error(log);
  return module;
}
