// SPDX-License-Identifier: MIT
//
// Kernels as text at the stages of the JIT, for `anycl compile --emit`.
import { jitSettings } from '../../backend/software/build/jit-settings';
import type { Toolchain } from '../../backend/software/build/toolchain';
import type { Host } from '../../base/host';
import type { KernelBinary } from '../../base/kernel-abi';
import { JitError } from '../../jit';
import type { KernelTrace, Stage } from '../../jit/compiled';
import type { Module } from '../../spirv/module';
import { disassemble } from '../../wasm/disassemble';
import { inputError } from '../exit';

export interface Tools {
  readonly host: Host;
  readonly toolchain: Toolchain;
}

/** The WebAssembly of each kernel as the software device would run it, with the JIT's remarks. */
export function watOf(module: Module, tools: Tools): string {
  return eachKernel(module, tools, (name, compile) => {
    const kernel = compile();
    const notes = [`kernel ${name}: ${kernel.lanes} work-items a vector`, ...kernel.remarks()];
    return `${notes.map((note) => `;; ${note}\n`).join('')}${disassemble(kernel.module('any').wasm)}`;
  });
}

/** Each kernel at a stage of the JIT, with the JIT's remarks. */
export function stageOf(module: Module, stage: Stage, tools: Tools): string {
  return eachKernel(module, tools, (name, compile) => {
    let text = '';
    const kernel = compile({
      stage: (reached, shown) => {
        if (reached === stage) text = shown;
      },
    });
    const notes = [`kernel ${name}`, ...(stage === 'plan' ? kernel.remarks() : [])];
    return `${notes.map((note) => `; ${note}\n`).join('')}${text}`;
  });
}

type CompileKernel = (trace?: KernelTrace) => KernelBinary;

function eachKernel(
  module: Module,
  { host, toolchain }: Tools,
  textOf: (name: string, compile: CompileKernel) => string,
): string {
  try {
    const program = toolchain.load(module);
    // Of launches whose buffers do not overlap, as most do not.
    const settings = { ...jitSettings(host), separate: true } as const;
    const names = [...program.binary.kernels.keys()];
    const texts = names.map((name) => textOf(name, (trace) => program.compileKernel(name, settings, trace)));
    return `${texts.join('\n')}\n`;
  } catch (error) {
    if (!(error instanceof JitError)) throw error;
    throw inputError(`error: ${error.message}`);
  }
}
