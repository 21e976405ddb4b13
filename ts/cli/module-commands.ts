// SPDX-License-Identifier: MIT
//
// The subcommands that work on SPIR-V, and what `anycl compile` needs in some cases; loaded when one of them runs.
export * as compileTools from './compile/tools';
export { disassembleFile, validateFile } from './spirv/spirv-files';
export { types } from './types';
