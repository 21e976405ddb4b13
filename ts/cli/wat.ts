// SPDX-License-Identifier: MIT
import { jitSettings } from '../backend/software/jit-settings';
import { JitError } from '../jit';
import type { Module } from '../spirv/module';
import { disassemble } from '../wasm/disassemble';
import { inputError } from './exit';
import { tools } from './tools';

/** The WebAssembly of each kernel as the software device would run it, with what the JIT remarked about it. */
export function watOf(module: Module): string {
  const { host, toolchain } = tools();
  try {
    const program = toolchain.load(module);
    const settings = jitSettings(host);
    const texts = [...program.binary.kernels.keys()].map((name) => {
      const kernel = program.compileKernel(name, settings);
      const notes = [`kernel ${name}: ${kernel.lanes} work-items a vector`, ...kernel.remarks()];
      return `${notes.map((note) => `;; ${note}\n`).join('')}${disassemble(kernel.module('any').wasm)}`;
    });
    return `${texts.join('\n')}\n`;
  } catch (error) {
    if (!(error instanceof JitError)) throw error;
    throw inputError(`error: ${error.message}`);
  }
}
