// SPDX-License-Identifier: MIT
//
// What `anycl compile` needs in some cases only: the linker, and what --emit asks for.
import type { Module } from '../../spirv/module';
import { inputError } from '../exit';
import { tools } from '../tools';

export { disassemble } from '../../spirv/text';
export { astText } from './ast-text';
export { stageOf, watOf } from './jit-text';
export { tools };

export function linked(modules: readonly Module[], library: boolean): Module {
  try {
    return tools().toolchain.link(modules, { library });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'LinkError') throw error;
    throw inputError(`error: linking failed: ${error.message}`);
  }
}
