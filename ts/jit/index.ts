// SPDX-License-Identifier: MIT
//
// The JIT's entry point: a linked, specialized SPIR-V module becomes a program whose kernels are compiled on demand.
import type { AddressBits } from '../base/kernel-abi';
import type { Module } from '../spirv/module';
import { specialize } from '../spirv/specialize';
import type { JitProgram, Library } from './compiled';
import { Program } from './frontend/program';
import { compileKernel, simplifyBody } from './pipeline';

export { JitError } from './jit-error';

/** Prepares a module for a device whose memory has addresses of so many bits. Throws a `JitError` if it uses a feature that the software device does not have. */
export function loadProgram(module: Module, library: Library, addressBits: AddressBits = 32): JitProgram {
  const program = new Program(specialize(module), library, addressBits);
  return {
    binary: program.binary,
    instructions: instructionsOf(module),
    debugKernel: (name, options) =>
      (require('./seldom') as typeof import('./seldom')).debugKernel(program, name, options),
    compileKernel: (name, options, trace) =>
      compileKernel({
        ...program.translate(name, {
          zeroPrivate: options.zeroed?.private === true,
          fusedMultiplyAdd: options.engine.fusedMultiplyAdd,
          checks: options.checks,
          coverage: options.coverage !== undefined,
          simplifyBody: (body, signature) =>
            simplifyBody(
              body,
              { signature, constants: program.image, fuse: options.engine.relaxedSimd },
              trace,
            ),
        }),
        constants: program.image,
        options,
        ...(trace ? { trace } : {}),
      }),
  };
}

function instructionsOf(module: Module): number {
  let count = 0;
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks) count += instructions.length;
  return count;
}
