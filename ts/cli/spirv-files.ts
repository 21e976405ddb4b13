// SPDX-License-Identifier: MIT
//
// `anycl dis` and `anycl validate`.
import { decode } from '../spirv/decode';
import type { Module } from '../spirv/module';
import { SpirvError } from '../spirv/spirv-error';
import { disassemble } from '../spirv/text';
import { inputError } from './exit';
import { readInput, writeOutput } from './files';
import { tools } from './tools';

export function disassembleFile(file: string): void {
  writeOutput('-', disassemble(load(file)));
}

export function validateFile(file: string): void {
  const problem = tools().toolchain.validate(load(file));
  if (problem !== undefined) throw inputError(`error: ${file}: ${problem}`);
}

function load(file: string): Module {
  const bytes = readInput(file);
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof SpirvError)) throw error;
    throw inputError(`error: ${file}: ${error.message}`);
  }
}
